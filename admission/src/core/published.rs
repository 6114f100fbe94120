//! Core as a published version: the metadata of its wheel.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use hermes_pep::{CoreMetadata, ExtraName, Marker, Reduced, Requirement};

use super::CoreDeclaration;
use super::graph::Graph;
use crate::problem::RootRequirement;

/// Makes a declaration from metadata. Requirements whose marker names an extra belong to that extra;
/// what the marker says besides stays.
pub fn from_metadata(metadata: &CoreMetadata) -> CoreDeclaration {
    let mut requirements = Vec::new();
    let mut extras: BTreeMap<_, Vec<RootRequirement>> = metadata
        .extras
        .iter()
        .map(|extra| (extra.clone(), Vec::new()))
        .collect();
    for requirement in &metadata.requires {
        let Some(marker) = &requirement.marker else {
            requirements.push(declared(requirement.clone()));
            continue;
        };
        requirements.extend(under(requirement, marker, &[]));
        for extra in marker.extras() {
            let added = under(requirement, marker, core::slice::from_ref(&extra));
            extras.entry(extra).or_default().extend(added);
        }
    }
    CoreDeclaration {
        name: metadata.name.clone(),
        version: metadata.version.clone(),
        requires_python: metadata.requires_python.clone(),
        requirements,
        extras,
        locked: BTreeMap::new(),
        graph: Graph::default(),
        exclude_newer: None,
        quarantine_exempt: Vec::new(),
    }
}

/// The requirement with these extras decided; `None` when it does not hold with them.
fn under(requirement: &Requirement, marker: &Marker, extras: &[ExtraName]) -> Option<RootRequirement> {
    let marker = match marker.reduce(extras) {
        Reduced::Never => return None,
        Reduced::Always => None,
        Reduced::Marker(marker) => Some(marker),
    };
    Some(declared(Requirement {
        marker,
        ..requirement.clone()
    }))
}

fn declared(requirement: Requirement) -> RootRequirement {
    RootRequirement {
        text: requirement.to_string(),
        requirement,
        file: "METADATA".into(),
        line: 0,
        column: 0,
    }
}
