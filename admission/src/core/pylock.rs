//! Core as a `pylock.toml` (PEP 751): every package of the file is pinned, where its marker holds.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_pep::{Marker, PackageName, Specifiers, Version};
use hermes_terms::Code;

use super::graph::{Graph, condition};
use super::{CORE_PACKAGE, CoreDeclaration, lock, pin};
use crate::document::{At, toml};
use crate::problem::RootRequirement;
use crate::surface::{Fault, MAX_FILE};

const FILE: &str = "pylock.toml";

/// The largest lock file that is read, in bytes.
const MAX_PYLOCK: usize = 16 * MAX_FILE;

/// Reads the text of a lock file. The core's own entry gives the version.
pub fn from_pylock(text: &str) -> Result<CoreDeclaration, Vec<Fault>> {
    if text.len() > MAX_PYLOCK {
        let message = format!("it is larger than {MAX_PYLOCK} bytes");
        return Err(Vec::from([Fault::new(FILE, Code::DeclarationLimits, message)]));
    }
    let root = toml(text).map_err(|fault| Vec::from([Fault::document(FILE, fault)]))?;
    let items = lock::list(&root, "packages");
    let mut faults = Vec::new();
    supported(&root, &mut faults);
    let own = own(items, &mut faults);
    let locked = lock::versions(FILE, items, &mut faults);
    let requirements = items
        .iter()
        .filter_map(|item| requirement(item, &mut faults))
        .collect();
    let requires_python = requires_python(&root, &mut faults);
    faults.sort();
    match own {
        Some((name, version)) if faults.is_empty() => Ok(CoreDeclaration {
            name,
            version,
            requires_python,
            requirements,
            extras: BTreeMap::new(),
            locked,
            graph: Graph::default(),
            exclude_newer: None,
            quarantine_exempt: Vec::new(),
        }),
        _ => Err(faults),
    }
}

fn supported(root: &At, faults: &mut Vec<Fault>) {
    let version = root.node.get("lock-version");
    let text = version.and_then(|at| at.node.text());
    if !text.is_some_and(|text| text.starts_with("1.")) {
        let message = "`lock-version` has to be 1.x (PEP 751)";
        let fault = Fault::new(FILE, Code::CoreInvalid, message);
        faults.push(version.map_or(fault.clone(), |at| fault.at(at)));
    }
}

fn own(items: &[At], faults: &mut Vec<Fault>) -> Option<(PackageName, Version)> {
    let own = items
        .iter()
        .filter_map(lock::entry)
        .find(|(name, _)| name.as_str() == CORE_PACKAGE);
    if let Some((name, Some(version))) = own {
        return Some((name, version));
    }
    let message = format!("it holds no `{CORE_PACKAGE}` with a version");
    faults.push(Fault::new(FILE, Code::CoreInvalid, message));
    None
}

/// A package as a requirement; one from elsewhere than an index keeps the word for it, so that it is
/// refused where its marker holds.
fn requirement(item: &At, faults: &mut Vec<Fault>) -> Option<RootRequirement> {
    let (name, version) = lock::entry(item)?;
    if name.as_str() == CORE_PACKAGE {
        return None;
    }
    let condition = match item.node.get("marker") {
        None => String::new(),
        Some(at) => {
            let marker = at.node.text().map(Marker::parse);
            let Some(Ok(marker)) = marker else {
                let message = "the marker cannot be read; markers on extras or groups are not supported";
                faults.push(Fault::new(FILE, Code::CoreInvalid, message).at(at));
                return None;
            };
            condition(&marker)?
        }
    };
    let version = version.filter(|_| !lock::has_address(item));
    let pinned = if let Some(version) = version {
        pin(FILE, &name, &version, &condition)
    } else {
        let text = format!("{name} @ {FILE} ; {condition}");
        super::declared(FILE, text.trim_end_matches([';', ' ']))
    };
    if pinned.is_none() {
        let fault = Fault::new(FILE, Code::DeclarationLimits, "its marker is too long");
        faults.push(fault.at(item));
    }
    pinned.map(|pinned| RootRequirement {
        line: item.line,
        column: item.column,
        ..pinned
    })
}

fn requires_python(root: &At, faults: &mut Vec<Fault>) -> Option<Specifiers> {
    let at = root.node.get("requires-python")?;
    let parsed = at.node.text().and_then(|text| Specifiers::parse(text).ok());
    if parsed.is_none() {
        let message = "`requires-python` has to be a text of version specifiers (PEP 440)";
        faults.push(Fault::new(FILE, Code::CoreInvalid, message).at(at));
    }
    parsed
}
