//! A receipt before it has a place in a chain.

use std::collections::BTreeMap;

use hermes_terms::{Digest, Outcome};
use serde_json::Value;

use super::{
    Checkpoint, Decision, GenerationRecord, HomeRecord, Moment, Operation, PluginRecord, Receipt, SCHEMA,
    SurvivalRecord, TargetRecord, ToolRecord, WarningRecord,
};
use crate::canonical::{self, CanonicalError, INTEGER_LIMIT};
use crate::{Secrets, cap, redact};

/// What an operation says about itself; the ledger adds position, chain and id. The fields are those
/// of [`Receipt`].
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub struct Draft {
    pub operation: Operation,
    pub outcome: Outcome,
    pub started_at: Moment,
    pub finished_at: Moment,
    pub tool: ToolRecord,
    pub home: Option<HomeRecord>,
    pub target: Option<TargetRecord>,
    pub decision: Option<Decision>,
    pub plugins: Vec<PluginRecord>,
    pub generation: Option<GenerationRecord>,
    pub restart_required: bool,
    pub survival: Option<SurvivalRecord>,
    pub retry: Option<String>,
    pub warnings: Vec<WarningRecord>,
    pub timings_ms: BTreeMap<String, u64>,
    pub checkpoint: Option<Checkpoint>,
}

impl Draft {
    /// A draft that says `failed` until it is told otherwise, so that a forgotten outcome claims nothing.
    pub fn new(operation: Operation, tool: ToolRecord, started_at: Moment) -> Self {
        Self {
            operation,
            outcome: Outcome::Failed,
            finished_at: started_at.clone(),
            started_at,
            tool,
            home: None,
            target: None,
            decision: None,
            plugins: Vec::new(),
            generation: None,
            restart_required: false,
            survival: None,
            retry: None,
            warnings: Vec::new(),
            timings_ms: BTreeMap::new(),
            checkpoint: None,
        }
    }

    /// A receipt outside of any ledger: sequence 0, nothing before it.
    pub fn detached(self, secrets: &Secrets) -> Result<Receipt, CanonicalError> {
        self.prepare(secrets)?.place(0, None)
    }

    /// Takes out secrets, cuts what is too large, and seals the inputs. Doing it again changes nothing.
    pub(crate) fn prepare(self, secrets: &Secrets) -> Result<Self, CanonicalError> {
        let mut value = serde_json::to_value(self.at(0, None, Digest::of(b"")))?;
        redact::value(&mut value, secrets);
        let receipt: Receipt = serde_json::from_value(value)?;
        let mut draft = Self::from(receipt);
        draft.bound_numbers();
        if let Some(decision) = &mut draft.decision {
            decision.refusal = decision.refusal.take().map(cap::refusal);
            decision.inputs.seal()?;
        }
        Ok(draft)
    }

    /// Gives a prepared draft its place and its id.
    pub(crate) fn place(self, sequence: u64, previous: Option<Digest>) -> Result<Receipt, CanonicalError> {
        let mut receipt = self.at(sequence, previous, Digest::of(b""));
        let value: Value = serde_json::to_value(&receipt)?;
        receipt.id = canonical::id_of(&value)?;
        Ok(receipt)
    }

    /// Numbers that JSON cannot carry exactly: an absurd size counts as not given.
    fn bound_numbers(&mut self) {
        for time in self.timings_ms.values_mut() {
            *time = (*time).min(INTEGER_LIMIT);
        }
        let Some(decision) = &mut self.decision else {
            return;
        };
        for package in &mut decision.resolution {
            package.size = package.size.filter(|size| *size <= INTEGER_LIMIT);
        }
        let steps = &mut decision.inputs.policy.max_steps;
        *steps = steps.map(|steps| steps.min(INTEGER_LIMIT));
    }

    fn at(self, sequence: u64, previous: Option<Digest>, id: Digest) -> Receipt {
        Receipt {
            schema: SCHEMA.to_owned(),
            sequence,
            previous,
            id,
            operation: self.operation,
            outcome: self.outcome,
            started_at: self.started_at,
            finished_at: self.finished_at,
            tool: self.tool,
            home: self.home,
            target: self.target,
            decision: self.decision,
            plugins: self.plugins,
            generation: self.generation,
            restart_required: self.restart_required,
            survival: self.survival,
            retry: self.retry,
            warnings: self.warnings,
            timings_ms: self.timings_ms,
            checkpoint: self.checkpoint,
        }
    }
}

impl From<Receipt> for Draft {
    fn from(receipt: Receipt) -> Self {
        Self {
            operation: receipt.operation,
            outcome: receipt.outcome,
            started_at: receipt.started_at,
            finished_at: receipt.finished_at,
            tool: receipt.tool,
            home: receipt.home,
            target: receipt.target,
            decision: receipt.decision,
            plugins: receipt.plugins,
            generation: receipt.generation,
            restart_required: receipt.restart_required,
            survival: receipt.survival,
            retry: receipt.retry,
            warnings: receipt.warnings,
            timings_ms: receipt.timings_ms,
            checkpoint: receipt.checkpoint,
        }
    }
}
