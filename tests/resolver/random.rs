//! C10, C12: random small universes, judged by trying everything and by the checker.

use std::collections::BTreeMap;

use hermes_admission::{Problem, Resolution, Solution, solve};
use hermes_pep::PackageName;
use hermes_pm_tests::dice::Dice;
use hermes_pm_tests::fake_index::FakeIndex;
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::universes::{RandomCase, random};
use hermes_pm_tests::{Fault, checker, oracle};
use hermes_terms::Code;

const UNIVERSES: u64 = 5_000;

/// Names with versions and files: what an answer says.
fn told(resolution: &Resolution) -> BTreeMap<String, String> {
    let told = resolution.packages.iter();
    told.map(|(name, package)| {
        (
            name.to_string(),
            format!("{} {:?}", package.file.filename, package.requested_by),
        )
    })
    .collect()
}

fn show(seed: u64, case: &RandomCase, what: &str) -> String {
    format!("seed {seed}: {what}\n{}", case.show())
}

/// What is wrong with the answer of one seed.
fn judge(seed: u64) -> Result<(bool, Option<String>), Fault> {
    let case = random(seed)?;
    let index = FakeIndex::new(&case.universe)?;
    let possible = oracle::is_satisfiable(&case.problem, &case.universe)?;
    let what = match solve(&case.problem, &index.aimed(&case.problem.target)) {
        Solution::Resolved(resolution) if possible => {
            let wrong = checker::check(&case.problem, &index, &resolution);
            (!wrong.is_empty()).then(|| wrong.join("\n"))
        }
        Solution::Resolved(resolution) => {
            Some(format!("a solution of the impossible: {:?}", told(&resolution)))
        }
        Solution::Unsatisfiable(_) if possible => Some("a solution exists and was not found".to_owned()),
        Solution::Unsatisfiable(_) => None,
        Solution::Undecided(stop) => Some(format!("undecided: {stop}")),
    };
    Ok((possible, what.map(|what| show(seed, &case, &what))))
}

#[test]
fn five_thousand_universes_have_no_disagreement() -> Result<(), Fault> {
    let mut possible = 0;
    for seed in 0..UNIVERSES {
        let (is_possible, wrong) = judge(seed)?;
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        possible += u64::from(is_possible);
    }
    // A generator that makes only one kind of problem tests nothing.
    assert!(
        (UNIVERSES / 4..UNIVERSES * 3 / 4).contains(&possible),
        "{possible} of {UNIVERSES} are satisfiable"
    );
    Ok(())
}

#[test]
fn the_order_of_files_on_pages_changes_nothing() -> Result<(), Fault> {
    for seed in 0..500 {
        let case = random(seed)?;
        let index = FakeIndex::new(&case.universe)?;
        let shuffled = index.shuffled(&mut Dice::new(seed));
        let answers = [
            solve(&case.problem, &index.aimed(&case.problem.target)),
            solve(&case.problem, &shuffled.aimed(&case.problem.target)),
        ];
        assert_eq!(
            summary(&answers[0]),
            summary(&answers[1]),
            "{}",
            show(seed, &case, "another answer")
        );
    }
    Ok(())
}

fn summary(solution: &Solution) -> String {
    match solution {
        Solution::Resolved(resolution) => format!("{:?} {}", told(resolution), resolution.facts.digest()),
        Solution::Unsatisfiable(refutation) => {
            format!("none {} {}", refutation.effort, refutation.facts.digest())
        }
        Solution::Undecided(stop) => stop.to_string(),
    }
}

#[test]
fn the_order_of_roots_changes_no_verdict() -> Result<(), Fault> {
    for seed in 0..1_000 {
        let case = random(seed)?;
        let index = FakeIndex::new(&case.universe)?;
        let mut other = case.problem.clone();
        Dice::new(seed).shuffle(&mut other.roots);
        let (one, two) = (
            solve(&case.problem, &index.aimed(&case.problem.target)),
            solve(&other, &index.aimed(&other.target)),
        );
        assert_eq!(
            is_resolved(&one),
            is_resolved(&two),
            "{}",
            show(seed, &case, "another verdict")
        );
        if let Solution::Resolved(resolution) = two {
            assert_eq!(checker::check(&other, &index, &resolution), Vec::<String>::new());
        }
    }
    Ok(())
}

fn is_resolved(solution: &Solution) -> bool {
    matches!(solution, Solution::Resolved(_))
}

/// C12: an index that does not answer decides nothing, whatever else is known.
#[test]
fn an_index_without_answer_is_never_a_refusal_or_an_older_version() -> Result<(), Fault> {
    let mut undecided = 0;
    for seed in 0..500 {
        let case = random(seed)?;
        let asked = first_asked(&case.problem).unwrap();
        let index = FakeIndex::new(&case.universe)?.without_answer_for(asked.clone());
        match solve(&case.problem, &index.aimed(&case.problem.target)) {
            Solution::Undecided(stop) => {
                assert_eq!(stop.code, Code::IndexUnavailable);
                undecided += 1;
            }
            // Decided before the project was asked for: then it is not in the answer either.
            Solution::Resolved(resolution) => {
                assert!(
                    !resolution.packages.contains_key(&asked),
                    "{}",
                    show(seed, &case, "guessed")
                );
            }
            Solution::Unsatisfiable(_) => {
                let possible = oracle::is_satisfiable(&case.problem, &case.universe)?;
                assert!(!possible, "{}", show(seed, &case, "refused without knowing"));
            }
        }
    }
    assert!(undecided > 100, "{undecided}");
    Ok(())
}

fn first_asked(problem: &Problem) -> Option<PackageName> {
    let declared = problem.roots.first()?.requirements.first()?;
    Some(declared.requirement.name.clone())
}
