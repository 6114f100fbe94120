//! The receipt, schema `hermes-pm/receipt/1`: one file for each concept in it.
//!
//! Fields may be added; none changes its meaning or goes away under this schema number. A reader
//! passes over fields it does not know.

mod any_code;
mod decision;
mod draft;
mod inputs;
mod moment;
mod operation;
mod parts;
mod refusal;

use std::collections::BTreeMap;

use hermes_terms::{Digest, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use any_code::AnyCode;
pub use decision::{ChangeRecord, ChangesRecord, Decision, ResolvedRecord};
pub use draft::Draft;
pub use inputs::{CoreRecord, IndexRecord, Inputs, MemberRecord, PolicyRecord, TargetRecord};
pub use moment::{Moment, MomentError};
pub use operation::Operation;
pub use parts::{
    Checkpoint, GenerationRecord, HomeRecord, PluginRecord, SurvivalRecord, ToolRecord, WarningRecord,
};
pub use refusal::{FaultRecord, Premise, ProofStep, Refusal, Remedy};

use crate::canonical::{self, CanonicalError};

/// The name and number of the schema.
pub const SCHEMA: &str = "hermes-pm/receipt/1";

/// The record of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// Always `hermes-pm/receipt/1`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// The position in the ledger, from 1; 0 outside of any ledger.
    pub sequence: u64,
    /// The id of the receipt before this one; absent in the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Digest>,
    /// The digest of everything else in this receipt, in canonical form (RFC 8785).
    pub id: Digest,
    /// What was asked for.
    pub operation: Operation,
    /// What became of it.
    pub outcome: Outcome,
    /// When it began.
    pub started_at: Moment,
    /// When it ended.
    pub finished_at: Moment,
    /// The program that did it.
    pub tool: ToolRecord,
    /// The home it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<HomeRecord>,
    /// The interpreter and platform it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetRecord>,
    /// What was decided; a function of its own inputs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The plugins that were placed, removed or looked at, with their provenance.
    #[serde(default)]
    pub plugins: Vec<PluginRecord>,
    /// The generations before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<GenerationRecord>,
    /// Whether a running Hermes must restart to use what is selected now.
    #[serde(default)]
    pub restart_required: bool,
    /// The proof that plugin folders were left alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survival: Option<SurvivalRecord>,
    /// The command that asks the same question again, when it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<String>,
    /// What deserves attention and stopped nothing.
    #[serde(default)]
    pub warnings: Vec<WarningRecord>,
    /// Times of the parts of the operation, in milliseconds.
    #[serde(default)]
    pub timings_ms: BTreeMap<String, u64>,
    /// In a receipt of pruning: what was removed from the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
}

impl Receipt {
    /// Begins a receipt.
    pub fn draft(operation: Operation, tool: ToolRecord, started_at: Moment) -> Draft {
        Draft::new(operation, tool, started_at)
    }

    /// The id that this receipt should have.
    pub fn computed_id(&self) -> Result<Digest, CanonicalError> {
        canonical::id_of(&serde_json::to_value(self)?)
    }

    /// The receipt as JSON for files and pipes: indented, in the order of the schema, pure of control
    /// and direction characters, with a newline at the end.
    pub fn to_json(&self) -> Result<String, CanonicalError> {
        Ok(crate::json::to_text(&serde_json::to_value(self)?)?)
    }
}
