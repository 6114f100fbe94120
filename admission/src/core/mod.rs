//! Hermes core: its declared requirements, extras and locked versions (contract C9).
//!
//! Three sources become the same declaration: a folder with `pyproject.toml` (and `uv.lock`), the
//! metadata of a published version, a `pylock.toml` (PEP 751).

mod folder;
mod graph;
mod lock;
mod published;
mod pylock;
mod quarantine;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, PackageName, Requirement, Specifiers, Version};
use hermes_terms::Digest;

pub use folder::from_folder;
pub use published::from_metadata;
pub use pylock::from_pylock;
pub use quarantine::ExcludeNewer;

use self::graph::Graph;
use crate::normal::NormalForm;
use crate::problem::RootRequirement;

/// The package that core is.
pub const CORE_PACKAGE: &str = "hermes-agent";

/// What a core declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreDeclaration {
    /// The package.
    pub name: PackageName,
    /// The version.
    pub version: Version,
    /// The Python versions it runs on.
    pub requires_python: Option<Specifiers>,
    /// The requirements that always hold.
    pub requirements: Vec<RootRequirement>,
    /// The requirements of each extra.
    pub extras: BTreeMap<ExtraName, Vec<RootRequirement>>,
    /// The versions of core's lock.
    pub locked: BTreeMap<PackageName, Version>,
    /// What the locked packages need of each other.
    pub(crate) graph: Graph,
    /// The quarantine that core sets for itself and its plugins.
    pub exclude_newer: Option<ExcludeNewer>,
    /// Packages that core exempts from it.
    pub quarantine_exempt: Vec<PackageName>,
}

/// An extra that core does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Hermes core {version} has no extra `{extra}`")]
pub struct UnknownExtra {
    /// The extra.
    pub extra: ExtraName,
    /// Core's version.
    pub version: Version,
}

impl CoreDeclaration {
    /// What core requires with these extras enabled; with `pins_locked` its lock counts as well.
    /// Requirements of core on its own extras are followed.
    pub fn roots(
        &self,
        extras: &[ExtraName],
        pins_locked: bool,
    ) -> Result<Vec<RootRequirement>, UnknownExtra> {
        let mut all = self.requirements.clone();
        let mut waiting: Vec<ExtraName> = extras.iter().rev().cloned().collect();
        let mut seen: BTreeSet<ExtraName> = BTreeSet::new();
        while let Some(extra) = waiting.pop() {
            if !seen.insert(extra.clone()) {
                continue;
            }
            let Some(list) = self.extras.get(&extra) else {
                return Err(UnknownExtra {
                    extra,
                    version: self.version.clone(),
                });
            };
            for declared in list {
                if self.is_own_extra(&declared.requirement) {
                    waiting.extend(declared.requirement.extras.iter().cloned());
                } else {
                    all.push(declared.clone());
                }
            }
        }
        if pins_locked {
            let pins = self.pins(&all);
            all.extend(pins);
        }
        Ok(all)
    }

    /// A requirement of core on its own extras without further conditions, such as
    /// `hermes-agent[cron]`: it stands for what those extras require.
    fn is_own_extra(&self, requirement: &Requirement) -> bool {
        requirement.name == self.name
            && requirement.marker.is_none()
            && requirement.url.is_none()
            && requirement.specifiers.range().contains(&self.version)
    }

    /// The locked versions of what these requirements lead to, each under the conditions under which
    /// it is needed.
    fn pins(&self, roots: &[RootRequirement]) -> Vec<RootRequirement> {
        let mut pins = Vec::new();
        for (name, conditions) in self.graph.needed(roots) {
            let Some(version) = self.locked.get(&name) else {
                continue;
            };
            let always = conditions.contains("");
            let used = conditions
                .iter()
                .filter(|condition| !always || condition.is_empty());
            pins.extend(used.filter_map(|condition| pin(lock::FILE, &name, version, condition)));
        }
        pins
    }

    /// A digest of the declaration in normal form.
    pub fn digest(&self) -> Digest {
        let mut form = NormalForm::default();
        form.line(format_args!("{} {}", self.name, self.version));
        if let Some(python) = &self.requires_python {
            form.line(format_args!("python {python}"));
        }
        for declared in &self.requirements {
            form.line(format_args!("{}", declared.requirement));
        }
        for (extra, list) in &self.extras {
            for declared in list {
                form.line(format_args!("[{extra}] {}", declared.requirement));
            }
        }
        for (name, version) in &self.locked {
            form.line(format_args!("lock {name} {version}"));
        }
        for package in &self.quarantine_exempt {
            form.line(format_args!("exempt {package}"));
        }
        form.digest()
    }
}

/// A locked version as a requirement, under a condition unless that is empty.
fn pin(file: &str, name: &PackageName, version: &Version, condition: &str) -> Option<RootRequirement> {
    declared(
        file,
        &match condition {
            "" => format!("{name}=={version}"),
            condition => format!("{name}=={version}; {condition}"),
        },
    )
}

/// A requirement that was put together here; `None` when it passes a limit.
fn declared(file: &str, text: &str) -> Option<RootRequirement> {
    Some(RootRequirement {
        requirement: Requirement::parse(text).ok()?,
        text: text.into(),
        file: file.into(),
        line: 0,
        column: 0,
    })
}
