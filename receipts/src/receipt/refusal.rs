//! Why something is refused: the code, the proof, who takes part, what can be done (contract C14).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AnyCode;

/// Why something is refused. At most 64 KiB in a receipt; what is cut is counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The reason.
    pub code: AnyCode,
    /// The plugin that is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// The reason in one sentence.
    pub summary: String,
    /// Faults of declarations.
    #[serde(default)]
    pub faults: Vec<FaultRecord>,
    /// The resolver's proof; the last step is the conclusion.
    #[serde(default)]
    pub proof: Vec<ProofStep>,
    /// The plugins that take part.
    #[serde(default)]
    pub conflict: Vec<String>,
    /// The smallest sets of plugins that would have to go, the candidate aside.
    #[serde(default)]
    pub removals: Vec<Vec<String>>,
    /// What can be done.
    #[serde(default)]
    pub remedies: Vec<Remedy>,
    /// How many parts of the lists above, and texts, were cut.
    #[serde(default)]
    pub cut: u64,
}

impl Refusal {
    /// A refusal with nothing but a reason.
    pub fn new(code: impl Into<AnyCode>, summary: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            plugin: None,
            summary: summary.into(),
            faults: Vec::new(),
            proof: Vec::new(),
            conflict: Vec::new(),
            removals: Vec::new(),
            remedies: Vec::new(),
            cut: 0,
        }
    }
}

/// A fault of a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultRecord {
    /// The reason.
    pub code: AnyCode,
    /// The reason in words.
    pub message: String,
    /// The plugin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in it, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// One step of a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProofStep {
    /// The number by which later steps refer to it.
    pub number: u32,
    /// What it rests on.
    pub because: Vec<Premise>,
    /// What follows.
    pub therefore: String,
}

/// A premise of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Premise {
    /// In words.
    pub text: String,
    /// `requires`, `no-version`, `unusable` or `step`; others may be added.
    pub kind: String,
    /// The plugin, or `core`, that declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The file of the declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The package it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The versions it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The earlier step it refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
}

/// Something that can be done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Remedy {
    /// `upgrade`, `remove`, `allow`, `retry`, …; others may be added.
    pub kind: String,
    /// The plugin it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// The package it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The version to go to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The command that does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
