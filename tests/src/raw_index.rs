//! What an index says, before anything is derived from it: the judges look at this, and the resolver is
//! given the facts that follow for a target.

use std::sync::Arc;

use hermes_admission::{Index, IndexFault, MetadataFault};
use hermes_pep::{CoreMetadata, Dependencies, IndexFile, IndexPage, PackageName, Releases, Target};

/// Pages and metadata.
pub trait RawIndex {
    /// The page of a project.
    fn page(&self, name: &PackageName) -> Result<Option<Arc<IndexPage>>, IndexFault>;

    /// The metadata of a file.
    fn metadata(&self, name: &PackageName, file: &Arc<IndexFile>)
    -> Result<Arc<CoreMetadata>, MetadataFault>;

    /// The index as the resolver sees it.
    fn aimed<'i>(&'i self, target: &Arc<Target>) -> Aimed<'i>
    where
        Self: Sized,
    {
        Aimed {
            raw: self,
            target: Arc::clone(target),
        }
    }
}

/// An index with the target that it is looked at for.
pub struct Aimed<'i> {
    raw: &'i dyn RawIndex,
    target: Arc<Target>,
}

impl Index for Aimed<'_> {
    fn releases(&self, name: &PackageName) -> Result<Option<Releases>, IndexFault> {
        let page = self.raw.page(name)?;
        Ok(page.map(|page| Releases::of(&page, self.target.tags())))
    }

    fn dependencies(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<Dependencies>, MetadataFault> {
        let metadata = self.raw.metadata(name, file)?;
        Ok(Arc::new(Dependencies::of(&metadata, self.target.markers())))
    }
}
