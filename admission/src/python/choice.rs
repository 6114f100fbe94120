//! Which version of a node is tried next.

use alloc::collections::BTreeMap;

use hermes_pep::PackageName;
use pubgrub::VersionSet;

use super::candidates::Candidates;
use super::lookup::Lookup;
use super::places::{Place, Places};
use crate::index::IndexFault;
use crate::node::Node;

/// Chooses versions, and remembers what was chosen: hints for the extras of a package.
#[derive(Debug, Default)]
pub(super) struct Choice {
    chosen: BTreeMap<PackageName, Place>,
    /// What each package was last seen to have left.
    left: BTreeMap<PackageName, Places>,
}

impl Choice {
    /// Notes what a package has left.
    pub(super) fn note(&mut self, package: &PackageName, places: &Places) {
        match self.left.get_mut(package) {
            Some(known) => known.clone_from(places),
            None => {
                self.left.insert(package.clone(), places.clone());
            }
        }
    }

    /// The place to try; `None` when nothing in these places can be used.
    pub(super) fn choose(
        &mut self,
        lookup: &Lookup<'_>,
        node: &Node,
        places: &Places,
    ) -> Result<Option<Place>, IndexFault> {
        match node {
            Node::Union | Node::Owner(_) | Node::Python => Ok(places.contains(&Place(0)).then_some(Place(0))),
            Node::Package(package) => {
                let place = pick(lookup, package, places)?;
                if let Some(place) = place {
                    self.chosen.insert(package.clone(), place);
                }
                Ok(place)
            }
            Node::Extra(package, _) => self.choose_extra(lookup, package, places),
        }
    }

    /// An extra goes with its package: the version last decided for it, else one that the package could
    /// have as well. Both are hints; the tie between the two is a dependency.
    fn choose_extra(
        &self,
        lookup: &Lookup<'_>,
        package: &PackageName,
        places: &Places,
    ) -> Result<Option<Place>, IndexFault> {
        if let Some(place) = self.chosen.get(package).filter(|place| places.contains(place)) {
            return Ok(Some(*place));
        }
        let common = self.left.get(package).map(|left| left.intersection(places));
        if let Some(common) = common
            && let Some(place) = pick(lookup, package, &common)?
        {
            return Ok(Some(place));
        }
        pick(lookup, package, places)
    }
}

/// The version to take: a preferred one, else the newest that can be used.
fn pick(lookup: &Lookup<'_>, package: &PackageName, places: &Places) -> Result<Option<Place>, IndexFault> {
    if lookup.provided(package).is_some() {
        return Ok(places.contains(&Place(0)).then_some(Place(0)));
    }
    let candidates = lookup.candidates(package)?;
    let newest = || candidates.newest(places, lookup.rules.prereleases());
    Ok(preferred(lookup, package, places, &candidates).or_else(newest))
}

fn preferred(
    lookup: &Lookup<'_>,
    package: &PackageName,
    places: &Places,
    among: &Candidates,
) -> Option<Place> {
    let preferences = lookup.problem.preferences.iter();
    let wishes = preferences.filter_map(|preference| preference.versions.get(package));
    let usable = |place: &Place| {
        places.contains(place)
            && among
                .at(place.index())
                .is_some_and(|candidate| candidate.file.is_ok())
    };
    let known = wishes
        .filter_map(|version| among.position(version))
        .map(Place::of);
    known.into_iter().find(usable)
}
