//! YAML, bounded in size, nesting and expansion; tags are refused, because they change meanings unseen.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use hermes_terms::Code;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Error, Location, Spanned, Tagged};

use super::{At, DocumentFault, Node, shortened, without_mark};

/// The deepest nesting that is read. The parser takes some 40 KiB of the stack a level where nothing is
/// optimised, and a thread may have 1 MiB in all.
const MAX_DEPTH: usize = 20;

/// The most values that are read, and the most events that aliases repeat.
const MAX_NODES: usize = 20_000;

/// Reads one document; an empty one is [`Node::Null`]. A byte order mark is allowed.
pub fn yaml(text: &str) -> Result<At, DocumentFault> {
    let text = without_mark(text);
    let budget = serde_saphyr::budget! {
        max_depth: MAX_DEPTH,
        max_documents: 2,
        max_nodes: MAX_NODES,
        max_events: 4 * MAX_NODES,
    };
    let aliases = serde_saphyr::alias_limits! {
        max_total_replayed_events: MAX_NODES,
    };
    let options = serde_saphyr::options! {
        budget: budget,
        alias_limits: aliases,
        reject_unsupported_tags: true,
        // They are numbers of keys that nobody reads, or no texts where texts are read.
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    let parsed: Result<Item, _> = serde_saphyr::from_str_with_options(text, options);
    parsed
        .map_err(|error| fault(text, error.without_snippet()))
        .and_then(|item| at(text, item))
}

fn fault(text: &str, error: &Error) -> DocumentFault {
    let (line, column) = error.location().map_or((0, 0), place);
    let mut error = error;
    // What went wrong at an alias stands inside.
    while let Error::AliasError { error: cause, .. } = error {
        error = cause;
    }
    let (code, message) = if is_too_deep(text, error) {
        (Code::YamlLimits, "it is nested too deeply".into())
    } else {
        reason(error)
    };
    DocumentFault {
        code,
        line,
        column,
        message,
    }
}

/// The scanner looks ahead, so that it may meet its own limit on brackets, which it reports like any
/// broken syntax, before the budget is asked.
fn is_too_deep(text: &str, error: &Error) -> bool {
    let Error::ExternalMessage { location, .. } = error else {
        return false;
    };
    let end = location
        .span()
        .byte_offset()
        .unwrap_or_else(|| location.span().offset());
    let before = text.as_bytes().iter().take(number(end));
    let depth = before.fold(0_usize, |depth, byte| match byte {
        b'[' | b'{' => depth + 1,
        b']' | b'}' => depth.saturating_sub(1),
        _ => depth,
    });
    depth > MAX_DEPTH
}

fn reason(error: &Error) -> (Code, String) {
    match error {
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            let message = "it passes a limit on nesting, size or the expansion of aliases";
            (Code::YamlLimits, message.into())
        }
        Error::UnsupportedTag { tag, .. } => (
            Code::YamlTag,
            format!("the tag `{}` is not allowed", shortened(tag)),
        ),
        Error::DuplicateMappingKey { key: Some(key), .. } => (
            Code::YamlInvalid,
            format!("the key `{}` stands twice", shortened(key)),
        ),
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            (Code::YamlInvalid, "an alias refers to what holds it".into())
        }
        Error::MultipleDocuments { .. } => (Code::YamlInvalid, "there is more than one document".into()),
        other => {
            // The place is told apart from the message.
            let told = other.to_string();
            let message = told.split(" at line ").next().unwrap_or_default();
            (Code::YamlInvalid, shortened(message))
        }
    }
}

/// A value with its tag and its place.
type Item = Spanned<Tagged<Raw>>;

fn number(n: u64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

fn place(at: Location) -> (usize, usize) {
    (number(at.line()), number(at.column()))
}

/// A value as the parser hands it over.
enum Raw {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Item>),
    Map(Vec<(Item, Item)>),
}

/// The parser bounds the nesting, so this recursion is bounded as well. A number is kept as it was
/// written: `1.10` is no `1.1` when it stands for a version. The parser takes tags that it knows for
/// granted; no tag is taken here.
fn at(text: &str, item: Item) -> Result<At, DocumentFault> {
    let span = item.defined;
    let (line, column) = place(span);
    let Tagged(raw, tag) = item.value;
    if let Some(tag) = tag {
        return Err(DocumentFault {
            code: Code::YamlTag,
            line,
            column,
            message: shortened(&format!("the tag `{tag}` is not allowed")),
        });
    }
    let node = match raw {
        Raw::Null => Node::Null,
        Raw::Bool(value) => Node::Bool(value),
        Raw::Text(text) => Node::Text(text),
        Raw::Number => {
            let start = span.span().byte_offset().map_or(0, number);
            let end = start + span.span().byte_len().map_or(0, number);
            Node::Number(text.get(start..end).unwrap_or_default().trim().into())
        }
        Raw::List(items) => Node::List(
            items
                .into_iter()
                .map(|item| at(text, item))
                .collect::<Result<_, _>>()?,
        ),
        Raw::Map(entries) => Node::Map(
            entries
                .into_iter()
                .map(|(name, value)| Ok((key(at(text, name)?)?, at(text, value)?)))
                .collect::<Result<_, _>>()?,
        ),
    };
    Ok(At { node, line, column })
}

/// Keys that are read are texts; others are kept only so that they can be passed over.
fn key(at: At) -> Result<String, DocumentFault> {
    match at.node {
        Node::Text(text) => Ok(text),
        Node::Null | Node::Bool(_) | Node::Number(_) => Ok("\u{0}".into()),
        Node::List(_) | Node::Map(_) => Err(DocumentFault {
            code: Code::YamlInvalid,
            line: at.line,
            column: at.column,
            message: "a key is no plain value".into(),
        }),
    }
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
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}
