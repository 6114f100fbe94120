//! In which order packages are decided. It follows from what the solver itself has seen (order of
//! discovery, repeated conflicts), never from which answer arrived first (contract C10).
//!
//! When two packages conflict again and again, the one that was decided first is at fault: a search
//! would try every version of the other. PubGrub cannot be told to go back, so the search starts anew
//! with the packages concerned decided early; what the index said is kept.

use alloc::collections::BTreeMap;
use core::cmp::Reverse;

use super::nodes::NodeId;
use super::places::Places;

/// Conflicts of one package after which the search starts anew.
const REPEATED_CONFLICTS: u32 = 5;

/// The most new starts of one search; afterwards it goes on in the order it has.
const MAX_RESTARTS: u32 = 24;

/// The order of one search.
#[derive(Debug, Default)]
pub(super) struct Order {
    discovered: BTreeMap<NodeId, u32>,
    /// Packages decided early, in the order in which they are decided.
    promoted: BTreeMap<NodeId, u32>,
    /// Packages that conflicted repeatedly since the last start, by discovery.
    conflicting: BTreeMap<u32, NodeId>,
    restarts: u32,
}

/// What a node is to the order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// Has one version by nature: core, plugins, Python.
    Fixed,
    /// A package.
    Package,
    /// An extra, with its package if that was met.
    Extra(Option<NodeId>),
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
    pub(super) fn discover(&mut self, nodes: impl Iterator<Item = NodeId>) {
        for node in nodes {
            let next = u32::try_from(self.discovered.len()).unwrap_or(u32::MAX);
            self.discovered.entry(node).or_insert(next);
        }
    }

    /// The priority of a node with the places it has left and the conflicts it took part in.
    pub(super) fn priority(&mut self, id: NodeId, role: Role, places: &Places, conflicts: u32) -> Priority {
        let discovered = self.discovered.get(&id).copied().unwrap_or(0);
        let promoted = self.promoted.get(&id).copied();
        let (class, place) = match (role, promoted) {
            (Role::Fixed, _) => (Class::Fixed, discovered),
            (Role::Extra(base), _) => self.before(base),
            (Role::Package, _) if places.single().is_some() => (Class::Pinned, discovered),
            (Role::Package, Some(rank)) => (Class::Promoted, rank),
            (Role::Package, None) => (Class::Ordinary, discovered),
        };
        let is_package = matches!(role, Role::Package);
        let place = place.saturating_mul(2).saturating_add(u32::from(is_package));
        let repeated = conflicts >= REPEATED_CONFLICTS && is_package;
        if repeated && promoted.is_none() && self.restarts < MAX_RESTARTS {
            self.conflicting.insert(discovered, id);
        }
        Priority {
            class,
            place: Reverse(place),
        }
    }

    /// An extra is decided just before its package: the extra's version binds the package, and not the
    /// other way round, so a version of the extra that fails costs no decision of the package.
    fn before(&self, base: Option<NodeId>) -> (Class, u32) {
        let known = |ranks: &BTreeMap<NodeId, u32>| base.and_then(|base| ranks.get(&base)).copied();
        match known(&self.promoted) {
            Some(rank) => (Class::Promoted, rank),
            None => (Class::Ordinary, known(&self.discovered).unwrap_or(0)),
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
