//! The rules by which versions are judged, in one place.
//!
//! * **Pre-releases** are taken only when no final version fits: a requirement that names one widens
//!   the range, and never makes a pre-release better than a final version (PEP 440, "Handling of
//!   pre-releases").
//! * **Yanked** files count only where core or a plugin pins exactly with `==`, by a requirement that
//!   applies on the target (PEP 592); the pin fits local variants as well.
//! * **`Requires-Python`** is compared with the release numbers of the interpreter, upper bounds
//!   included, because the target is one interpreter and not a range (PEP 345, 621).
//! * **Quarantine**: files uploaded at or after the cutoff do not count, nor files without an upload
//!   time, unless the package is exempt (PEP 700 gives the times).
//! * **Tags**: of the wheels of a version the best tag wins, then the highest build number (PEP 425, 427).
//! * **Source distributions** need consent to run code; without it they are an obstacle (contract C11).
//! * **Projects in quarantine** by their index offer nothing (PEP 792).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hermes_pep::{IndexFile, PackageName, Version, VersionRange};

use super::availability::Obstacle;
use super::requires::applies;
use crate::problem::{Assumptions, Policy, Problem};

/// The rules of one problem, ready to be asked.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    policy: Policy,
    python: Version,
    /// Exact pins of core and plugins, as ranges: a pin fits the local variants of its version as well.
    pinned: BTreeMap<PackageName, Vec<VersionRange>>,
}

impl Rules {
    pub(crate) fn new(problem: &Problem) -> Self {
        let environment = problem.target.markers();
        let mut pinned: BTreeMap<PackageName, Vec<VersionRange>> = BTreeMap::new();
        let declared = problem.roots.iter().flat_map(|root| &root.requirements);
        for requirement in declared
            .map(|declared| &declared.requirement)
            .filter(|r| applies(r, environment))
        {
            let range = requirement.specifiers.range();
            if hermes_pep::pinned(&range).is_some() {
                pinned.entry(requirement.name.clone()).or_default().push(range);
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

    /// What forbids a file, tags aside, with these rules left out.
    pub(crate) fn obstacle(
        &self,
        package: &PackageName,
        file: &IndexFile,
        assume: Assumptions,
    ) -> Option<Obstacle> {
        if !assume.aged && self.is_too_new(package, file) {
            return Some(Obstacle::TooNew);
        }
        if !assume.yanked && self.is_yanked(package, file) {
            return Some(Obstacle::Yanked);
        }
        match &file.requires_python {
            Some(range) if !range.contains_release(&self.python) => {
                Some(Obstacle::RequiresPython(range.clone()))
            }
            _ => None,
        }
    }

    /// The rules that an analysis leaves out.
    pub(crate) fn assumptions(&self) -> Assumptions {
        self.policy.assume
    }

    fn is_yanked(&self, package: &PackageName, file: &IndexFile) -> bool {
        let pins = self.pinned.get(package).into_iter().flatten();
        let pinned = || pins.into_iter().any(|range| range.contains(file.version()));
        file.yanked.is_some() && !pinned()
    }

    fn is_too_new(&self, package: &PackageName, file: &IndexFile) -> bool {
        let Some(cutoff) = &self.policy.exclude_newer else {
            return false;
        };
        let pins = self.policy.exempt_pins.get(package);
        let exempt = pins.is_some_and(|versions| versions.contains(file.version()));
        if exempt || self.policy.quarantine_exempt.contains(package) {
            return false;
        }
        let time = file.upload_time.as_ref();
        time.map_or(!self.policy.allow_undated, |time| {
            seconds(time) >= seconds(cutoff)
        })
    }
}

/// A moment whose text order is time order whether or not it has a fraction: `Z` sorts after `.`.
fn seconds(moment: &str) -> &str {
    moment.trim_end_matches('Z')
}
