//! The releases of one project, as far as they concern one target.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    DistFilename, IndexFile, IndexPage, PackageName, ProjectStatus, Specifiers, TagRank, Tags, Version,
};

/// The releases of a project, oldest first. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Releases {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: PackageName,
    status: ProjectStatus,
    releases: Vec<Stored>,
}

#[derive(Debug, Default)]
struct Stored {
    version: Option<Version>,
    /// Wheels that fit the target, best first.
    wheels: Vec<Arc<IndexFile>>,
    /// Source distributions, in the order of the page.
    sdists: Vec<Arc<IndexFile>>,
    /// Wheels for other targets: what matters of them is when they came.
    foreign: Vec<Option<String>>,
}

/// How good a wheel is among those of its release.
type Rank = (TagRank, (u64, String));

/// One release.
#[derive(Debug, Clone, Copy)]
pub struct Release<'r> {
    stored: &'r Stored,
    version: &'r Version,
}

/// A file that could be used on the target, its age and its state aside.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'r> {
    file: &'r Arc<IndexFile>,
}

impl Releases {
    /// Picks from a page what concerns a target with these tags.
    ///
    /// Of the wheels of a release the best tag comes first, then the highest build number (PEP 425,
    /// 427), then the order of the page.
    pub fn of(page: &IndexPage, tags: &Tags) -> Self {
        let mut releases: BTreeMap<Version, (Stored, Vec<Rank>)> = BTreeMap::new();
        for file in &page.files {
            let (stored, ranks) = releases.entry(file.version().clone()).or_default();
            match &file.dist {
                DistFilename::Sdist(_) => stored.sdists.push(Arc::clone(file)),
                DistFilename::Wheel(wheel) => match wheel.rank(tags) {
                    None => stored.foreign.push(file.upload_time.clone()),
                    Some(rank) => {
                        let rank = (rank, wheel.build());
                        let at = ranks.partition_point(|known| *known >= rank);
                        ranks.insert(at, rank);
                        stored.wheels.insert(at, Arc::clone(file));
                    }
                },
            }
        }
        let releases = releases.into_iter().map(|(version, (stored, _))| Stored {
            version: Some(version),
            ..stored
        });
        Self {
            inner: Arc::new(Inner {
                name: page.name.clone(),
                status: page.status,
                releases: releases.collect(),
            }),
        }
    }

    /// The project.
    pub fn name(&self) -> &PackageName {
        &self.inner.name
    }

    /// What the index says of the project as a whole (PEP 792).
    pub fn status(&self) -> ProjectStatus {
        self.inner.status
    }

    /// How many releases there are.
    pub fn len(&self) -> usize {
        self.inner.releases.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.inner.releases.is_empty()
    }

    /// The version at a place, counted from the oldest.
    pub fn version(&self, at: usize) -> Option<&Version> {
        self.inner.releases.get(at)?.version.as_ref()
    }

    /// The release at a place, counted from the oldest.
    pub fn get(&self, at: usize) -> Option<Release<'_>> {
        let stored = self.inner.releases.get(at)?;
        Some(Release {
            version: stored.version.as_ref()?,
            stored,
        })
    }

    /// How many releases are older than what the test holds for; it must hold for every version from
    /// some version on.
    pub fn partition_point(&self, holds: impl Fn(&Version) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.version(middle).is_some_and(&holds) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The place of a version.
    pub fn position(&self, version: &Version) -> Option<usize> {
        let at = self.partition_point(|known| known >= version);
        self.version(at).filter(|known| *known == version).map(|_| at)
    }
}

impl<'r> Release<'r> {
    /// The version.
    pub fn version(&self) -> &'r Version {
        self.version
    }

    /// The wheels that fit the target, best first.
    pub fn wheels(&self) -> impl Iterator<Item = Offer<'r>> + use<'r> {
        self.stored.wheels.iter().map(|file| Offer { file })
    }

    /// The source distributions, in the order of the page.
    pub fn sdists(&self) -> impl Iterator<Item = Offer<'r>> + use<'r> {
        self.stored.sdists.iter().map(|file| Offer { file })
    }

    /// When each wheel for other targets came (RFC 3339, UTC), as far as the index says it.
    pub fn foreign(&self) -> impl Iterator<Item = Option<&'r str>> + use<'r> {
        self.stored.foreign.iter().map(Option::as_deref)
    }
}

impl<'r> Offer<'r> {
    /// The moment of upload (RFC 3339, UTC), if the index gives one.
    pub fn upload_time(&self) -> Option<&'r str> {
        self.file.upload_time.as_deref()
    }

    /// Whether the file was withdrawn (PEP 592).
    pub fn is_yanked(&self) -> bool {
        self.file.yanked.is_some()
    }

    /// `Requires-Python`, if it can be read.
    pub fn requires_python(&self) -> Option<&'r Specifiers> {
        self.file.requires_python.as_ref()
    }

    /// Everything that is known of the file.
    pub fn file(&self) -> Arc<IndexFile> {
        Arc::clone(self.file)
    }
}
