//! TOML 1.0.

use alloc::string::String;
use alloc::vec::Vec;

use hermes_terms::Code;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::places::Places;
use super::{At, DocumentFault, Node, shortened, without_mark};

/// The parser refuses keys of this many parts.
const MAX_PARTS: usize = 80;

/// Reads one document. A byte order mark is allowed.
pub fn toml(text: &str) -> Result<At, DocumentFault> {
    let text = without_mark(text);
    let places = Places::new(text);
    let table = DeTable::parse(text).map_err(|error| {
        let (line, column) = error
            .span()
            .map_or_else(|| long_key(text), |span| places.of(span.start));
        DocumentFault {
            code: Code::TomlInvalid,
            line,
            column,
            message: shortened(error.message()),
        }
    })?;
    let reader = Reader { text, places };
    Ok(At {
        node: reader.map(table.get_ref()),
        line: 1,
        column: 1,
    })
}

/// The parser gives no place for a key of too many parts (a dot stands between each two): it is on the
/// first line that has as many dots as such a key.
fn long_key(text: &str) -> (usize, usize) {
    let line = text
        .lines()
        .position(|line| line.matches('.').count() >= MAX_PARTS - 1);
    line.map_or((0, 0), |line| (line + 1, 1))
}

struct Reader<'t> {
    text: &'t str,
    places: Places<'t>,
}

impl Reader<'_> {
    fn map(&self, table: &DeTable<'_>) -> Node {
        let mut entries: Vec<(usize, String, At)> = Vec::new();
        for (key, value) in table {
            entries.push((key.span().start, key.get_ref().as_ref().into(), self.at(value)));
        }
        entries.sort_by_key(|(start, ..)| *start);
        Node::Map(entries.into_iter().map(|(_, key, value)| (key, value)).collect())
    }

    /// The parser bounds the nesting, so this recursion is bounded as well.
    fn at(&self, value: &Spanned<DeValue<'_>>) -> At {
        let (line, column) = self.places.of(value.span().start);
        let node = match value.get_ref() {
            DeValue::String(string) => Node::Text(string.as_ref().into()),
            DeValue::Boolean(value) => Node::Bool(*value),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Datetime(_) => {
                Node::Number(self.text.get(value.span()).unwrap_or_default().into())
            }
            DeValue::Array(items) => Node::List(items.iter().map(|item| self.at(item)).collect()),
            DeValue::Table(table) => self.map(table),
        };
        At { node, line, column }
    }
}
