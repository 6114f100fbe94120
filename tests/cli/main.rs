//! The program as people and other programs meet it.

#![allow(missing_docs)]

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use hermes_pm_tests::fake_index::Universe;

mod blocked;
mod determinism;
mod output;
mod records;
mod usage;
mod verdicts;

const BINARY: &str = env!("CARGO_BIN_EXE_hermes-pm-under-test");

/// An index on which two plugins can clash: `proto` has two majors, `grpc` needs the new one.
const INDEX: &str = r#"
[packages.proto.versions."5.0"]
[packages.proto.versions."6.0"]
[packages.grpc.versions."1.0"]
requires = ["proto>=6"]
[packages.plain.versions."1.0"]
[packages.plain.versions."2.0"]
[packages.source.versions."1.0"]
wheel = false
"#;

/// A context around that index, with a core that requires `plain`.
fn context() -> Result<TestContext, Fault> {
    let universe: Universe = toml::from_str(INDEX)?;
    let context = TestContext::new(BINARY, &universe)?;
    context.core("0.19.0", &["plain>=1"])?;
    Ok(context)
}
