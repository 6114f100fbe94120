//! Lists of requirements: each entry a text that PEP 508 allows.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::Requirement;
use hermes_terms::Code;

use super::Fault;
use crate::document::{At, Node};
use crate::problem::RootRequirement;

/// The most requirements that one root may declare.
const MAX_REQUIREMENTS: usize = 1000;

/// Reads a list. Every faulty entry is noted with its place.
pub(crate) fn list(file: &str, key: &str, at: &At, faults: &mut Vec<Fault>) -> Vec<RootRequirement> {
    let Node::List(items) = &at.node else {
        let message = format!("`{key}` has to be a list of texts, not {}", at.node.kind());
        faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
        return Vec::new();
    };
    if items.len() > MAX_REQUIREMENTS {
        let message = format!(
            "`{key}` has {} entries; at most {MAX_REQUIREMENTS} are read",
            items.len()
        );
        faults.push(Fault::new(file, Code::DeclarationLimits, message).at(at));
        return Vec::new();
    }
    let mut found = Vec::new();
    for item in items {
        match one(file, key, item) {
            Ok(requirement) => found.push(requirement),
            Err(fault) => faults.push(fault),
        }
    }
    found
}

fn one(file: &str, key: &str, item: &At) -> Result<RootRequirement, Fault> {
    let Node::Text(text) = &item.node else {
        let message = format!("an entry of `{key}` has to be a text, not {}", item.node.kind());
        return Err(Fault::new(file, Code::DeclarationInvalid, message).at(item));
    };
    parse(file, text, item)
}

/// Reads one requirement; addresses are refused, because no index answers for them.
pub(crate) fn parse(file: &str, text: &str, at: &At) -> Result<RootRequirement, Fault> {
    let requirement = Requirement::parse(text).map_err(|error| Fault::requirement(file, at, text, &error))?;
    if requirement.url.is_some() {
        let message = format!(
            "{} comes from an address; name versions of an index instead",
            requirement.name
        );
        return Err(Fault::new(file, Code::DeclarationDirectUrl, message).at(at));
    }
    let text: String = text.trim().to_string();
    Ok(RootRequirement {
        requirement,
        text,
        file: file.into(),
        line: at.line,
        column: at.column,
    })
}

/// Keeps the first of several equal requirements.
pub(crate) fn without_repeats(list: Vec<RootRequirement>) -> Vec<RootRequirement> {
    let mut kept: Vec<RootRequirement> = Vec::new();
    for declared in list {
        if !kept.iter().any(|known| known.requirement == declared.requirement) {
            kept.push(declared);
        }
    }
    kept
}
