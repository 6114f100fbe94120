//! Core as a `pylock.toml` (PEP 751): every package of the file is pinned.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hermes_pep::{PackageName, Specifiers, Version};
use hermes_terms::Code;

use super::{CORE_PACKAGE, CoreDeclaration, lock, pin};
use crate::document::{At, Node, toml};
use crate::surface::Fault;

const FILE: &str = "pylock.toml";

/// Reads the text of a lock file. The core's own entry gives the version.
pub fn from_pylock(text: &str) -> Result<CoreDeclaration, Vec<Fault>> {
    let root = toml(text).map_err(|fault| Vec::from([Fault::document(FILE, fault)]))?;
    let mut faults = Vec::new();
    let supported = root
        .node
        .get("lock-version")
        .and_then(|at| at.node.text())
        .is_some_and(|text| text.starts_with("1."));
    if !supported {
        faults.push(Fault::new(
            FILE,
            Code::CoreInvalid,
            "`lock-version` has to be 1.x (PEP 751)",
        ));
    }
    let version = own_version(&root);
    if version.is_none() {
        faults.push(Fault::new(
            FILE,
            Code::CoreInvalid,
            "it holds no `hermes-agent` with a version",
        ));
    }
    let locked = lock::packages(FILE, &root, "packages", &mut faults);
    let name = PackageName::parse(CORE_PACKAGE).ok();
    let (Some(name), Some(version), true) = (name, version, faults.is_empty()) else {
        return Err(faults);
    };
    let python = root.node.get("requires-python").and_then(|at| at.node.text());
    let pins = locked.iter().filter_map(|(name, version)| pin(name, version));
    let requirements = pins
        .map(|pin| crate::RootRequirement {
            file: FILE.into(),
            ..pin
        })
        .collect();
    Ok(CoreDeclaration {
        name,
        version,
        requires_python: python.and_then(|text| Specifiers::parse(text).ok()),
        requirements,
        extras: BTreeMap::new(),
        locked,
        exclude_newer: None,
    })
}

fn own_version(root: &At) -> Option<Version> {
    let Node::List(items) = &root.node.get("packages")?.node else {
        return None;
    };
    let text = |item: &At, key: &str| {
        item.node
            .get(key)
            .and_then(|at| at.node.text())
            .map(alloc::string::String::from)
    };
    let own = items
        .iter()
        .find(|item| text(item, "name").as_deref() == Some(CORE_PACKAGE))?;
    Version::parse(&text(own, "version")?).ok()
}
