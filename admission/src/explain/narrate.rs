//! Words for facts. Plugins and core are called by name, ranges are shown against the versions that
//! exist, and nothing is claimed that was not looked up.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::{PackageName, Version, VersionRange, show_range};
use pubgrub::Term;

use super::graph::Fact;
use super::proof::Premise;
use crate::facts::Facts;
use crate::node::{Node, Owner};
use crate::problem::{Problem, Root, RootRequirement};
use crate::python::{Candidate, Candidates, Obstacle};

/// The most groups of unusable versions that are told of one package.
const MAX_GROUPS: usize = 4;

/// The most parts of a range that are all told.
const MAX_PARTS: usize = 12;

/// The parts that are told of a range with more.
const TOLD_PARTS: usize = 3;

/// Tells facts of one problem.
pub(crate) struct Narrator<'a> {
    problem: &'a Problem,
    facts: &'a Facts,
}

impl<'a> Narrator<'a> {
    pub(crate) fn new(problem: &'a Problem, facts: &'a Facts) -> Self {
        Self { problem, facts }
    }

    /// A fact as a premise; what goes without saying is left out.
    pub(crate) fn premise(&self, fact: &Fact) -> Option<Premise> {
        match fact {
            Fact::Wanted | Fact::Requires(Node::Union, ..) | Fact::Derived(..) => None,
            Fact::Requires(Node::Owner(owner), _, to, range) => Some(self.declared(owner, to, range)),
            // An extra follows its package by definition.
            Fact::Requires(Node::Extra(from, _), _, Node::Package(to), _) if from == to => None,
            Fact::Requires(from, range, to, needed) => Some(self.required(from, range, to, needed)),
            Fact::NoVersions(node, range) => Some(self.missing(node, range)),
            Fact::Unusable(node, range, reason) => Some(Premise {
                kind: "unusable",
                text: format!("{} cannot be used: {reason}", self.subject(node, range)),
                package: node.package().map(ToString::to_string),
                range: Some(self.shown(node, range)),
                ..Premise::default()
            }),
        }
    }

    /// What a derived fact says.
    pub(crate) fn conclusion(&self, fact: &Fact) -> String {
        let Fact::Derived(terms, ..) = fact else {
            return self.premise(fact).map(|premise| premise.text).unwrap_or_default();
        };
        let said = terms.iter().filter(|(node, _)| !matches!(node, Node::Union));
        let (mut holds, mut needs) = (Vec::new(), Vec::new());
        for (node, term) in said {
            match term {
                Term::Positive(range) => holds.push(self.subject(node, range)),
                Term::Negative(range) => needs.push(self.subject(node, range)),
            }
        }
        match (holds.as_slice(), needs.as_slice()) {
            ([], []) => "the requirements cannot all be met".into(),
            ([one], []) => format!("{one} cannot be used"),
            ([one, two], []) => format!("{one} and {two} cannot go together"),
            (many, []) => format!("{} cannot all go together", list(many, "and")),
            ([], needed) => format!("{} is needed", list(needed, "or")),
            (held, needed) => format!(
                "{} {} {}",
                list(held, "with"),
                if held.len() == 1 { "needs" } else { "need" },
                list(needed, "or")
            ),
        }
    }

    fn declared(&self, owner: &Owner, to: &Node, range: &VersionRange) -> Premise {
        let root = self.problem.roots.get(owner.index);
        let lines = root.map(|root| declarations(root, to)).unwrap_or_default();
        let first = lines.first();
        let verb = if root.is_some_and(|root| root.is_core) && *to != Node::Python {
            "pins"
        } else {
            "requires"
        };
        let what = match (to, lines.as_slice()) {
            (Node::Python, _) => format!("Python {}", short(range)),
            (_, []) => self.subject(to, range),
            (_, lines) => lines
                .iter()
                .map(|line| strip_marker(&line.text))
                .collect::<Vec<_>>()
                .join(" and "),
        };
        Premise {
            kind: "requires",
            text: format!("{} {verb} {what}", self.owner(owner)),
            root: Some(owner.id.to_string()),
            file: first.map(|line| line.file.clone()),
            line: first.map(|line| line.line).filter(|line| *line > 0),
            package: to.package().map(ToString::to_string),
            range: Some(short(range)),
            ..Premise::default()
        }
    }

    fn required(&self, from: &Node, range: &VersionRange, to: &Node, needed: &VersionRange) -> Premise {
        Premise {
            kind: "requires",
            text: format!(
                "{} requires {}",
                self.subject(from, range),
                self.target(to, needed)
            ),
            package: to.package().map(ToString::to_string),
            range: Some(short(needed)),
            ..Premise::default()
        }
    }

    fn missing(&self, node: &Node, range: &VersionRange) -> Premise {
        Premise {
            kind: "no-version",
            text: self.why_missing(node, range),
            package: node.package().map(ToString::to_string),
            range: Some(self.shown(node, range)),
            ..Premise::default()
        }
    }

