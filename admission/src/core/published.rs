//! Core as a published version: the metadata of its wheel.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use hermes_pep::{CoreMetadata, Reduced, Requirement};

use super::CoreDeclaration;
use crate::problem::RootRequirement;

/// Makes a declaration from metadata. Requirements whose marker names an extra belong to that extra;
/// what the marker says besides
/// stays.
pub fn from_metadata(metadata: &CoreMetadata) -> CoreDeclaration {
    let mut requirements = Vec::new();
    let mut extras: BTreeMap<_, Vec<RootRequirement>> = metadata
        .extras
        .iter()
        .map(|extra| (extra.clone(), Vec::new()))
        .collect();
    for requirement in &metadata.requires {
        let named = requirement
            .marker
            .as_ref()
            .map(hermes_pep::Marker::extras)
            .unwrap_or_default();
        if named.is_empty() {
            requirements.push(declared(requirement.clone()));
        }
        for extra in named {
            let reduced = requirement
                .marker
                .as_ref()
                .map(|marker| marker.reduce(core::slice::from_ref(&extra)));
            let marker = match reduced {
                Some(Reduced::Never) => continue,
                Some(Reduced::Marker(marker)) => Some(marker),
                Some(Reduced::Always) | None => None,
            };
            let requirement = Requirement {
                marker,
                ..requirement.clone()
            };
            extras.entry(extra).or_default().push(declared(requirement));
        }
    }
    CoreDeclaration {
        name: metadata.name.clone(),
        version: metadata.version.clone(),
        requires_python: metadata.requires_python.clone(),
        requirements,
        extras,
        locked: BTreeMap::new(),
        exclude_newer: None,
    }
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
