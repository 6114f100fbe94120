//! What one distribution requires on one target.

use std::collections::BTreeMap;

use crate::{CoreMetadata, ExtraName, MarkerEnvironment, Requirement, Specifiers};

/// Requirements with the environment's markers decided: what is left depends on extras alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependencies {
    requires_python: Option<Specifiers>,
    always: Vec<Requirement>,
    extras: BTreeMap<ExtraName, Vec<Requirement>>,
    other: Vec<Requirement>,
}

impl Dependencies {
    /// Decides the markers of a distribution's metadata in an environment.
    pub fn of(metadata: &CoreMetadata, environment: &MarkerEnvironment) -> Self {
        let chosen = |extras: &[ExtraName]| -> Vec<Requirement> {
            let fits = |requirement: &&Requirement| applies(requirement, environment, extras);
            metadata.requires.iter().filter(fits).map(plain).collect()
        };
        let added = |extra: &ExtraName| -> Vec<Requirement> {
            let asked = std::slice::from_ref(extra);
            let fits = |requirement: &&Requirement| {
                applies(requirement, environment, asked) && !applies(requirement, environment, &[])
            };
            metadata.requires.iter().filter(fits).map(plain).collect()
        };
        let mentioned = metadata.requires.iter().filter_map(|r| r.marker.as_ref());
        let names = mentioned
            .flat_map(super::super::marker::Marker::extras)
            .chain(metadata.extras.iter().cloned());
        Self {
            requires_python: metadata.requires_python.clone(),
            always: chosen(&[]),
            extras: names.map(|name| (name.clone(), added(&name))).collect(),
            other: ExtraName::parse(UNHEARD_OF)
                .map(|name| added(&name))
                .unwrap_or_default(),
        }
    }

    /// The Python versions that the distribution runs on.
    pub fn requires_python(&self) -> Option<&Specifiers> {
        self.requires_python.as_ref()
    }

    /// What is required in any case.
    pub fn always(&self) -> &[Requirement] {
        &self.always
    }

    /// What an extra adds to that.
    pub fn added_by(&self, extra: &ExtraName) -> &[Requirement] {
        self.extras.get(extra).unwrap_or(&self.other)
    }
}

/// Stands for every extra that the metadata does not mention.
const UNHEARD_OF: &str = "an-extra-that-nobody-mentions";

fn applies(requirement: &Requirement, environment: &MarkerEnvironment, extras: &[ExtraName]) -> bool {
    let marker = requirement.marker.as_ref();
    marker.is_none_or(|marker| marker.evaluate(environment, extras))
}

fn plain(requirement: &Requirement) -> Requirement {
    Requirement {
        marker: None,
        ..requirement.clone()
    }
}
