//! One run of the program and what came of it.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

use super::TestContext;
use crate::Fault;

/// No run of a test takes longer.
const LIMIT: Duration = Duration::from_mins(1);

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output, filtered.
    pub stdout: String,
    /// Standard error, filtered.
    pub stderr: String,
    /// Standard output as it was.
    raw: String,
}

pub(super) fn run(context: &TestContext, binary: &Path, arguments: &[&str]) -> Result<Run, Fault> {
    let output = Command::new(binary)
        .args(arguments)
        .env_clear()
        .env("HOME", context.path("user"))
        .env("HERMES_HOME", context.home())
        .env("HERMES_PM_CACHE", context.path("cache"))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("NO_COLOR", "1")
        .current_dir(context.path("work"))
        .timeout(LIMIT)
        .output()
        .map_err(|error| Fault::from(error).at(binary.display()))?;
    let raw = String::from_utf8(output.stdout)?;
    Ok(Run {
        code: output.status.code(),
        stdout: context.filtered(&raw),
        stderr: context.filtered(&String::from_utf8_lossy(&output.stderr)),
        raw,
    })
}

impl Run {
    /// Standard output as JSON.
    pub fn json(&self) -> Result<Value, Fault> {
        serde_json::from_str(&self.raw).map_err(|error| {
            Fault::new(format_args!(
                "{error}; output: {}; talk: {}",
                self.stdout, self.stderr
            ))
        })
    }

    /// A value of the JSON by its pointer (RFC 6901); absent ones are null.
    pub fn at(&self, pointer: &str) -> Result<Value, Fault> {
        Ok(self.json()?.pointer(pointer).cloned().unwrap_or(Value::Null))
    }
}
