//! In which order packages are decided. It follows from what the solver itself has seen (order of
//! discovery, repeated conflicts), never from which answer arrived first (contract C10).
//!
//! When two packages conflict again and again, the one that was decided first is at fault: a search
//! would try every version of the other. PubGrub cannot be told to go back, so the search starts anew
//! with the packages concerned decided early; what the index said is kept.

use alloc::collections::BTreeMap;
use core::cmp::Reverse;

use hermes_pep::{PackageName, VersionRange, pinned};

use crate::node::Node;

/// Conflicts of one package after which the search starts anew.
const REPEATED_CONFLICTS: u32 = 5;

/// The most new starts of one search; afterwards it goes on in the order it has.
const MAX_RESTARTS: u32 = 24;

/// The order of one search.
#[derive(Debug, Default)]
pub(super) struct Order {
    discovered: BTreeMap<Node, u32>,
    /// Packages decided early, in the order in which they are decided.
    promoted: BTreeMap<Node, u32>,
    /// Packages that conflicted repeatedly since the last start, by discovery.
    conflicting: BTreeMap<u32, Node>,
    restarts: u32,
}

/// What is decided first: the higher class, then the lower place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority {
    class: Class,
    place: Reverse<u32>,
}

/// Classes from the last to the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Anything else.
    Ordinary,
    /// Conflicted repeatedly in an earlier start.
    Promoted,
    /// Has one version left.
    Pinned,
    /// Has one version by nature: core, plugins, Python.
    Fixed,
}

impl Order {
    /// Notes nodes in the order in which they are mentioned.
    pub(super) fn discover<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) {
        for node in nodes {
            let next = u32::try_from(self.discovered.len()).unwrap_or(u32::MAX);
            self.discovered.entry(node.clone()).or_insert(next);
        }
    }

    /// The priority of a node with the range it has left and the conflicts it took part in.
    pub(super) fn priority(&mut self, node: &Node, range: &VersionRange, conflicts: u32) -> Priority {
        let discovered = self.discovered.get(node).copied().unwrap_or(0);
        let promoted = self.promoted.get(node).copied();
        let (class, place) = match (node, promoted) {
            (Node::Union | Node::Owner(_) | Node::Python, _) => (Class::Fixed, discovered),
            (Node::Extra(base, _), _) => self.before(base),
            (Node::Package(_), _) if pinned(range).is_some() => (Class::Pinned, discovered),
            (Node::Package(_), Some(rank)) => (Class::Promoted, rank),
            (Node::Package(_), None) => (Class::Ordinary, discovered),
        };
        let place = place
            .saturating_mul(2)
            .saturating_add(u32::from(matches!(node, Node::Package(_))));
        let repeated = conflicts >= REPEATED_CONFLICTS && matches!(node, Node::Package(_));
        if repeated && promoted.is_none() && self.restarts < MAX_RESTARTS {
            self.conflicting.insert(discovered, node.clone());
        }
        Priority {
            class,
            place: Reverse(place),
        }
    }

    /// An extra is decided just before its package: the extra's version binds the package, and not the
    /// other way round, so a version of the extra that fails costs no decision of the package.
    fn before(&self, base: &PackageName) -> (Class, u32) {
        let base = Node::Package(base.clone());
        match self.promoted.get(&base) {
            Some(rank) => (Class::Promoted, *rank),
            None => (Class::Ordinary, self.discovered.get(&base).copied().unwrap_or(0)),
        }
    }

    /// Whether a better order was learned.
    pub(super) fn wants_restart(&self) -> bool {
        !self.conflicting.is_empty()
    }

    /// Prepares a new start: of those that conflicted the latest discovered comes first, because it was
    /// decided last and so gave way each time.
    pub(super) fn restart(&mut self) {
        self.restarts += 1;
        for (_, node) in core::mem::take(&mut self.conflicting).into_iter().rev() {
            let rank = u32::try_from(self.promoted.len()).unwrap_or(u32::MAX);
            self.promoted.entry(node).or_insert(rank);
        }
        self.discovered.clear();
    }
}
