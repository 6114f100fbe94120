//! A YAML document as a tree with lines: what the strict readers of configuration look at.
//! Bounded in size, nesting and expansion; tags are refused, because they change meanings unseen.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

/// A value with its place (line and column from 1).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct At {
    pub(crate) node: Node,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A YAML value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<At>),
    Map(Vec<(Node, At)>),
}

impl Node {
    /// What it is, for a message.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Number => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }

    /// The value of a key of a mapping.
    pub(crate) fn get(&self, key: &str) -> Option<&At> {
        let Self::Map(entries) = self else { return None };
        entries
            .iter()
            .find(|(name, _)| matches!(name, Self::Text(text) if text == key))
            .map(|(_, value)| value)
    }
}

/// Why a text is not a document that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlFault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

/// Nesting beyond this is refused; no configuration needs it.
const MAX_DEPTH: usize = 64;

/// Reads one document. An empty one is [`Node::Null`].
pub(crate) fn parse(text: &str) -> Result<At, YamlFault> {
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
    parsed.map(At::from).map_err(|error| {
        let at = error.location();
        let number = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        YamlFault {
            line: number(at.map(|at| at.line())),
            column: number(at.map(|at| at.column())),
            message: error
                .to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(200)
                .collect(),
        }
    })
}

impl From<Spanned<Node>> for At {
    fn from(spanned: Spanned<Node>) -> Self {
        let number = |n: u64| usize::try_from(n).unwrap_or(0);
        let at = spanned.defined;
        Self {
            node: spanned.value,
            line: number(at.line()),
            column: number(at.column()),
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
        f.write_str("a YAML value")
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
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Node, Spanned<Node>>()? {
            entries.push((key, At::from(value)));
        }
        Ok(Node::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_carry_their_lines() {
        let root = parse("a:\n  b:\n    - x\n    - 1\n").unwrap();
        let list = root.node.get("a").and_then(|a| a.node.get("b")).unwrap();
        let Node::List(items) = &list.node else {
            panic!("{list:?}")
        };
        let seen: Vec<(usize, usize, &Node)> =
            items.iter().map(|at| (at.line, at.column, &at.node)).collect();
        assert_eq!(seen, [(3, 7, &Node::Text("x".into())), (4, 7, &Node::Number)]);
    }

    /// D07: bombs, nesting, duplicates and tags are refused quickly.
    #[test]
    fn d07_hostile_documents_are_refused() {
        let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let item = format!("*a{}", level - 1);
            let items = [item.as_str(); 9].join(", ");
            laughs = [laughs, format!("a{level}: &a{level} [{items}]\n")].concat();
        }
        let table = [
            laughs,
            "[".repeat(100_000),
            format!("a: {}", "[".repeat(65) + &"]".repeat(65)),
            "a: &a [*a]".into(),
            "a: 1\na: 2\n".into(),
            "a: !!python/object/apply:os.system [x]\n".into(),
            "a: !custom [x]\n".into(),
            "a: 1\n---\nb: 2\n".into(),
            "a: [1\n".into(),
        ];
        for text in table {
            assert!(parse(&text).is_err(), "{text:.60}");
        }
    }

    #[test]
    fn an_empty_document_is_nothing() {
        for text in ["", "\n", "# only words\n", "---\n"] {
            assert_eq!(parse(text).unwrap().node, Node::Null, "{text:?}");
        }
    }
}
