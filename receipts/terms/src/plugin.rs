//! Names and keys of plugins (contract C24).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A text cannot name a plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` cannot name a plugin: {reason}")]
pub struct PluginNameError {
    shown: String,
    reason: &'static str,
}

/// The name of a plugin's folder: one plain component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct PluginName(String);

impl PluginName {
    /// Validates a name: 1 to 64 ASCII letters, digits, `-`, `_`, `.`, not starting with `-` or `.`.
    pub fn parse(text: &str) -> Result<Self, PluginNameError> {
        match fault(text) {
            None => Ok(Self(text.to_owned())),
            Some(reason) => Err(PluginNameError {
                shown: text.chars().take(80).flat_map(char::escape_default).collect(),
                reason,
            }),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn fault(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("it is empty");
    }
    if text.len() > 64 {
        return Some("it is longer than 64 bytes");
    }
    if text.starts_with(['-', '.']) || text.ends_with('.') {
        return Some("it may not start with `-` or `.`, nor end with `.`");
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (!text.bytes().all(plain)).then_some("only ASCII letters, digits, `-`, `_` and `.` are allowed")
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PluginName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A plugin as configuration names it: `name` or `category/name`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginKey {
    category: Option<PluginName>,
    name: PluginName,
}

impl PluginKey {
    /// Reads a key.
    pub fn parse(text: &str) -> Result<Self, PluginNameError> {
        match text.split_once('/') {
            None => Ok(Self {
                category: None,
                name: PluginName::parse(text)?,
            }),
            Some((category, name)) => Ok(Self {
                category: Some(PluginName::parse(category)?),
                name: PluginName::parse(name)?,
            }),
        }
    }

    /// The key of a plugin without a category.
    pub fn plain(name: PluginName) -> Self {
        Self { category: None, name }
    }

    /// The category, if the key has one.
    pub fn category(&self) -> Option<&PluginName> {
        self.category.as_ref()
    }

    /// The last component.
    pub fn name(&self) -> &PluginName {
        &self.name
    }

    /// Whether an entry of `plugins.disabled` means this plugin: the same key, or the same last
    /// component when the entry has no category.
    pub fn is_meant_by(&self, entry: &Self) -> bool {
        self == entry || (entry.category.is_none() && entry.name == self.name)
    }
}

impl fmt::Display for PluginKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(category) = &self.category {
            write!(f, "{category}/")?;
        }
        self.name.fmt(f)
    }
}

impl fmt::Debug for PluginKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D03: names that would leave the folder, hide, or look like another.
    #[test]
    fn hostile_names_are_refused() {
        for text in [
            ".",
            "..",
            ".git",
            "-x",
            "a/b",
            "a\nb",
            "",
            "\u{441}lick",
            "a.",
            "a\0",
        ] {
            assert!(PluginName::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_disabled_entry_also_matches_by_last_component() {
        let key = |text| PluginKey::parse(text).unwrap();
        assert!(key("image/flux").is_meant_by(&key("flux")));
        assert!(!key("image/flux").is_meant_by(&key("video/flux")));
    }
}
