//! The rules by which versions are judged, in one place.
//!
//! * **Pre-releases** are taken only when no final version fits: a requirement that names one widens
//!   the range, and never makes a pre-release better than a final version (PEP 440, "Handling of
//!   pre-releases").
//! * **Yanked** files count only for a version that core or a plugin pins exactly with `==` (PEP 592).
//! * **`Requires-Python`** is compared with the release numbers of the interpreter, upper bounds
//!   included, because the target is one interpreter and not a range (PEP 345, 621).
//! * **Quarantine**: files uploaded at or after the cutoff do not count, nor files without an upload
//!   time, unless the package is exempt (PEP 700 gives the times).
//! * **Tags**: of the wheels of a version the best tag wins, then the highest build number (PEP 425, 427).
//! * **Source distributions** need consent to run code; without it they are an obstacle (contract C11).
//! * **Projects in quarantine** by their index offer nothing (PEP 792).

use alloc::collections::{BTreeMap, BTreeSet};

use hermes_pep::{IndexFile, PackageName, Version};

use super::availability::Obstacle;
use crate::problem::{Policy, Problem};

/// The rules of one problem, ready to be asked.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    policy: Policy,
    python: Version,
    pinned: BTreeMap<PackageName, BTreeSet<Version>>,
}

impl Rules {
    pub(crate) fn new(problem: &Problem) -> Self {
        let mut pinned: BTreeMap<PackageName, BTreeSet<Version>> = BTreeMap::new();
        let all = problem.roots.iter().flat_map(|root| &root.requirements);
        for requirement in all.map(|declared| &declared.requirement) {
            if let Some(version) = requirement.specifiers.exact() {
                pinned
                    .entry(requirement.name.clone())
                    .or_default()
                    .insert(version);
            }
        }
        Self {
            policy: problem.policy.clone(),
            python: problem.target.python().release_only(),
            pinned,
        }
    }

    /// Whether pre-releases are as good as final versions.
    pub(crate) fn prereleases(&self) -> bool {
        self.policy.prereleases
    }

    /// Whether a version without wheels may stand for what a source build would give.
    pub(crate) fn assumes_builds(&self) -> bool {
        self.policy.assume.builds
    }

    /// What forbids a file, tags aside.
    pub(crate) fn obstacle(&self, package: &PackageName, file: &IndexFile) -> Option<Obstacle> {
        if self.is_too_new(package, file) {
            return Some(Obstacle::TooNew);
        }
        if file.yanked.is_some() && !self.policy.assume.yanked && !self.is_pinned(package, file.version()) {
            return Some(Obstacle::Yanked);
        }
        match &file.requires_python {
            Some(range) if !range.contains_release(&self.python) => {
                Some(Obstacle::RequiresPython(range.clone()))
            }
            _ => None,
        }
    }

    fn is_pinned(&self, package: &PackageName, version: &Version) -> bool {
        self.pinned
            .get(package)
            .is_some_and(|versions| versions.contains(version))
    }

    fn is_too_new(&self, package: &PackageName, file: &IndexFile) -> bool {
        let Some(cutoff) = &self.policy.exclude_newer else {
            return false;
        };
        if self.policy.assume.aged || self.policy.quarantine_exempt.contains(package) {
            return false;
        }
        file.upload_time
            .as_ref()
            .map_or(!self.policy.allow_undated, |time| {
                seconds(time) >= seconds(cutoff)
            })
    }
}

/// A moment whose text order is time order whether or not it has a fraction: `Z` sorts after `.`.
fn seconds(moment: &str) -> &str {
    moment.trim_end_matches('Z')
}
