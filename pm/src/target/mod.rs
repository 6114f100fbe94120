//! What an environment is resolved for: an interpreter that is asked once, or a target stated by
//! hand. An interpreter is a program of somebody else: it runs in a child with a cleared environment,
//! a deadline and a cap, and what it says is checked.

mod cache;
mod child;
mod choose;
mod facts;
mod find;
mod index;
mod probe;
mod shim;
mod stated;

pub use cache::ProbeCache;
pub use child::ChildLimits;
pub use choose::{Chosen, Wanted};
pub use facts::Facts;
pub use index::{DefaultIndexOrigin, default_index};
pub use probe::{Interpreter, Prober};
pub use stated::stated;

use std::path::PathBuf;

use hermes_terms::Code;

/// A target cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    /// There is no such interpreter.
    #[error("{looked_for} was not found")]
    NotFound {
        /// What was looked for.
        looked_for: String,
    },
    /// The interpreter does not describe itself.
    #[error("{} does not describe itself: {reason}", python.display())]
    Invalid {
        /// The file.
        python: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// No wheels can be chosen for it.
    #[error("{what} is no target: {reason}")]
    Unsupported {
        /// What was asked for.
        what: String,
        /// What is wrong.
        reason: String,
    },
}

impl TargetFault {
    /// The code of the fault.
    pub const fn code(&self) -> Code {
        match self {
            Self::NotFound { .. } => Code::TargetNotFound,
            Self::Invalid { .. } => Code::TargetInvalid,
            Self::Unsupported { .. } => Code::TargetUnsupported,
        }
    }
}

#[cfg(test)]
mod tests;
