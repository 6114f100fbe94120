//! Hermes core: its declared requirements, extras and locked versions (contract C9).
//!
//! Three sources become the same declaration: a folder with `pyproject.toml` (and `uv.lock`), the
//! metadata of a published version, a `pylock.toml` (PEP 751).

mod folder;
mod lock;
mod published;
mod pylock;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, PackageName, Requirement, Specifiers, Version};
use hermes_terms::Digest;

pub use folder::from_folder;
pub use published::from_metadata;
pub use pylock::from_pylock;

use crate::normal::NormalForm;
use crate::problem::RootRequirement;

/// The package that core is.
pub const CORE_PACKAGE: &str = "hermes-agent";

/// What a core declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreDeclaration {
    /// The package.
    pub name: PackageName,
    /// The version.
    pub version: Version,
    /// The Python versions it runs on.
    pub requires_python: Option<Specifiers>,
    /// The requirements that always hold.
    pub requirements: Vec<RootRequirement>,
    /// The requirements of each extra.
    pub extras: BTreeMap<ExtraName, Vec<RootRequirement>>,
    /// The versions of core's lock.
    pub locked: BTreeMap<PackageName, Version>,
    /// The quarantine that core sets for itself and its plugins.
    pub exclude_newer: Option<ExcludeNewer>,
}

/// A quarantine as it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExcludeNewer {
    /// So many days before the operation.
    Days(u32),
    /// A moment, as it is written.
    Date(String),
}

/// An extra that core does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Hermes core {version} has no extra `{extra}`")]
pub struct UnknownExtra {
    /// The extra.
    pub extra: ExtraName,
    /// Core's version.
    pub version: Version,
}

impl CoreDeclaration {
    /// What core requires with these extras enabled; with `pins_locked` its lock counts as well.
    /// Requirements of core on its own extras are followed.
    pub fn roots(
        &self,
        extras: &[ExtraName],
        pins_locked: bool,
    ) -> Result<Vec<RootRequirement>, UnknownExtra> {
        let mut all = self.requirements.clone();
        let mut waiting: Vec<ExtraName> = extras.iter().rev().cloned().collect();
        let mut seen: BTreeSet<ExtraName> = BTreeSet::new();
        while let Some(extra) = waiting.pop() {
            if !seen.insert(extra.clone()) {
                continue;
            }
            let Some(list) = self.extras.get(&extra) else {
                return Err(UnknownExtra {
                    extra,
                    version: self.version.clone(),
                });
            };
            for declared in list {
                if declared.requirement.name == self.name {
                    waiting.extend(declared.requirement.extras.iter().cloned());
                } else {
                    all.push(declared.clone());
                }
            }
        }
        if pins_locked {
            all.extend(
                self.locked
                    .iter()
                    .filter_map(|(name, version)| pin(name, version)),
            );
        }
        Ok(all)
    }

    /// A digest of the declaration in normal form.
    pub fn digest(&self) -> Digest {
        let mut form = NormalForm::default();
        form.line(format_args!("{} {}", self.name, self.version));
        if let Some(python) = &self.requires_python {
            form.line(format_args!("python {python}"));
        }
        for declared in &self.requirements {
            form.line(format_args!("{}", declared.requirement));
        }
        for (extra, list) in &self.extras {
            for declared in list {
                form.line(format_args!("[{extra}] {}", declared.requirement));
            }
        }
        for (name, version) in &self.locked {
            form.line(format_args!("lock {name} {version}"));
        }
        form.digest()
    }
}

/// A locked version as a requirement.
fn pin(name: &PackageName, version: &Version) -> Option<RootRequirement> {
    let text = format!("{name}=={version}");
    let requirement = Requirement::parse(&text).ok()?;
    Some(RootRequirement {
        requirement,
        text,
        file: lock::FILE.into(),
        line: 0,
        column: 0,
    })
}
