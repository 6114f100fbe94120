//! The real program: where it is, how it is asked, what it answers.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::recorded::Corpus;
use crate::Fault;

/// The program with the arguments of every call.
#[derive(Debug)]
pub(super) struct Program {
    binary: PathBuf,
    usual: Vec<String>,
}

/// What a receipt says.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: String,
    pub(super) code: String,
    pub(super) summary: String,
    /// The refusal as text: whatever it names is in it.
    pub(super) refusal: String,
    pub(super) conflict: Vec<String>,
    /// Version and file by package.
    pub(super) resolution: BTreeMap<String, (String, String)>,
    /// The addresses of the indexes.
    pub(super) indexes: Vec<String>,
    pub(super) took: Duration,
}

impl Program {
    /// `HERMES_PM_BIN`, else the program beside this one.
    pub(super) fn find(corpus: &Corpus, arguments: &[String]) -> Result<Self, Fault> {
        let binary = match env::var_os("HERMES_PM_BIN") {
            Some(path) => PathBuf::from(path),
            None => env::current_exe()?.with_file_name(format!("hermes-pm{}", env::consts::EXE_SUFFIX)),
        };
        if !binary.is_file() {
            return Err(Fault::new(format_args!(
                "{} does not exist: build it with `cargo build --release`, or set HERMES_PM_BIN",
                binary.display()
            )));
        }
        let core = format!("{}=={}", corpus.core.name, corpus.core.version);
        let own = [
            ["--core", core.as_str()],
            ["--python-version", &corpus.python],
            ["--platform", &corpus.platform],
            ["--exclude-newer", &corpus.cutoff],
        ];
        let usual = own
            .concat()
            .into_iter()
            .map(str::to_owned)
            .chain(arguments.iter().cloned())
            .collect();
        Ok(Self { binary, usual })
    }

    /// `plan` of a plugin root.
    pub(super) fn plan(&self, root: &Path, home: &Path) -> Result<Answer, Fault> {
        self.ask(Command::new(&self.binary).arg("plan").arg(root), home)
    }

    /// `union` of a home.
    pub(super) fn union(&self, home: &Path) -> Result<Answer, Fault> {
        self.ask(Command::new(&self.binary).arg("union"), home)
    }

    fn ask(&self, command: &mut Command, home: &Path) -> Result<Answer, Fault> {
        let begun = Instant::now();
        let output = command
            .args(&self.usual)
            .args(["--json", "--home"])
            .arg(home)
            .output()?;
        let took = begun.elapsed();
        let receipt: Value = serde_json::from_slice(&output.stdout).map_err(|_| junk(&output))?;
        if receipt.pointer("/decision/verdict").is_none() {
            return Err(junk(&output));
        }
        Ok(Answer::read(&receipt, took))
    }
}

/// An answer that is no receipt: the machine or the usage is wrong, and going on is no use.
fn junk(output: &Output) -> Fault {
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .chars()
            .take(2_000)
            .collect::<String>()
    };
    Fault::new(format_args!(
        "no receipt ({}): {} {}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    ))
}

impl Answer {
    fn read(receipt: &Value, took: Duration) -> Self {
        let text = |pointer: &str| {
            receipt
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let list = |pointer: &str| {
            receipt
                .pointer(pointer)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let field = |value: &Value, name: &str| {
            value
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let resolution = list("/decision/resolution");
        let indexes = list("/decision/inputs/indexes");
        Self {
            verdict: text("/decision/verdict"),
            code: text("/decision/refusal/code"),
            summary: text("/decision/refusal/summary"),
            refusal: receipt
                .pointer("/decision/refusal")
                .map(Value::to_string)
                .unwrap_or_default(),
            conflict: list("/decision/refusal/conflict")
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            resolution: resolution
                .iter()
                .map(|entry| {
                    (
                        field(entry, "name"),
                        (field(entry, "version"), field(entry, "filename")),
                    )
                })
                .collect(),
            indexes: indexes.iter().map(|entry| field(entry, "url")).collect(),
            took,
        }
    }
}
