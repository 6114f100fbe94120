//! Plugin manifests: `plugin.yaml`, else `plugin.yml`, else the portable `plugin.json`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_terms::{Code, PluginName};

use super::hermes::HermesRange;
use super::requirements::{Addresses, Listed};
use super::{Fault, MAX_FILE, requirements};
use crate::document::{At, Node, json, yaml};
use crate::problem::RootRequirement;
use crate::tree::SourceTree;

/// Manifests in the order in which the first counts.
const FILES: [&str; 3] = ["plugin.yaml", "plugin.yml", "plugin.json"];

/// Keys that list dependencies, joined in this order.
const KEYS: [&str; 2] = ["pip_dependencies", "python_dependencies"];

/// What a manifest says of its plugin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The file it stands in.
    pub file: String,
    /// `name`.
    pub name: Option<String>,
    /// `version`, as it is written.
    pub version: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Whether `python_runtime` is `external`: the plugin keeps its own runtime.
    pub is_external: bool,
    /// `requires_hermes`.
    pub requires_hermes: Option<HermesRange>,
    /// `requires_plugins`: other plugins that it needs.
    pub requires_plugins: Vec<String>,
    /// The declared dependencies, without repeats.
    pub requirements: Vec<RootRequirement>,
}

/// The newest `manifest_version` that is understood.
const NEWEST: u64 = 2;

/// Reads the manifest of a root; `None` when it has none. Faults of its lists are kept apart: whether
/// the lists count is known only when the other declaration was read.
pub(crate) fn read(
    tree: &dyn SourceTree,
    faults: &mut Vec<Fault>,
    listed: &mut Vec<Fault>,
) -> Option<Manifest> {
    for file in FILES {
        let before = faults.len();
        if let Some(text) = super::text(tree, file, MAX_FILE, faults) {
            let parsed = if file == "plugin.json" {
                json(&text)
            } else {
                yaml(&text)
            };
            return parsed
                .map_err(|fault| faults.push(Fault::document(file, fault)))
                .ok()
                .map(|root| facts(file, &root, faults, listed));
        }
        if faults.len() > before {
            return None;
        }
    }
    None
}

fn facts(file: &str, root: &At, faults: &mut Vec<Fault>, listed: &mut Vec<Fault>) -> Manifest {
    let mut manifest = Manifest {
        file: file.to_owned(),
        ..Manifest::default()
    };
    match &root.node {
        // An empty manifest is an empty mapping.
        Node::Null | Node::Map(_) => {}
        other => {
            let message = format!("a manifest has to be a mapping, not {}", other.kind());
            faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(root));
            return manifest;
        }
    }
    manifest.name = name(file, root, faults);
    manifest.version = written(root, "version");
    manifest.description = text(root, "description");
    manifest.kind = text(root, "kind");
    manifest.is_external = is_external(file, root, faults);
    manifest.requires_hermes = requires_hermes(file, root, faults);
    manifest.requires_plugins = requires_plugins(file, root, faults);
    manifest_version(file, root, faults);
    manifest.requirements = dependencies(file, root, listed);
    manifest
}

fn dependencies(file: &str, root: &At, listed: &mut Vec<Fault>) -> Vec<RootRequirement> {
    let mut all = Vec::new();
    for key in KEYS {
        let list = Listed {
            file,
            key,
            addresses: Addresses::Refused,
        };
        match root.node.get(key) {
            None | Some(At { node: Node::Null, .. }) => {}
            Some(at) => all.extend(requirements::list(list, at, listed)),
        }
    }
    if all.len() > requirements::MAX_REQUIREMENTS {
        listed.push(requirements::too_many(file).at(root));
        return Vec::new();
    }
    requirements::without_repeats(all)
}

/// A manifest of a later kind may declare what is not known here.
fn manifest_version(file: &str, root: &At, faults: &mut Vec<Fault>) {
    let entry = root
        .node
        .get("manifest_version")
        .filter(|at| at.node != Node::Null);
    let Some(at) = entry else { return };
    let (code, message) = match at.node.written().map(str::parse::<u64>) {
        Some(Ok(version)) if version <= NEWEST => return,
        Some(Ok(version)) => {
            let message = format!("`manifest_version` is {version}; at most {NEWEST} is understood");
            (Code::DeclarationUnsupported, message)
        }
        _ => {
            let message = "`manifest_version` has to be a whole number".to_owned();
            (Code::DeclarationInvalid, message)
        }
    };
    faults.push(Fault::new(file, code, message).at(at));
}

fn requires_plugins(file: &str, root: &At, faults: &mut Vec<Fault>) -> Vec<String> {
    let entry = root
        .node
        .get("requires_plugins")
        .filter(|at| at.node != Node::Null);
    let Some(at) = entry else { return Vec::new() };
    let names = match &at.node {
        Node::List(items) => items
            .iter()
            .map(|item| item.node.text().map(ToOwned::to_owned))
            .collect(),
        _ => None,
    };
    names.unwrap_or_else(|| {
        let message = "`requires_plugins` has to be a list of texts";
        faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
        Vec::new()
    })
}

fn written(root: &At, key: &str) -> Option<String> {
    root.node
        .get(key)
        .and_then(|at| at.node.written())
        .map(ToOwned::to_owned)
}

fn text(root: &At, key: &str) -> Option<String> {
    root.node
        .get(key)
        .and_then(|at| at.node.text())
        .map(ToOwned::to_owned)
}

fn name(file: &str, root: &At, faults: &mut Vec<Fault>) -> Option<String> {
    let at = root.node.get("name").filter(|at| at.node != Node::Null)?;
    let Some(text) = at.node.text() else {
        let message = format!("`name` has to be a text, not {}", at.node.kind());
        faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
        return None;
    };
    if let Err(error) = PluginName::parse(text) {
        faults.push(Fault::new(file, Code::PluginName, format!("{error}")).at(at));
        return None;
    }
    Some(text.to_owned())
}

fn is_external(file: &str, root: &At, faults: &mut Vec<Fault>) -> bool {
    match root.node.get("python_runtime") {
        None | Some(At { node: Node::Null, .. }) => false,
        Some(at) => {
            if let Some(text) = at.node.text() {
                return text == "external";
            }
            let message = format!("`python_runtime` has to be a text, not {}", at.node.kind());
            faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
            false
        }
    }
}

fn requires_hermes(file: &str, root: &At, faults: &mut Vec<Fault>) -> Option<HermesRange> {
    let at = root
        .node
        .get("requires_hermes")
        .filter(|at| at.node != Node::Null)?;
    let range = at.node.written().and_then(HermesRange::parse);
    if range.is_none() {
        let message = "`requires_hermes` has to be a text such as `>=0.19.0, <1`";
        faults.push(Fault::new(file, Code::DeclarationInvalid, message).at(at));
    }
    range
}
