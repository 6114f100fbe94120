//! Documents that somebody else wrote, as trees with places: YAML, TOML and JSON look alike from here.
//!
//! Nesting, size and expansion are bounded by the parsers, so walking a tree is bounded as well.

mod json;
mod places;
mod toml;
mod yaml;

use alloc::string::String;
use alloc::vec::Vec;

use hermes_terms::Code;

pub use self::json::json;
pub use self::toml::toml;
pub use self::yaml::yaml;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 64;

/// A value with its place, both counted from 1; 0 when the place is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The value.
    pub node: Node,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, a date or a time, as it was written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<At>),
    /// A mapping, in the order of the text.
    Map(Vec<(String, At)>),
}

/// Why a text is not a document that is read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DocumentFault {
    /// Why, for machines.
    pub code: Code,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// Why, for people.
    pub message: String,
}

impl Node {
    /// What it is, for a message.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number or a date",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }

    /// The value of a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&At> {
        let Self::Map(entries) = self else { return None };
        entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The value at the end of a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&At> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.get(first)?, |at, key| at.node.get(key))
    }

    /// A text or a number as it was written: where a version stands, `1.10` needs no quotes.
    pub fn written(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Line and column of the end of a text.
pub(crate) fn end_of(text: &str) -> (usize, usize) {
    places::Places::new(text).of(text.len())
}

/// A text without its byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The first line of a parser's message, short and harmless.
fn shortened(message: &str) -> String {
    message
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(200)
        .filter(|c| !c.is_control())
        .collect()
}
