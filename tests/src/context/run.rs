//! One run of the program and what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

use super::TestContext;
use crate::Fault;

/// No run of a test takes longer.
const LIMIT: Duration = Duration::from_mins(1);

/// A run before it starts: what of the surroundings is other than usual.
#[derive(Debug, Clone)]
pub struct Call<'c> {
    context: &'c TestContext,
    variables: Vec<(&'static str, OsString)>,
    folder: PathBuf,
}

impl<'c> Call<'c> {
    pub(super) fn new(context: &'c TestContext) -> Self {
        Self {
            context,
            variables: Vec::new(),
            folder: context.path("work"),
        }
    }

    /// With a variable.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// In another working directory.
    #[must_use]
    pub fn within(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// Runs the program with nothing but these arguments.
    pub fn run(&self, arguments: &[&str]) -> Result<Run, Fault> {
        let context = self.context;
        let output = Command::new(&context.binary)
            .args(arguments)
            .env_clear()
            .env("HOME", context.path("user"))
            .env("HERMES_HOME", context.home())
            .env("HERMES_PM_CACHE", context.path("cache"))
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("NO_COLOR", "1")
            .envs(self.variables.iter().cloned())
            .current_dir(&self.folder)
            .timeout(LIMIT)
            .output()
            .map_err(|error| Fault::from(error).at(context.binary.display()))?;
        let raw = String::from_utf8(output.stdout)?;
        Ok(Run {
            code: output.status.code(),
            stdout: context.filtered(&raw),
            stderr: context.filtered(&String::from_utf8_lossy(&output.stderr)),
            raw,
        })
    }

    /// Runs the program with these arguments, for the usual core, target and index.
    pub fn ask(&self, arguments: &[&str]) -> Result<Run, Fault> {
        let (core, url) = (
            self.context.path("core").display().to_string(),
            self.context.server().url(),
        );
        self.run(&[arguments, &["--core", &core, "--index", &url], STATED].concat())
    }
}

/// The usual target.
const STATED: &[&str] = &["--python-version", "3.12", "--platform", "x86_64-linux"];

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

    /// The text of the member `decision`, byte by byte as it was printed.
    pub fn decision(&self) -> Result<&str, Fault> {
        let start = self.raw.find("\n  \"decision\": {");
        let rest = start.and_then(|at| self.raw.get(at..));
        // Members of the outermost object are indented by two blanks.
        let end = rest.and_then(|rest| rest.find("\n  }"));
        match (rest, end) {
            (Some(rest), Some(end)) => Ok(rest.get(..end).unwrap_or_default()),
            _ => Err(Fault::new(format_args!(
                "no decision: {}{}",
                self.raw, self.stderr
            ))),
        }
    }
}
