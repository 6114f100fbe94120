//! Requirements (PEP 508): parsed by strict, iterative code with limits.

use std::fmt;

use crate::{ExtraName, Marker, PackageName, Specifiers};

/// Why a text is not a requirement, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RequirementError {
    /// The byte offset in the text.
    pub offset: usize,
    /// Which kind of fault it is.
    pub kind: RequirementErrorKind,
    /// What is wrong, for a reader.
    pub message: String,
}

/// The kinds of faults of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequirementErrorKind {
    /// The text is not a requirement.
    Syntax,
    /// A limit on length, nesting or number was passed.
    Limit,
}

/// A requirement: a package, its extras, and either versions or an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The package.
    pub name: PackageName,
    /// The extras asked for, sorted, without repeats.
    pub extras: Vec<ExtraName>,
    /// The versions that fit.
    pub specifiers: Specifiers,
    /// A direct address (`name @ …`), unread.
    pub url: Option<String>,
    /// When the requirement applies; `None` means always.
    pub marker: Option<Marker>,
}

impl Requirement {
    /// The longest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 4096;

    /// Reads a requirement.
    pub fn parse(text: &str) -> Result<Self, RequirementError> {
        let _ = text;
        Err(RequirementError { offset: 0, kind: RequirementErrorKind::Syntax, message: String::new() })
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}