    fn why_missing(&self, node: &Node, range: &VersionRange) -> String {
        if matches!(node, Node::Python) {
            return format!("the target's Python is {}", self.problem.target.python());
        }
        let Some(package) = node.package() else {
            return format!("{node} is not there");
        };
        if let Some(provided) = self.problem.provided.get(package) {
            return format!("Hermes core is at version {}", provided.version);
        }
        match self.facts.candidates(package) {
            None => format!("no version of {package} {} was found", short(range)),
            Some(candidates) if !candidates.is_known() => format!("no index knows a package named {package}"),
            Some(candidates) => unusable_versions(package, candidates, range),
        }
    }

    /// A node with a range as the subject of a sentence.
    fn subject(&self, node: &Node, range: &VersionRange) -> String {
        match node {
            Node::Union => "the union".into(),
            Node::Owner(owner) => self.owner(owner),
            Node::Python | Node::Package(_) | Node::Extra(..) => {
                let shown = self.shown(node, range);
                if shown == "any version" {
                    format!("every version of {node}")
                } else {
                    format!("{node} {shown}")
                }
            }
        }
    }

    /// A node with the range that somebody requires, as it was written.
    fn target(&self, node: &Node, range: &VersionRange) -> String {
        match short(range) {
            shown if shown == "any version" => self.subject(node, range),
            shown => format!("{node} {shown}"),
        }
    }

    fn owner(&self, owner: &Owner) -> String {
        let core = self
            .problem
            .roots
            .get(owner.index)
            .is_some_and(|root| root.is_core);
        if core {
            "Hermes core".into()
        } else {
            format!("plugin {}", owner.id)
        }
    }

    /// A range against the versions that exist, which makes it short.
    fn shown(&self, node: &Node, range: &VersionRange) -> String {
        let known = node.package().and_then(|package| self.facts.candidates(package));
        let Some(known) = known else {
            return short(range);
        };
        let late =
            |candidate: &&Candidate| matches!(candidate.file, Err(Obstacle::TooNew)) && !self.facts.with_late;
        let versions: Vec<&Version> = known
            .iter()
            .filter(|c| !late(c))
            .map(|candidate| &candidate.version)
            .collect();
        short(&range.simplify(versions.into_iter()))
    }
}

/// A range in words; of one with very many parts the first ones.
fn short(range: &VersionRange) -> String {
    let many = range.iter().count();
    if many <= MAX_PARTS {
        return show_range(range);
    }
    let parts = range.iter().take(TOLD_PARTS);
    let first: VersionRange = parts.map(|(low, high)| (low.clone(), high.clone())).collect();
    format!("{} or … ({many} ranges)", show_range(&first))
}

/// The requirements of a root that concern a node.
fn declarations<'r>(root: &'r Root, node: &Node) -> Vec<&'r RootRequirement> {
    let concerns = |declared: &&RootRequirement| match node {
        Node::Package(name) => declared.requirement.name == *name,
        Node::Extra(name, extra) => {
            declared.requirement.name == *name && declared.requirement.extras.contains(extra)
        }
        _ => false,
    };
    root.requirements.iter().filter(concerns).collect()
}

fn strip_marker(text: &str) -> &str {
    text.split(';').next().unwrap_or(text).trim()
}

/// Why no version of a range will do: groups of versions by obstacle.
fn unusable_versions(package: &PackageName, candidates: &Candidates, range: &VersionRange) -> String {
    let mut groups: BTreeMap<u8, (Obstacle, Vec<&Version>)> = BTreeMap::new();
    for candidate in candidates
        .iter()
        .filter(|candidate| range.contains(&candidate.version))
    {
        if let Err(obstacle) = &candidate.file {
            let (_, versions) = groups
                .entry(obstacle.weight())
                .or_insert_with(|| (obstacle.clone(), Vec::new()));
            versions.push(&candidate.version);
        }
    }
    if groups.is_empty() {
        let newest = candidates
            .iter()
            .next_back()
            .map(|newest| format!("; the newest is {}", newest.version));
        let newest = newest.unwrap_or_default();
        return format!("there is no version of {package} {}{newest}", short(range));
    }
    let told = groups.values().take(MAX_GROUPS).map(|(obstacle, versions)| {
        format!(
            "{package} {} {}",
            span(versions),
            obstacle.phrase(versions.len() > 1)
        )
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Versions in short: all of a few, otherwise the first, the last and how many.
fn span(versions: &[&Version]) -> String {
    match versions {
        [] => String::new(),
        [first, .., last] if versions.len() > 3 => format!("{first} … {last} ({} versions)", versions.len()),
        few => few.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn list(items: &[String], joint: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {joint} {last}", first.join(", ")),
    }
}
