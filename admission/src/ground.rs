//! What a refutation stands on: requirements that cannot hold together, or a policy that keeps the
//! versions out which would fit.
//!
//! A proof rests on a policy only where it says "no version here can be used" of a range that holds
//! versions which the policy alone bars. If it says that nowhere, it holds whatever is allowed.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use hermes_pep::PackageName;
use hermes_terms::Code;

use crate::explain::Fact;
use crate::index::Index;
use crate::problem::{Assumptions, Policy, Problem};
use crate::solve::{Refutation, Resolution, Solution, solve};

/// What stands behind a refutation.
pub(crate) enum Ground {
    /// No policy matters: the proof of this problem holds whatever is allowed.
    Conflict(Problem, Box<Refutation>),
    /// A policy alone stands in the way, of these packages.
    Policy(Code, Vec<PackageName>),
}

/// Packages by the policy that bars versions of theirs.
type Barred = BTreeMap<Code, BTreeSet<PackageName>>;

/// Asks the same question with the policies left out that the proof rests on, one after the other as
/// they come to light. If it is unsatisfiable even so, that proof is the better one; otherwise the
/// first policy that suffices is the reason. When nobody can tell (the index does not answer), the
/// policy that the proof rests on stays the reason: nothing is called impossible that was not proven.
pub(crate) fn ground(problem: &Problem, index: &dyn Index, refutation: &Refutation) -> Ground {
    let mut barred = barred(refutation);
    if barred.is_empty() {
        return Ground::Conflict(problem.clone(), Box::new(refutation.clone()));
    }
    let free = loop {
        let open = without(problem, barred.keys());
        let proof = match solve(&open, index) {
            Solution::Resolved(resolution) => break Some(resolution),
            Solution::Undecided(_) => break None,
            Solution::Unsatisfiable(proof) => proof,
        };
        // What one policy hides behind another is met only once that one is out of the way.
        let known = barred.len();
        barred.extend(
            self::barred(&proof)
                .into_iter()
                .filter(|(code, _)| !open_to(&open, *code)),
        );
        if barred.len() == known {
            return Ground::Conflict(open, proof);
        }
    };
    let alone = barred
        .keys()
        .find_map(|code| match solve(&without(problem, [code]), index) {
            Solution::Resolved(resolution) => Some((*code, resolution)),
            Solution::Unsatisfiable(_) | Solution::Undecided(_) => None,
        });
    let first = barred.first_key_value();
    match (alone, free, first) {
        (Some((code, resolution)), ..) => Ground::Policy(code, held_back(&resolution)),
        (None, Some(resolution), Some((code, _))) => Ground::Policy(*code, held_back(&resolution)),
        (None, None, Some((code, packages))) => Ground::Policy(*code, packages.iter().cloned().collect()),
        (None, _, None) => Ground::Conflict(problem.clone(), Box::new(refutation.clone())),
    }
}

/// What the proof says of ranges with versions that a policy alone bars.
fn barred(refutation: &Refutation) -> Barred {
    let mut barred = Barred::new();
    for (package, obstacles) in obstacles(refutation) {
        for code in obstacles.into_iter().filter(|code| is_policy(*code)) {
            barred.entry(code).or_default().insert(package.clone());
        }
    }
    barred
}

/// Whether a proof holds whatever is allowed.
pub(crate) fn is_unconditional(refutation: &Refutation) -> bool {
    barred(refutation).is_empty()
}

/// What keeps versions out wherever the proof says that none can be used.
pub(crate) fn obstacles(refutation: &Refutation) -> Vec<(&PackageName, BTreeSet<Code>)> {
    let facts = refutation.graph.facts().iter().filter_map(|fact| match fact {
        Fact::NoVersions(node, range) => node.package().map(|package| (package, range)),
        _ => None,
    });
    facts
        .map(|(package, range)| (package, refutation.facts.obstacles(package, range)))
        .collect()
}

const fn is_policy(code: Code) -> bool {
    matches!(
        code,
        Code::BuildRequired | Code::PolicyQuarantine | Code::PolicyYanked
    )
}

/// The problem with these policies left out.
fn without<'c>(problem: &Problem, codes: impl IntoIterator<Item = &'c Code>) -> Problem {
    let mut assume = problem.policy.assume;
    for code in codes {
        match code {
            Code::BuildRequired => assume.builds = true,
            Code::PolicyQuarantine => assume.aged = true,
            Code::PolicyYanked => assume.yanked = true,
            _ => {}
        }
    }
    Problem {
        policy: Policy {
            assume,
            ..problem.policy.clone()
        },
        ..problem.clone()
    }
}

fn open_to(problem: &Problem, code: Code) -> bool {
    let Assumptions { builds, aged, yanked } = problem.policy.assume;
    match code {
        Code::BuildRequired => builds,
        Code::PolicyQuarantine => aged,
        Code::PolicyYanked => yanked,
        _ => false,
    }
}

/// The packages of a resolution that only the assumptions let in.
fn held_back(resolution: &Resolution) -> Vec<PackageName> {
    let assumed = resolution.packages.iter().filter(|(name, package)| {
        let candidates = resolution.facts.candidates(name);
        let chosen = candidates.and_then(|candidates| candidates.get(&package.version));
        chosen.is_some_and(|candidate| candidate.is_assumed)
    });
    assumed.map(|(name, _)| name.clone()).collect()
}
