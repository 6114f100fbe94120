//! The 97 resolver scenarios of the uv project. Each agrees, or stands in `uv_differences.toml` with the
//! rule that decides; a listed one that agrees fails as well, so that the list stays true.

use std::collections::BTreeMap;
use std::fs;

use hermes_admission::{Solution, solve};
use hermes_pm_tests::fake_index::{FakeIndex, Scenario};
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::shared::shared;
use hermes_pm_tests::{Fault, checker};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Differences {
    difference: Vec<Difference>,
}

/// A scenario that is answered otherwise, and why.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    scenario: String,
    rule: String,
    reason: String,
}

fn scenarios() -> Result<BTreeMap<String, Scenario>, Fault> {
    let mut found = BTreeMap::new();
    for family in fs::read_dir(shared("outside/uv-scenarios")?)? {
        let family = family?;
        if !family.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(family.path())? {
            let path = file?.path();
            let stem = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            found.insert(
                format!("{}/{stem}", family.file_name().to_string_lossy()),
                Scenario::read(&path)?,
            );
        }
    }
    Ok(found)
}

/// How our answer differs, if it does.
fn difference(scenario: &Scenario) -> Result<Option<String>, Fault> {
    let problem = scenario.problem()?;
    let index = FakeIndex::new(&scenario.universe())?;
    let expected = &scenario.expected;
    let resolution = match solve(&problem, &index.aimed(&problem.target)) {
        Solution::Resolved(resolution) if expected.satisfiable => resolution,
        Solution::Resolved(resolution) => {
            let told: Vec<&str> = resolution
                .packages
                .values()
                .map(|p| p.file.filename.as_str())
                .collect();
            return Ok(Some(format!(
                "resolved to {told:?}, none expected ({})",
                expected.explanation
            )));
        }
        Solution::Unsatisfiable(_) if expected.satisfiable => {
            return Ok(Some(format!(
                "unsatisfiable, a solution expected ({})",
                expected.explanation
            )));
        }
        Solution::Unsatisfiable(_) => return Ok(None),
        Solution::Undecided(stop) => return Err(Fault::new(stop)),
    };
    let wrong = checker::check(&problem, &index, &resolution);
    if !wrong.is_empty() {
        return Err(Fault::new(wrong.join("\n")));
    }
    let told = resolution
        .packages
        .iter()
        .map(|(name, p)| (name.to_string(), p.version.to_string()));
    let told: BTreeMap<String, String> = told.collect();
    let same = expected
        .packages
        .as_ref()
        .is_none_or(|packages| *packages == told);
    Ok((!same).then(|| format!("{told:?}, expected {:?}", expected.packages)))
}

#[test]
fn the_scenarios_agree_but_for_the_listed_ones() -> Result<(), Fault> {
    let listed: Differences = toml::from_str(include_str!("uv_differences.toml"))?;
    assert!(
        listed
            .difference
            .iter()
            .all(|entry| !entry.rule.is_empty() && !entry.reason.is_empty())
    );
    let mut listed: BTreeMap<String, String> = listed
        .difference
        .into_iter()
        .map(|entry| (entry.scenario, entry.rule))
        .collect();
    let scenarios = scenarios()?;
    assert_eq!(scenarios.len(), 97);
    let mut wrong = Vec::new();
    let mut agreeing = 0;
    for (id, scenario) in &scenarios {
        let differs = difference(scenario).map_err(|fault| fault.at(id))?;
        match (differs, listed.remove(id)) {
            (None, None) => agreeing += 1,
            (Some(_), Some(_)) => {}
            (Some(how), None) => wrong.push(format!("{id}: {how}")),
            (None, Some(rule)) => wrong.push(format!("{id} agrees now, take it off the list ({rule})")),
        }
    }
    wrong.extend(
        listed
            .keys()
            .map(|id| format!("{id} is listed and does not exist")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreeing >= 85, "only {agreeing} of 97 agree");
    Ok(())
}
