//! The port through which the solver sees package indexes.

use alloc::string::String;
use alloc::sync::Arc;

use hermes_pep::{Dependencies, IndexFile, PackageName, Releases, Requirement, VersionRange};
use hermes_terms::Code;

/// An index could not answer: nothing may be concluded from it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IndexFault {
    /// Why, for machines: `index.*` or `net.*`.
    pub code: Code,
    /// Why, for people. Without credentials.
    pub message: String,
}

/// The metadata of one file could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataFault {
    /// The index answered, and what it holds is no use: the version counts as unavailable, and the
    /// reason stands in the proof.
    #[error("{message}")]
    Unusable {
        /// Why, for machines: `metadata.*`, `zip.*`, `hash.*`.
        code: Code,
        /// Why, for people.
        message: String,
    },
    /// The index did not answer.
    #[error(transparent)]
    Index(#[from] IndexFault),
}

/// Package indexes, each name bound to one of them, as they concern one target. Calls wait for the
/// answer; answers to the same question are the same within one run.
pub trait Index {
    /// The releases of a project; `None` when no index knows the name.
    fn releases(&self, name: &PackageName) -> Result<Option<Releases>, IndexFault>;

    /// What a wheel requires.
    fn dependencies(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<Dependencies>, MetadataFault>;

    /// A hint that this project will be asked for, with versions in this range and these extras.
    /// Answers never depend on hints.
    fn want(&self, requirement: &Requirement, range: &VersionRange) {
        let _ = (requirement, range);
    }

    /// Whether the time that the caller allows has ended.
    fn is_out_of_time(&self) -> bool {
        false
    }
}
