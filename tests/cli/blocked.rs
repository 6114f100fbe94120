//! C6, C8: active plugins that are broken, absent or out of place, and what that does to everybody else.

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use serde_json::{Value, json};

use crate::context;

/// C6: a broken active root is named with file, line and column, and blocks; it does not drop out.
#[test]
fn c06_a_broken_active_root_blocks_and_is_named() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["plain"])?;
    context.member("bad", &["proto>", "plain==", "plain"])?;
    context.member("worse", &["ghost[", "plain"])?;
    context.member("new", &["proto"])?;
    context.enable(&["good", "bad", "worse"])?;
    for arguments in [&["plan", "new"][..], &["union"], &["why", "plain"]] {
        let run = context.ask(&[arguments, &["--json"]].concat())?;
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(1), json!("blocked")),
            "{arguments:?}"
        );
        let faults = run.at("/decision/refusal/faults")?;
        let all = faults.as_array().into_iter().flatten();
        let place = |fault: &Value| {
            let at = |key: &str| fault.get(key).cloned().unwrap_or_default();
            (at("plugin"), at("file"), at("line"), at("column").is_u64())
        };
        let named = |plugin| (json!(plugin), json!("plugin.yaml"), json!(3), true);
        assert_eq!(
            all.map(place).collect::<Vec<_>>(),
            [named("bad"), named("bad"), named("worse")],
            "{arguments:?}"
        );
    }
    assert!(
        context.server().requests().is_empty(),
        "the index was asked for nothing"
    );
    Ok(())
}

/// C6: the broken root is what the candidate replaces, so it does not stand in its own way.
#[test]
fn c06_an_active_plugin_that_is_asked_about_is_judged_and_not_in_the_way() -> Result<(), Fault> {
    let context = context()?;
    context.member("bad", &["proto>"])?;
    context.enable(&["bad"])?;
    let run = context.ask(&["plan", "bad", "--json"])?;
    assert_eq!(run.at("/decision/verdict")?, "invalid");
    context.member("bad", &["proto"])?;
    let run = context.ask(&["plan", "bad", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    Ok(())
}

/// C8: what is only worth saying blocks nobody.
#[test]
fn c08_what_sits_out_is_said_and_blocks_nobody() -> Result<(), Fault> {
    let context = context()?;
    context.write(
        "home/plugins/later/plugin.yaml",
        "name: later\nrequires_hermes: \">=1.0\"\npip_dependencies: [ghost]\n",
    )?;
    for name in ["mem1", "mem2"] {
        context.write(
            format!("home/plugins/{name}/plugin.yaml"),
            format!("name: {name}\nkind: exclusive\npip_dependencies: [proto]\n"),
        )?;
    }
    context.write(
        "home/config.yaml",
        "plugins:\n  enabled: [later, gone, mem2]\nmemory:\n  provider: mem1\n",
    )?;
    let run = context.ask(&["union", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    assert_eq!(
        codes(&run.at("/warnings")?),
        ["plugin.absent", "plugin.requires-hermes", "provider.second"]
    );
    let members = run.at("/decision/inputs/members")?;
    let members: Vec<_> = members
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| m.get("plugin").cloned())
        .collect();
    assert_eq!(members, [Some(json!("mem2")), Some(json!("mem1"))]);
    Ok(())
}

/// C2, C5: surfaces that are not read, and two that disagree.
#[test]
fn c05_what_cannot_be_read_without_running_it_is_refused() -> Result<(), Fault> {
    let context = context()?;
    let project = "[project]\nname = \"x\"\nversion = \"1\"\n";
    let table = [
        (
            "pyproject.toml",
            format!("{project}dynamic = [\"dependencies\"]\n"),
            "declaration.dynamic",
        ),
        (
            "pyproject.toml",
            "[tool.poetry]\nname = \"x\"\n[tool.poetry.dependencies]\nplain = \"*\"\n".into(),
            "declaration.unsupported",
        ),
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\n[package.metadata.hermes]\n".into(),
            "declaration.unsupported",
        ),
    ];
    for (index, (file, text, code)) in table.into_iter().enumerate() {
        let name = format!("p{index}");
        context.write(format!("home/plugins/{name}/{file}"), text)?;
        let run = context.ask(&["plan", &name, "--json"])?;
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(1), json!("invalid")),
            "{name}"
        );
        assert_eq!(run.at("/decision/refusal/faults/0/code")?, code, "{name}");
        assert_eq!(run.at("/decision/refusal/faults/0/file")?, file, "{name}");
    }
    context.member("two", &["proto"])?;
    context.write(
        "home/plugins/two/pyproject.toml",
        format!("{project}dependencies = [\"plain\"]\n"),
    )?;
    let run = context.ask(&["plan", "two", "--json"])?;
    assert_eq!(
        (run.code, codes(&run.at("/warnings")?)),
        (Some(0), vec!["declaration.mismatch".into()])
    );
    Ok(())
}

