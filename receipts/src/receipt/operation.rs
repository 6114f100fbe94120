//! What was asked for.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An operation that leaves a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// What admission would do.
    Plan,
    /// Whether a plugin fits a core, for its author.
    Check,
    /// Making a plugin that lies on disk a member.
    Admit,
    /// Placing a plugin and making it a member.
    Install,
    /// Taking a plugin and its dependencies away.
    Remove,
    /// Switching a plugin on.
    Enable,
    /// Switching a plugin off.
    Disable,
    /// Moving a plugin to another revision.
    PluginUpdate,
    /// Applying every member to a core again.
    Update,
    /// Building what the configuration says.
    Sync,
    /// Mending a generation or the records.
    Repair,
    /// Going back to an earlier generation.
    Rollback,
    /// Installing what a home names, at agent start.
    LazyInstall,
    /// Removing generations, artifacts and receipts that nothing needs.
    Collect,
    /// One that a newer program knows.
    #[serde(untagged)]
    Other(String),
}

impl Operation {
    /// The word used in receipts and in the names of their files.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Plan => "plan",
            Self::Check => "check",
            Self::Admit => "admit",
            Self::Install => "install",
            Self::Remove => "remove",
            Self::Enable => "enable",
            Self::Disable => "disable",
            Self::PluginUpdate => "plugin-update",
            Self::Update => "update",
            Self::Sync => "sync",
            Self::Repair => "repair",
            Self::Rollback => "rollback",
            Self::LazyInstall => "lazy-install",
            Self::Collect => "collect",
            Self::Other(word) => word,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
