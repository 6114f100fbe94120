//! What the solver is asked: roots with their requirements, a target, a policy.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::{ExtraName, PackageName, Requirement, Specifiers, Target, Version};

/// Everything that a resolution depends on, the index aside.
#[derive(Debug, Clone)]
pub struct Problem {
    /// What the environment is for.
    pub target: Arc<Target>,
    /// Core first, then the members in order, then the candidate.
    pub roots: Vec<Root>,
    /// The rules that hold.
    pub policy: Policy,
    /// Versions to take when they fit, the strongest first.
    pub preferences: Vec<Preference>,
    /// Packages that are there already and cannot be chosen: Hermes core itself.
    pub provided: BTreeMap<PackageName, Provided>,
}

/// A package that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provided {
    /// Its version.
    pub version: Version,
    /// What its extras add.
    pub extras: BTreeMap<ExtraName, Vec<Requirement>>,
}

impl Problem {
    /// The same question for some of the roots, by position.
    #[must_use]
    pub fn with_roots(&self, keep: &BTreeSet<usize>) -> Self {
        let kept = self.roots.iter().enumerate().filter(|(at, _)| keep.contains(at));
        Self {
            roots: kept.map(|(_, root)| root.clone()).collect(),
            ..self.clone()
        }
    }
}

/// Somebody who requires packages: Hermes core, or a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// How it is told apart: `core`, or the plugin's key, with its home when several have it.
    pub id: String,
    /// Whether it is core.
    pub is_core: bool,
    /// What it requires.
    pub requirements: Vec<RootRequirement>,
    /// The Python versions it runs on.
    pub requires_python: Option<Specifiers>,
}

/// One requirement of a root, with the place where it was declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootRequirement {
    /// The requirement.
    pub requirement: Requirement,
    /// As it was written.
    pub text: String,
    /// The file, relative to the root's folder.
    pub file: String,
    /// The line, counted from 1; 0 when unknown.
    pub line: usize,
    /// The column, counted from 1 in characters; 0 when unknown.
    pub column: usize,
}

/// A source of preferred versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference {
    /// What it comes from: `selection` or `core-lock`.
    pub origin: &'static str,
    /// The versions.
    pub versions: BTreeMap<PackageName, Version>,
}

/// Rules that narrow what may be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// Files uploaded at or after this moment (RFC 3339, UTC) do not count (quarantine).
    pub exclude_newer: Option<String>,
    /// Whether files without an upload time count in spite of a quarantine.
    pub allow_undated: bool,
    /// Packages that the quarantine does not hold for.
    pub quarantine_exempt: BTreeSet<PackageName>,
    /// Single versions that the quarantine does not hold for.
    pub exempt_pins: BTreeMap<PackageName, BTreeSet<Version>>,
    /// Whether pre-releases may be taken everywhere.
    pub prereleases: bool,
    /// The most decisions that the solver takes before it gives up; `None` means the default.
    pub max_steps: Option<u64>,
    /// What an analysis takes for granted; nothing in an ordinary resolution.
    pub assume: Assumptions,
}

/// Rules that an analysis leaves out, to learn whether they are what stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumptions {
    /// Take a version without wheels as if a source build had given one that requires nothing. What
    /// is unsatisfiable even so is unsatisfiable whatever is built.
    pub builds: bool,
    /// Take files in spite of the quarantine.
    pub aged: bool,
    /// Take withdrawn files.
    pub yanked: bool,
}

impl Policy {
    /// Decisions of the solver before it gives up, when nothing else is said.
    pub const DEFAULT_STEPS: u64 = 200_000;

    /// The step budget in force.
    pub fn step_limit(&self) -> u64 {
        self.max_steps.unwrap_or(Self::DEFAULT_STEPS)
    }
}
