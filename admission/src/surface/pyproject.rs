//! `pyproject.toml` (PEP 518, 621): the `[project]` table, and what `dynamic` means without running
//! a build backend.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::Specifiers;
use hermes_terms::Code;

use super::{Fault, MAX_FILE, requirements};
use crate::document::{At, Node, toml};
use crate::problem::RootRequirement;
use crate::tree::SourceTree;

pub(crate) const FILE: &str = "pyproject.toml";

/// What the file declares, if it has a `[project]` table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) requirements: Vec<RootRequirement>,
    pub(crate) requires_python: Option<Specifiers>,
}

/// Reads the file. `None`: there is none, or it holds tool settings only.
pub(crate) fn read(tree: &dyn SourceTree, faults: &mut Vec<Fault>) -> Option<Declared> {
    let root = document(tree, faults)?;
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
    let requirements = dependencies(tree, &root, project, faults);
    let requires_python = requires_python(project, faults);
    Some(Declared {
        requirements,
        requires_python,
    })
}

/// The parsed file.
pub(crate) fn document(tree: &dyn SourceTree, faults: &mut Vec<Fault>) -> Option<At> {
    let text = super::text(tree, FILE, MAX_FILE, faults)?;
    toml(&text)
        .map_err(|fault| faults.push(Fault::document(FILE, fault)))
        .ok()
}

fn dependencies(
    tree: &dyn SourceTree,
    root: &At,
    project: &At,
    faults: &mut Vec<Fault>,
) -> Vec<RootRequirement> {
    let dynamic = dynamic_entry(project);
    match (project.node.get("dependencies"), dynamic) {
        (Some(list), Some(at)) => {
            let message = "`dependencies` is given and listed as dynamic; PEP 621 allows one of the two";
            faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
            requirements::list(FILE, "dependencies", list, faults)
        }
        (Some(list), None) => requirements::list(FILE, "dependencies", list, faults),
        (None, Some(at)) => from_files(tree, root, at, faults),
        (None, None) => Vec::new(),
    }
}

fn dynamic_entry(project: &At) -> Option<&At> {
    let Node::List(items) = &project.node.get("dynamic")?.node else {
        return None;
    };
    items.iter().find(|item| item.node.text() == Some("dependencies"))
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
        .at(&["tool", "setuptools", "dynamic", "dependencies", "file"]);
    let Some(names) = files.and_then(file_names) else {
        let message =
            "the dependencies are computed by the build backend, which is never run; list them in [project]";
        faults.push(Fault::new(FILE, Code::DeclarationDynamic, message).at(dynamic));
        return Vec::new();
    };
    names
        .iter()
        .flat_map(|name| from_file(tree, name, dynamic, faults))
        .collect()
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
    let plain =
        |name: &String| !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '*']);
    names.iter().all(plain).then_some(names)
}

fn from_file(
    tree: &dyn SourceTree,
    name: &str,
    dynamic: &At,
    faults: &mut Vec<Fault>,
) -> Vec<RootRequirement> {
    let before = faults.len();
    let Some(text) = super::text(tree, name, MAX_FILE, faults) else {
        if faults.len() == before {
            let message = format!("`{name}`, which holds the dependencies, does not exist");
            faults.push(Fault::new(FILE, Code::DeclarationDynamic, message).at(dynamic));
        }
        return Vec::new();
    };
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = At {
            node: Node::Null,
            line: index + 1,
            column: 1,
        };
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        if line.starts_with('-') || line.ends_with('\\') {
            let message = "options and continued lines of requirement files are not read";
            faults.push(Fault::new(name, Code::DeclarationDynamic, message).at(&at));
            continue;
        }
        match requirements::parse(name, line, &at) {
            Ok(requirement) => found.push(requirement),
            Err(fault) => faults.push(fault),
        }
    }
    found
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

fn requires_python(project: &At, faults: &mut Vec<Fault>) -> Option<Specifiers> {
    let at = project.node.get("requires-python")?;
    let parsed = at.node.text().map(Specifiers::parse);
    if let Some(Ok(specifiers)) = parsed {
        return Some(specifiers);
    }
    let message = "`requires-python` has to be a text of version specifiers (PEP 440), such as `>=3.11`";
    faults.push(Fault::new(FILE, Code::DeclarationInvalid, message).at(at));
    None
}
