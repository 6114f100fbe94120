//! `config.yaml`, read strictly: what it selects, with every fault by line in one run.
//!
//! Absent means that nothing is selected, empty is an empty configuration, and wrong types are a
//! fault, never a guess: a guess would shrink the union in silence. The bytes are kept, because edits
//! and digests start from them.

use std::path::{Path, PathBuf};

use hermes_terms::{Code, PluginKey, PluginName};

use crate::fault::{Fault, Faults, Place};
use crate::files;
use hermes_admission::document::{At, Node, yaml};

/// The largest configuration that is read.
pub const MAX_CONFIG: usize = 1 << 20;

/// The context engine that Hermes has built in.
pub const BUILT_IN_ENGINE: &str = "compressor";

/// What a home's configuration selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The file.
    pub path: PathBuf,
    /// Its bytes; `None` when there is no file.
    pub bytes: Option<Vec<u8>>,
    /// `plugins.enabled`, in the user's order.
    pub enabled: Vec<PluginKey>,
    /// `plugins.disabled`.
    pub disabled: Vec<PluginKey>,
    /// `memory.provider`; `None` is the built-in one alone.
    pub provider: Option<PluginName>,
    /// `context.engine`, when it is not the built-in one.
    pub engine: Option<PluginName>,
    /// `security.allow_lazy_installs`.
    pub allow_lazy_installs: bool,
}

impl Config {
    /// Reads the configuration of a home.
    pub fn read(home: &Path) -> Result<Self, Faults> {
        let path = home.join("config.yaml");
        let bytes =
            files::read(&path, MAX_CONFIG).map_err(|fault| invalid(Place::file(&path), fault.message))?;
        Self::parse(&path, bytes)
    }

    /// Reads a configuration from its bytes.
    pub fn parse(path: &Path, bytes: Option<Vec<u8>>) -> Result<Self, Faults> {
        let root = match &bytes {
            None => Node::Null,
            Some(bytes) => document(path, bytes)?,
        };
        let mut reader = Reader {
            path,
            faults: Vec::new(),
        };
        let config = Self {
            path: path.to_owned(),
            enabled: reader.keys(&root, "plugins", "enabled"),
            disabled: reader.keys(&root, "plugins", "disabled"),
            provider: reader.name(&root, "memory", "provider"),
            engine: reader
                .name(&root, "context", "engine")
                .filter(|name| name.as_str() != BUILT_IN_ENGINE),
            allow_lazy_installs: reader.flag(&root, "security", "allow_lazy_installs", true),
            bytes,
        };
        reader.faults.sort_by(|a, b| a.place.cmp(&b.place));
        reader.faults.dedup();
        Faults::none_in(reader.faults)?;
        Ok(config)
    }
}

fn document(path: &Path, bytes: &[u8]) -> Result<Node, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let place = Place::at_offset(path, &String::from_utf8_lossy(valid), valid.len());
        invalid(place, "is not UTF-8".into())
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = yaml(text).map_err(|fault| {
        let place = Place {
            file: path.to_owned(),
            line: fault.line,
            column: fault.column,
        };
        invalid(place, fault.message)
    })?;
    match root.node {
        Node::Map(_) | Node::Null => Ok(root.node),
        other => {
            let place = Place {
                file: path.to_owned(),
                line: root.line,
                column: root.column,
            };
            Err(invalid(
                place,
                format!("the configuration must be a mapping, this is {}", other.kind()),
            ))
        }
    }
}

fn invalid(place: Place, message: String) -> Fault {
    Fault {
        code: Code::ConfigInvalid,
        place,
        message,
    }
}

struct Reader<'a> {
    path: &'a Path,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn blame(&mut self, code: Code, at: &At, message: String) {
        let place = Place {
            file: self.path.to_owned(),
            line: at.line,
            column: at.column,
        };
        self.faults.push(Fault { code, place, message });
    }

    fn blame_kind(&mut self, at: &At, key: &str, wanted: &str) {
        self.blame(
            Code::ConfigInvalid,
            at,
            format!("`{key}` must be {wanted}, this is {}", at.node.kind()),
        );
    }

    /// The value of `section.key`; absent and empty are the same.
    fn value<'n>(&mut self, root: &'n Node, section: &str, key: &str) -> Option<&'n At> {
        let at = root.get(section)?;
        match &at.node {
            Node::Map(_) => at.node.get(key).filter(|value| value.node != Node::Null),
            Node::Null => None,
            _ => {
                self.blame_kind(at, section, "a mapping");
                None
            }
        }
    }

    fn keys(&mut self, root: &Node, section: &str, key: &str) -> Vec<PluginKey> {
        let Some(at) = self.value(root, section, key) else {
            return Vec::new();
        };
        let Node::List(items) = &at.node else {
            self.blame_kind(at, &format!("{section}.{key}"), "a list of texts");
            return Vec::new();
        };
        let mut keys = Vec::new();
        for item in items {
            let Node::Text(text) = &item.node else {
                self.blame_kind(
                    item,
                    &format!("{section}.{key}"),
                    "a list of texts (quote it if it is a name)",
                );
                continue;
            };
            match PluginKey::parse(text.trim()) {
                Ok(key) if keys.contains(&key) => {}
                Ok(key) => keys.push(key),
                Err(error) => self.blame(Code::PluginName, item, error.to_string()),
            }
        }
        keys
    }

    fn name(&mut self, root: &Node, section: &str, key: &str) -> Option<PluginName> {
        let at = self.value(root, section, key)?;
        let Node::Text(text) = &at.node else {
            self.blame_kind(at, &format!("{section}.{key}"), "a text");
            return None;
        };
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        match PluginName::parse(text) {
            Ok(name) => Some(name),
            Err(error) => {
                self.blame(Code::PluginName, at, error.to_string());
                None
            }
        }
    }

    fn flag(&mut self, root: &Node, section: &str, key: &str, default: bool) -> bool {
        let Some(at) = self.value(root, section, key) else {
            return default;
        };
        let Node::Bool(value) = at.node else {
            self.blame_kind(at, &format!("{section}.{key}"), "true or false");
            return false;
        };
        value
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
