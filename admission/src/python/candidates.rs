//! The versions of one package, judged once: which file of each would be used, or what is in the way.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::{
    DistFilename, IndexFile, IndexPage, PackageName, ProjectStatus, TagRank, Tags, Version, VersionRange,
};

use super::availability::Obstacle;
use super::rules::Rules;

/// One version of a package.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The version.
    pub version: Version,
    /// The file to use, or the obstacle.
    pub file: Result<Arc<IndexFile>, Obstacle>,
}

/// All versions of a package, oldest first.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// Whether any index knows the package.
    pub known: bool,
    versions: Vec<Candidate>,
}

/// The best file of a version so far.
#[derive(Default)]
struct Best {
    wheel: Option<(TagRank, (u64, alloc::string::String), Arc<IndexFile>)>,
    sdist: Option<Arc<IndexFile>>,
    obstacle: Option<Obstacle>,
}

impl Candidates {
    /// A package that no index knows.
    pub(crate) fn unknown() -> Self {
        Self {
            known: false,
            versions: Vec::new(),
        }
    }

    /// Judges every file of a page.
    pub(crate) fn judge(page: &IndexPage, tags: &Tags, rules: &Rules) -> Self {
        let mut best: BTreeMap<Version, Best> = BTreeMap::new();
        for file in &page.files {
            best.entry(file.version().clone())
                .or_default()
                .consider(&page.name, file, tags, rules);
        }
        let quarantined = page.status == ProjectStatus::Quarantined;
        let versions = best.into_iter().map(|(version, best)| {
            let file = if quarantined {
                Err(Obstacle::ProjectQuarantined)
            } else {
                best.decide(rules)
            };
            Candidate { version, file }
        });
        Self {
            known: true,
            versions: versions.collect(),
        }
    }

    /// Every version, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        self.versions.iter()
    }

    /// The candidate of a version.
    pub fn get(&self, version: &Version) -> Option<&Candidate> {
        let at = self
            .versions
            .binary_search_by(|candidate| candidate.version.cmp(version))
            .ok()?;
        self.versions.get(at)
    }

    /// The newest usable version in a range; a pre-release only when no final version will do,
    /// unless pre-releases count as equals.
    pub(crate) fn newest(&self, range: &VersionRange, prereleases: bool) -> Option<&Candidate> {
        let usable = || {
            self.versions
                .iter()
                .rev()
                .filter(|c| c.file.is_ok() && range.contains(&c.version))
        };
        if prereleases {
            return usable().next();
        }
        usable()
            .find(|c| !c.version.is_prerelease())
            .or_else(|| usable().next())
    }
}

impl Best {
    fn consider(&mut self, package: &PackageName, file: &Arc<IndexFile>, tags: &Tags, rules: &Rules) {
        let rank = match &file.dist {
            DistFilename::Wheel(wheel) => match wheel.rank(tags) {
                Some(rank) => Some((rank, wheel.build())),
                None => return self.note(Obstacle::NoWheel),
            },
            DistFilename::Sdist(_) => None,
        };
        if let Some(obstacle) = rules.obstacle(package, file) {
            return self.note(obstacle);
        }
        match rank {
            None => self.sdist = Some(Arc::clone(file)),
            Some((rank, build)) => {
                let better = self
                    .wheel
                    .as_ref()
                    .is_none_or(|(r, b, _)| (rank, &build) > (*r, b));
                if better {
                    self.wheel = Some((rank, build, Arc::clone(file)));
                }
            }
        }
    }

    fn note(&mut self, obstacle: Obstacle) {
        if self
            .obstacle
            .as_ref()
            .is_none_or(|old| obstacle.weight() < old.weight())
        {
            self.obstacle = Some(obstacle);
        }
    }

    fn decide(self, rules: &Rules) -> Result<Arc<IndexFile>, Obstacle> {
        match (self.wheel, self.sdist) {
            (Some((_, _, wheel)), _) => Ok(wheel),
            (None, Some(sdist)) if rules.assumes_builds() => Ok(sdist),
            (None, Some(_)) => Err(Obstacle::NeedsBuild),
            (None, None) => Err(self.obstacle.unwrap_or(Obstacle::NoWheel)),
        }
    }
}
