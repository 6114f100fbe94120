//! Homes that are not there, and configurations that cannot be meant.

use std::os::unix::fs::symlink;
use std::process::Command;

use hermes_pm_tests::Fault;
use serde_json::json;

use crate::{asked, context};

/// C30: without a home `plan` works, and no home is made.
#[test]
fn a_home_that_does_not_exist_is_not_made() -> Result<(), Fault> {
    let context = context()?;
    context.plugin("new", "new", &["plain"])?;
    std::fs::remove_dir(context.home())?;
    let folder = context.path("new").display().to_string();
    let (text, json) = asked(&context, &["plan", &folder])?;
    assert_eq!(
        (json.code, json.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    assert_eq!(json.at("/sequence")?, 0, "shown, not kept");
    assert!(text.stdout.contains("plain 1.0"), "{}", text.stdout);
    let (_, json) = asked(&context, &["union"])?;
    assert_eq!(
        (json.code, json.at("/decision/inputs/members")?),
        (Some(0), json!([]))
    );
    let (_, json) = asked(&context, &["receipts", "list"])?;
    assert_eq!((json.code, json.json()?), (Some(0), json!([])));
    assert_eq!(asked(&context, &["receipts", "verify"])?.0.code, Some(0));
    assert_eq!(asked(&context, &["explain"])?.0.code, Some(1));
    assert_eq!(asked(&context, &["doctor"])?.0.code, Some(0));
    assert!(!context.home().exists());
    Ok(())
}

/// C6: every fault of a configuration in one run, with its line.
#[test]
fn c06_lists_that_hold_numbers_are_faults_with_their_lines() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["plain"])?;
    context.write(
        "home/config.yaml",
        "plugins:\n  enabled:\n    - 1\n    - good\n    - [x]\n  disabled: no\nmemory:\n  provider: 7\n",
    )?;
    for arguments in [&["plan", "good"][..], &["union"], &["why", "plain"]] {
        let (text, json) = asked(&context, arguments)?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(1), json!("config.invalid"))
        );
        let mut lines = vec![json.at("/error/line")?];
        let also = json.at("/error/also")?;
        lines.extend(
            also.as_array()
                .into_iter()
                .flatten()
                .filter_map(|fault| fault.get("line").cloned()),
        );
        assert_eq!(lines, [3, 5, 6, 8], "{arguments:?}");
        for line in [
            "config.yaml:3:7",
            "config.yaml:5:7",
            "config.yaml:6:",
            "config.yaml:8:",
        ] {
            assert!(text.stderr.contains(line), "{line}: {}", text.stderr);
        }
        assert!(text.stderr.contains("must be a list of texts"), "{}", text.stderr);
        assert_eq!(text.stdout, "");
    }
    assert!(!context.path("home/pm").exists());
    Ok(())
}

/// D07, D10: configurations that are bombs, or no files.
#[test]
fn d10_configurations_that_cannot_be_read_are_named() -> Result<(), Fault> {
    type Make<'m> = &'m dyn Fn(&std::path::Path) -> std::io::Result<()>;
    let bomb = format!("plugins: {}", "[".repeat(100_000));
    let table: [(&str, Make<'_>); 7] = [
        ("nested", &|path| std::fs::write(path, &bomb)),
        ("not UTF-8", &|path| std::fs::write(path, b"plugins: \xff")),
        ("a list", &|path| std::fs::write(path, "- plugins\n")),
        ("twice the same key", &|path| {
            std::fs::write(path, "plugins: {}\nplugins: {}\n")
        }),
        ("a FIFO", &|path| {
            Command::new("mkfifo").arg(path).status().map(drop)
        }),
        ("50 MB", &|path| std::fs::File::create(path)?.set_len(50 << 20)),
        ("a link to itself", &|path| symlink(path, path)),
    ];
    for (what, make) in table {
        let context = context()?;
        make(&context.path("home/config.yaml"))?;
        let (text, json) = asked(&context, &["union"])?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(1), json!("config.invalid")),
            "{what}"
        );
        assert!(
            text.stderr.contains("home/config.yaml"),
            "{what}: {}",
            text.stderr
        );
        let (_, json) = asked(&context, &["doctor"])?;
        assert_eq!(
            json.at("/problems/0/code")?,
            "config.invalid",
            "{what}: the doctor tells it"
        );
    }
    Ok(())
}

/// The policy of a root, with every fault.
#[test]
fn a_policy_that_cannot_be_meant_is_refused() -> Result<(), Fault> {
    let context = context()?;
    for text in ["exclude-newer = true\n", "nonsense = true\n", "x = [\n"] {
        context.write("home/pm/policy.toml", text)?;
        let run = context.ask(&["union", "--json"])?;
        assert_eq!(
            (run.code, run.at("/error/code")?),
            (Some(1), json!("config.invalid")),
            "{text:?}"
        );
        let file = run.at("/error/file")?;
        assert!(
            file.as_str().is_some_and(|file| file.ends_with("policy.toml")),
            "{text:?}: {file}"
        );
    }
    Ok(())
}

/// A home that is a file, and profiles that cannot be.
#[test]
fn homes_that_cannot_be_used_are_named() -> Result<(), Fault> {
    let context = context()?;
    context.write("file", "")?;
    let file = context.path("file").display().to_string();
    let table: [(&[&str], &str, i32); 3] = [
        (&["union", "--home", &file], "home.invalid", 2),
        (&["union", "--profile", "absent"], "home.invalid", 2),
        (&["union", "--profile", "../x"], "home.invalid", 2),
    ];
    for (arguments, code, exit) in table {
        let (_, json) = asked(&context, arguments)?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(exit), json!(code)),
            "{arguments:?}"
        );
    }
    Ok(())
}

/// C6: profiles that cannot be looked at are not absent.
#[test]
fn c06_profiles_that_cannot_be_read_are_named() -> Result<(), Fault> {
    for name in ["profiles", "profiles/work"] {
        let context = context()?;
        std::fs::create_dir_all(context.path("home/profiles"))?;
        let path = context.path("home").join(name);
        if path.exists() {
            std::fs::remove_dir(&path)?;
        }
        symlink(&path, &path)?;
        let (text, json) = asked(&context, &["union"])?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(4), json!("home.unreadable")),
            "{name}"
        );
        assert!(
            text.stderr.contains(&format!("home/{name}: ")),
            "{name}: {}",
            text.stderr
        );
    }
    Ok(())
}

/// G02: a link where receipts would be written is not written through; the answer is given all the same.
#[test]
fn g02_receipts_are_not_written_through_a_link() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["plain"])?;
    std::fs::create_dir_all(context.path("canary"))?;
    symlink(context.path("canary"), context.path("home/pm"))?;
    let run = context.ask(&["plan", "good", "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), json!("admitted"))
    );
    assert_eq!(run.at("/sequence")?, 0);
    assert_eq!(run.at("/warnings/0/code")?, "home.symlink");
    let text = context.ask(&["plan", "good"])?.stdout;
    assert!(text.contains("the receipt was not kept"), "{text}");
    assert_eq!(std::fs::read_dir(context.path("canary"))?.count(), 0);
    Ok(())
}
