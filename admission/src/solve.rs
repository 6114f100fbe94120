//! One problem in, one answer out: a resolution, a proof that there is none, or why nobody knows.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, IndexFile, PackageName, Version};
use hermes_terms::Code;
use pubgrub::PubGrubError;

use crate::effort::Effort;
use crate::explain::Graph;
use crate::facts::Facts;
use crate::index::Index;
use crate::node::Node;
use crate::problem::Problem;
use crate::python::{Interrupt, NodeId, Place, Provider};

/// The answer to a problem.
#[derive(Debug, Clone)]
pub enum Solution {
    /// Versions that fit together.
    Resolved(Resolution),
    /// There are none; the proof is inside.
    Unsatisfiable(Box<Refutation>),
    /// The search could not be finished: nothing is concluded.
    Undecided(Stop),
}

/// A set of packages that meets every requirement.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// The packages by name.
    pub packages: BTreeMap<PackageName, ResolvedPackage>,
    /// What the answer rests on.
    pub facts: Facts,
    /// What the search cost.
    pub effort: Effort,
}

impl Resolution {
    /// No packages at all.
    pub fn nothing() -> Self {
        Self {
            packages: BTreeMap::new(),
            facts: Facts::default(),
            effort: Effort::default(),
        }
    }
}

/// A chosen package.
#[derive(Debug, Clone)]
pub struct ResolvedPackage {
    /// The version.
    pub version: Version,
    /// The file that would be installed.
    pub file: Arc<IndexFile>,
    /// The extras that somebody asked for.
    pub extras: BTreeSet<ExtraName>,
    /// Who asks for it: `core`, `plugin:NAME`, `package:NAME`; sorted in that order.
    pub requested_by: Vec<String>,
}

/// A completed proof that no versions fit together.
#[derive(Debug, Clone)]
pub struct Refutation {
    /// The derivation, flat.
    pub(crate) graph: Graph,
    /// What the proof rests on.
    pub facts: Facts,
    /// What the search cost.
    pub effort: Effort,
}

/// Why a search ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Stop {
    /// Why, for machines.
    pub code: Code,
    /// Why, for people.
    pub message: String,
}

impl From<Interrupt> for Stop {
    fn from(interrupt: Interrupt) -> Self {
        match interrupt {
            Interrupt::Stopped { code, message } => Self { code, message },
            Interrupt::Restart => Self {
                code: Code::Internal,
                message: interrupt.to_string(),
            },
        }
    }
}

/// Resolves a problem with PubGrub. The same problem and the same index facts give the same answer.
pub fn solve(problem: &Problem, index: &dyn Index) -> Solution {
    let provider = Provider::new(problem, index);
    let answer = search(&provider);
    let effort = provider.effort();
    match answer {
        Ok(chosen) => {
            let packages = packages(problem, &provider, &chosen);
            Solution::Resolved(Resolution {
                packages,
                facts: provider.into_facts(),
                effort,
            })
        }
        Err(error) => match *error {
            PubGrubError::NoSolution(tree) => {
                let graph = Graph::from_tree(tree, &provider);
                let facts = provider.into_facts();
                Solution::Unsatisfiable(Box::new(Refutation { graph, facts, effort }))
            }
            error => Solution::Undecided(stop(error)),
        },
    }
}

/// What was chosen of each node.
type Chosen = BTreeMap<NodeId, Place>;

/// Runs PubGrub, anew whenever a better order of decisions was learned. What the index said is kept.
fn search<'p>(provider: &Provider<'p>) -> Result<Chosen, Box<PubGrubError<Provider<'p>>>> {
    loop {
        match pubgrub::resolve(provider, provider.id(&Node::Union), Place(0)) {
            Err(PubGrubError::ErrorInShouldCancel(Interrupt::Restart)) => provider.restart(),
            Err(error) => return Err(Box::new(error)),
            Ok(selected) => return Ok(selected.into_iter().collect()),
        }
    }
}

fn stop(error: PubGrubError<Provider<'_>>) -> Stop {
    match error {
        PubGrubError::ErrorRetrievingDependencies { source, .. }
        | PubGrubError::ErrorChoosingVersion { source, .. }
        | PubGrubError::ErrorInShouldCancel(source) => source.into(),
        PubGrubError::NoSolution(_) => Stop {
            code: Code::Internal,
            message: "a proof was lost".into(),
        },
    }
}

/// The chosen packages with who asks for them. Only what the union reaches is kept.
fn packages(
    problem: &Problem,
    provider: &Provider<'_>,
    chosen: &Chosen,
) -> BTreeMap<PackageName, ResolvedPackage> {
    let mut packages: BTreeMap<PackageName, ResolvedPackage> = BTreeMap::new();
    let mut asked: BTreeMap<PackageName, BTreeSet<(u8, String)>> = BTreeMap::new();
    let mut waiting = Vec::from([provider.id(&Node::Union)]);
    let mut seen: BTreeSet<NodeId> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        let Some(place) = chosen.get(&id) else {
            continue;
        };
        let node = provider.node(id);
        enter(provider, &mut packages, &node, *place);
        let by = requester(problem, &node);
        for edge in provider
            .known_edges(id, *place)
            .iter()
            .flat_map(|edges| edges.iter())
        {
            if let (Some(package), Some(by)) = (provider.node(edge.to).package(), &by) {
                asked.entry(package.clone()).or_default().insert(by.clone());
            }
            if seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    for (name, package) in &mut packages {
        let own = format!("package:{name}");
        let by = asked
            .remove(name)
            .unwrap_or_default()
            .into_iter()
            .map(|(_, text)| text);
        package.requested_by = by.filter(|text| *text != own).collect();
    }
    packages
}

fn enter(
    provider: &Provider<'_>,
    packages: &mut BTreeMap<PackageName, ResolvedPackage>,
    node: &Node,
    place: Place,
) {
    let Some(name) = node.package() else { return };
    let Some((version, file)) = provider.chosen(name, place) else {
        return;
    };
    let package = packages.entry(name.clone()).or_insert_with(|| ResolvedPackage {
        version,
        file,
        extras: BTreeSet::new(),
        requested_by: Vec::new(),
    });
    if let Node::Extra(_, extra) = node {
        package.extras.insert(extra.clone());
    }
}

/// How a node is written in `requested_by`, with its place in the order.
fn requester(problem: &Problem, node: &Node) -> Option<(u8, String)> {
    match node {
        Node::Union | Node::Python => None,
        Node::Owner(owner) if problem.roots.get(owner.index).is_some_and(|root| root.is_core) => {
            Some((0, "core".into()))
        }
        Node::Owner(owner) => Some((1, format!("plugin:{}", owner.id))),
        Node::Package(name) | Node::Extra(name, _) => Some((2, format!("package:{name}"))),
    }
}
