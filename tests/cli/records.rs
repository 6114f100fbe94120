//! Receipts from the outside: kept, listed, shown, explained, verified; and the questions without one.

use hermes_pm_tests::Fault;
use serde_json::{Value, json};

use crate::context;

#[test]
fn receipts_are_listed_shown_explained_and_verified() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["proto"])?;
    context.member("bad", &["ghost"])?;
    context.member("none", &[])?;
    let mut planned = Vec::new();
    for name in ["good", "bad", "none"] {
        planned.push(context.ask(&["plan", name, "--json"])?.json()?);
    }
    let list = context.run(&["receipts", "list", "--json"])?.json()?;
    let column = |key: &str| -> Vec<Value> {
        list.as_array()
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.get(key).cloned())
            .collect()
    };
    assert_eq!(column("sequence"), [1, 2, 3], "the oldest first");
    assert_eq!(column("plugin"), ["good", "bad", "none"]);
    assert_eq!(column("verdict"), ["admitted", "unsatisfiable", "no-surface"]);
    let newest = context.run(&["receipts", "list", "--json", "--last", "1"])?;
    assert_eq!(
        (newest.at("/0/plugin")?, newest.at("/1")?),
        (json!("none"), Value::Null)
    );
    for (index, receipt) in planned.iter().enumerate() {
        let number = (index + 1).to_string();
        assert_eq!(
            &context.run(&["receipts", "show", &number, "--json"])?.json()?,
            receipt
        );
        assert_eq!(&context.run(&["explain", &number, "--json"])?.json()?, receipt);
        let id = receipt.get("id").and_then(Value::as_str).unwrap_or_default();
        let short = id.get(7..15).unwrap_or_default();
        assert_eq!(&context.run(&["explain", short, "--json"])?.json()?, receipt);
    }
    assert_eq!(
        Some(&context.run(&["explain", "--json"])?.json()?),
        planned.last()
    );
    let text = context.run(&["explain", "2"])?;
    assert!(text.code == Some(0) && text.stdout.contains("no index knows a package named ghost"));
    let verified = context.run(&["receipts", "verify", "--json"])?;
    assert_eq!((verified.code, verified.at("/intact")?), (Some(0), json!(3)));
    Ok(())
}

/// A receipt that was altered is found, named, and refused.
#[test]
fn a_receipt_that_was_altered_is_found() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["proto"])?;
    context.ask(&["plan", "good"])?;
    context.ask(&["plan", "good"])?;
    let folder = context.path("home/pm/receipts");
    let first = std::fs::read_dir(&folder)?
        .filter_map(Result::ok)
        .find(|entry| entry.file_name().to_string_lossy().starts_with("1-"))
        .ok_or_else(|| Fault::new("no receipt"))?
        .path();
    let text = std::fs::read_to_string(&first)?.replace("admitted", "blocked");
    std::fs::write(&first, text)?;
    let verified = context.run(&["receipts", "verify", "--json"])?;
    assert_eq!(verified.code, Some(1));
    assert_eq!(verified.at("/faults/0/code")?, "receipt.corrupt");
    let name = first
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    assert!(verified.stdout.contains(&name), "{}", verified.stdout);
    let shown = context.run(&["explain", "1"])?;
    assert_eq!(shown.code, Some(1));
    assert!(shown.stderr.contains("receipt.corrupt"), "{}", shown.stderr);
    // The gate works on.
    assert_eq!(context.ask(&["plan", "good"])?.code, Some(0));
    Ok(())
}

#[test]
fn why_tells_every_way_to_a_package() -> Result<(), Fault> {
    let context = context()?;
    context.member("direct", &["proto"])?;
    context.member("indirect", &["grpc"])?;
    context.enable(&["direct", "indirect"])?;
    let run = context.ask(&["why", "proto", "--json"])?;
    assert_eq!((run.code, run.at("/version")?), (Some(0), json!("6.0")));
    assert_eq!(
        run.at("/ways")?,
        json!([
            ["plugin:direct", "package:proto"],
            ["plugin:indirect", "package:grpc", "package:proto"]
        ])
    );
    let text = context.ask(&["why", "PROTO"])?.stdout;
    assert!(
        text.starts_with("proto 6.0\n") && text.contains("indirect → grpc → proto"),
        "{text}"
    );
    Ok(())
}

/// `union` and `check` are questions: nothing is kept.
#[test]
fn union_and_check_keep_nothing() -> Result<(), Fault> {
    let context = context()?;
    context.member("one", &["proto"])?;
    context.plugin("author", "author", &["proto<6"])?;
    context.enable(&["one"])?;
    let before = context.listing()?;
    let run = context.ask(&["union", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?, run.at("/sequence")?),
        (Some(0), json!("admitted"), json!(0))
    );
    let folder = context.path("author").display().to_string();
    let run = context.ask(&["check", &folder, "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/inputs/members/1")?),
        (Some(0), Value::Null)
    );
    context.unchanged_since(&before)?;
    assert!(!context.path("home/pm").exists());
    Ok(())
}

/// A core that is published, and one that is a lock file.
#[test]
fn core_may_be_published_or_a_lock_file() -> Result<(), Fault> {
    use hermes_pm_tests::context::TestContext;
    let universe = toml::from_str(
        "[packages.hermes-agent.versions.\"0.19.0\"]\nrequires = [\"plain<2\"]\n[packages.plain.versions.\"1.0\"]\n[packages.plain.versions.\"2.0\"]\n",
    )?;
    let context = TestContext::new(crate::BINARY, &universe)?;
    context.member("new", &["plain"])?;
    let lock = context.write(
        "pylock.toml",
        "lock-version = \"1.0\"\ncreated-by = \"test\"\n[[packages]]\nname = \"hermes-agent\"\nversion = \"0.19.0\"\n[[packages]]\nname = \"plain\"\nversion = \"1.0\"\n",
    )?;
    let lock = lock.display().to_string();
    let url = context.server().url();
    for core in ["hermes-agent==0.19.0", &lock] {
        let run = context.run(&[
            "plan",
            "new",
            "--json",
            "--core",
            core,
            "--python-version",
            "3.12",
            "--index",
            &url,
        ])?;
        assert_eq!(
            (run.code, run.at("/decision/resolution/0/version")?),
            (Some(0), json!("1.0")),
            "{core}: {}",
            run.stderr
        );
    }
    let run = context.run(&[
        "union",
        "--json",
        "--core",
        "hermes-agent==9",
        "--python-version",
        "3.12",
        "--index",
        &url,
    ])?;
    assert_eq!(
        (run.code, run.at("/error/code")?),
        (Some(2), json!("core.not-found"))
    );
    Ok(())
}

/// `union` shows who takes part with what, and every package.
#[test]
fn union_lists_members_and_packages() -> Result<(), Fault> {
    let context = context()?;
    context.member("old", &["proto<6"])?;
    context.enable(&["old"])?;
    let run = context.ask(&["union"])?;
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for line in ["Who takes part", "  old: proto<6", "proto 5", "(for plugin:old"] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    Ok(())
}
