//! Who takes part in a conflict, and what would have to go: each answer proven by resolving.
//!
//! Bounded analysis after the verdict (contract C13): a search that runs out of its budget keeps the
//! larger set, never a wrong one.

use alloc::boxed::Box;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use super::graph::Fact;
use crate::ground::is_unconditional;
use crate::index::Index;
use crate::node::Node;
use crate::problem::{Policy, Problem};
use crate::solve::{Refutation, Solution, solve};

/// The most resolutions that one analysis may take.
const MAX_SOLVES: usize = 48;

/// The most steps of each of these resolutions.
const STEPS: u64 = 20_000;

/// The most removal sets that are told.
const MAX_REMOVALS: usize = 5;

/// Roots by position.
pub(crate) type Roots = BTreeSet<usize>;

/// Who takes part in a conflict, with the proof and the problem that the proof is about.
pub(crate) struct Culprits {
    pub(crate) problem: Problem,
    /// Positions among the roots of that problem.
    pub(crate) roots: Roots,
    pub(crate) refutation: Box<Refutation>,
}

/// The analysis of one refusal.
pub(crate) struct Analysis<'a> {
    problem: &'a Problem,
    index: &'a dyn Index,
    left: usize,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(problem: &'a Problem, index: &'a dyn Index) -> Self {
        Self {
            problem,
            index,
            left: MAX_SOLVES,
        }
    }

    /// The smallest set of roots, by leaving out one after the other, that still conflicts. Later roots
    /// are tried first, then core, the candidate last: a candidate that takes no part is not blamed.
    pub(crate) fn conflict(&mut self, refutation: Box<Refutation>, candidate: Option<usize>) -> Culprits {
        let roots = participants(self.problem, &refutation);
        let whole = |refutation, roots| Culprits {
            problem: self.problem.clone(),
            roots,
            refutation,
        };
        // The proof in hand is about the whole problem: make one of the participants alone first.
        if roots.len() == self.problem.roots.len() {
            return self.minimise(roots, refutation, candidate);
        }
        match self.refute(&roots) {
            Some(smaller) => self.minimise(roots, smaller, candidate),
            None => whole(refutation, roots),
        }
    }

    fn minimise(
        &mut self,
        mut roots: Roots,
        mut proof: Box<Refutation>,
        candidate: Option<usize>,
    ) -> Culprits {
        let is_core = |at: &usize| self.problem.roots.get(*at).is_some_and(|root| root.is_core);
        let mut order: Vec<usize> = roots.iter().copied().collect();
        order.sort_by_key(|at| (Some(*at) == candidate, is_core(at), core::cmp::Reverse(*at)));
        for at in order {
            let mut fewer = roots.clone();
            fewer.remove(&at);
            if let Some(smaller) = self.refute(&fewer) {
                (roots, proof) = (fewer, smaller);
            }
        }
        let problem = self.problem.with_roots(&roots);
        let all = (0..problem.roots.len()).collect();
        Culprits {
            problem,
            roots: all,
            refutation: proof,
        }
    }

    /// The smallest sets of plugins whose removal makes the rest fit; never core, never the candidate.
    pub(crate) fn removals(&mut self, conflict: &Roots, candidate: Option<usize>) -> Vec<Roots> {
        let mut found: Vec<Roots> = Vec::new();
        let mut waiting: VecDeque<Roots> = self
            .removable(conflict, candidate)
            .map(|at| Roots::from([at]))
            .collect();
        let mut tried: BTreeSet<Roots> = BTreeSet::new();
        while let Some(gone) = waiting.pop_front() {
            let superfluous = found.iter().any(|smaller| smaller.is_subset(&gone));
            if superfluous || found.len() == MAX_REMOVALS || !tried.insert(gone.clone()) {
                continue;
            }
            let keep = (0..self.problem.roots.len())
                .filter(|at| !gone.contains(at))
                .collect();
            match self.attempt(&keep) {
                Some(Solution::Resolved(_)) => found.push(gone),
                Some(Solution::Unsatisfiable(refutation)) => {
                    // Another conflict stands behind the first: one of its members has to go as well.
                    let reduced = self.problem.with_roots(&keep);
                    let kept: Vec<usize> = keep.into_iter().collect();
                    let others = participants(&reduced, &refutation);
                    let others: Roots = others.iter().filter_map(|at| kept.get(*at)).copied().collect();
                    let more = self
                        .removable(&others, candidate)
                        .map(|at| gone.iter().copied().chain([at]).collect());
                    waiting.extend(more.collect::<Vec<Roots>>());
                }
                Some(Solution::Undecided(_)) | None => {}
            }
        }
        found
    }

    fn removable(&self, among: &Roots, candidate: Option<usize>) -> impl Iterator<Item = usize> {
        let plugin = |at: &usize| self.problem.roots.get(*at).is_some_and(|root| !root.is_core);
        let list: Vec<usize> = among
            .iter()
            .copied()
            .filter(|at| Some(*at) != candidate && plugin(at))
            .collect();
        list.into_iter()
    }

    fn refute(&mut self, roots: &Roots) -> Option<Box<Refutation>> {
        match self.attempt(roots)? {
            // A smaller proof that rests on a policy is about something else.
            Solution::Unsatisfiable(refutation) if is_unconditional(&refutation) => Some(refutation),
            _ => None,
        }
    }

    fn attempt(&mut self, roots: &Roots) -> Option<Solution> {
        self.left = self.left.checked_sub(1)?;
        let mut problem = self.problem.with_roots(roots);
        problem.policy = Policy {
            max_steps: Some(STEPS),
            ..problem.policy
        };
        Some(solve(&problem, self.index))
    }
}

/// The roots whose declarations the proof uses, by position.
pub(crate) fn participants(problem: &Problem, refutation: &Refutation) -> Roots {
    let owners = refutation.graph.facts().iter().filter_map(|fact| match fact {
        Fact::Requires(Node::Owner(owner), ..) => Some(owner.index),
        _ => None,
    });
    owners.filter(|at| *at < problem.roots.len()).collect()
}
