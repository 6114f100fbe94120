//! Asks the resolver. The search runs on a thread with a large stack of its own: derivations can be
//! deep, and parts of the solver walk them by recursion.

use std::thread;

use hermes_admission::{Changes, Index, Judgement, Problem, Resolution, Solution, Stop, decide, solve};

use super::Question;

/// The stack of the search, in bytes. Only what is touched takes memory.
const STACK: usize = 512 << 20;

/// What the resolver said.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The verdict and what stands behind it.
    pub judgement: Judgement,
    /// What an admission would change, compared with the union without the candidate.
    pub changes: Changes,
}

/// Decides a question. `None` when the search itself failed, which is a bug.
pub fn answer<I: Index + Sync>(question: &Question, index: &I) -> Option<Answer> {
    let (problem, candidate) = question.problem();
    let search = || search(question, &problem, candidate, index);
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("resolver".into()).stack_size(STACK);
        builder.spawn_scoped(scope, search).ok()?.join().ok()
    })
}

fn search(question: &Question, problem: &Problem, candidate: Option<usize>, index: &dyn Index) -> Answer {
    let judgement = decide(problem, candidate, index);
    let Judgement::Admitted(after) = &judgement else {
        return Answer {
            judgement,
            changes: Changes::default(),
        };
    };
    let before = match candidate {
        None => Ok(after.clone()),
        Some(candidate) => without(problem, candidate, index),
    };
    match before {
        Ok(before) => Answer {
            changes: Changes::between(&before, after, &question.core.locked),
            judgement,
        },
        // What cannot be compared cannot be consented to.
        Err(stop) => Answer {
            judgement: Judgement::Undecided(stop),
            changes: Changes::default(),
        },
    }
}

/// The union without the candidate. When that does not stand by itself, everything counts as new.
fn without(problem: &Problem, candidate: usize, index: &dyn Index) -> Result<Resolution, Stop> {
    let others = (0..problem.roots.len()).filter(|at| *at != candidate).collect();
    match solve(&problem.with_roots(&others), index) {
        Solution::Resolved(before) => Ok(before),
        Solution::Unsatisfiable(_) => Ok(Resolution::nothing()),
        Solution::Undecided(stop) => Err(stop),
    }
}
