//! Core metadata (PEP 566, 643): the fields that a resolver needs.

use crate::{ExtraName, PackageName, Requirement, Specifiers, Version};

/// A METADATA text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MetadataError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The metadata of one distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreMetadata {
    /// `Name`.
    pub name: PackageName,
    /// `Version`.
    pub version: Version,
    /// `Requires-Python`.
    pub requires_python: Option<Specifiers>,
    /// `Requires-Dist`, in the order of the file.
    pub requires: Vec<Requirement>,
    /// `Provides-Extra`, in the order of the file.
    pub extras: Vec<ExtraName>,
    /// Whether the dependencies are static (PEP 643): `Metadata-Version` 2.2 or later and
    /// `Requires-Dist` not `Dynamic`. Always true of a wheel.
    pub is_static: bool,
}

impl CoreMetadata {
    /// Reads the headers of a METADATA or PKG-INFO file.
    pub fn parse(text: &str) -> Result<Self, MetadataError> {
        let _ = text;
        Err(MetadataError { line: 1, message: String::new() })
    }
}
