//! The thin bridge from the catalog's indexes to the port of the resolver.

use std::sync::Arc;
use std::time::Instant;

use hermes_admission::{Index, IndexFault, MetadataFault};
use hermes_catalog::index::{IndexError, Indexes, MetadataError};
use hermes_pep::{Dependencies, IndexFile, PackageName, Releases, Requirement, VersionRange};

/// Package indexes behind the port, with the moment at which the search has to end.
pub struct CatalogIndex<'a> {
    indexes: &'a Indexes,
    deadline: Option<Instant>,
}

impl<'a> CatalogIndex<'a> {
    /// Bridges; `deadline` is the caller's.
    pub fn new(indexes: &'a Indexes, deadline: Option<Instant>) -> Self {
        Self { indexes, deadline }
    }
}

fn fault(error: IndexError) -> IndexFault {
    IndexFault {
        code: error.code,
        message: error.message,
    }
}

impl Index for CatalogIndex<'_> {
    fn releases(&self, name: &PackageName) -> Result<Option<Releases>, IndexFault> {
        self.indexes.releases(name).map_err(fault)
    }

    fn dependencies(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<Dependencies>, MetadataFault> {
        self.indexes
            .dependencies(name, file)
            .map_err(|error| match error {
                MetadataError::Unusable { code, message } => MetadataFault::Unusable { code, message },
                MetadataError::Index(error) => MetadataFault::Index(fault(error)),
            })
    }

    fn want(&self, requirement: &Requirement, range: &VersionRange) {
        self.indexes.want(requirement, range);
    }

    fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
