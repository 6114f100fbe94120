//! The bridge to PubGrub: answers the solver's questions from the index, by the rules, in numbers.
//!
//! Priorities depend only on what the solver itself has seen (order of discovery, conflicts), never
//! on which answer arrived first, so the result is the same for every order of arrival (contract C10).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use hermes_pep::{IndexFile, PackageName, Version, VersionRange};
use hermes_terms::Code;
use pubgrub::{Dependencies, DependencyProvider, PackageResolutionStatistics, VersionSet};

use super::availability::Unavailable;
use super::choice::Choice;
use super::edges::edges;
use super::lookup::{Lookup, Stop};
use super::nodes::{NodeId, Nodes};
use super::order::{Order, Priority, Role};
use super::places::{Place, Places};
use crate::effort::Effort;
use crate::facts::Facts;
use crate::index::{Index, IndexFault};
use crate::node::Node;
use crate::problem::Problem;

/// The search ended before it had an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Interrupt {
    /// From outside: the index, the budget or the deadline.
    #[error("{message}")]
    Stopped { code: Code, message: String },
    /// Two packages conflict again and again: the order of decisions is bad, and another one helps.
    #[error("the search starts anew in another order")]
    Restart,
}

impl From<IndexFault> for Interrupt {
    fn from(fault: IndexFault) -> Self {
        Self::Stopped {
            code: fault.code,
            message: fault.message,
        }
    }
}

/// One thing that a node requires.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// What is required.
    pub(crate) to: NodeId,
    /// The versions that fit, among those that exist.
    pub(crate) places: Places,
    /// The versions that fit, as declared.
    pub(crate) range: VersionRange,
}

/// What a node requires at one place, or why it cannot be used there.
type Answer = Result<Rc<[Edge]>, Unavailable>;

/// What the solver asks while it works on one problem.
pub(crate) struct Provider<'a> {
    lookup: Lookup<'a>,
    nodes: RefCell<Nodes>,
    /// Answers given so far. They outlive a new start.
    answers: RefCell<BTreeMap<(NodeId, Place), Answer>>,
    order: RefCell<Order>,
    choice: RefCell<Choice>,
    effort: Cell<Effort>,
}

impl<'a> Provider<'a> {
    pub(crate) fn new(problem: &'a Problem, index: &'a dyn Index) -> Self {
        Self {
            lookup: Lookup::new(problem, index),
            nodes: RefCell::default(),
            answers: RefCell::default(),
            order: RefCell::default(),
            choice: RefCell::default(),
            effort: Cell::new(Effort { steps: 0, starts: 1 }),
        }
    }

    /// Prepares a new start in a better order.
    pub(crate) fn restart(&self) {
        self.order.borrow_mut().restart();
        self.choice.take();
        let Effort { steps, starts } = self.effort.get();
        self.effort.set(Effort {
            steps,
            starts: starts + 1,
        });
    }

    /// What the search cost so far.
    pub(crate) fn effort(&self) -> Effort {
        self.effort.get()
    }

    /// Everything that the search looked at: the facts that the answer rests on.
    pub(crate) fn into_facts(self) -> Facts {
        self.lookup.into_facts()
    }

    /// The number of a node.
    pub(crate) fn id(&self, node: &Node) -> NodeId {
        self.nodes.borrow_mut().id(node)
    }

