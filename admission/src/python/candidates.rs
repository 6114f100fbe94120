//! The versions of one package, judged once: which file of each would be used, or what is in the way.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::{
    DistFilename, IndexFile, IndexPage, PackageName, ProjectStatus, TagRank, Tags, Version, VersionRange,
};

use super::availability::Obstacle;
use super::rules::Rules;
use crate::problem::Assumptions;

/// One version of a package.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The version.
    pub version: Version,
    /// The file to use, or the obstacle.
    pub file: Result<Arc<IndexFile>, Obstacle>,
    /// Whether the file counts only because an analysis leaves a rule out.
    pub(crate) is_assumed: bool,
}

/// All versions of a package, oldest first.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// Whether any index knows the package.
    pub known: bool,
    versions: Vec<Candidate>,
}

/// The best files of a version so far: by the rules in force, and with the assumptions.
#[derive(Default)]
struct Best {
    regular: Files,
    assumed: Files,
    obstacle: Option<Obstacle>,
    /// Whether a file was left out for its age alone: it counts as an obstacle only when nothing
    /// older does, so that a later upload changes nothing for what was there before.
    is_late: bool,
}

#[derive(Default)]
struct Files {
    wheel: Option<(TagRank, (u64, alloc::string::String), Arc<IndexFile>)>,
    sdist: Option<Arc<IndexFile>>,
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
            let (file, is_assumed) = if quarantined {
                (Err(Obstacle::ProjectQuarantined), false)
            } else {
                best.decide(rules)
            };
            Candidate {
                version,
                file,
                is_assumed,
            }
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

    /// The newest usable version in a range; a pre-release only when no final version will do, unless
    /// pre-releases count as equals. What is only assumed comes after everything else.
    pub(crate) fn newest(&self, range: &VersionRange, prereleases: bool) -> Option<&Candidate> {
        let mut best: Option<(&Candidate, u8)> = None;
        for candidate in self.versions.iter().rev() {
            if candidate.file.is_err() || !range.contains(&candidate.version) {
                continue;
            }
            let early = !prereleases && candidate.version.is_prerelease();
            let class = 2 * u8::from(candidate.is_assumed) + u8::from(early);
            if best.is_none_or(|(_, known)| class < known) {
                best = Some((candidate, class));
            }
            if class == 0 {
                break;
            }
        }
        best.map(|(candidate, _)| candidate)
    }
}

impl Best {
    fn consider(&mut self, package: &PackageName, file: &Arc<IndexFile>, tags: &Tags, rules: &Rules) {
        let rank = match &file.dist {
            DistFilename::Wheel(wheel) => wheel.rank(tags).map(|rank| (rank, wheel.build())),
            DistFilename::Sdist(_) => None,
        };
        let is_foreign = matches!(file.dist, DistFilename::Wheel(_)) && rank.is_none();
        match rules.obstacle(package, file, rules.assumptions()) {
            // Age comes last: it counts only where nothing older was in the way.
            Some(Obstacle::TooNew) => self.is_late |= !is_foreign,
            _ if is_foreign => self.note(Obstacle::NoWheel),
            Some(obstacle) => self.note(obstacle),
            None if rules.obstacle(package, file, Assumptions::default()).is_none() => {
                self.regular.take(file, rank);
            }
            None => self.assumed.take(file, rank),
        }
    }

    fn note(&mut self, obstacle: Obstacle) {
        let graver = |old: &Obstacle| obstacle.weight() < old.weight();
        if self.obstacle.as_ref().is_none_or(graver) {
            self.obstacle = Some(obstacle);
        }
    }

    /// The file to use and whether it is only assumed.
    fn decide(self, rules: &Rules) -> (Result<Arc<IndexFile>, Obstacle>, bool) {
        let (regular, assumed) = (self.regular, self.assumed);
        if let Some((_, _, wheel)) = regular.wheel {
            return (Ok(wheel), false);
        }
        if let Some((_, _, wheel)) = assumed.wheel {
            return (Ok(wheel), true);
        }
        match regular.sdist.or(assumed.sdist) {
            Some(sdist) if rules.assumptions().builds => (Ok(sdist), true),
            Some(_) => (Err(Obstacle::NeedsBuild), false),
            None => {
                let late = if self.is_late {
                    Obstacle::TooNew
                } else {
                    Obstacle::NoWheel
                };
                (Err(self.obstacle.unwrap_or(late)), false)
            }
        }
    }
}

impl Files {
    fn take(&mut self, file: &Arc<IndexFile>, rank: Option<(TagRank, (u64, alloc::string::String))>) {
        let Some((rank, build)) = rank else {
            self.sdist = Some(Arc::clone(file));
            return;
        };
        let better =
            |(r, b, _): &(TagRank, (u64, alloc::string::String), Arc<IndexFile>)| (rank, &build) > (*r, b);
        if self.wheel.as_ref().is_none_or(better) {
            self.wheel = Some((rank, build, Arc::clone(file)));
        }
    }
}
