//! C12, C14: verdicts, conflict sets and removal sets of random unions, judged by trying everything.

use std::collections::BTreeSet;

use hermes_admission::{Assumptions, Judgement, Policy, Problem, Refusal, decide};
use hermes_pm_tests::fake_index::{FakeIndex, Universe};
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::universes::random;
use hermes_pm_tests::{Fault, oracle, problem};
use hermes_terms::{Code, Verdict};

const UNIVERSES: u64 = 2_000;

/// The same question with every policy out of the way.
fn freed(problem: &Problem) -> Problem {
    let assume = Assumptions {
        builds: true,
        aged: true,
        yanked: true,
    };
    Problem {
        policy: Policy {
            assume,
            ..problem.policy.clone()
        },
        ..problem.clone()
    }
}

/// The same question for the roots that pass.
fn only(problem: &Problem, keep: impl Fn(&str) -> bool) -> Problem {
    let kept: BTreeSet<usize> = problem
        .roots
        .iter()
        .enumerate()
        .filter(|(_, root)| keep(&root.id))
        .map(|(at, _)| at)
        .collect();
    problem.with_roots(&kept)
}

/// What is wrong with a refusal.
fn judge(
    problem: &Problem,
    universe: &Universe,
    candidate: Option<&str>,
    refusal: &Refusal,
) -> Result<Vec<String>, Fault> {
    let mut wrong = Vec::new();
    let possible = |problem: &Problem| oracle::is_satisfiable(problem, universe);
    let free = possible(&freed(problem))?;
    match refusal.verdict {
        Verdict::Unsatisfiable if free => wrong.push("only policies stand in the way".to_owned()),
        Verdict::Blocked if !free => wrong.push("no policy matters".to_owned()),
        Verdict::Blocked if refusal.held_back.is_empty() => wrong.push("nothing is told to allow".to_owned()),
        Verdict::Unsatisfiable | Verdict::Blocked => {}
        other => wrong.push(format!("the verdict {other:?}")),
    }
    let takes_part =
        |id: &str| (id == "core" && refusal.core_involved) || refusal.conflict.iter().any(|one| one == id);
    if possible(&only(problem, takes_part))? {
        wrong.push(format!("{:?} do not conflict", refusal.conflict));
    }
    for gone in &refusal.removals {
        if gone.iter().any(|id| Some(id.as_str()) == candidate) {
            wrong.push("the candidate itself is to go".to_owned());
        }
        if !possible(&freed(&only(problem, |id| !gone.iter().any(|one| one == id))))? {
            wrong.push(format!("without {gone:?} it is no better"));
        }
    }
    Ok(wrong)
}

#[test]
fn refusals_hold_and_their_removals_help() -> Result<(), Fault> {
    let (mut unsatisfiable, mut blocked, mut removals) = (0, 0, 0);
    for seed in 0..UNIVERSES {
        let case = random(seed)?;
        let index = FakeIndex::new(&case.universe)?;
        let last = case.problem.roots.len() - 1;
        let candidate = (last > 0).then_some(last);
        let possible = oracle::is_satisfiable(&case.problem, &case.universe)?;
        match decide(&case.problem, candidate, &index.aimed(&case.problem.target)) {
            Judgement::Admitted(_) => assert!(possible, "seed {seed}"),
            Judgement::Undecided(stop) => return Err(Fault::new(stop).at(format_args!("seed {seed}"))),
            Judgement::Refused(refusal) => {
                assert!(!possible, "seed {seed}");
                let id = candidate
                    .and_then(|at| case.problem.roots.get(at))
                    .map(|root| root.id.as_str());
                let wrong = judge(&case.problem, &case.universe, id, &refusal)?;
                assert!(wrong.is_empty(), "seed {seed}: {wrong:?}\n{}", case.show());
                unsatisfiable += usize::from(refusal.verdict == Verdict::Unsatisfiable);
                blocked += usize::from(refusal.verdict == Verdict::Blocked);
                removals += refusal.removals.len();
            }
        }
    }
    // A generator that never gets there tests nothing.
    assert!(
        unsatisfiable > 200 && blocked > 50 && removals > 50,
        "{unsatisfiable} {blocked} {removals}"
    );
    Ok(())
}

/// D11: a search that may take no more steps concludes nothing.
#[test]
fn d11_a_search_without_steps_left_is_undecided() -> Result<(), Fault> {
    let universe: Universe =
        toml::from_str("[packages.a.versions.\"1\"]\nrequires = [\"b\"]\n[packages.b.versions.\"1\"]\n")?;
    let root = problem::root("core", &["a".to_owned()], None)?;
    let mut asked = problem::plain(vec![root], problem::target("3.12", "x86_64-linux")?);
    asked.policy.max_steps = Some(1);
    match decide(&asked, None, &FakeIndex::new(&universe)?.aimed(&asked.target)) {
        Judgement::Undecided(stop) => assert_eq!(stop.code, Code::ResolveBudget),
        other => return Err(Fault::new(format_args!("{other:?}"))),
    }
    Ok(())
}
