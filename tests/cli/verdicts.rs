//! C12: every verdict, from files on disk to the exit code, with a receipt each.

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use serde_json::{Value, json};

use crate::{BINARY, context};

#[test]
fn c12_a_plugin_that_fits_is_admitted_with_what_would_change() -> Result<(), Fault> {
    let context = context()?;
    context.member("one", &["proto<6"])?;
    context.member("new", &["proto", "plain<2"])?;
    context.enable(&["one"])?;
    let run = context.ask(&["plan", "new", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    assert_eq!(run.at("/outcome")?, "done");
    assert_eq!(run.at("/decision/refusal")?, Value::Null);
    let names = run.at("/decision/resolution")?;
    let names: Vec<String> = names.as_array().into_iter().flatten().map(name_version).collect();
    assert_eq!(names, ["plain 1.0", "proto 5.0"]);
    assert_eq!(run.at("/decision/changes/changed/0/name")?, "plain");
    assert_eq!(run.at("/decision/changes/collateral_downgrades/0/from")?, "2.0");
    assert_eq!(run.at("/warnings/0/code")?, "plugin.collateral-downgrade");
    assert_eq!(run.at("/decision/inputs/candidate")?, "new");
    Ok(())
}

fn name_version(package: &Value) -> String {
    let text = |key| package.get(key).and_then(Value::as_str).unwrap_or_default();
    format!("{} {}", text("name"), text("version"))
}

/// C14: the proof has both sides with their places, and only who takes part is in the conflict.
#[test]
fn c14_two_plugins_that_clash_are_both_named_with_their_lines() -> Result<(), Fault> {
    let context = context()?;
    context.member("bystander", &["plain"])?;
    context.member("old", &["plain", "proto<6"])?;
    context.member("new", &["grpc"])?;
    context.enable(&["bystander", "old"])?;
    let run = context.ask(&["plan", "new", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?, run.at("/outcome")?),
        (Some(1), json!("unsatisfiable"), json!("refused"))
    );
    let refusal = run.at("/decision/refusal")?;
    let part = |key: &str| refusal.get(key).cloned().unwrap_or_default();
    assert_eq!(
        (part("code"), part("plugin")),
        (json!("union.conflict"), json!("new"))
    );
    assert_eq!(part("conflict"), json!(["old", "new"]));
    assert_eq!(part("removals"), json!([["old"]]));
    let mut roots = Vec::new();
    for premise in part("proof").as_array().into_iter().flatten() {
        for premise in premise
            .get("because")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if let Some(root) = premise.get("root").filter(|root| !root.is_null()) {
                let place = |key| premise.get(key).cloned().unwrap_or_default();
                roots.push((root.clone(), place("file"), place("line"), place("package")));
            }
        }
    }
    roots.sort_by_key(|root| root.0.to_string());
    let place = |plugin, package| (json!(plugin), json!("plugin.yaml"), json!(3), json!(package));
    assert_eq!(roots, [place("new", "grpc"), place("old", "proto")]);
    let text = context.ask(&["plan", "new"])?.stdout;
    for word in [
        "plugin new",
        "plugin old",
        "proto",
        "grpc",
        "plugin.yaml:3",
        "hermes-pm plan new",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    Ok(())
}

/// A plugin, what it requires, the verdict and the code.
type Row = (&'static str, &'static [&'static str], &'static str, &'static str);

const VERDICTS: [Row; 9] = [
    ("fits", &["proto"], "admitted", ""),
    ("none", &[], "no-surface", ""),
    (
        "core",
        &["hermes-agent>=2"],
        "unsatisfiable",
        "union.core-version",
    ),
    ("ghost", &["ghost"], "unsatisfiable", "union.no-such-package"),
    ("future", &["proto>=9"], "unsatisfiable", "union.no-such-version"),
    (
        "both",
        &["proto>=6", "proto<6"],
        "unsatisfiable",
        "union.conflict",
    ),
    ("wrong", &["proto>"], "invalid", "declaration.invalid"),
    (
        "direct",
        &["proto @ https://h.example/p"],
        "invalid",
        "declaration.direct-url",
    ),
    ("source", &["source"], "blocked", "build.required"),
];

/// Each verdict with its code, its exit code and its outcome; each is kept.
#[test]
fn c12_every_verdict_has_its_exit_code_and_a_receipt() -> Result<(), Fault> {
    let context = context()?;
    for (sequence, (name, requires, verdict, code)) in VERDICTS.into_iter().enumerate() {
        context.member(name, requires)?;
        let run = context.ask(&["plan", name, "--json"])?;
        let (exit, outcome) = if code.is_empty() {
            (0, "done")
        } else {
            (1, "refused")
        };
        let told = run.at("/decision/refusal/code")?;
        assert_eq!(run.at("/decision/verdict")?, verdict, "{name}");
        assert_eq!(told.as_str().unwrap_or_default(), code, "{name}");
        assert_eq!(
            (run.code, run.at("/outcome")?),
            (Some(exit), json!(outcome)),
            "{name}"
        );
        assert_eq!(run.at("/sequence")?, sequence + 1, "{name}: kept");
        assert_eq!(run.at("/decision/inputs/candidate")?, name);
        if !code.is_empty() {
            assert_eq!(run.at("/decision/refusal/plugin")?, name);
            let remedies = run.at("/decision/refusal/remedies")?;
            let last = remedies.as_array().and_then(|all| all.last());
            assert_eq!(
                last.and_then(|remedy| remedy.get("kind")),
                Some(&json!("retry")),
                "{name}"
            );
            let command = run.at("/retry")?;
            let begins = format!("hermes-pm plan {name} --json");
            assert!(
                command.as_str().is_some_and(|text| text.starts_with(&begins)),
                "{command}"
            );
        }
    }
    let listed = context.run(&["receipts", "list", "--json"])?.json()?;
    assert_eq!(listed.as_array().map(Vec::len), Some(VERDICTS.len()));
    assert_eq!(context.run(&["receipts", "verify"])?.code, Some(0));
    Ok(())
}

/// C12: without an answer of the index nothing is concluded.
#[test]
fn c12_without_an_index_the_verdict_is_undecided() -> Result<(), Fault> {
    let context = context()?;
    context.member("new", &["proto"])?;
    let run = context.ask(&["plan", "new", "--json", "--offline"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(3), json!("undecided"))
    );
    assert_eq!(run.at("/decision/refusal/code")?, "index.offline");
    assert_eq!(run.at("/outcome")?, "failed");
    assert!(context.server().requests().is_empty());
    Ok(())
}

/// C14: retried after the cause is gone, the same command admits.
#[test]
fn c14_the_command_of_the_receipt_admits_when_the_cause_is_gone() -> Result<(), Fault> {
    let context = context()?;
    context.member("old", &["proto<6"])?;
    context.member("new", &["grpc"])?;
    context.enable(&["old"])?;
    assert_eq!(context.ask(&["plan", "new"])?.code, Some(1));
    context.enable(&[])?;
    assert_eq!(context.ask(&["plan", "new"])?.code, Some(0));
    Ok(())
}

/// C8: a new version of a member takes the place of the old one and does not clash with it.
#[test]
fn c08_a_candidate_replaces_the_member_of_its_name() -> Result<(), Fault> {
    let context = context()?;
    context.member("old", &["proto<6"])?;
    context.enable(&["old"])?;
    context.write("new/plugin.yaml", "name: old\npip_dependencies: [\"proto>=6\"]\n")?;
    let elsewhere = context.path("new");
    let run = context.ask(&["plan", &elsewhere.display().to_string(), "--json"])?;
    assert_eq!(run.at("/decision/verdict")?, "admitted", "{}", run.stdout);
    Ok(())
}

/// C5, C12: a plugin for another Python, and one for another Hermes.
#[test]
fn c12_requires_python_and_requires_hermes() -> Result<(), Fault> {
    let context = context()?;
    context.write(
        "home/plugins/newer/pyproject.toml",
        "[project]\nname = \"newer\"\nversion = \"1\"\nrequires-python = \">=3.13\"\ndependencies = []\n",
    )?;
    let run = context.ask(&["plan", "newer", "--json"])?;
    assert_eq!(run.at("/decision/refusal/code")?, "union.requires-python");
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(1), json!("unsatisfiable"))
    );
    context.write(
        "home/plugins/later/plugin.yaml",
        "name: later\nrequires_hermes: \">=1.0\"\npip_dependencies: [proto]\n",
    )?;
    let run = context.ask(&["plan", "later", "--json"])?;
    assert_eq!(run.at("/decision/refusal/code")?, "plugin.requires-hermes");
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(1), json!("blocked"))
    );
    Ok(())
}

