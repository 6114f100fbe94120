//! What the solver chooses versions of.

use alloc::sync::Arc;
use core::fmt;

use hermes_pep::{ExtraName, PackageName};

/// A package of the solver: real, or virtual so that the proof can name it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Node {
    /// The union itself: it depends on every owner.
    Union,
    /// Hermes core or a plugin: it depends on what it declares.
    Owner(Owner),
    /// The target's Python: it has one version.
    Python,
    /// A package.
    Package(PackageName),
    /// An extra of a package: it depends on the same version of the package, and on what the extra adds.
    Extra(PackageName, ExtraName),
}

/// Who declares requirements.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Owner {
    /// The position among the roots, which is the order of the user.
    pub(crate) index: usize,
    /// The root's id.
    pub(crate) id: Arc<str>,
}

impl Node {
    /// The package behind a package or an extra.
    pub(crate) fn package(&self) -> Option<&PackageName> {
        match self {
            Self::Package(name) | Self::Extra(name, _) => Some(name),
            Self::Union | Self::Owner(_) | Self::Python => None,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Union => f.write_str("the union"),
            Self::Owner(owner) => f.write_str(&owner.id),
            Self::Python => f.write_str("Python"),
            Self::Package(name) => name.fmt(f),
            Self::Extra(name, extra) => write!(f, "{name}[{extra}]"),
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
