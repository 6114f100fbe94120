//! `[tool.uv] exclude-newer-package`: packages that a quarantine does not hold for.
//!
//! A plugin may only exempt (with `false`) what it requires itself with one exact version; anything
//! else would let it open the quarantine for others. Whether core's lock holds the package is for
//! the union to judge.

use alloc::format;
use alloc::vec::Vec;

use hermes_pep::PackageName;
use hermes_terms::Code;

use super::Fault;
use super::pyproject::FILE;
use crate::document::{At, Node};
use crate::problem::RootRequirement;

/// The exemptions that a plugin may declare; the others are told and count for nothing.
pub(crate) fn of_plugin(
    root: &At,
    requirements: &[RootRequirement],
    warnings: &mut Vec<Fault>,
) -> Vec<PackageName> {
    let mut exempt = Vec::new();
    for (name, at) in entries(root) {
        let package = PackageName::parse(name).ok();
        let pinned = package.filter(|package| {
            requirements.iter().any(|declared| {
                declared.requirement.name == *package && declared.requirement.specifiers.exact().is_some()
            })
        });
        match pinned {
            Some(package) if at.node == Node::Bool(false) => exempt.push(package),
            _ => warnings.push(ignored(name, at)),
        }
    }
    exempt.sort();
    exempt.dedup();
    exempt
}

/// The packages that core exempts wholly.
pub(crate) fn of_core(root: &At) -> Vec<PackageName> {
    let wholly = entries(root)
        .iter()
        .filter(|(_, at)| at.node == Node::Bool(false));
    let mut exempt: Vec<PackageName> = wholly
        .filter_map(|(name, _)| PackageName::parse(name).ok())
        .collect();
    exempt.sort();
    exempt.dedup();
    exempt
}

fn entries(root: &At) -> &[(alloc::string::String, At)] {
    match root
        .node
        .at(&["tool", "uv", "exclude-newer-package"])
        .map(|at| &at.node)
    {
        Some(Node::Map(entries)) => entries,
        _ => &[],
    }
}

fn ignored(name: &str, at: &At) -> Fault {
    let shown: alloc::string::String = name.chars().take(80).flat_map(char::escape_debug).collect();
    let message = format!(
        "the exemption of `{shown}` from the quarantine is ignored: it has to be `false`, for a package \
         that is required here with one exact version"
    );
    Fault::new(FILE, Code::PolicyQuarantine, message).at(at)
}