/// Releases that a policy or the index itself holds back, with what could be done.
const HELD_BACK: &str = r#"
[packages.young.versions."1.0"]
upload_time = "2026-01-02T00:00:00Z"
[packages.gone.versions."1.0"]
yanked = true
upload_time = "2025-01-02T00:00:00Z"
[packages.danger]
status = "quarantined"
[packages.danger.versions."1.0"]
upload_time = "2025-01-02T00:00:00Z"
"#;

/// C12: what a policy forbids is blocked, and what the index holds back is no version.
#[test]
fn c12_what_is_held_back_is_told_with_the_reason() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &toml::from_str(HELD_BACK)?)?;
    context.core("0.19.0", &[])?;
    let table = [
        ("young", "blocked", "policy.quarantine", "wait"),
        ("gone", "blocked", "policy.yanked", "pin"),
        ("danger", "unsatisfiable", "index.quarantined", "retry"),
    ];
    for (package, verdict, code, remedy) in table {
        context.member("new", &[package])?;
        let run = context.ask(&["plan", "new", "--json", "--exclude-newer", "2026-01-01"])?;
        assert_eq!(run.at("/decision/verdict")?, verdict, "{package}: {}", run.stdout);
        assert_eq!(run.at("/decision/refusal/code")?, code, "{package}");
        let remedies = run.at("/decision/refusal/remedies")?;
        let kinds = remedies
            .as_array()
            .into_iter()
            .flatten()
            .map(|one| one.get("kind").cloned());
        assert!(
            kinds.flatten().any(|kind| kind == remedy),
            "{package}: {remedies}"
        );
    }
    context.member("new", &["young"])?;
    assert_eq!(
        context
            .ask(&["plan", "new", "--exclude-newer", "2026-01-03"])?
            .code,
        Some(0)
    );
    context.member("new", &["gone==1.0"])?;
    assert_eq!(
        context.ask(&["plan", "new"])?.code,
        Some(0),
        "a pin may name a withdrawn release"
    );
    Ok(())
}
