//! The versions of one package, each judged when it is first looked at: which file would be used, or
//! what is in the way.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Bound;

use hermes_pep::{IndexFile, Offer, ProjectStatus, Release, Releases, Version, VersionRange};
use once_cell::race::OnceBox;
use pubgrub::VersionSet;

use super::availability::Obstacle;
use super::places::{Place, Places};
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

/// All versions of a package, oldest first. A version has a place, counted from the oldest.
#[derive(Debug)]
pub struct Candidates {
    /// Nothing when no index knows the package.
    releases: Option<Releases>,
    rules: Arc<Rules>,
    judged: Vec<OnceBox<Candidate>>,
}

/// The best files of a version so far.
#[derive(Default)]
struct Best<'r> {
    /// By the rules in force.
    wheel: Option<Offer<'r>>,
    /// With what an analysis leaves out.
    assumed_wheel: Option<Offer<'r>>,
    sdist: Option<Offer<'r>>,
    obstacle: Option<Obstacle>,
    /// Whether a file was left out for its age alone: it counts as an obstacle only when nothing
    /// older does, so that a later upload changes nothing for what was there before.
    is_late: bool,
}

impl Candidates {
    /// The versions of a project, to be judged by these rules.
    pub(crate) fn new(releases: Option<Releases>, rules: Arc<Rules>) -> Self {
        let many = releases.as_ref().map_or(0, Releases::len);
        Self {
            releases,
            rules,
            judged: core::iter::repeat_with(OnceBox::new).take(many).collect(),
        }
    }

    /// Whether any index knows the package.
    pub fn is_known(&self) -> bool {
        self.releases.is_some()
    }

    /// How many versions there are.
    pub fn len(&self) -> usize {
        self.judged.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.judged.is_empty()
    }

    /// The version at a place.
    pub fn version(&self, at: usize) -> Option<&Version> {
        self.releases.as_ref()?.version(at)
    }

    /// Every version, oldest first.
    pub fn versions(&self) -> impl DoubleEndedIterator<Item = &Version> {
        (0..self.len()).filter_map(|at| self.version(at))
    }

    /// Every candidate, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Candidate> {
        (0..self.len()).filter_map(|at| self.at(at))
    }

    /// The candidates that were looked at so far, oldest first.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Candidate> {
        self.judged.iter().filter_map(OnceBox::get)
    }

    /// The place of a version.
    pub(crate) fn position(&self, version: &Version) -> Option<usize> {
        self.releases.as_ref()?.position(version)
    }

    /// The candidate of a version.
    pub fn get(&self, version: &Version) -> Option<&Candidate> {
        self.at(self.position(version)?)
    }

    /// The candidate at a place.
    pub(crate) fn at(&self, at: usize) -> Option<&Candidate> {
        let release = self.releases.as_ref()?.get(at)?;
        let judge = || Box::new(self.judge(release));
        Some(self.judged.get(at)?.get_or_init(judge))
    }

    /// The newest usable version in a set; a pre-release only when no final version will do, unless
    /// pre-releases count as equals. What is only assumed comes after everything else.
    pub(crate) fn newest(&self, places: &Places, prereleases: bool) -> Option<Place> {
        let mut best: Option<(usize, u8)> = None;
        for at in places.newest_first(self.len()) {
            let Some(candidate) = self.at(at).filter(|candidate| candidate.file.is_ok()) else {
                continue;
            };
            let early = !prereleases && candidate.version.is_prerelease();
            let class = 2 * u8::from(candidate.is_assumed) + u8::from(early);
            if best.is_none_or(|(_, known)| class < known) {
                best = Some((at, class));
            }
            if class == 0 {
                break;
            }
        }
        best.map(|(at, _)| Place::of(at))
    }

    /// The places of the versions in a range.
    pub(crate) fn places(&self, range: &VersionRange) -> Places {
        let mut places = Places::empty();
        let Some(releases) = &self.releases else {
            return places;
        };
        for (low, high) in range.iter() {
            let start = releases.partition_point(|version| match low {
                Bound::Included(low) => version >= low,
                Bound::Excluded(low) => version > low,
                Bound::Unbounded => true,
            });
            let end = releases.partition_point(|version| match high {
                Bound::Included(high) => version > high,
                Bound::Excluded(high) => version >= high,
                Bound::Unbounded => false,
            });
            places.push(Place::of(start).0, Place::of(end).0);
        }
        places
    }

    /// The range that holds these places and no others.
    pub(crate) fn range(&self, places: &Places) -> VersionRange {
        let segment = |(start, end): (usize, usize)| {
            let low = match start {
                0 if end > 1 => Bound::Unbounded,
                _ => self
                    .version(start)
                    .cloned()
                    .map_or(Bound::Unbounded, Bound::Included),
            };
            let last = end
                .checked_sub(1)
                .filter(|last| end < self.len() || *last == start);
            let high = last.and_then(|last| self.version(last)).cloned();
            (low, high.map_or(Bound::Unbounded, Bound::Included))
        };
        places
            .intervals()
            .filter(|(start, _)| *start < self.len())
            .map(segment)
            .collect()
    }

    fn judge(&self, release: Release<'_>) -> Candidate {
        let status = self.releases.as_ref().map(Releases::status);
        let (file, is_assumed) = if status == Some(ProjectStatus::Quarantined) {
            (Err(Obstacle::ProjectQuarantined), false)
        } else {
            self.best(release).decide(&self.rules)
        };
        Candidate {
            version: release.version().clone(),
            file,
            is_assumed,
        }
    }

    fn best<'r>(&'r self, release: Release<'r>) -> Best<'r> {
        let mut best = Best::default();
        let Some(releases) = &self.releases else {
            return best;
        };
        let rules = &self.rules;
        let obstacle = |offer, assume| rules.obstacle(releases.name(), release.version(), offer, assume);
        for offer in release.wheels() {
            match obstacle(offer, rules.assumptions()) {
                Some(obstacle) => best.note(obstacle),
                // The best tag comes first: what follows is no better.
                None if obstacle(offer, Assumptions::default()).is_none() => {
                    best.wheel = Some(offer);
                    return best;
                }
                None => best.assumed_wheel = best.assumed_wheel.or(Some(offer)),
            }
        }
        for offer in release.sdists() {
            match obstacle(offer, rules.assumptions()) {
                Some(obstacle) => best.note(obstacle),
                None => best.sdist = Some(offer),
            }
        }
        let is_old = |time| !rules.is_too_new(releases.name(), release.version(), time);
        if release
            .foreign()
            .any(|time| rules.assumptions().aged || is_old(time))
        {
            best.note(Obstacle::NoWheel);
        }
        best
    }
}

impl Best<'_> {
    fn note(&mut self, obstacle: Obstacle) {
        if obstacle == Obstacle::TooNew {
            // Age comes last: it counts only where nothing older was in the way.
            self.is_late = true;
            return;
        }
        let graver = |old: &Obstacle| obstacle.weight() < old.weight();
        if self.obstacle.as_ref().is_none_or(graver) {
            self.obstacle = Some(obstacle);
        }
    }

    /// The file to use and whether it is only assumed.
    fn decide(self, rules: &Rules) -> (Result<Arc<IndexFile>, Obstacle>, bool) {
        if let Some(wheel) = self.wheel {
            return (Ok(wheel.file()), false);
        }
        if let Some(wheel) = self.assumed_wheel {
            return (Ok(wheel.file()), true);
        }
        match self.sdist {
            Some(sdist) if rules.assumptions().builds => (Ok(sdist.file()), true),
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
