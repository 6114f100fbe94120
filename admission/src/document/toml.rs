//! TOML 1.0.

use alloc::string::String;
use alloc::vec::Vec;

use hermes_terms::Code;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{At, DocumentFault, Node, place, shortened};

/// Reads one document. A byte order mark is allowed.
pub fn toml(text: &str) -> Result<At, DocumentFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = DeTable::parse(text).map_err(|error| {
        let (line, column) = error.span().map_or((0, 0), |span| place(text, span.start));
        DocumentFault {
            code: Code::TomlInvalid,
            line,
            column,
            message: shortened(error.message()),
        }
    })?;
    Ok(At {
        node: map(text, table.get_ref()),
        line: 1,
        column: 1,
    })
}

fn map(text: &str, table: &DeTable<'_>) -> Node {
    let mut entries: Vec<(usize, String, At)> = Vec::new();
    for (key, value) in table {
        entries.push((key.span().start, key.get_ref().as_ref().into(), at(text, value)));
    }
    entries.sort_by_key(|(start, ..)| *start);
    Node::Map(entries.into_iter().map(|(_, key, value)| (key, value)).collect())
}

/// The parser bounds the nesting, so this recursion is bounded as well.
fn at(text: &str, value: &Spanned<DeValue<'_>>) -> At {
    let (line, column) = place(text, value.span().start);
    let node = match value.get_ref() {
        DeValue::String(string) => Node::Text(string.as_ref().into()),
        DeValue::Boolean(value) => Node::Bool(*value),
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Datetime(_) => Node::Number,
        DeValue::Array(items) => Node::List(items.iter().map(|item| at(text, item)).collect()),
        DeValue::Table(table) => map(text, table),
    };
    At { node, line, column }
}
