//! A Rust part: a root `Cargo.toml` counts only when it opts in (contract C7).

use alloc::vec::Vec;

use hermes_terms::Code;

use super::{Fault, MAX_FILE};
use crate::document::toml;
use crate::tree::SourceTree;

const FILE: &str = "Cargo.toml";

/// Reports a Cargo surface: it is recognised and not read yet. Anything else is sidecar code, whose
/// faults are none of ours.
pub(crate) fn read(tree: &dyn SourceTree, faults: &mut Vec<Fault>) {
    let Ok(Some(bytes)) = tree.read(FILE, MAX_FILE) else {
        return;
    };
    let Some(root) = core::str::from_utf8(&bytes).ok().and_then(|text| toml(text).ok()) else {
        return;
    };
    for table in ["package", "workspace"] {
        if let Some(at) = root.node.at(&[table, "metadata", "hermes"]) {
            let message = "Cargo surfaces are not supported yet; leave out `metadata.hermes` to keep the Rust part a sidecar";
            faults.push(Fault::new(FILE, Code::DeclarationUnsupported, message).at(at));
        }
    }
}
