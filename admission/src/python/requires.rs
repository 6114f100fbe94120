//! From requirements to what the solver understands: nodes with ranges.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use hermes_pep::{MarkerEnvironment, Requirement, VersionRange};

use crate::node::Node;

/// Dependencies of one node, each node once, in the order of first mention.
#[derive(Default)]
pub(crate) struct Requires {
    order: Vec<Node>,
    ranges: BTreeMap<Node, VersionRange>,
}

impl Requires {
    /// Narrows a node to a range.
    pub(crate) fn add(&mut self, node: Node, range: &VersionRange) {
        if let Some(old) = self.ranges.get_mut(&node) {
            *old = old.intersection(range);
            return;
        }
        self.order.push(node.clone());
        self.ranges.insert(node, range.clone());
    }

    /// Adds a requirement: its package, and each of its extras.
    pub(crate) fn require(&mut self, requirement: &Requirement) {
        let range = requirement.specifiers.range();
        self.add(Node::Package(requirement.name.clone()), &range);
        for extra in &requirement.extras {
            self.add(Node::Extra(requirement.name.clone(), extra.clone()), &range);
        }
    }

    /// The dependencies in order.
    pub(crate) fn into_list(self) -> Vec<(Node, VersionRange)> {
        let Self { order, mut ranges } = self;
        order
            .into_iter()
            .filter_map(|node| ranges.remove(&node).map(|range| (node, range)))
            .collect()
    }
}

/// Whether a requirement applies without any extra.
pub(crate) fn applies(requirement: &Requirement, environment: &MarkerEnvironment) -> bool {
    requirement
        .marker
        .as_ref()
        .is_none_or(|marker| marker.evaluate(environment, &[]))
}
