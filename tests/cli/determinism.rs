//! C10: the same inputs give the same decision, byte by byte, wherever and however the program runs.

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::{Run, TestContext};

use crate::context;

const PLUGINS: [(&str, &[&str]); 3] = [
    ("alpha", &["proto<6", "plain"]),
    ("beta", &["plain<2"]),
    ("gamma", &["proto"]),
];

/// A home whose plugins were made in an order.
fn home(context: &TestContext, at: &str, order: &[usize]) -> Result<String, Fault> {
    for index in order {
        if let Some((name, requires)) = PLUGINS.get(*index) {
            context.plugin(&format!("{at}/plugins/{name}"), name, requires)?;
        }
    }
    context.plugin(&format!("{at}/plugins/clash"), "clash", &["grpc", "plain"])?;
    context.plugin(&format!("{at}/plugins/fits"), "fits", &["proto", "plain"])?;
    context.write(
        format!("{at}/config.yaml"),
        "plugins:\n  enabled: [beta, alpha, gamma]\n",
    )?;
    Ok(context.path(at).display().to_string())
}

/// Same inputs; other order on disk, other locale, time zone, terminal, working directory and home.
#[test]
fn c10_a_decision_is_the_same_bytes_everywhere() -> Result<(), Fault> {
    let context = context()?;
    let first = home(&context, "home", &[0, 1, 2])?;
    let second = home(&context, "elsewhere/with blank/Heim-ä", &[2, 0, 1])?;
    let elsewhere = context.path("elsewhere");
    for candidate in ["clash", "fits"] {
        let arguments = ["plan", candidate, "--json"];
        let usual = context.ask(&arguments)?;
        let runs: [Run; 6] = [
            context.ask(&arguments)?,
            context.ask(&["plan", candidate, "--json", "--home", &second])?,
            context.ask(&["plan", candidate, "--json", "--refresh"])?,
            context
                .call()
                .env("LC_ALL", "tr_TR.UTF-8")
                .env("LANG", "tr_TR.UTF-8")
                .env("TZ", "Pacific/Chatham")
                .env("COLUMNS", "20")
                .ask(&arguments)?,
            context
                .call()
                .env("HERMES_HOME", &second)
                .within(&elsewhere)
                .ask(&arguments)?,
            context
                .call()
                .env("HERMES_HOME", &first)
                .env("HERMES_PM_CACHE", context.path("other-cache"))
                .env("PIP_NO_INDEX", "1")
                .env("UV_PRERELEASE", "allow")
                .env("PYTHONPATH", "/nowhere")
                .ask(&arguments)?,
        ];
        for (index, run) in runs.iter().enumerate() {
            assert_eq!(run.decision()?, usual.decision()?, "{candidate}, run {index}");
        }
        assert!(usual.decision()?.contains("\"digest\": \"sha256:"));
    }
    Ok(())
}

/// The cache changes how fast an answer comes, not what it is.
#[test]
fn c10_a_warm_cache_gives_the_same_without_the_network() -> Result<(), Fault> {
    let context = context()?;
    home(&context, "home", &[0, 1, 2])?;
    let cold = context.ask(&["plan", "fits", "--json"])?;
    let asked = context.server().requests().len();
    let warm = context.ask(&["plan", "fits", "--json", "--offline"])?;
    assert_eq!(cold.decision()?, warm.decision()?);
    assert_eq!(context.server().requests().len(), asked);
    Ok(())
}
