//! What the solver is asked: roots with their requirements, a target, a policy.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hermes_pep::{PackageName, Requirement, Specifiers, Target, Version};

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
    /// Whether pre-releases may be taken everywhere.
    pub prereleases: bool,
    /// The most decisions that the solver takes before it gives up; 0 means the default.
    pub max_steps: u64,
}
