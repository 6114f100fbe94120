//! C12: every verdict, from files on disk to the exit code, with a receipt each.

use hermes_pm_tests::Fault;
use serde_json::{Value, json};

use crate::context;

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

/// Each verdict with its code, its exit code and its outcome; each is kept.
#[test]
fn c12_every_verdict_has_its_exit_code_and_a_receipt() -> Result<(), Fault> {
    let context = context()?;
    let table: [(&str, &[&str], &str, &str, i32, &str); 9] = [
        ("fits", &["proto"], "admitted", "", 0, "done"),
        ("none", &[], "no-surface", "", 0, "done"),
        (
            "core",
            &["hermes-agent>=2"],
            "unsatisfiable",
            "union.core-version",
            1,
            "refused",
        ),
        (
            "ghost",
            &["ghost"],
            "unsatisfiable",
            "union.no-such-package",
            1,
            "refused",
        ),
        (
            "future",
            &["proto>=9"],
            "unsatisfiable",
            "union.no-such-version",
            1,
            "refused",
        ),
        (
            "both",
            &["proto>=6", "proto<6"],
            "unsatisfiable",
            "union.conflict",
            1,
            "refused",
        ),
        (
            "wrong",
            &["proto>"],
            "invalid",
            "declaration.invalid",
            1,
            "refused",
        ),
        (
            "direct",
            &["proto @ https://h.example/p.whl"],
            "invalid",
            "declaration.direct-url",
            1,
            "refused",
        ),
        ("source", &["source"], "blocked", "build.required", 1, "refused"),
    ];
    for (sequence, (name, requires, verdict, code, exit, outcome)) in table.into_iter().enumerate() {
        context.member(name, requires)?;
        let run = context.ask(&["plan", name, "--json"])?;
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
        if exit != 0 {
            let last = run.at("/decision/refusal/remedies")?;
            let last = last
                .as_array()
                .and_then(|all| all.last())
                .cloned()
                .unwrap_or_default();
            assert_eq!(
                last.get("command"),
                Some(&json!(format!("hermes-pm plan {name}"))),
                "{name}"
            );
            assert_eq!(run.at("/decision/refusal/plugin")?, name);
        }
    }
    let listed = context.run(&["receipts", "list", "--json"])?.json()?;
    assert_eq!(listed.as_array().map(Vec::len), Some(9));
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