    /// The node of a number.
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes.borrow().get(id)
    }

    /// What a node was found to require; nothing where that was never asked.
    pub(crate) fn known_edges(&self, id: NodeId, place: Place) -> Option<Rc<[Edge]>> {
        let answers = self.answers.borrow();
        answers.get(&(id, place))?.as_ref().ok().map(Rc::clone)
    }

    /// What a node was found to require of another at these places, as declared, from the oldest place.
    pub(crate) fn known_ranges(&self, from: NodeId, places: &Places, to: NodeId) -> Vec<VersionRange> {
        let answers = self.answers.borrow();
        let own = answers.range((from, Place(0))..=(from, Place(u32::MAX)));
        let own = own.filter(|((_, place), _)| places.contains(place));
        let edges = own.flat_map(|(_, answer)| answer.iter().flat_map(|edges| edges.iter()));
        edges
            .filter(|edge| edge.to == to)
            .map(|edge| edge.range.clone())
            .collect()
    }

    /// The range that tells places of a node.
    pub(crate) fn range(&self, node: &Node, places: &Places) -> VersionRange {
        self.lookup.range(node, places)
    }

    /// The version and the file of a chosen package; none for what is provided.
    pub(crate) fn chosen(&self, package: &PackageName, place: Place) -> Option<(Version, Arc<IndexFile>)> {
        if self.lookup.provided(package).is_some() {
            return None;
        }
        let file = self.lookup.file(package, place).ok()?;
        Some((file.version().clone(), file))
    }

    fn answer(&self, id: NodeId, place: Place) -> Result<Answer, IndexFault> {
        if let Some(known) = self.answers.borrow().get(&(id, place)) {
            return Ok(known.clone());
        }
        let answer = match edges(&self.lookup, &self.node(id), place) {
            Ok(requires) => Ok(self.in_numbers(requires.into_list())?),
            Err(Stop::Unavailable(reason)) => Err(reason),
            Err(Stop::Index(fault)) => return Err(fault),
        };
        self.answers.borrow_mut().insert((id, place), answer.clone());
        Ok(answer)
    }

    /// Ranges become places here, so the versions of everything that is required have to be known.
    fn in_numbers(&self, list: Vec<(Node, VersionRange)>) -> Result<Rc<[Edge]>, IndexFault> {
        let edge = |(node, range): (Node, VersionRange)| {
            Ok(Edge {
                to: self.id(&node),
                places: self.lookup.places(&node, &range)?,
                range,
            })
        };
        list.into_iter().map(edge).collect()
    }
}

impl DependencyProvider for Provider<'_> {
    type P = NodeId;
    type V = Place;
    type VS = Places;
    type Priority = Priority;
    type M = Unavailable;
    type Err = Interrupt;

    fn prioritize(&self, id: &NodeId, places: &Places, stats: &PackageResolutionStatistics) -> Priority {
        let nodes = self.nodes.borrow();
        let role = match nodes.view(*id) {
            Some(Node::Package(package)) => {
                self.choice.borrow_mut().note(package, places);
                Role::Package
            }
            Some(Node::Extra(package, _)) => Role::Extra(nodes.known(&Node::Package(package.clone()))),
            Some(Node::Union | Node::Owner(_) | Node::Python) | None => Role::Fixed,
        };
        let mut order = self.order.borrow_mut();
        order.priority(*id, role, places, stats.conflict_count())
    }

    fn choose_version(&self, id: &NodeId, places: &Places) -> Result<Option<Place>, Interrupt> {
        let node = self.node(*id);
        Ok(self.choice.borrow_mut().choose(&self.lookup, &node, places)?)
    }

    fn get_dependencies(
        &self,
        id: &NodeId,
        place: &Place,
    ) -> Result<Dependencies<NodeId, Places, Unavailable>, Interrupt> {
        Ok(match self.answer(*id, *place)? {
            Ok(edges) => {
                self.order.borrow_mut().discover(edges.iter().map(|edge| edge.to));
                let list = edges.iter().map(|edge| (edge.to, edge.places.clone()));
                Dependencies::Available(list.collect())
            }
            Err(reason) => Dependencies::Unavailable(reason),
        })
    }

    fn should_cancel(&self) -> Result<(), Interrupt> {
        if self.order.borrow().wants_restart() {
            return Err(Interrupt::Restart);
        }
        let Effort { steps, starts } = self.effort.get();
        let steps = steps + 1;
        self.effort.set(Effort { steps, starts });
        if steps > self.lookup.problem.policy.step_limit() {
            let message = format!("no decision after {} steps of the search", steps - 1);
            return Err(Interrupt::Stopped {
                code: Code::ResolveBudget,
                message,
            });
        }
        if self.lookup.is_out_of_time() {
            let message = "the time allowed ended before a decision".into();
            return Err(Interrupt::Stopped {
                code: Code::ResolveDeadline,
                message,
            });
        }
        Ok(())
    }
}