/// C3, C4: what lies below a root, and a runtime of its own, is nobody's business.
#[test]
fn c04_sidecars_are_left_alone() -> Result<(), Fault> {
    let context = context()?;
    let hostile = "[project]\ndependencies = [\"ghost>>\"";
    context.write("home/plugins/nested/sidecar/pyproject.toml", hostile)?;
    context.write("home/plugins/nested/plugin.yaml", "name: nested\n")?;
    context.write("home/plugins/outside/pyproject.toml", hostile)?;
    context.write(
        "home/plugins/outside/plugin.yaml",
        "name: outside\npython_runtime: external\npip_dependencies: [ghost]\n",
    )?;
    context.enable(&["nested", "outside"])?;
    for name in ["nested", "outside"] {
        let run = context.ask(&["plan", name, "--json"])?;
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(0), json!("no-surface")),
            "{name}"
        );
    }
    let run = context.ask(&["union", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/inputs/members")?),
        (Some(0), json!([]))
    );
    Ok(())
}

/// C9: core's pins are hard; core's lock is preferred, and with a policy hard as well.
#[test]
fn c09_moving_away_from_the_lock_of_core_is_said() -> Result<(), Fault> {
    let context = context()?;
    context.write(
        "core/uv.lock",
        "version = 1\n[[package]]\nname = \"hermes-agent\"\nversion = \"0.19.0\"\nsource = { editable = \".\" }\ndependencies = [{ name = \"plain\" }]\n\n[[package]]\nname = \"plain\"\nversion = \"1.0\"\nsource = { registry = \"https://index.example/simple\" }\n",
    )?;
    context.member("new", &["plain>=2"])?;
    let run = context.ask(&["plan", "new", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    assert_eq!(run.at("/decision/changes/core_drift/0/from")?, "1.0");
    assert!(codes(&run.at("/warnings")?).contains(&"plugin.core-drift".to_owned()));
    let hard = context.ask(&["plan", "new", "--json", "--pins", "locked"])?;
    assert_eq!(
        (hard.code, hard.at("/decision/verdict")?),
        (Some(1), json!("unsatisfiable"))
    );
    assert_eq!(hard.at("/decision/refusal/removals")?, json!([]), "core stays");
    Ok(())
}

/// C30: the profiles of a root share one union.
#[test]
fn c08_profiles_count_and_are_told_apart() -> Result<(), Fault> {
    let context: TestContext = context()?;
    context.member("new", &["grpc"])?;
    context.plugin("home/profiles/work/plugins/old", "old", &["proto<6"])?;
    context.write("home/profiles/work/config.yaml", "plugins:\n  enabled: [old]\n")?;
    let run = context.ask(&["plan", "new", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/refusal/removals")?),
        (Some(1), json!([["old"]]))
    );
    assert_eq!(run.at("/decision/inputs/members/0/home")?, "work");
    Ok(())
}

fn codes(warnings: &Value) -> Vec<String> {
    let all = warnings.as_array().into_iter().flatten();
    let mut codes: Vec<String> = all
        .filter_map(|warning| warning.get("code").and_then(Value::as_str))
        .map(str::to_owned)
        .collect();
    codes.sort();
    codes
}
