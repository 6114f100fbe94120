//! The derivation of PubGrub as a flat list, children before parents: walked without recursion,
//! however deep it is.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::VersionRange;
use hermes_terms::Code;
use pubgrub::{DerivationTree, Derived, External, Term};

use super::declared::declared;
use crate::node::Node;
use crate::python::{NodeId, Places, Provider, Unavailable};

type Tree = DerivationTree<NodeId, Places, Unavailable>;

/// One fact of a derivation.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// The union is wanted.
    Wanted,
    /// No usable version lies in this range.
    NoVersions(Node, VersionRange),
    /// Versions of one node require another in a range.
    Requires(Node, VersionRange, Node, VersionRange),
    /// Versions that cannot be used, with the reason.
    Unusable(Node, VersionRange, Unavailable),
    /// What follows from two other facts, given by their positions: these terms cannot all hold.
    Derived(Vec<(Node, Term<VersionRange>)>, usize, usize),
}

impl Fact {
    /// What is required; with `by_roots`, by core or a plugin itself.
    pub(crate) fn required(&self, by_roots: bool) -> Option<&Node> {
        match self {
            Self::Requires(from, _, to, _) if !by_roots || matches!(from, Node::Owner(_)) => Some(to),
            _ => None,
        }
    }

    /// Why core or a plugin cannot be used at all.
    pub(crate) fn owner_barred(&self) -> Option<Code> {
        match self {
            Self::Unusable(Node::Owner(_), _, reason) => Some(reason.code),
            _ => None,
        }
    }
}

/// A derivation; the last fact is the conclusion.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    facts: Vec<Fact>,
}

impl Graph {
    /// Tells a derivation in nodes and ranges. What is required is told as it was declared, everything
    /// else by the versions that exist.
    pub(crate) fn from_tree(tree: Tree, provider: &Provider<'_>) -> Self {
        let mut reading = Reading {
            provider,
            facts: Vec::new(),
            places: BTreeMap::new(),
        };
        let root = Arc::new(tree);
        let mut waiting = Vec::from([(Arc::clone(&root), false)]);
        while let Some((tree, children_done)) = waiting.pop() {
            if reading.place(&tree).is_some() {
                continue;
            }
            match (&*tree, children_done) {
                (Tree::External(external), _) => reading.external(&tree, external),
                (Tree::Derived(derived), false) => {
                    let (first, second) = (Arc::clone(&derived.cause1), Arc::clone(&derived.cause2));
                    waiting.push((Arc::clone(&tree), true));
                    waiting.push((second, false));
                    waiting.push((first, false));
                }
                (Tree::Derived(derived), true) => reading.derived(&tree, derived),
            }
        }
        let facts = reading.facts;
        dismantle(root);
        Self { facts }
    }

    /// The facts, children before parents.
    pub(crate) fn facts(&self) -> &[Fact] {
        &self.facts
    }
}

/// A tree on its way to becoming a list.
struct Reading<'r, 'p> {
    provider: &'r Provider<'p>,
    facts: Vec<Fact>,
    /// Where the fact of each part of the tree stands, by the address of the part.
    places: BTreeMap<usize, usize>,
}

impl Reading<'_, '_> {
    fn place(&self, tree: &Arc<Tree>) -> Option<usize> {
        self.places.get(&Arc::as_ptr(tree).addr()).copied()
    }

    fn push(&mut self, fact: Fact) -> usize {
        self.facts.push(fact);
        self.facts.len() - 1
    }

    fn external(&mut self, tree: &Arc<Tree>, external: &External<NodeId, Places, Unavailable>) {
        let fact = match external {
            External::NotRoot(..) => Fact::Wanted,
            External::NoVersions(id, places) => {
                let (node, range) = self.told(*id, places);
                Fact::NoVersions(node, range)
            }
            External::Custom(id, places, reason) => {
                let (node, range) = self.told(*id, places);
                Fact::Unusable(node, range, reason.clone())
            }
            External::FromDependencyOf(from, places, to, fit) => {
                let (node, range) = self.told(*from, places);
                let needed = declared(self.provider, *from, places, *to);
                // What asks for nothing at all contradicts itself.
                let is_missing = fit.is_empty() && needed != VersionRange::empty();
                let requires = Fact::Requires(node, range, self.provider.node(*to), needed);
                if is_missing {
                    return self.nothing_fits(tree, requires);
                }
                requires
            }
        };
        let place = self.push(fact);
        self.places.insert(Arc::as_ptr(tree).addr(), place);
    }

    /// The solver knows at once that nothing which exists is in a range. A reader is told both: what is
    /// required, and that there is no such version.
    fn nothing_fits(&mut self, tree: &Arc<Tree>, requires: Fact) {
        let Fact::Requires(from, range, to, needed) = &requires else {
            return;
        };
        let terms = Vec::from([(from.clone(), Term::Positive(range.clone()))]);
        let missing = Fact::NoVersions(to.clone(), needed.clone());
        let (missing, requires) = (self.push(missing), self.push(requires));
        let place = self.push(Fact::Derived(terms, missing, requires));
        self.places.insert(Arc::as_ptr(tree).addr(), place);
    }

    fn derived(&mut self, tree: &Arc<Tree>, derived: &Derived<NodeId, Places, Unavailable>) {
        let terms = derived.terms.iter().map(|(id, term)| {
            let node = self.provider.node(*id);
            let term = match term {
                Term::Positive(places) => Term::Positive(self.provider.range(&node, places)),
                Term::Negative(places) => Term::Negative(self.provider.range(&node, places)),
            };
            (node, term)
        });
        let mut terms: Vec<_> = terms.collect();
        terms.sort_by(|(a, _), (b, _)| a.cmp(b));
        let cause = |cause: &Arc<Tree>| self.place(cause).unwrap_or_default();
        let fact = Fact::Derived(terms, cause(&derived.cause1), cause(&derived.cause2));
        let place = self.push(fact);
        self.places.insert(Arc::as_ptr(tree).addr(), place);
    }

    fn told(&self, id: NodeId, places: &Places) -> (Node, VersionRange) {
        let node = self.provider.node(id);
        let range = self.provider.range(&node, places);
        (node, range)
    }
}

/// Takes a tree apart level by level: dropping a deep one would use the stack for every level.
fn dismantle(root: Arc<Tree>) {
    let mut waiting = Vec::from([root]);
    while let Some(tree) = waiting.pop() {
        if let Some(Tree::Derived(derived)) = Arc::into_inner(tree) {
            waiting.push(derived.cause1);
            waiting.push(derived.cause2);
        }
    }
}
