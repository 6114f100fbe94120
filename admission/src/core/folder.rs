//! Core as a source tree: `pyproject.toml`, and `uv.lock` beside it.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, PackageName, Version};
use hermes_terms::Code;

use super::{CORE_PACKAGE, CoreDeclaration, ExcludeNewer, lock};
use crate::document::{At, Node};
use crate::problem::RootRequirement;
use crate::surface::pyproject::{self, FILE};
use crate::surface::{Fault, requirements};
use crate::tree::SourceTree;

/// Reads a folder. All faults are found in one run.
pub fn from_folder(tree: &dyn SourceTree) -> Result<CoreDeclaration, Vec<Fault>> {
    let mut faults = Vec::new();
    let declared = pyproject::read(tree, &mut faults);
    // Faults of the file were noted by the first reading.
    let document = pyproject::document(tree, &mut Vec::new());
    let locked = lock::read(tree, &mut faults);
    let (Some(declared), Some(document)) = (declared, document) else {
        if faults.is_empty() {
            let message = "a core needs a pyproject.toml with a [project] table";
            faults.push(Fault::new(FILE, Code::CoreInvalid, message));
        }
        return Err(faults);
    };
    let name = name(&document, &mut faults);
    let version = version(&document, &mut faults);
    let extras = extras(&document, &mut faults);
    let exclude_newer = exclude_newer(&document, &mut faults);
    match (name, version) {
        (Some(name), Some(version)) if faults.is_empty() => Ok(CoreDeclaration {
            name,
            version,
            requires_python: declared.requires_python,
            requirements: declared.requirements,
            extras,
            locked,
            exclude_newer,
        }),
        _ => Err(faults),
    }
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
        match ExtraName::parse(name) {
            Ok(extra) => {
                extras.insert(extra, requirements::list(FILE, name, list, faults));
            }
            Err(error) => faults.push(Fault::new(FILE, Code::DeclarationInvalid, error.to_string()).at(list)),
        }
    }
    extras
}

/// `[tool.uv] exclude-newer`: days, or a date.
fn exclude_newer(document: &At, faults: &mut Vec<Fault>) -> Option<ExcludeNewer> {
    let at = document.node.at(&["tool", "uv", "exclude-newer"])?;
    let Some(text) = at.node.text() else {
        let message = "`exclude-newer` has to be a text: a date, or a number of days such as `14 days`";
        faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
        return None;
    };
    let days = text
        .strip_suffix("days")
        .or_else(|| text.strip_suffix("day"))
        .map(str::trim);
    match days.map(str::parse) {
        Some(Ok(days)) => Some(ExcludeNewer::Days(days)),
        Some(Err(_)) | None => Some(ExcludeNewer::Date(text.to_string())),
    }
}
