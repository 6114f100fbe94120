//! `pyproject.toml` (PEP 518, 621): the `[project]` table, and what `dynamic` means without running
//! a build backend.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::{PackageName, Specifiers};
use hermes_terms::Code;

use super::requirements::{Addresses, Listed};
use super::{Fault, MAX_FILE, exemptions, requirements};
use crate::document::{At, Node, toml, without_mark};
use crate::problem::RootRequirement;
use crate::tree::SourceTree;

pub(crate) const FILE: &str = "pyproject.toml";

/// What the file declares, if it has a `[project]` table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) requirements: Vec<RootRequirement>,
    pub(crate) requires_python: Option<Specifiers>,
    pub(crate) exempt: Vec<PackageName>,
}

/// Reads a plugin's file. `None`: there is none, or it holds tool settings only.
pub(crate) fn read(
    tree: &dyn SourceTree,
    faults: &mut Vec<Fault>,
    warnings: &mut Vec<Fault>,
) -> Option<Declared> {
    let root = document(tree, faults)?;
    let mut declared = declared(tree, &root, Addresses::Refused, faults)?;
    declared.exempt = exemptions::of_plugin(&root, &declared.requirements, warnings);
    Some(declared)
}

/// Reads the `[project]` table of a parsed file.
pub(crate) fn declared(
    tree: &dyn SourceTree,
    root: &At,
    addresses: Addresses,
    faults: &mut Vec<Fault>,
) -> Option<Declared> {
    let Some(project) = root.node.get("project") else {
        if let Some(poetry) = root.node.at(&["tool", "poetry", "dependencies"]) {
            let message = "dependencies of Poetry alone are not read; add a [project] table (PEP 621)";
            faults.push(Fault::new(FILE, Code::DeclarationUnsupported, message).at(poetry));
        }
        return None;
    };
    if !matches!(project.node, Node::Map(_)) {
        let message = format!("`project` has to be a table, not {}", project.node.kind());
        faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(project));
        return None;
    }
    let dynamic = dynamic(project, faults);
    Some(Declared {
        requirements: dependencies(tree, root, (project, &dynamic), (addresses, faults)),
        requires_python: requires_python(project, &dynamic, faults),
        exempt: Vec::new(),
    })
}

/// The parsed file.
pub(crate) fn document(tree: &dyn SourceTree, faults: &mut Vec<Fault>) -> Option<At> {
    let text = super::text(tree, FILE, MAX_FILE, faults)?;
    toml(&text)
        .map_err(|fault| faults.push(Fault::document(FILE, fault)))
        .ok()
}

/// The entries of `dynamic`. One that cannot be read might name anything.
fn dynamic<'p>(project: &'p At, faults: &mut Vec<Fault>) -> Vec<&'p At> {
    let Some(at) = project.node.get("dynamic") else {
        return Vec::new();
    };
    let items = match &at.node {
        Node::List(items) if items.iter().all(|item| item.node.text().is_some()) => items,
        _ => {
            let message = "`dynamic` has to be a list of texts";
            faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
            return Vec::new();
        }
    };
    items.iter().collect()
}

fn entry<'p>(dynamic: &[&'p At], name: &str) -> Option<&'p At> {
    dynamic
        .iter()
        .find(|item| item.node.text() == Some(name))
        .copied()
}

fn dependencies(
    tree: &dyn SourceTree,
    root: &At,
    (project, dynamic): (&At, &[&At]),
    (addresses, faults): (Addresses, &mut Vec<Fault>),
) -> Vec<RootRequirement> {
    let list = Listed {
        file: FILE,
        key: "dependencies",
        addresses,
    };
    match (project.node.get("dependencies"), entry(dynamic, "dependencies")) {
        (Some(at), Some(entry)) => {
            let message = "`dependencies` is given and listed as dynamic; PEP 621 allows one of the two";
            faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(entry));
            requirements::list(list, at, faults)
        }
        (Some(at), None) => requirements::list(list, at, faults),
        (None, Some(entry)) => from_files(tree, root, entry, faults),
        (None, None) => Vec::new(),
    }
}

