//! YAML, bounded in size, nesting and expansion; tags are refused, because they change meanings unseen.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use hermes_terms::Code;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Error, Spanned};

use super::{At, DocumentFault, MAX_DEPTH, Node, shortened};

/// Reads one document; an empty one is [`Node::Null`]. A byte order mark is allowed.
pub fn yaml(text: &str) -> Result<At, DocumentFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let budget = serde_saphyr::budget! {
        max_depth: MAX_DEPTH,
        max_documents: 1,
        max_nodes: 100_000,
        max_events: 400_000,
    };
    let options = serde_saphyr::options! {
        budget: budget,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    let parsed: Result<Spanned<Node>, _> = serde_saphyr::from_str_with_options(text, options);
    parsed.map(At::from).map_err(|error| fault(&error))
}

fn fault(error: &Error) -> DocumentFault {
    let number = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let at = error.location();
    DocumentFault {
        code: match error {
            Error::Budget { .. } => Code::YamlLimits,
            Error::UnsupportedTag { .. } => Code::YamlTag,
            _ => Code::YamlInvalid,
        },
        line: number(at.map(|at| at.line())),
        column: number(at.map(|at| at.column())),
        message: shortened(&error.to_string()),
    }
}

impl From<Spanned<Node>> for At {
    fn from(spanned: Spanned<Node>) -> Self {
        let number = |n: u64| usize::try_from(n).unwrap_or(0);
        let (line, column) = (number(spanned.defined.line()), number(spanned.defined.column()));
        Self {
            node: spanned.value,
            line,
            column,
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Spanned<Node>>()? {
            items.push(At::from(item));
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries: Vec<(String, At)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<Node, Spanned<Node>>()? {
            entries.push((
                key_text(&key).ok_or_else(|| A::Error::custom("a key that is no plain value"))?,
                value.into(),
            ));
        }
        Ok(Node::Map(entries))
    }
}

/// Keys that are read are texts; others are kept only so that they can be passed over.
fn key_text(key: &Node) -> Option<String> {
    match key {
        Node::Text(text) => Some(text.clone()),
        Node::Null | Node::Bool(_) | Node::Number => Some("\u{0}".into()),
        Node::List(_) | Node::Map(_) => None,
    }
}
