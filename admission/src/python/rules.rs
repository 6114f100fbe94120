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

use hermes_pep::{Offer, PackageName, Version, VersionRange};

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
        version: &Version,
        offer: Offer<'_>,
        assume: Assumptions,
    ) -> Option<Obstacle> {
        if !assume.aged && self.is_too_new(package, version, offer.upload_time()) {
            return Some(Obstacle::TooNew);
        }
        if !assume.yanked && offer.is_yanked() && !self.is_pinned(package, version) {
            return Some(Obstacle::Yanked);
        }
        match offer.requires_python() {
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

    fn is_pinned(&self, package: &PackageName, version: &Version) -> bool {
        let mut pins = self.pinned.get(package).into_iter().flatten();
        pins.any(|range| range.contains(version))
    }

    /// Whether a file that came at a moment, if anybody knows it, is kept out by the quarantine.
    pub(crate) fn is_too_new(
        &self,
        package: &PackageName,
        version: &Version,
        upload_time: Option<&str>,
    ) -> bool {
        let Some(cutoff) = &self.policy.exclude_newer else {
            return false;
        };
        let pins = self.policy.exempt_pins.get(package);
        let exempt = pins.is_some_and(|versions| versions.contains(version));
        if exempt || self.policy.quarantine_exempt.contains(package) {
            return false;
        }
        upload_time.map_or(!self.policy.allow_undated, |time| {
            seconds(time) >= seconds(cutoff)
        })
    }
}

/// A moment whose text order is time order whether or not it has a fraction: `Z` sorts after `.`.
fn seconds(moment: &str) -> &str {
    moment.trim_end_matches('Z')
}
