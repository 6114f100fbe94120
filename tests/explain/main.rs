//! C14: what a refusal tells, as data in and text out. Each case is a small index and who requires what.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use hermes_admission::{Judgement, Policy, Provided, Refusal, decide};
use hermes_pep::{PackageName, Version};
use hermes_pm_tests::Fault;
use hermes_pm_tests::fake_index::{FakeIndex, Universe};
use hermes_pm_tests::problem::{plain, root, target};
use hermes_pm_tests::raw_index::RawIndex;

/// Asks for roots (the last one is the candidate) and tells the refusal.
fn told(index: &str, roots: &[(&str, &[&str])]) -> Result<String, Fault> {
    told_by(Policy::default(), index, roots)
}

fn told_by(policy: Policy, index: &str, roots: &[(&str, &[&str])]) -> Result<String, Fault> {
    let universe: Universe = toml::from_str(index)?;
    let target = target("3.11", "x86_64-manylinux_2_28")?;
    let list = roots.iter().map(|(id, requires)| {
        let texts: Vec<String> = requires.iter().map(|text| (*text).to_owned()).collect();
        root(id, &texts, None)
    });
    let mut problem = plain(list.collect::<Result<_, _>>()?, target);
    problem.policy = policy;
    let core = Provided {
        version: Version::parse("0.19.0")?,
        extras: BTreeMap::new(),
    };
    problem.provided.insert(PackageName::parse("hermes-agent")?, core);
    match decide(
        &problem,
        Some(roots.len() - 1),
        &FakeIndex::new(&universe)?.aimed(&problem.target),
    ) {
        Judgement::Refused(refusal) => Ok(text(&refusal)),
        Judgement::Admitted(_) => Ok("admitted".into()),
        Judgement::Undecided(stop) => Ok(format!("undecided {stop}")),
    }
}

fn text(refusal: &Refusal) -> String {
    let mut lines = vec![format!(
        "{} {}: {}",
        refusal.verdict, refusal.code, refusal.summary
    )];
    for step in &refusal.proof.steps {
        for premise in &step.because {
            let line = premise.line.map(|line| format!(" (line {line})"));
            let earlier = premise.step.map(|number| format!(" (step {number})"));
            let place = line.or(earlier).unwrap_or_default();
            lines.push(format!("  {}. {}{place}", step.number, premise.text));
        }
        lines.push(format!("  => {}", step.therefore));
    }
    let (conflict, removals) = (&refusal.conflict, &refusal.removals);
    let held = &refusal.held_back;
    lines.push(format!(
        "conflict {conflict:?} removals {removals:?} held back {held:?}"
    ));
    lines.join("\n")
}

