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
pub(crate) const MAX_REQUIREMENTS: usize = 1000;

/// What becomes of requirements that name an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Addresses {
    /// A plugin's: refused, because no index answers for them.
    Refused,
    /// Core's: kept, since markers may switch them off where they cannot be had.
    Kept,
}

/// One list in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'a> {
    pub(crate) file: &'a str,
    pub(crate) key: &'a str,
    pub(crate) addresses: Addresses,
}

/// Reads a list. Every faulty entry is noted with its place.
pub(crate) fn list(listed: Listed<'_>, at: &At, faults: &mut Vec<Fault>) -> Vec<RootRequirement> {
    let Listed { file, key, .. } = listed;
    let Node::List(items) = &at.node else {
        let message = format!("`{key}` has to be a list of texts, not {}", at.node.kind());
        faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
        return Vec::new();
    };
    if items.len() > MAX_REQUIREMENTS {
        faults.push(too_many(file).at(at));
        return Vec::new();
    }
    let mut found = Vec::new();
    for item in items {
        match one(listed, item) {
            Ok(requirement) => found.push(requirement),
            Err(fault) => faults.push(fault),
        }
    }
    found
}

/// More requirements than are read.
pub(crate) fn too_many(file: &str) -> Fault {
    let message = format!("more than {MAX_REQUIREMENTS} requirements are declared");
    Fault::new(file, Code::DeclarationLimits, message)
}

fn one(listed: Listed<'_>, item: &At) -> Result<RootRequirement, Fault> {
    let Listed { file, key, addresses } = listed;
    let Node::Text(text) = &item.node else {
        let message = format!("an entry of `{key}` has to be a text, not {}", item.node.kind());
        return Err(Fault::new(file, Code::DeclarationInvalid, message).at(item));
    };
    parse(file, text, item, addresses)
}

/// Reads one requirement.
pub(crate) fn parse(file: &str, text: &str, at: &At, addresses: Addresses) -> Result<RootRequirement, Fault> {
    let requirement = Requirement::parse(text).map_err(|error| Fault::requirement(file, at, text, &error))?;
    if requirement.url.is_some() && addresses == Addresses::Refused {
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
