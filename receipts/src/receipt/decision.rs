//! What was decided: a function of the inputs, the same bytes for the same inputs.

use hermes_terms::{Digest, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Inputs, Refusal};

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// What it depends on.
    pub inputs: Inputs,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not `admitted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// Every package of the union, in order of name; empty without a solution.
    #[serde(default)]
    pub resolution: Vec<ResolvedRecord>,
    /// What an admission changes.
    #[serde(default)]
    pub changes: ChangesRecord,
}

/// One package of a solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResolvedRecord {
    /// The package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The file.
    pub filename: String,
    /// Where the file is, without credentials.
    pub url: String,
    /// The digest of the file, when the index gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
    /// The size of the file in bytes, when the index gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Who asks for it: `core`, plugins, or packages.
    #[serde(default)]
    pub requested_by: Vec<String>,
}

/// What an admission changes, each list in order of name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChangesRecord {
    /// Packages that come.
    pub added: Vec<ChangeRecord>,
    /// Packages that go.
    pub removed: Vec<ChangeRecord>,
    /// Packages that stay at another version.
    pub changed: Vec<ChangeRecord>,
    /// Packages at another version than in core's lock (contract C9).
    pub core_drift: Vec<ChangeRecord>,
    /// Packages that others already used and that become older.
    pub collateral_downgrades: Vec<ChangeRecord>,
}

/// One package that changes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRecord {
    /// The package.
    pub name: String,
    /// The version before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The version after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Who asks for it afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requested_by: Vec<String>,
}
