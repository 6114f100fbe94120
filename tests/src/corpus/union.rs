//! The union of everything that was admitted: compared with the recorded one, and checked against the
//! index without trusting the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use hermes_admission::{Problem, Provided, Root};
use hermes_pep::{PackageName, Version};

use super::program::Answer;
use super::recorded::{Corpus, Plugin};
use crate::checker::{Pick, check_picks};
use crate::live::LiveIndex;
use crate::{Fault, problem};

/// Our union beside the recorded one.
#[derive(Debug)]
pub(super) struct Compared {
    same: usize,
    recorded: usize,
    differences: Vec<String>,
}

impl Compared {
    /// The share of recorded packages that are the same, in percent, rounded down.
    pub(super) fn share(&self) -> usize {
        self.same * 100 / self.recorded.max(1)
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} packages equal ({} %)",
            self.same,
            self.recorded,
            self.share()
        )?;
        self.differences
            .iter()
            .try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// Compares versions package by package.
pub(super) fn compare(answer: &Answer, recorded: &BTreeMap<String, String>) -> Compared {
    let names: BTreeSet<&String> = answer.resolution.keys().chain(recorded.keys()).collect();
    let mut compared = Compared {
        same: 0,
        recorded: recorded.len(),
        differences: Vec::new(),
    };
    for name in names {
        let ours = answer.resolution.get(name).map(|(version, _)| version);
        let theirs = recorded.get(name);
        if ours == theirs {
            compared.same += 1;
            continue;
        }
        let show = |version: Option<&String>| version.map_or("absent", String::as_str).to_owned();
        compared
            .differences
            .push(format!("{name}: {}, recorded {}", show(ours), show(theirs)));
    }
    compared
}

/// Everything that is wrong with the union's resolution, by the independent checker.
pub(super) fn check(corpus: &Corpus, members: &[&Plugin], answer: &Answer) -> Result<Vec<String>, Fault> {
    let problem = question(corpus, members)?;
    let index = LiveIndex::new(&answer.indexes, &problem)?;
    let mut picks = BTreeMap::new();
    for (name, (version, filename)) in &answer.resolution {
        let pick = Pick {
            version: Version::parse(version)?,
            filename: filename.clone(),
        };
        picks.insert(PackageName::parse(name)?, pick);
    }
    Ok(check_picks(&problem, &index, &picks))
}

fn question(corpus: &Corpus, members: &[&Plugin]) -> Result<Problem, Fault> {
    let core = &corpus.core;
    let mut roots: Vec<Root> = vec![problem::root(
        "core",
        &core.dependencies,
        Some(&core.requires_python),
    )?];
    for member in members {
        roots.push(problem::root(&member.name, &member.dependencies, None)?);
    }
    let mut problem = problem::plain(roots, problem::target(&corpus.python, &corpus.platform)?);
    problem.policy.exclude_newer = Some(corpus.cutoff.clone());
    let provided = Provided {
        version: Version::parse(&core.version)?,
        extras: BTreeMap::new(),
    };
    problem.provided.insert(PackageName::parse(&core.name)?, provided);
    Ok(problem)
}
