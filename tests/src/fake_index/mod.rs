//! An index in memory, made from a description, behind the same port as the real ones.
//!
//! Files whose names cannot be read are left out, as the catalog leaves them out; metadata is text
//! that is parsed when it is asked for, so that broken metadata behaves as it does on a real index.

mod builder;
mod scenario;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hermes_admission::{IndexFault, MetadataFault};
use hermes_pep::{CoreMetadata, IndexFile, IndexPage, PackageName};
use hermes_terms::Code;

use crate::Fault;
use crate::dice::Dice;
use crate::raw_index::RawIndex;

pub use builder::{DescribedFile, PackageDescription, Universe, VersionDescription};
pub(crate) use builder::{sha256, sha256_of};
pub use scenario::{Expected, Scenario};

/// An index in memory.
#[derive(Debug, Default)]
pub struct FakeIndex {
    pages: BTreeMap<PackageName, Arc<IndexPage>>,
    texts: BTreeMap<String, String>,
    parsed: Mutex<BTreeMap<String, Arc<CoreMetadata>>>,
    unreachable: BTreeMap<PackageName, IndexFault>,
}

impl FakeIndex {
    /// Makes the index of a description.
    pub fn new(universe: &Universe) -> Result<Self, Fault> {
        let mut index = Self::default();
        for (name, package) in &universe.packages {
            let name = PackageName::parse(name)?;
            let mut files = Vec::new();
            for described in package.files(&name)? {
                if let Some(metadata) = described.metadata {
                    index.texts.insert(described.file.filename.clone(), metadata);
                }
                files.push(Arc::new(described.file));
            }
            let page = IndexPage {
                name: name.clone(),
                status: package.status()?,
                files,
            };
            index.pages.insert(name, Arc::new(page));
        }
        Ok(index)
    }

    /// The same index with the files of every page in another order.
    #[must_use]
    pub fn shuffled(&self, dice: &mut Dice) -> Self {
        let pages = self.pages.iter().map(|(name, page)| {
            let mut page = IndexPage::clone(page);
            dice.shuffle(&mut page.files);
            (name.clone(), Arc::new(page))
        });
        Self {
            pages: pages.collect(),
            texts: self.texts.clone(),
            parsed: Mutex::default(),
            unreachable: self.unreachable.clone(),
        }
    }

    /// The same index, which no longer answers for one project.
    #[must_use]
    pub fn without_answer_for(mut self, name: PackageName) -> Self {
        let fault = IndexFault {
            code: Code::IndexUnavailable,
            message: format!("the index did not answer for {name}"),
        };
        self.unreachable.insert(name, fault);
        self
    }
}

impl RawIndex for FakeIndex {
    fn page(&self, name: &PackageName) -> Result<Option<Arc<IndexPage>>, IndexFault> {
        match self.unreachable.get(name) {
            Some(fault) => Err(fault.clone()),
            None => Ok(self.pages.get(name).cloned()),
        }
    }

    fn metadata(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<CoreMetadata>, MetadataFault> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = parsed.get(&file.filename) {
            return Ok(Arc::clone(known));
        }
        let text = self
            .texts
            .get(&file.filename)
            .ok_or_else(|| MetadataFault::Unusable {
                code: Code::MetadataParse,
                message: format!("{} of {name} has no metadata", file.filename),
            })?;
        let metadata = CoreMetadata::parse(text).map_err(|error| MetadataFault::Unusable {
            code: Code::MetadataParse,
            message: error.to_string(),
        })?;
        let metadata = Arc::new(metadata);
        parsed.insert(file.filename.clone(), Arc::clone(&metadata));
        Ok(metadata)
    }
}
