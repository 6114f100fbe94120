//! The smaller parts of a receipt, the decision aside.

use std::path::Path;

use hermes_terms::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AnyCode;

/// The program that wrote a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRecord {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The home that an operation was about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HomeRecord {
    /// The root that the profiles hang under.
    pub root: String,
    /// The bytes of `root` in hexadecimal digits, when they are not UTF-8 and `root` shows them only
    /// in part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_bytes: Option<String>,
    /// The profile, when it is not the root itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Where the home was taken from: `override`, `env` or `default`.
    pub resolved_from: String,
}

impl HomeRecord {
    /// The record of a home; no path is too odd for it.
    pub fn new(root: &Path, profile: Option<&str>, resolved_from: &str) -> Self {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = root.as_os_str().as_bytes();
        Self {
            root: root.to_string_lossy().into_owned(),
            root_bytes: std::str::from_utf8(bytes).is_err().then(|| hex::encode(bytes)),
            profile: profile.map(str::to_owned),
            resolved_from: resolved_from.to_owned(),
        }
    }
}

/// A plugin, with where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PluginRecord {
    /// Its key.
    pub name: String,
    /// The home it lies in: absent for the root, otherwise the profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The full commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The folder inside the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subdir: Option<String>,
    /// The digest of its tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_sha256: Option<Digest>,
}

/// The generations that were selected.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GenerationRecord {
    /// Before the operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// After it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What was seen of the plugin folders before and after (contract C19).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SurvivalRecord {
    /// The census before.
    pub plugins_before: Digest,
    /// The census after.
    pub plugins_after: Digest,
    /// Whether the system kept this process from writing there.
    pub kernel_enforced: bool,
}

/// Something that deserves attention and stopped nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WarningRecord {
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
}

/// What pruning removed from the ledger. Up to and including this position the chain may have gaps;
/// after it, it may not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoint {
    /// The position of the last receipt that was removed.
    pub sequence: u64,
    /// Its id.
    pub id: Digest,
    /// How many were removed.
    pub removed: u64,
}
