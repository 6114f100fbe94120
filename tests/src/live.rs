//! Real indexes, over the network or the loopback interface, without the product's own bridge.

use std::sync::Arc;

use hermes_admission::{Index, IndexFault, MetadataFault, Problem};
use hermes_catalog::index::{IndexError, IndexLocation, IndexSettings, Indexes, MetadataError};
use hermes_pep::{
    CoreMetadata, Dependencies, IndexFile, IndexPage, PackageName, Releases, Requirement, VersionRange,
};

use crate::Fault;
use crate::raw_index::RawIndex;

/// Real indexes behind the port.
#[derive(Debug)]
pub struct LiveIndex(Indexes);

impl LiveIndex {
    /// The indexes at these addresses, without a cache.
    pub fn new(urls: &[String], problem: &Problem) -> Result<Self, Fault> {
        let locations = urls.iter().map(|url| IndexLocation::parse(url));
        let settings = IndexSettings {
            indexes: locations.collect::<Result<_, _>>()?,
            exclude_newer: problem.policy.exclude_newer.clone(),
            ..IndexSettings::default()
        };
        Ok(Self(Indexes::new(settings, Arc::clone(&problem.target))))
    }
}

fn fault(error: IndexError) -> IndexFault {
    IndexFault {
        code: error.code,
        message: error.message,
    }
}

fn metadata_fault(error: MetadataError) -> MetadataFault {
    match error {
        MetadataError::Unusable { code, message } => MetadataFault::Unusable { code, message },
        MetadataError::Index(error) => MetadataFault::Index(fault(error)),
    }
}

impl Index for LiveIndex {
    fn releases(&self, name: &PackageName) -> Result<Option<Releases>, IndexFault> {
        self.0.releases(name).map_err(fault)
    }

    fn dependencies(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<Dependencies>, MetadataFault> {
        self.0.dependencies(name, file).map_err(metadata_fault)
    }

    fn want(&self, requirement: &Requirement, range: &VersionRange) {
        self.0.want(requirement, range);
    }
}

impl RawIndex for LiveIndex {
    fn page(&self, name: &PackageName) -> Result<Option<Arc<IndexPage>>, IndexFault> {
        self.0.page(name).map_err(fault)
    }

    fn metadata(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<CoreMetadata>, MetadataFault> {
        self.0.metadata(name, file).map_err(metadata_fault)
    }
}