/// setuptools' `dependencies = { file = [...] }` names plain requirement files, which can be read.
fn from_files(
    tree: &dyn SourceTree,
    root: &At,
    dynamic: &At,
    faults: &mut Vec<Fault>,
) -> Vec<RootRequirement> {
    let files = root
        .node
        .at(&["tool", "setuptools", "dynamic", "dependencies", "file"])
        .filter(|_| is_built_by_setuptools(root));
    let Some(names) = files.and_then(file_names) else {
        let message =
            "the dependencies are computed by the build backend, which is never run; list them in [project]";
        faults.push(Fault::new(FILE, Code::DeclarationDynamic, message).at(dynamic));
        return Vec::new();
    };
    let mut found = Vec::new();
    for name in &names {
        from_file(tree, name, dynamic, (&mut found, faults));
    }
    found
}

/// PEP 517: without a backend, setuptools builds.
fn is_built_by_setuptools(root: &At) -> bool {
    root.node.at(&["build-system", "build-backend"]).is_none_or(|at| {
        at.node
            .text()
            .is_some_and(|backend| backend.starts_with("setuptools."))
    })
}

fn from_file(
    tree: &dyn SourceTree,
    name: &str,
    dynamic: &At,
    (found, faults): (&mut Vec<RootRequirement>, &mut Vec<Fault>),
) {
    let before = faults.len();
    let Some(text) = super::text(tree, name, MAX_FILE, faults) else {
        if faults.len() == before {
            let message = format!("`{name}`, which holds the dependencies, does not exist");
            faults.push(Fault::new(FILE, Code::DeclarationDynamic, message).at(dynamic));
        }
        return;
    };
    for (index, line) in without_mark(&text).lines().enumerate() {
        let content = without_comment(line);
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let at = At {
            node: Node::Null,
            line: index + 1,
            column: indent + 1,
        };
        if content.is_empty() {
            continue;
        }
        if found.len() + (faults.len() - before) >= requirements::MAX_REQUIREMENTS {
            faults.push(requirements::too_many(name).at(&at));
            return;
        }
        if content.starts_with('-') || content.ends_with('\\') {
            let message = "options and continued lines of requirement files are not read";
            faults.push(Fault::new(name, Code::DeclarationDynamic, message).at(&at));
            continue;
        }
        match requirements::parse(name, content, &at, Addresses::Refused) {
            Ok(requirement) => found.push(requirement),
            Err(fault) => faults.push(fault),
        }
    }
}

fn file_names(at: &At) -> Option<Vec<String>> {
    let names: Vec<String> = match &at.node {
        Node::Text(name) => Vec::from([name.clone()]),
        Node::List(items) => items
            .iter()
            .map(|item| item.node.text().map(ToString::to_string))
            .collect::<Option<_>>()?,
        _ => return None,
    };
    // One component of plain signs: no path, no pattern, no stream, nothing that draws.
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let plain = |name: &String| {
        (1..=255).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(is_plain)
    };
    names.iter().all(plain).then_some(names)
}

/// A comment begins with `#` at the start or after white space.
fn without_comment(line: &str) -> &str {
    let starts = line.match_indices('#').map(|(at, _)| at);
    let comment = |at: &usize| {
        line.get(..*at)
            .is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
    };
    let end = starts.into_iter().find(comment).unwrap_or(line.len());
    line.get(..end).unwrap_or(line).trim()
}

fn requires_python(project: &At, dynamic: &[&At], faults: &mut Vec<Fault>) -> Option<Specifiers> {
    let Some(at) = project.node.get("requires-python") else {
        if let Some(entry) = entry(dynamic, "requires-python") {
            let message = "`requires-python` is computed by the build backend, which is never run";
            faults.push(Fault::new(FILE, Code::DeclarationDynamic, message).at(entry));
        }
        return None;
    };
    let parsed = at.node.text().map(Specifiers::parse);
    if let Some(Ok(specifiers)) = parsed {
        return Some(specifiers);
    }
    let message = "`requires-python` has to be a text of version specifiers (PEP 440), such as `>=3.11`";
    faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
    None
}
