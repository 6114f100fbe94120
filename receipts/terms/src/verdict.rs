//! What was decided, and what became of the operation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was decided about a candidate or a union (contract C12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything fits.
    Admitted,
    /// A completed proof says that it cannot fit.
    Unsatisfiable,
    /// The index could not be reached or answered badly: nothing is concluded.
    Undecided,
    /// The declaration is wrong.
    Invalid,
    /// There is nothing to admit.
    NoSurface,
    /// A policy, a lock or an owner forbids it.
    Blocked,
}

impl Verdict {
    /// The word used in receipts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admitted => "admitted",
            Self::Unsatisfiable => "unsatisfiable",
            Self::Undecided => "undecided",
            Self::Invalid => "invalid",
            Self::NoSurface => "no-surface",
            Self::Blocked => "blocked",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What became of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done.
    Done,
    /// It was refused; nothing changed.
    Refused,
    /// It failed; nothing changed.
    Failed,
    /// It was stopped from outside.
    Interrupted,
}