/// Two plugins want another version of what a third package of each requires.
#[test]
fn two_plugins_meet_in_a_package() {
    let index = r#"
        [packages.memo.versions."3.3"]
        requires = ["proto<6"]
        [packages.memo.versions."3.4"]
        requires = ["proto<6"]
        [packages.trace.versions."0.17"]
        requires = ["proto>=6.31"]
        [packages.other.versions."1.0"]
        [packages.proto.versions."5.0"]
        [packages.proto.versions."6.32"]
    "#;
    let roots: &[(&str, &[&str])] = &[
        ("core", &["other"]),
        ("bystander", &["other"]),
        ("tracer", &["trace>=0.17"]),
        ("memory", &["other", "memo>=3.3"]),
    ];
    insta::assert_snapshot!(told(index, roots).unwrap(), @r#"
    unsatisfiable union.conflict: the requirements of tracer and memory cannot hold together
      1. every version of memo requires proto <6
      1. trace ==0.17 requires proto >=6.31
      1. plugin memory requires memo>=3.3 (line 2)
      1. plugin tracer requires trace>=0.17 (line 1)
      => the requirements cannot all be met
    conflict ["tracer", "memory"] removals [["tracer"]] held back []
    "#);
}

#[test]
fn a_plugin_moves_a_pin_of_core() {
    let index = r#"
        [packages.http.versions."1.0"]
        [packages.http.versions."2.0"]
    "#;
    let roots: &[(&str, &[&str])] = &[("core", &["http==1.0"]), ("new", &["http>=2"])];
    insta::assert_snapshot!(told(index, roots).unwrap(), @r#"
    unsatisfiable union.conflict: the requirements of Hermes core and new cannot hold together
      1. plugin new requires http>=2 (line 1)
      1. Hermes core pins http==1.0 (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
}

#[test]
fn another_hermes_is_required() {
    let index = r#"
        [packages.sdk.versions."1.0"]
        requires = ["hermes-agent>=0.21"]
    "#;
    let roots: &[(&str, &[&str])] = &[("core", &[]), ("new", &["sdk"])];
    insta::assert_snapshot!(told(index, roots).unwrap(), @r#"
    unsatisfiable union.core-version: another version of Hermes is required
      1. Hermes core is at version 0.19.0
      1. sdk ==1.0 requires hermes-agent >=0.21
      1. plugin new requires sdk (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
}

#[test]
fn what_does_not_exist_is_told_apart() {
    let index = r#"
        [packages.a.versions."1.0"]
    "#;
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["nowhere>=1"])]).unwrap(), @r#"
    unsatisfiable union.no-such-package: a required package does not exist
      1. no index knows a package named nowhere
      1. plugin new requires nowhere>=1 (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["a>=2"])]).unwrap(), @r#"
    unsatisfiable union.no-such-version: no version of a required package can be used
      1. there is no version of a >=2; the newest is 1.0
      1. plugin new requires a>=2 (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
}

#[test]
fn python_and_platform() {
    let index = r#"
        [packages.py.versions."1.0"]
        requires_python = ">=3.12"
        [packages.mac.versions."1.0"]
        sdist = false
        wheel_tags = ["cp311-cp311-macosx_11_0_arm64"]
    "#;
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["py"])]).unwrap(), @r#"
    unsatisfiable union.requires-python: what plugin new requires does not run on the target's Python
      1. py 1.0 needs Python >=3.12
      1. plugin new requires py (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["mac"])]).unwrap(), @r#"
    unsatisfiable union.no-wheel: no version of a required package can be used
      1. mac 1.0 has no file for the target
      1. plugin new requires mac (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
}

