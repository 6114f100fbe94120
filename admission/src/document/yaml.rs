//! YAML, bounded in size, nesting and expansion; tags are refused, because they change meanings unseen.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use hermes_terms::Code;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Error, Spanned};

use super::{At, DocumentFault, MAX_DEPTH, Node, shortened, without_mark};

/// Reads one document; an empty one is [`Node::Null`]. A byte order mark is allowed.
pub fn yaml(text: &str) -> Result<At, DocumentFault> {
    let text = without_mark(text);
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
    let parsed: Result<Spanned<Raw>, _> = serde_saphyr::from_str_with_options(text, options);
    parsed
        .map(|raw| at(text, raw))
        .map_err(|error| fault(error.without_snippet()))
}

fn fault(error: &Error) -> DocumentFault {
    let number = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let at = error.location();
    DocumentFault {
        code: match error {
            Error::Budget { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::AliasReplayStackDepthExceeded { .. } => Code::YamlLimits,
            Error::UnsupportedTag { .. } => Code::YamlTag,
            _ => Code::YamlInvalid,
        },
        line: number(at.map(|at| at.line())),
        column: number(at.map(|at| at.column())),
        message: shortened(&error.to_string()),
    }
}

/// A value as the parser hands it over, with its span.
enum Raw {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(String, Spanned<Raw>)>),
}

/// The parser bounds the nesting, so this recursion is bounded as well. A number is kept as it was
/// written: `1.10` is no `1.1` when it stands for a version.
fn at(text: &str, raw: Spanned<Raw>) -> At {
    let number = |n: u64| usize::try_from(n).unwrap_or(0);
    let place = raw.defined;
    let (line, column) = (number(place.line()), number(place.column()));
    let node = match raw.value {
        Raw::Null => Node::Null,
        Raw::Bool(value) => Node::Bool(value),
        Raw::Text(text) => Node::Text(text),
        Raw::Number => {
            let start = place.span().byte_offset().map_or(0, number);
            let end = start + place.span().byte_len().map_or(0, number);
            Node::Number(text.get(start..end).unwrap_or_default().trim().into())
        }
        Raw::List(items) => Node::List(items.into_iter().map(|item| at(text, item)).collect()),
        Raw::Map(entries) => Node::Map(
            entries
                .into_iter()
                .map(|(key, value)| (key, at(text, value)))
                .collect(),
        ),
    };
    At { node, line, column }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Spanned<Raw>>()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries: Vec<(String, Spanned<Raw>)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<Raw, Spanned<Raw>>()? {
            entries.push((
                key_text(&key).ok_or_else(|| A::Error::custom("a key that is no plain value"))?,
                value,
            ));
        }
        Ok(Raw::Map(entries))
    }
}

/// Keys that are read are texts; others are kept only so that they can be passed over.
fn key_text(key: &Raw) -> Option<String> {
    match key {
        Raw::Text(text) => Some(text.clone()),
        Raw::Null | Raw::Bool(_) | Raw::Number => Some("\u{0}".into()),
        Raw::List(_) | Raw::Map(_) => None,
    }
}
