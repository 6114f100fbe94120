//! The derivation of PubGrub as a flat list, children before parents: walked without recursion,
//! however deep it is.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::VersionRange;
use hermes_terms::Code;
use pubgrub::{DerivationTree, Derived, External, Term};

use crate::node::Node;
use crate::python::Unavailable;

type Tree = DerivationTree<Node, VersionRange, Unavailable>;

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
    pub(crate) fn from_tree(tree: Tree) -> Self {
        let mut graph = Self { facts: Vec::new() };
        let root = Arc::new(tree);
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut waiting = Vec::from([(Arc::clone(&root), false)]);
        while let Some((tree, children_done)) = waiting.pop() {
            let key = Arc::as_ptr(&tree).addr();
            if places.contains_key(&key) {
                continue;
            }
            match (&*tree, children_done) {
                (Tree::External(external), _) => {
                    let place = graph.push(fact_of(external));
                    places.insert(key, place);
                }
                (Tree::Derived(derived), false) => {
                    let (first, second) = (Arc::clone(&derived.cause1), Arc::clone(&derived.cause2));
                    waiting.push((Arc::clone(&tree), true));
                    waiting.push((second, false));
                    waiting.push((first, false));
                }
                (Tree::Derived(derived), true) => {
                    let place = graph.push(derived_fact(derived, &places));
                    places.insert(key, place);
                }
            }
        }
        dismantle(root);
        graph
    }

    fn push(&mut self, fact: Fact) -> usize {
        self.facts.push(fact);
        self.facts.len() - 1
    }

    /// The facts, children before parents.
    pub(crate) fn facts(&self) -> &[Fact] {
        &self.facts
    }
}

fn fact_of(external: &External<Node, VersionRange, Unavailable>) -> Fact {
    match external {
        External::NotRoot(..) => Fact::Wanted,
        External::NoVersions(node, range) => Fact::NoVersions(node.clone(), range.clone()),
        External::FromDependencyOf(from, range, to, needed) => {
            Fact::Requires(from.clone(), range.clone(), to.clone(), needed.clone())
        }
        External::Custom(node, range, reason) => Fact::Unusable(node.clone(), range.clone(), reason.clone()),
    }
}

fn derived_fact(derived: &Derived<Node, VersionRange, Unavailable>, places: &BTreeMap<usize, usize>) -> Fact {
    let mut terms: Vec<_> = derived
        .terms
        .iter()
        .map(|(node, term)| (node.clone(), term.clone()))
        .collect();
    terms.sort_by(|(a, _), (b, _)| a.cmp(b));
    let place = |cause: &Arc<Tree>| {
        places
            .get(&Arc::as_ptr(cause).addr())
            .copied()
            .unwrap_or_default()
    };
    Fact::Derived(terms, place(&derived.cause1), place(&derived.cause2))
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
