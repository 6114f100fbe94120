//! What an index says of one project (PEP 503, 592, 658, 691, 700, 714, 792), as data.
//! Reading the wire formats is the catalog's work.

use std::sync::Arc;

use crate::{DistFilename, PackageName, Specifiers, Version};

/// A project's page: its files, grouped by nothing yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPage {
    /// The project.
    pub name: PackageName,
    /// What the index says of the project as a whole (PEP 792).
    pub status: ProjectStatus,
    /// The files whose names could be read, in the order of the page.
    pub files: Vec<Arc<IndexFile>>,
}

/// The status of a project (PEP 792).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProjectStatus {
    /// Nothing out of the ordinary.
    #[default]
    Active,
    /// No new releases are expected.
    Archived,
    /// Held back by the index as dangerous; its files must not be installed.
    Quarantined,
    /// Better not used any more.
    Deprecated,
}

/// One file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFile {
    /// The file's name, as the index gives it.
    pub filename: String,
    /// What the name says.
    pub dist: DistFilename,
    /// The absolute address, without credentials.
    pub url: String,
    /// The sha256 digest, if the index gives one.
    pub sha256: Option<FileHash>,
    /// The size in bytes (PEP 700).
    pub size: Option<u64>,
    /// `Requires-Python`, if it can be read; a text that cannot be read counts as absent.
    pub requires_python: Option<Specifiers>,
    /// The moment of upload in RFC 3339, UTC, normalised so that text order is time order (PEP 700).
    pub upload_time: Option<String>,
    /// Whether and why the file was withdrawn (PEP 592).
    pub yanked: Option<Yanked>,
    /// Whether the index says that it serves the metadata beside the file (PEP 658, 714).
    pub has_metadata: bool,
}

impl IndexFile {
    /// The version of the file.
    pub fn version(&self) -> &Version {
        self.dist.version()
    }
}

/// A sha256 digest in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileHash(Arc<str>);

impl FileHash {
    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        valid.then(|| Self(text.to_ascii_lowercase().into()))
    }

    /// The 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A withdrawn file (PEP 592).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Yanked {
    /// The reason, if one was given.
    pub reason: Option<String>,
}
