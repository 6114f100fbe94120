//! Bad input, from files and from the network: the named code, a message that says which file and what
//! to do, the documented exit code, and nothing written but the receipt.

#![allow(missing_docs)]

mod declarations;
mod homes;
mod indexes;
mod interpreters;
mod names;
mod secrets;

use std::time::{Duration, Instant};

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::{Run, TestContext};
use hermes_pm_tests::fake_index::Universe;
use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_hermes-pm-under-test");

/// Refusing bad input takes no longer, on a slow and busy machine.
const SOON: Duration = Duration::from_secs(20);

/// An index with one package, and a core that needs nothing.
fn context() -> Result<TestContext, Fault> {
    let universe: Universe = toml::from_str("[packages.plain.versions.\"1.0\"]\n")?;
    let context = TestContext::new(BINARY, &universe)?;
    context.core("0.19.0", &[])?;
    Ok(context)
}

/// Asks, as text and as JSON; fails when it takes long or when anything but receipts was written.
fn asked(context: &TestContext, arguments: &[&str]) -> Result<(Run, Run), Fault> {
    let before = context.listing()?;
    let start = Instant::now();
    let text = context.ask(arguments)?;
    let json = context.ask(&[arguments, &["--json"]].concat())?;
    let what = format!("{arguments:?}");
    if start.elapsed() > SOON {
        return Err(Fault::new(format_args!("took {:?}", start.elapsed())).at(what));
    }
    context
        .unchanged_since(&before)
        .map_err(|fault| fault.at(&what))?;
    if text.code != json.code {
        return Err(Fault::new("as text and as JSON it ends differently").at(what));
    }
    Ok((text, json))
}

/// The codes of a refusal's faults.
fn codes(run: &Run) -> Result<Vec<String>, Fault> {
    let faults = run.at("/decision/refusal/faults")?;
    let all = faults.as_array().into_iter().flatten();
    Ok(all
        .filter_map(|fault| fault.get("code").and_then(Value::as_str))
        .map(str::to_owned)
        .collect())
}
