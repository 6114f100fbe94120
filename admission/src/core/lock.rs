//! `uv.lock`: the versions that core was tested with.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, Marker, PackageName, Version};
use hermes_terms::Code;

use super::CORE_PACKAGE;
use super::graph::{Edge, Graph, condition};
use crate::document::{At, Node, toml};
use crate::surface::{self, Fault};
use crate::tree::SourceTree;

pub(super) const FILE: &str = "uv.lock";

/// A lock with hundreds of packages and their files is large; this is far above any that exists.
const MAX_LOCK: usize = 16 << 20;

/// What a lock says.
#[derive(Default)]
pub(super) struct Lock {
    /// The one version of each package. A package that is locked at several versions (one for each
    /// environment), or at an address, has none here.
    pub(super) versions: BTreeMap<PackageName, Version>,
    /// Who needs whom.
    pub(super) graph: Graph,
}

/// Reads the lock beside core's declaration; empty when there is none.
pub(super) fn read(tree: &dyn SourceTree, faults: &mut Vec<Fault>) -> Lock {
    let Some(text) = surface::text(tree, FILE, MAX_LOCK, faults) else {
        return Lock::default();
    };
    match toml(&text) {
        Ok(root) => Lock {
            versions: versions(FILE, list(&root, "package"), faults),
            graph: graph(list(&root, "package"), faults),
        },
        Err(fault) => {
            faults.push(Fault::document(FILE, fault));
            Lock::default()
        }
    }
}

/// The items of a list; nothing when it is absent or no list.
pub(super) fn list<'a>(at: &'a At, key: &str) -> &'a [At] {
    match at.node.get(key).map(|at| &at.node) {
        Some(Node::List(items)) => items,
        _ => &[],
    }
}

/// The one version of every package, core itself aside.
pub(super) fn versions(file: &str, items: &[At], faults: &mut Vec<Fault>) -> BTreeMap<PackageName, Version> {
    let mut locked: BTreeMap<PackageName, Vec<Version>> = BTreeMap::new();
    for item in items {
        match entry(item) {
            Some((name, Some(version))) if name.as_str() != CORE_PACKAGE && !has_address(item) => {
                locked.entry(name).or_default().push(version);
            }
            // Without a version: a package of a workspace, which is not locked.
            Some(_) => {}
            None => faults
                .push(Fault::new(file, Code::CoreInvalid, "an entry has no valid name and version").at(item)),
        }
    }
    let single = locked
        .into_iter()
        .filter_map(|(name, versions)| match versions.as_slice() {
            [one] => Some((name, one.clone())),
            _ => None,
        });
    single.collect()
}

/// Whether the package comes from elsewhere than an index (`uv.lock` and PEP 751 spell it differently).
pub(super) fn has_address(item: &At) -> bool {
    let elsewhere = ["git", "url", "path", "directory", "editable", "virtual"];
    let source = item.node.get("source");
    source.is_some_and(|source| elsewhere.iter().any(|kind| source.node.get(kind).is_some()))
        || ["vcs", "directory", "archive"]
            .iter()
            .any(|kind| item.node.get(kind).is_some())
}

/// The name and the version, if it has one; `None` when either cannot be read.
pub(super) fn entry(item: &At) -> Option<(PackageName, Option<Version>)> {
    let name = PackageName::parse(item.node.get("name")?.node.text()?).ok()?;
    match item.node.get("version") {
        None => Some((name, None)),
        Some(at) => Some((name, Some(Version::parse(at.node.text()?).ok()?))),
    }
}

fn graph(items: &[At], faults: &mut Vec<Fault>) -> Graph {
    let mut graph = Graph::default();
    for item in items {
        // What cannot be read was noted with the versions.
        let Some((name, _)) = entry(item) else { continue };
        graph.add((name.clone(), None), edges(list(item, "dependencies"), faults));
        let Some(At {
            node: Node::Map(extras),
            ..
        }) = item.node.get("optional-dependencies")
        else {
            continue;
        };
        for (extra, at) in extras {
            let (Ok(extra), Node::List(items)) = (ExtraName::parse(extra), &at.node) else {
                faults.push(unreadable(at));
                continue;
            };
            graph.add((name.clone(), Some(extra)), edges(items, faults));
        }
    }
    graph
}

fn edges(items: &[At], faults: &mut Vec<Fault>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for item in items {
        match edge(item) {
            Need::Edge(edge) => edges.push(edge),
            Need::Never => {}
            Need::Unreadable => faults.push(unreadable(item)),
        }
    }
    edges
}

/// A dependency as a lock states it.
enum Need {
    Edge(Edge),
    /// Its marker holds nowhere.
    Never,
    Unreadable,
}

fn edge(item: &At) -> Need {
    let (Some((to, _)), Some(extras)) = (entry(item), extras(item)) else {
        return Need::Unreadable;
    };
    let marker = item.node.get("marker");
    let parsed = marker.map(|at| at.node.text().map(Marker::parse));
    let condition = match parsed {
        None => String::new(),
        Some(Some(Ok(marker))) => match condition(&marker) {
            Some(condition) => condition,
            None => return Need::Never,
        },
        Some(_) => return Need::Unreadable,
    };
    Need::Edge(Edge {
        to,
        extras,
        condition,
    })
}

fn extras(item: &At) -> Option<Vec<ExtraName>> {
    let read = |extra: &At| ExtraName::parse(extra.node.text()?).ok();
    list(item, "extra").iter().map(read).collect()
}

fn unreadable(at: &At) -> Fault {
    Fault::new(FILE, Code::CoreInvalid, "a dependency in the lock cannot be read").at(at)
}
