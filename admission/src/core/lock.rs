//! `uv.lock`: the versions that core was tested with.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hermes_pep::{PackageName, Version};
use hermes_terms::Code;

use super::CORE_PACKAGE;
use crate::document::{At, Node, toml};
use crate::surface::{self, Fault};
use crate::tree::SourceTree;

pub(super) const FILE: &str = "uv.lock";

/// A lock with hundreds of packages and their files is large; this is far above any that exists.
const MAX_LOCK: usize = 16 << 20;

/// Reads the lock beside core's declaration; empty when there is none. A package that is locked at
/// several versions (one for each environment) has no preference here.
pub(super) fn read(tree: &dyn SourceTree, faults: &mut Vec<Fault>) -> BTreeMap<PackageName, Version> {
    let Some(text) = surface::text(tree, FILE, MAX_LOCK, faults) else {
        return BTreeMap::new();
    };
    match toml(&text) {
        Ok(root) => packages(FILE, &root, "package", faults),
        Err(fault) => {
            faults.push(Fault::document(FILE, fault));
            BTreeMap::new()
        }
    }
}

/// The name and version of every entry of a list of packages, core itself aside.
pub(super) fn packages(
    file: &str,
    root: &At,
    key: &str,
    faults: &mut Vec<Fault>,
) -> BTreeMap<PackageName, Version> {
    let mut locked: BTreeMap<PackageName, Vec<Version>> = BTreeMap::new();
    let items = match root.node.get(key).map(|at| &at.node) {
        Some(Node::List(items)) => items.as_slice(),
        _ => &[],
    };
    for item in items {
        match entry(item) {
            Some((name, Some(version))) if name.as_str() != CORE_PACKAGE => {
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

fn entry(item: &At) -> Option<(PackageName, Option<Version>)> {
    let name = PackageName::parse(item.node.get("name")?.node.text()?).ok()?;
    match item.node.get("version") {
        None => Some((name, None)),
        Some(at) => Some((name, Some(Version::parse(at.node.text()?).ok()?))),
    }
}
