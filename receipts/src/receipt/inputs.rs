//! What a decision depends on, complete and absolute: same inputs, same decision (contract C10).

use std::collections::BTreeMap;

use hermes_terms::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::{self, CanonicalError};

/// Everything that a decision depends on. No path of a home stands in here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// Hermes core.
    pub core: CoreRecord,
    /// The active plugins with a surface, in the order of the user; the candidate last.
    pub members: Vec<MemberRecord>,
    /// The member that asks to be admitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// The rules that held.
    pub policy: PolicyRecord,
    /// The digest of the versions that were preferred.
    pub preferences: Digest,
    /// The package indexes, in the order they are asked.
    pub indexes: Vec<IndexRecord>,
    /// The interpreter and platform.
    pub target: TargetRecord,
    /// The digest of everything that was learnt from the indexes and used.
    pub index_facts: Digest,
    /// Files uploaded at or after this moment do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude_newer: Option<String>,
    /// The digest of all other inputs in canonical form; set by [`Inputs::seal`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

impl Inputs {
    /// Computes `digest` from the rest.
    pub fn seal(&mut self) -> Result<(), CanonicalError> {
        self.digest = None;
        self.digest = Some(canonical::digest_of(&serde_json::to_value(&*self)?)?);
        Ok(())
    }
}

/// Hermes core, as it was declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoreRecord {
    /// The distribution.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where the declaration came from.
    pub source: String,
    /// The Python versions it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// The enabled extras.
    pub extras: Vec<String>,
    /// The requirements that counted.
    pub requirements: Vec<String>,
    /// The digest of the declaration.
    pub sha256: Digest,
}

/// A plugin that takes part, as it was declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberRecord {
    /// Its key.
    pub plugin: String,
    /// The home it lies in: empty for the root, otherwise the profile.
    pub home: String,
    /// The declaration that counted: `pyproject`, `plugin.yaml`, …
    pub origin: String,
    /// The Python versions it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires_python: Option<String>,
    /// Its requirements, as written.
    pub requirements: Vec<String>,
    /// The digest of the declaration.
    pub sha256: Digest,
}

/// The rules that held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyRecord {
    /// Which of core's versions were hard: `declared` or `locked`.
    pub pins: String,
    /// Whether pre-releases counted everywhere.
    #[serde(default)]
    pub prereleases: bool,
    /// Whether source builds were allowed.
    #[serde(default)]
    pub build: bool,
    /// Whether files without an upload time counted in spite of a cutoff.
    #[serde(default)]
    pub allow_undated: bool,
    /// Packages that the cutoff did not hold for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantine_exempt: Vec<String>,
    /// The step budget of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
}

/// A package index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexRecord {
    /// Its address, without credentials.
    pub url: String,
}

/// An interpreter and its platform.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// The version of Python.
    pub python: String,
    /// The implementation.
    pub implementation: String,
    /// The platform, as wheels name it.
    pub platform: String,
    /// The marker environment (PEP 508).
    #[serde(default)]
    pub markers: BTreeMap<String, String>,
}
