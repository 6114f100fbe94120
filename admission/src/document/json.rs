//! JSON (RFC 8259), with the place of every value. The grammar is judged by `serde_json`; the reader
//! here builds the tree of a text that passed, and refuses what the grammar allows and readers
//! understand differently: repeated keys, lone surrogates, deep nesting.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_terms::Code;
use serde::de::IgnoredAny;

use super::places::Places;
use super::{At, DocumentFault, MAX_DEPTH, Node, shortened, without_mark};

/// Reads one document. A byte order mark is allowed.
pub fn json(text: &str) -> Result<At, DocumentFault> {
    let text = without_mark(text);
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(DocumentFault {
            code: Code::JsonInvalid,
            line: error.line(),
            column: error.column(),
            message: shortened(&format!("{error}")),
        });
    }
    let reader = Reader {
        text,
        places: Places::new(text),
        open: Vec::new(),
        done: None,
    };
    reader.read()
}

/// A list or object whose end was not reached yet.
enum Open {
    List(usize, Vec<At>),
    Map {
        start: usize,
        seen: BTreeSet<String>,
        key: Option<String>,
        entries: Vec<(String, At)>,
    },
}

struct Reader<'t> {
    text: &'t str,
    places: Places<'t>,
    open: Vec<Open>,
    done: Option<At>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<At, DocumentFault> {
        let mut at = 0;
        while let Some(byte) = self.text.as_bytes().get(at) {
            at = match byte {
                b'"' => self.string(at)?,
                b'[' | b'{' => self.begin(at, *byte)?,
                b']' | b'}' => self.end(at),
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => at + 1,
                _ => self.scalar(at),
            };
        }
        let missing = self.fault(at, "a value was expected");
        self.done.ok_or(missing)
    }

    fn begin(&mut self, at: usize, byte: u8) -> Result<usize, DocumentFault> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.fault(at, "it is nested too deeply"));
        }
        self.open.push(if byte == b'[' {
            Open::List(at, Vec::new())
        } else {
            Open::Map {
                start: at,
                seen: BTreeSet::new(),
                key: None,
                entries: Vec::new(),
            }
        });
        Ok(at + 1)
    }

    fn end(&mut self, at: usize) -> usize {
        match self.open.pop() {
            Some(Open::List(start, items)) => self.value(start, Node::List(items)),
            Some(Open::Map { start, entries, .. }) => self.value(start, Node::Map(entries)),
            None => {}
        }
        at + 1
    }

    fn string(&mut self, start: usize) -> Result<usize, DocumentFault> {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        end += 1;
        let token = self.text.get(start..end).unwrap_or_default();
        let text: String = serde_json::from_str(token).map_err(|_| self.fault(start, "it is no text"))?;
        if let Some(Open::Map { key, seen, .. }) = self.open.last_mut()
            && key.is_none()
        {
            let is_new = seen.insert(text.clone());
            let shown = shortened(&text);
            *key = Some(text);
            if !is_new {
                return Err(self.fault(start, &format!("the key `{shown}` stands twice")));
            }
        } else {
            self.value(start, Node::Text(text));
        }
        Ok(end)
    }

    fn scalar(&mut self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let is_end = |c: char| matches!(c, ',' | ']' | '}' | ' ' | '\t' | '\r' | '\n');
        let end = rest.find(is_end).unwrap_or(rest.len()).max(1);
        let token = rest.get(..end).unwrap_or_default();
        self.value(
            start,
            match token {
                "null" => Node::Null,
                "true" => Node::Bool(true),
                "false" => Node::Bool(false),
                number => Node::Number(number.into()),
            },
        );
        start + end
    }

    /// Puts a finished value where it belongs.
    fn value(&mut self, start: usize, node: Node) {
        let (line, column) = self.places.of(start);
        let value = At { node, line, column };
        match self.open.last_mut() {
            Some(Open::List(_, items)) => items.push(value),
            Some(Open::Map { key, entries, .. }) => entries.push((key.take().unwrap_or_default(), value)),
            None => self.done = Some(value),
        }
    }

    fn fault(&self, at: usize, message: &str) -> DocumentFault {
        let (line, column) = self.places.of(at);
        DocumentFault {
            code: Code::JsonInvalid,
            line,
            column,
            message: message.into(),
        }
    }
}
