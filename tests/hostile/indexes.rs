//! 1.E: an index that refuses, breaks off, or says something else. Nothing is concluded from that (C12).

use std::time::Duration;

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use hermes_pm_tests::fake_index::Universe;
use hermes_pm_tests::server::{Answer, Server};
use serde_json::json;

use crate::{BINARY, asked, context};

const PAGE: &str = "application/vnd.pypi.simple.v1+json";

const FORM: &[u8] = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action=\"/login\"><input name=\"user\"></form></body></html>";

fn around(answer: Answer) -> Result<TestContext, Fault> {
    let server = Server::start_with(&Universe::default(), [("/simple/plain/", answer)])?;
    let context = TestContext::with_server(BINARY, server)?;
    context.core("0.19.0", &[])?;
    context.member("new", &["plain"])?;
    Ok(context)
}

#[test]
fn c12_an_index_that_misbehaves_leaves_it_undecided() -> Result<(), Fault> {
    let status = |status| Answer::Whole(status, "text/plain", b"no".to_vec());
    let table = [
        ("401", status(401), "index.unauthorized"),
        ("403", status(403), "index.unauthorized"),
        ("500", status(500), "index.unavailable"),
        (
            "login page",
            Answer::Whole(200, "text/html", FORM.to_vec()),
            "index.malformed",
        ),
        (
            "other type",
            Answer::Whole(200, "image/png", FORM.to_vec()),
            "index.malformed",
        ),
        (
            "half a body",
            Answer::Cut(4_000, b"{\"meta\": {".to_vec()),
            "net.truncated",
        ),
        (
            "half a page",
            Answer::Whole(200, PAGE, b"{\"meta\": {".to_vec()),
            "index.malformed",
        ),
        (
            "deep",
            Answer::Whole(200, PAGE, "[".repeat(200_000).into_bytes()),
            "index.malformed",
        ),
        (
            "no HTTP",
            Answer::Raw(b"220 mail.example ready\r\n".to_vec()),
            "index.unavailable",
        ),
        ("nothing", Answer::Silence(Duration::ZERO), "index.unavailable"),
    ];
    for (what, answer, code) in table {
        let context = around(answer)?;
        let (text, json) = asked(&context, &["plan", "new"]).map_err(|fault| fault.at(what))?;
        assert_eq!(
            (json.code, json.at("/decision/verdict")?),
            (Some(3), json!("undecided")),
            "{what}"
        );
        assert_eq!(json.at("/decision/refusal/code")?, code, "{what}");
        assert_eq!(json.at("/outcome")?, "failed", "{what}");
        assert!(
            text.stdout.contains("[INDEX]/simple/plain/"),
            "{what} tells what was asked: {}",
            text.stdout
        );
        assert!(
            text.stdout.contains("hermes-pm plan new"),
            "{what}: {}",
            text.stdout
        );
        assert_eq!(json.at("/sequence")?, 2, "{what}: a receipt for each");
    }
    Ok(())
}

/// E05: only "not found" is an answer: then the package does not exist.
#[test]
fn c12_an_index_that_knows_nothing_is_an_answer() -> Result<(), Fault> {
    let context = around(Answer::Whole(404, "text/plain", Vec::new()))?;
    let (text, json) = asked(&context, &["plan", "new"])?;
    assert_eq!(
        (json.code, json.at("/decision/verdict")?),
        (Some(1), json!("unsatisfiable"))
    );
    assert_eq!(json.at("/decision/refusal/code")?, "union.no-such-package");
    assert_eq!(json.at("/decision/refusal/conflict")?, json!(["new"]));
    assert!(text.stdout.contains("plain"), "{}", text.stdout);
    Ok(())
}

/// An index where nobody listens, and one that never answers within the caller's time.
#[test]
fn c34_nobody_waits_for_ever() -> Result<(), Fault> {
    let context = context()?;
    context.member("new", &["plain"])?;
    let core = context.path("core").display().to_string();
    let run = context.run(&[
        "plan",
        "new",
        "--json",
        "--core",
        &core,
        "--python-version",
        "3.12",
        "--index",
        // Nobody listens on port 1, which only root may open.
        "http://127.0.0.1:1/simple/",
    ])?;
    assert_eq!(
        (run.code, run.at("/decision/refusal/code")?),
        (Some(3), json!("index.unavailable"))
    );
    let silent = around(Answer::Silence(Duration::from_secs(20)))?;
    let run = silent.ask(&["plan", "new", "--json", "--deadline", "1"])?;
    assert_eq!(
        (run.code, run.at("/decision/verdict")?),
        (Some(3), json!("undecided"))
    );
    let told = run.at("/decision/refusal/code")?;
    assert!(
        ["net.timeout", "resolve.deadline"].contains(&told.as_str().unwrap_or_default()),
        "{told}"
    );
    Ok(())
}

/// No index is written in the program: with none configured, and no pip to ask, that is said.
#[test]
fn without_any_index_it_says_what_to_configure() -> Result<(), Fault> {
    if option_env!("HERMES_PM_DEFAULT_INDEX").is_some() {
        return Ok(());
    }
    let context = context()?;
    let core = context.path("core").display().to_string();
    let arguments = [
        "union",
        "--json",
        "--core",
        &core,
        "--python-version",
        "3.12",
        "--platform",
        "x86_64-linux",
    ];
    let run = context.call().env("PATH", context.path("work")).run(&arguments)?;
    assert_eq!(
        (run.code, run.at("/error/code")?),
        (Some(3), json!("index.not-configured"))
    );
    let help = run.at("/error/help")?;
    assert!(
        help.as_str()
            .is_some_and(|help| help.contains("--index") && help.contains("PIP_INDEX_URL"))
    );
    Ok(())
}

/// E05: several indexes: a name belongs to the first that knows it, and a failing one hides nothing.
#[test]
fn e05_a_failing_index_is_not_stepped_over() -> Result<(), Fault> {
    let second = context()?;
    let other = second.server().url();
    for (status, verdict, exit) in [(401, "undecided", 3), (500, "undecided", 3), (404, "admitted", 0)] {
        let first = around(Answer::Whole(status, "text/plain", Vec::new()))?;
        let core = first.path("core").display().to_string();
        let run = first
            .call()
            .env("PIP_EXTRA_INDEX_URL", first.server().url())
            .env("PIP_INDEX_URL", &other)
            .run(&[
                "plan",
                "new",
                "--json",
                "--core",
                &core,
                "--python-version",
                "3.12",
            ])?;
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(exit), json!(verdict)),
            "{status}"
        );
    }
    Ok(())
}
