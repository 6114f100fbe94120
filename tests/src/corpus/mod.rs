//! The corpus runner: plans every real plugin of the corpus with the real program against a real index,
//! alone and one after another, and compares with the recorded answers.
//!
//! A program and not a test: it needs the network (or a warm cache). Its own arguments go to the
//! program as they are, such as `--index URL`.

mod program;
mod recorded;
mod table;
mod union;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Fault;
use crate::context::manifest;
use crate::shared::shared;

use program::{Answer, Program};
use recorded::{Corpus, Expected, Plugin};
use table::Row;

/// Where the corpus lies in the shared data.
const CORPUS: &str = "corpus/real-plugins-wheels-only.json";

/// The share of packages of the union that must equal the recorded ones, in percent.
const REQUIRED_SHARE: usize = 97;

/// Runs the whole corpus and writes the table; true when every answer is the recorded one.
pub fn run(arguments: &[String], out: &mut dyn Write) -> Result<bool, Fault> {
    let corpus = Corpus::read(&shared(CORPUS)?)?;
    let mut runner = Runner::new(&corpus, arguments)?;
    let mut rows = Vec::new();
    for plugin in &corpus.plugins {
        let row = runner.plugin(plugin)?;
        writeln!(out, "{row}")?;
        rows.push(row);
    }
    let wrong: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.wrong.iter().map(String::as_str))
        .collect();
    writeln!(
        out,
        "\n{} of {} plugins as recorded",
        rows.iter().filter(|row| row.wrong.is_empty()).count(),
        rows.len()
    )?;
    for line in &wrong {
        writeln!(out, "  {line}")?;
    }
    let good = runner.union(out)?;
    Ok(wrong.is_empty() && good)
}

struct Runner<'c> {
    corpus: &'c Corpus,
    program: Program,
    folder: TempDir,
    members: Vec<&'c Plugin>,
}

impl<'c> Runner<'c> {
    fn new(corpus: &'c Corpus, arguments: &[String]) -> Result<Self, Fault> {
        let folder = tempfile::Builder::new().prefix("hermes-pm-corpus-").tempdir()?;
        let runner = Self {
            corpus,
            program: Program::find(corpus, arguments)?,
            folder,
            members: Vec::new(),
        };
        configure(&runner.home("alone"), &[])?;
        configure(&runner.home("sequence"), &[])?;
        for plugin in &corpus.plugins {
            let root = runner.candidate(plugin);
            fs::create_dir_all(&root)?;
            fs::write(
                root.join("plugin.yaml"),
                manifest(&plugin.name, &plugin.dependencies)?,
            )?;
        }
        Ok(runner)
    }

    fn home(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn candidate(&self, plugin: &Plugin) -> PathBuf {
        self.folder.path().join("candidates").join(&plugin.name)
    }

    /// One plugin: alone, then after all before it; it stays when it is admitted.
    fn plugin(&mut self, plugin: &'c Plugin) -> Result<Row, Fault> {
        let root = self.candidate(plugin);
        let alone = self.program.plan(&root, &self.home("alone"))?;
        let after = self.program.plan(&root, &self.home("sequence"))?;
        let mut wrong = judge(plugin, "alone", &plugin.expected_alone(), &alone);
        wrong.extend(judge(
            plugin,
            "in sequence",
            &plugin.expected_in_sequence(),
            &after,
        ));
        if after.verdict == "admitted" {
            self.admit(plugin)?;
        }
        Ok(Row::new(plugin, &alone, &after, wrong))
    }

    fn admit(&mut self, plugin: &'c Plugin) -> Result<(), Fault> {
        let home = self.home("sequence");
        let place = home.join("plugins").join(&plugin.name);
        fs::create_dir_all(&place)?;
        fs::copy(
            self.candidate(plugin).join("plugin.yaml"),
            place.join("plugin.yaml"),
        )?;
        self.members.push(plugin);
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        configure(&home, &names)
    }

    /// The union of everything that was admitted.
    fn union(&self, out: &mut dyn Write) -> Result<bool, Fault> {
        let answer = self.program.union(&self.home("sequence"))?;
        let compared = union::compare(&answer, &self.corpus.union.resolved);
        writeln!(
            out,
            "\nunion of {} members: {}",
            self.members.len(),
            answer.verdict
        )?;
        writeln!(out, "{compared}")?;
        let invalid = union::check(self.corpus, &self.members, &answer)?;
        for line in &invalid {
            writeln!(out, "  invalid: {line}")?;
        }
        writeln!(
            out,
            "checked independently: {}",
            if invalid.is_empty() { "valid" } else { "NOT VALID" }
        )?;
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        let same_members = names == self.corpus.union.members;
        if !same_members {
            writeln!(
                out,
                "members: {names:?}, recorded: {:?}",
                self.corpus.union.members
            )?;
        }
        Ok(same_members && invalid.is_empty() && compared.share() >= REQUIRED_SHARE)
    }
}

/// Writes the configuration of a home.
fn configure(home: &Path, enabled: &[&str]) -> Result<(), Fault> {
    fs::create_dir_all(home)?;
    let list = serde_json::to_string(enabled)?;
    Ok(fs::write(
        home.join("config.yaml"),
        format!("plugins:\n  enabled: {list}\n"),
    )?)
}

/// What of an answer is not as recorded.
fn judge(plugin: &Plugin, when: &str, expected: &Expected, answer: &Answer) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut note = |what: String| wrong.push(format!("{} {when}: {what}", plugin.name));
    if answer.verdict != expected.verdict {
        note(format!(
            "{} instead of {}: {}",
            answer.verdict, expected.verdict, answer.summary
        ));
    }
    if expected.code.is_some_and(|code| code != answer.code) {
        note(format!(
            "code {} instead of {}",
            answer.code,
            expected.code.unwrap_or_default()
        ));
    }
    for name in &expected.named {
        if !answer.refusal.contains(name.as_str()) {
            note(format!("the refusal does not name {name}"));
        }
    }
    if !expected.conflict.is_empty() && answer.conflict != expected.conflict {
        note(format!(
            "conflict {:?} instead of {:?}",
            answer.conflict, expected.conflict
        ));
    }
    wrong
}
