//! One problem from core, members, candidate and policy. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use hermes_admission::core::CoreDeclaration;
use hermes_admission::surface::Surface;
use hermes_admission::{Policy, Preference, Problem, Provided, Root, RootRequirement};
use hermes_pep::{PackageName, Requirement, Target, Version};

/// A plugin that takes part: a member, or the candidate.
#[derive(Debug, Clone)]
pub struct Party {
    /// Its key; with `@profile` when another home has a root of the same key.
    pub id: String,
    /// The home it lies in: empty for the root, otherwise the profile.
    pub home: String,
    /// What it declares.
    pub surface: Surface,
}

/// Everything that a decision depends on, the index aside.
#[derive(Debug, Clone)]
pub struct Question {
    /// Hermes core.
    pub core: CoreDeclaration,
    /// Where core's declaration came from, without the path of a home.
    pub core_source: String,
    /// Core's requirements and those of the enabled extras; with `pins = "locked"` core's lock as well.
    pub core_requirements: Vec<RootRequirement>,
    /// The enabled extras of core.
    pub core_extras: Vec<String>,
    /// Whether core's lock is hard.
    pub pins_locked: bool,
    /// The active plugins with a surface, in the order of the user.
    pub members: Vec<Party>,
    /// The plugin that was asked about, whether or not it declares anything.
    pub asked: Option<String>,
    /// The plugin that asks to become a member: one with a surface.
    pub candidate: Option<Party>,
    /// What the environment is for.
    pub target: Arc<Target>,
    /// The rules that hold.
    pub policy: Policy,
}

impl Question {
    /// The problem for the resolver, and the position of the candidate among its roots.
    pub fn problem(&self) -> (Problem, Option<usize>) {
        let mut roots = vec![self.core_root()];
        roots.extend(self.members.iter().map(root));
        let candidate = self.candidate.as_ref().map(|party| {
            roots.push(root(party));
            roots.len() - 1
        });
        let problem = Problem {
            target: Arc::clone(&self.target),
            roots,
            policy: self.policy_in_force(),
            preferences: self.preferences(),
            provided: BTreeMap::from([(self.core.name.clone(), self.provided())]),
        };
        (problem, candidate)
    }

    /// The policy with the exemptions that core and plugins declare. A plugin exempts the one version that
    /// it pins, where that pin applies, and nothing that core requires or locks.
    pub fn policy_in_force(&self) -> Policy {
        let mut policy = self.policy.clone();
        policy
            .quarantine_exempt
            .extend(self.core.quarantine_exempt.iter().cloned());
        for party in self.members.iter().chain(&self.candidate) {
            let declared = &party.surface.quarantine_exempt;
            for name in declared.iter().filter(|name| !self.is_of_core(name)) {
                let versions = policy.exempt_pins.entry(name.clone()).or_default();
                versions.extend(self.pins(party, name));
            }
        }
        policy
    }

    fn is_of_core(&self, name: &PackageName) -> bool {
        let required = self
            .core_requirements
            .iter()
            .any(|declared| declared.requirement.name == *name);
        required || self.core.locked.contains_key(name)
    }

    /// The versions of a package that a party pins on this target.
    fn pins(&self, party: &Party, name: &PackageName) -> Vec<Version> {
        let own = party
            .surface
            .requirements
            .iter()
            .map(|declared| &declared.requirement);
        let applies = |requirement: &&Requirement| {
            let marker = requirement.marker.as_ref();
            requirement.name == *name
                && marker.is_none_or(|marker| marker.evaluate(self.target.markers(), &[]))
        };
        own.filter(applies)
            .filter_map(|requirement| requirement.specifiers.exact())
            .collect()
    }

    fn core_root(&self) -> Root {
        Root {
            id: "core".into(),
            is_core: true,
            requirements: self.core_requirements.clone(),
            requires_python: self.core.requires_python.clone(),
        }
    }

    fn preferences(&self) -> Vec<Preference> {
        let locked = &self.core.locked;
        if locked.is_empty() {
            return Vec::new();
        }
        vec![Preference {
            origin: "core-lock",
            versions: locked.clone(),
        }]
    }

    fn provided(&self) -> Provided {
        let plain = |list: &Vec<RootRequirement>| -> Vec<Requirement> {
            list.iter().map(|declared| declared.requirement.clone()).collect()
        };
        let extras = self
            .core
            .extras
            .iter()
            .map(|(name, list)| (name.clone(), plain(list)))
            .collect();
        Provided {
            version: self.core.version.clone(),
            extras,
        }
    }

    /// The package that core is.
    pub fn core_name(&self) -> &PackageName {
        &self.core.name
    }
}

fn root(party: &Party) -> Root {
    Root {
        id: party.id.clone(),
        is_core: false,
        requirements: party.surface.requirements.clone(),
        requires_python: party.surface.requires_python.clone(),
    }
}
