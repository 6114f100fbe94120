//! Numbers for nodes: the solver compares and hashes nodes all the time.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use crate::node::Node;

/// The number of a node, in the order of first mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

/// The nodes that one search has met.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    ids: BTreeMap<Node, NodeId>,
}

impl Nodes {
    /// The number of a node; a new one when it was not met before.
    pub(crate) fn id(&mut self, node: &Node) -> NodeId {
        if let Some(known) = self.ids.get(node) {
            return *known;
        }
        let id = NodeId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(node.clone());
        self.ids.insert(node.clone(), id);
        id
    }

    /// The number of a node that was met.
    pub(crate) fn known(&self, node: &Node) -> Option<NodeId> {
        self.ids.get(node).copied()
    }

    /// The node of a number.
    pub(crate) fn view(&self, id: NodeId) -> Option<&Node> {
        self.list.get(id.0 as usize)
    }

    /// The node of a number. Every number comes from here, so the last resort is never needed.
    pub(crate) fn get(&self, id: NodeId) -> Node {
        self.view(id).cloned().unwrap_or(Node::Union)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
