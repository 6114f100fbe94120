//! Core as a source tree: `pyproject.toml`, and `uv.lock` beside it.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, PackageName, Version};
use hermes_terms::Code;

use super::lock::{self, Lock};
use super::{CORE_PACKAGE, CoreDeclaration, ExcludeNewer};
use crate::document::{At, Node};
use crate::problem::RootRequirement;
use crate::surface::pyproject::{self, Declared, FILE};
use crate::surface::requirements::{Addresses, Listed};
use crate::surface::{Fault, exemptions, requirements};
use crate::tree::SourceTree;

/// Reads a folder. All faults are found in one run.
pub fn from_folder(tree: &dyn SourceTree) -> Result<CoreDeclaration, Vec<Fault>> {
    let mut faults = Vec::new();
    let lock = lock::read(tree, &mut faults);
    let document = pyproject::document(tree, &mut faults);
    let declared = document.as_ref().and_then(|document| {
        let declared = pyproject::declared(tree, document, Addresses::Kept, &mut faults)?;
        complete(document, declared, lock, &mut faults)
    });
    if declared.is_none() && faults.is_empty() {
        let message = "a core needs a pyproject.toml with a [project] table";
        faults.push(Fault::new(FILE, Code::CoreInvalid, message));
    }
    faults.sort();
    match declared {
        Some(declared) if faults.is_empty() => Ok(declared),
        _ => Err(faults),
    }
}

fn complete(
    document: &At,
    declared: Declared,
    lock: Lock,
    faults: &mut Vec<Fault>,
) -> Option<CoreDeclaration> {
    let name = name(document, faults);
    let version = version(document, faults);
    let extras = extras(document, faults);
    let exclude_newer = exclude_newer(document, faults);
    Some(CoreDeclaration {
        name: name?,
        version: version?,
        requires_python: declared.requires_python,
        requirements: declared.requirements,
        extras,
        locked: lock.versions,
        graph: lock.graph,
        exclude_newer,
        quarantine_exempt: exemptions::of_core(document),
    })
}

fn name(document: &At, faults: &mut Vec<Fault>) -> Option<PackageName> {
    let at = document.node.at(&["project", "name"]);
    let name = at
        .and_then(|at| at.node.text())
        .and_then(|text| PackageName::parse(text).ok());
    if name.as_ref().is_none_or(|name| name.as_str() != CORE_PACKAGE) {
        let message = format!("this is no Hermes core: `project.name` has to be `{CORE_PACKAGE}`");
        faults.push(placed(Fault::new(FILE, Code::CoreInvalid, message), at));
        return None;
    }
    name
}

fn version(document: &At, faults: &mut Vec<Fault>) -> Option<Version> {
    let at = document.node.at(&["project", "version"]);
    let version = at
        .and_then(|at| at.node.text())
        .and_then(|text| Version::parse(text).ok());
    if version.is_none() {
        let message = "`project.version` has to be a version (PEP 440)";
        faults.push(placed(Fault::new(FILE, Code::CoreInvalid, message), at));
    }
    version
}

fn placed(fault: Fault, at: Option<&At>) -> Fault {
    match at {
        Some(at) => fault.at(at),
        None => fault,
    }
}

fn extras(document: &At, faults: &mut Vec<Fault>) -> BTreeMap<ExtraName, Vec<RootRequirement>> {
    let mut extras = BTreeMap::new();
    let Some(at) = document.node.at(&["project", "optional-dependencies"]) else {
        return extras;
    };
    let Node::Map(entries) = &at.node else {
        let message = "`optional-dependencies` has to be a table of lists";
        faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
        return extras;
    };
    for (name, list) in entries {
        let listed = Listed {
            file: FILE,
            key: name,
            addresses: Addresses::Kept,
        };
        let requirements = requirements::list(listed, list, faults);
        let fault = match ExtraName::parse(name) {
            Err(error) => error.to_string(),
            Ok(extra) => match extras.insert(extra, requirements) {
                None => continue,
                Some(_) => format!("the extra `{name}` is declared twice (PEP 685)"),
            },
        };
        faults.push(Fault::new(FILE, Code::DeclarationInvalid, fault).at(list));
    }
    extras
}

/// `[tool.uv] exclude-newer`: a span of time, or a date.
fn exclude_newer(document: &At, faults: &mut Vec<Fault>) -> Option<ExcludeNewer> {
    let at = document.node.at(&["tool", "uv", "exclude-newer"])?;
    let quarantine = at.node.written().and_then(ExcludeNewer::parse);
    if quarantine.is_none() {
        let message = "`exclude-newer` has to be a date, or a span such as `14 days`";
        faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
    }
    quarantine
}
