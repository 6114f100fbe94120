//! Wrong usage and what is told without looking at anything.

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use hermes_pm_tests::fake_index::Universe;

use crate::{BINARY, context};

/// C34: data on standard output, talk on standard error, documented exit codes.
#[test]
fn c34_wrong_usage_is_exit_code_2_and_says_so_on_standard_error() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &Universe::default())?;
    for arguments in [&["fly"][..], &["plan"], &["union", "--deadline", "0"], &[]] {
        let run = context.run(arguments)?;
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains("--help"), "{arguments:?}: {}", run.stderr);
    }
    Ok(())
}

#[test]
fn the_version_is_told_without_a_home_or_an_index() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &Universe::default())?;
    std::fs::remove_dir(context.home())?;
    let run = context.run(&["--version"])?;
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout.trim(),
        concat!("hermes-pm ", env!("CARGO_PKG_VERSION"))
    );
    assert!(context.server().requests().is_empty());
    assert!(!context.home().exists());
    Ok(())
}

/// Questions about what is not there: code, exit code, and what to do.
#[test]
fn c34_what_is_not_there_is_said_with_a_code() -> Result<(), Fault> {
    let context = context()?;
    let table: [(&[&str], &str, i32); 10] = [
        (&["plan", "nowhere"], "plugin.not-found", 1),
        (&["plan", "../nowhere"], "plugin.not-found", 1),
        (&["plan", "no name"], "plugin.name", 1),
        (&["check", "nowhere"], "plugin.not-found", 1),
        (&["why", "absent"], "union.no-such-package", 1),
        (&["why", "no name"], "name.invalid", 1),
        (&["explain", "99"], "receipt.not-found", 1),
        (&["explain", "no!"], "usage.invalid", 2),
        (&["receipts", "show", "99"], "receipt.not-found", 1),
        (&["man", "fly"], "usage.invalid", 2),
    ];
    for (arguments, code, exit) in table {
        let run = context.ask(arguments)?;
        assert_eq!((run.code, run.stdout.as_str()), (Some(exit), ""), "{arguments:?}");
        assert!(
            run.stderr.contains(&format!("error[{code}]: ")),
            "{arguments:?}: {}",
            run.stderr
        );
        let json = context.ask(&[arguments, &["--json"]].concat())?;
        assert_eq!(json.at("/error/code")?, code, "{arguments:?}");
        assert_eq!(json.at("/error/exit")?, exit, "{arguments:?}");
    }
    Ok(())
}

/// Settings that cannot be used: `CORE`, `BAD` and `INDEX` stand for what is there.
const SETTINGS: [(&str, &str, i32); 7] = [
    ("--index INDEX", "core.not-found", 2),
    ("--index INDEX --core nowhere", "core.not-found", 2),
    ("--index INDEX --core BAD", "core.invalid", 1),
    ("--index ftp://index.example/ --core CORE", "config.invalid", 1),
    (
        "--index INDEX --core CORE --python nowhere",
        "target.not-found",
        4,
    ),
    (
        "--index INDEX --core CORE --platform moon-x",
        "target.unsupported",
        2,
    ),
    ("--index INDEX --core CORE --core-extra x!", "name.invalid", 1),
];

#[test]
fn settings_that_cannot_be_used_are_said_with_a_code() -> Result<(), Fault> {
    let context = context()?;
    context.write("bad/pyproject.toml", "[project]\nname = \"hermes-agent\"\n")?;
    let (core, bad) = (context.path("core"), context.path("bad"));
    for (line, code, exit) in SETTINGS {
        let line = line
            .replace("INDEX", &context.server().url())
            .replace("CORE", &core.display().to_string())
            .replace("BAD", &bad.display().to_string());
        let mut arguments: Vec<&str> = ["union", "--json"].into_iter().chain(line.split(' ')).collect();
        if !line.contains("--python ") {
            arguments.extend(["--python-version", "3.12"]);
        }
        let run = context.run(&arguments)?;
        assert_eq!(run.at("/error/code")?, code, "{arguments:?}");
        assert_eq!(run.code, Some(exit), "{arguments:?}");
    }
    Ok(())
}

/// A mistyped folder must not make a check green for ever.
#[test]
fn a_folder_that_is_no_plugin_is_not_a_plugin_without_dependencies() -> Result<(), Fault> {
    let context = context()?;
    context.write("empty/README.md", "nothing here\n")?;
    let empty = context.path("empty").display().to_string();
    let run = context.ask(&["check", &empty, "--json"])?;
    assert_eq!(
        (run.code, run.at("/error/code")?),
        (Some(1), serde_json::json!("plugin.not-found"))
    );
    context.write("bare/__init__.py", "")?;
    let bare = context.path("bare").display().to_string();
    let run = context.ask(&["check", &bare, "--json"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(0), serde_json::json!("no-surface"))
    );
    Ok(())
}