#[test]
fn policies_are_the_reason_only_when_nothing_else_is() {
    let index = r#"
        [packages.built.versions."1.0"]
        wheel = false
        [packages.gone.versions."1.0"]
        yanked = true
        [packages.fresh.versions."1.0"]
        upload_time = "2026-11-30T00:00:00Z"
        [packages.x.versions."1.0"]
        upload_time = "2020-01-01T00:00:00Z"
        [packages.x.versions."2.0"]
        wheel = false
        upload_time = "2020-01-01T00:00:00Z"
    "#;
    let policy = Policy {
        exclude_newer: Some("2026-11-20T00:00:00.000000Z".into()),
        ..Policy::default()
    };
    let of =
        |requires: &[&str]| told_by(policy.clone(), index, &[("core", &["x<2"]), ("new", requires)]).unwrap();
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["built"])]).unwrap(), @r#"
    blocked build.required: built would have to be built from source
      1. built 1.0 has no wheel for the target and would have to be built from source
      1. plugin new requires built (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back [built]
    "#);
    insta::assert_snapshot!(told(index, &[("core", &[]), ("new", &["gone"])]).unwrap(), @r#"
    blocked policy.yanked: only withdrawn releases would fit (gone)
      1. gone 1.0 is withdrawn (yanked)
      1. plugin new requires gone (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back [gone]
    "#);
    insta::assert_snapshot!(of(&["fresh"]), @r#"
    blocked policy.quarantine: only releases newer than the cutoff would fit (fresh)
      1. fresh 1.0 is newer than the cutoff allows
      1. plugin new requires fresh (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back [fresh]
    "#);
    // Version 2 would have to be built, but core forbids it either way.
    insta::assert_snapshot!(of(&["x>=2"]), @r#"
    unsatisfiable union.conflict: the requirements of Hermes core and new cannot hold together
      1. plugin new requires x>=2 (line 1)
      1. Hermes core pins x<2 (line 1)
      => the requirements cannot all be met
    conflict ["new"] removals [] held back []
    "#);
}

/// C5: what core takes from an address is not taken from an index that has the same name.
#[test]
fn c05_an_address_of_core_is_refused() {
    let index = "[packages.foo.versions.\"9.0\"]\n";
    let roots: &[(&str, &[&str])] = &[
        ("core", &["foo @ https://files.example/foo-1.0.tar.gz"]),
        ("new", &["foo"]),
    ];
    let told = told(index, roots).unwrap();
    assert!(told.starts_with("invalid declaration.direct-url"), "{told}");
}

/// Members that clashed already are told; the candidate that has no part in it is not.
#[test]
fn a_candidate_without_a_part_is_not_blamed() {
    let index =
        "[packages.p.versions.\"1.0\"]\n[packages.p.versions.\"2.0\"]\n[packages.q.versions.\"1.0\"]\n";
    let roots: &[(&str, &[&str])] = &[
        ("core", &[]),
        ("one", &["p<2"]),
        ("two", &["p>=2"]),
        ("new", &["q"]),
    ];
    let told = told(index, roots).unwrap();
    assert!(
        told.contains(r#"conflict ["one", "two"] removals [["one"], ["two"]]"#),
        "{told}"
    );
}

/// Only what has to be allowed is held back, not all that an open policy would take.
#[test]
fn what_fits_by_the_policy_is_not_held_back() {
    let index = r#"
        [packages.lang.versions."1.0"]
        wheel = false
        [packages.bar.versions."1.0"]
        [packages.bar.versions."2.0"]
        wheel = false
    "#;
    let told = told(index, &[("core", &[]), ("new", &["bar", "lang"])]).unwrap();
    assert!(told.contains("held back [lang]"), "{told}");
}

/// A second conflict stands behind the first: one plugin alone does not help.
#[test]
fn two_have_to_go() {
    let index = r#"
        [packages.p.versions."1.0"]
        [packages.p.versions."2.0"]
        [packages.q.versions."1.0"]
        [packages.q.versions."2.0"]
    "#;
    let roots: &[(&str, &[&str])] = &[
        ("core", &[]),
        ("one", &["p<2"]),
        ("two", &["q<2"]),
        ("new", &["p>=2", "q>=2"]),
    ];
    insta::assert_snapshot!(told(index, roots).unwrap(), @r#"
    unsatisfiable union.conflict: the requirements of two and new cannot hold together
      1. plugin new requires q>=2 (line 2)
      1. plugin two requires q<2 (line 1)
      => the requirements cannot all be met
    conflict ["two", "new"] removals [["one", "two"]] held back []
    "#);
}

/// Hundreds of versions give a short proof, quickly, and a deep chain does not overflow a stack.
#[test]
fn d11_size_does_not_show() {
    let ladder = |needs: fn(u32) -> String| -> String {
        let rung = |n| {
            format!(
                "[packages.big.versions.\"{n}.0\"]\nrequires = [\"{}\"]\n",
                needs(n)
            )
        };
        (0..5_000).map(rung).collect()
    };
    let ladders = [
        (
            ladder(|_| "none>=1".into()),
            "no index knows a package named none",
        ),
        (
            ladder(|n| format!("other=={n}.5")) + "[packages.other.versions.\"0.1\"]\n",
            "there is no version of other ==0.5 or ==1.5 or ==2.5 or … (5000 ranges); the newest is 0.1",
        ),
    ];
    for (ladder, said) in ladders {
        let told_ladder = told(&ladder, &[("core", &[]), ("new", &["big"])]).unwrap();
        assert!(
            told_ladder.len() < 1 << 10 && told_ladder.contains(said),
            "{told_ladder:.2000}"
        );
    }
    let link = |n: u32| format!("[packages.c{n}.versions.\"1.0\"]\nrequires = [\"c{}\"]\n", n + 1);
    let chain: Vec<String> = (0..1500).map(link).collect();
    let chain = chain.concat();
    let told_chain = told(&chain, &[("core", &[]), ("new", &["c0"])]).unwrap();
    assert!(
        told_chain.len() < 64 << 10 && told_chain.contains("union.no-such-package"),
        "{told_chain:.500}"
    );
}
