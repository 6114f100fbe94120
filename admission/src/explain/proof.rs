//! The structured proof: numbered steps, each with its premises and what follows.
//!
//! Steps are capped; what is cut is counted. Straight chains of the derivation become one step, so
//! that a reader sees whole arguments and not single resolutions of two clauses.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::graph::{Fact, Graph};
use super::narrate::Narrator;

/// The most premises that are told in one step.
const STEP_WIDTH: usize = 6;

/// The most steps that are told.
const MAX_STEPS: usize = 60;

/// A proof, ready to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proof {
    /// The steps; the last one is the conclusion.
    pub steps: Vec<Step>,
    /// Steps that were left out.
    pub cut: usize,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The number by which later steps refer to it, from 1.
    pub number: u32,
    /// What it rests on.
    pub because: Vec<Premise>,
    /// What follows.
    pub therefore: String,
}

/// A premise of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Premise {
    /// `requires`, `no-version`, `unusable` or `step`.
    pub kind: &'static str,
    /// In words.
    pub text: String,
    /// The plugin (or `core`) that declares it.
    pub root: Option<String>,
    /// The file of the declaration.
    pub file: Option<String>,
    /// The line of the declaration, from 1.
    pub line: Option<usize>,
    /// The package it is about.
    pub package: Option<String>,
    /// The versions it is about.
    pub range: Option<String>,
    /// The earlier step it refers to.
    pub step: Option<u32>,
}

/// Derived facts that become steps, in the order of the proof.
#[derive(Default)]
struct Order {
    list: Vec<usize>,
    known: BTreeSet<usize>,
}

impl Order {
    fn push_once(&mut self, fact: usize) {
        if self.known.insert(fact) {
            self.list.push(fact);
        }
    }
}

/// What a fact of the graph is built from: positions of other facts.
#[derive(Clone)]
enum Part {
    Fact(usize),
    Step(usize),
}

impl Proof {
    /// Tells a derivation.
    pub(crate) fn tell(graph: &Graph, narrator: &Narrator<'_>) -> Self {
        let facts = graph.facts();
        let uses = uses(facts);
        let mut parts: BTreeMap<usize, Vec<Part>> = BTreeMap::new();
        let mut order = Order::default();
        for (at, fact) in facts.iter().enumerate() {
            if let Fact::Derived(_, first, second) = fact {
                let own = join(&mut parts, &mut order, &uses, [*first, *second]);
                parts.insert(at, own);
            }
        }
        if let Some(last) = facts.len().checked_sub(1) {
            order.push_once(last);
        }
        Self::number(facts, &parts, &order.list, narrator)
    }

    fn number(
        facts: &[Fact],
        parts: &BTreeMap<usize, Vec<Part>>,
        order: &[usize],
        narrator: &Narrator<'_>,
    ) -> Self {
        let cut = order.len().saturating_sub(MAX_STEPS);
        let numbers: BTreeMap<usize, u32> = order.iter().copied().zip(1..).collect();
        let mut proof = Self {
            steps: Vec::new(),
            cut,
        };
        for at in order.iter().skip(cut) {
            let own = parts.get(at).map(Vec::as_slice).unwrap_or_default();
            let because = own
                .iter()
                .filter_map(|part| premise(facts, part, &numbers, narrator))
                .collect();
            let therefore = facts
                .get(*at)
                .map(|fact| narrator.conclusion(fact))
                .unwrap_or_default();
            let number = numbers.get(at).copied().unwrap_or_default();
            proof.steps.push(Step {
                number,
                because,
                therefore,
            });
        }
        proof.drop_formality();
        proof
    }

    /// A last step that only repeats the one before it is left out.
    fn drop_formality(&mut self) {
        let repeats = self
            .steps
            .last()
            .is_some_and(|last| matches!(last.because.as_slice(), [Premise { kind: "step", .. }]));
        if repeats && self.steps.len() > 1 {
            self.steps.pop();
        }
    }
}

fn uses(facts: &[Fact]) -> BTreeMap<usize, usize> {
    let mut uses = BTreeMap::new();
    for fact in facts {
        if let Fact::Derived(_, first, second) = fact {
            for cause in [first, second] {
                *uses.entry(*cause).or_insert(0) += 1;
            }
        }
    }
    uses
}

/// The premises of a derived fact: single facts as they are; of derived causes one that nobody else
/// uses is told in place, the others become steps of their own.
fn join(
    parts: &mut BTreeMap<usize, Vec<Part>>,
    order: &mut Order,
    uses: &BTreeMap<usize, usize>,
    causes: [usize; 2],
) -> Vec<Part> {
    let mut own = Vec::new();
    let mut inlined = false;
    for cause in causes {
        let Some(inner) = parts.get(&cause) else {
            own.push(Part::Fact(cause));
            continue;
        };
        let alone = uses.get(&cause).copied().unwrap_or_default() <= 1;
        if alone && !inlined && inner.len() < STEP_WIDTH {
            own.extend(inner.iter().cloned());
            inlined = true;
            continue;
        }
        order.push_once(cause);
        own.push(Part::Step(cause));
    }
    own
}

fn premise(
    facts: &[Fact],
    part: &Part,
    numbers: &BTreeMap<usize, u32>,
    narrator: &Narrator<'_>,
) -> Option<Premise> {
    match part {
        Part::Fact(at) => facts.get(*at).and_then(|fact| narrator.premise(fact)),
        Part::Step(at) => {
            let text = facts
                .get(*at)
                .map(|fact| narrator.conclusion(fact))
                .unwrap_or_default();
            Some(Premise {
                kind: "step",
                text,
                step: numbers.get(at).copied(),
                ..Premise::default()
            })
        }
    }
}
