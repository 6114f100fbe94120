//! What each node requires: nodes with ranges.

use alloc::format;

use hermes_pep::{ExtraName, PackageName, Requirement, Specifiers, Version, VersionRange};
use hermes_terms::Code;

use super::availability::Unavailable;
use super::lookup::{Lookup, Stop};
use super::places::Place;
use super::requires::{Requires, applies};
use crate::node::{Node, Owner};

/// What a node requires at one of its places.
pub(crate) fn edges(lookup: &Lookup<'_>, node: &Node, place: Place) -> Result<Requires, Stop> {
    match node {
        Node::Union => Ok(owners(lookup)),
        Node::Owner(owner) => of_owner(lookup, owner),
        Node::Python => Ok(Requires::default()),
        Node::Package(package) => Of::new(lookup, package, place)?.package(),
        Node::Extra(package, extra) => Of::new(lookup, package, place)?.extra(extra),
    }
}

fn owners(lookup: &Lookup<'_>) -> Requires {
    let mut requires = Requires::default();
    for (index, root) in lookup.problem.roots.iter().enumerate() {
        let owner = Owner {
            index,
            id: root.id.as_str().into(),
        };
        requires.add(Node::Owner(owner), &VersionRange::full());
    }
    requires
}

fn of_owner(lookup: &Lookup<'_>, owner: &Owner) -> Result<Requires, Stop> {
    let mut requires = Requires::default();
    let Some(root) = lookup.problem.roots.get(owner.index) else {
        return Ok(requires);
    };
    if let Some(python) = &root.requires_python {
        requires.add(Node::Python, &python.range());
    }
    let environment = lookup.problem.target.markers();
    let declared = root.requirements.iter().map(|declared| &declared.requirement);
    for requirement in declared.filter(|requirement| applies(requirement, environment)) {
        from_an_index(requirement)?;
        lookup.announce(requirement);
        requires.require(requirement);
    }
    Ok(requires)
}

/// A version of a package, about to be asked what it requires.
struct Of<'l, 'a> {
    lookup: &'l Lookup<'a>,
    package: &'l PackageName,
    place: Place,
    version: Version,
    requires: Requires,
}

impl<'l, 'a> Of<'l, 'a> {
    fn new(lookup: &'l Lookup<'a>, package: &'l PackageName, place: Place) -> Result<Self, Stop> {
        let version = lookup.version(package, place).ok_or_else(|| {
            Stop::Unavailable(Unavailable::new(Code::UnionNoSuchVersion, "it does not exist"))
        })?;
        Ok(Self {
            lookup,
            package,
            place,
            version,
            requires: Requires::default(),
        })
    }

    fn package(mut self) -> Result<Requires, Stop> {
        if self.lookup.provided(self.package).is_some() {
            return Ok(self.requires);
        }
        let Some(declared) = self.lookup.declared(self.package, self.place)? else {
            return Ok(self.requires);
        };
        if let Some(python) = declared.requires_python().map(Specifiers::range) {
            self.requires.add(Node::Python, &python);
        }
        self.require_all(declared.always().iter())
    }

    fn extra(mut self, extra: &ExtraName) -> Result<Requires, Stop> {
        let own = VersionRange::singleton(self.version.clone());
        self.requires.add(Node::Package(self.package.clone()), &own);
        if let Some(provided) = self.lookup.provided(self.package) {
            // As with any package, an extra that it does not have adds nothing.
            let added = provided.extras.get(extra).into_iter().flatten();
            let environment = self.lookup.problem.target.markers();
            return self.require_all(added.filter(|requirement| applies(requirement, environment)));
        }
        match self.lookup.declared(self.package, self.place)? {
            Some(declared) => self.require_all(declared.added_by(extra).iter()),
            None => Ok(self.requires),
        }
    }

    fn require_all<'r>(mut self, all: impl Iterator<Item = &'r Requirement>) -> Result<Requires, Stop> {
        for requirement in all {
            self.require(requirement)?;
        }
        Ok(self.requires)
    }

    /// Adds a requirement, which may be one on the package itself.
    fn require(&mut self, requirement: &Requirement) -> Result<(), Stop> {
        from_an_index(requirement)?;
        if requirement.name != *self.package {
            self.lookup.announce(requirement);
            self.requires.require(requirement);
            return Ok(());
        }
        if !requirement.specifiers.range().contains(&self.version) {
            let message = "it requires another version of itself";
            return Err(Stop::Unavailable(Unavailable::new(Code::UnionConflict, message)));
        }
        for extra in &requirement.extras {
            let own = VersionRange::singleton(self.version.clone());
            self.requires
                .add(Node::Extra(self.package.clone(), extra.clone()), &own);
        }
        Ok(())
    }
}

/// What comes from an address is no version of an index, whatever its name (contract C5).
fn from_an_index(requirement: &Requirement) -> Result<(), Stop> {
    if requirement.url.is_none() {
        return Ok(());
    }
    let message = format!(
        "it requires {} from an address instead of an index",
        requirement.name
    );
    Err(Stop::Unavailable(Unavailable::new(
        Code::DeclarationDirectUrl,
        message,
    )))
}
