//! Strict JSON in, harmless JSON out.
//!
//! Reading refuses what readers understand differently: duplicate keys, floats, integers beyond 2⁵³,
//! lone surrogates, a byte order mark (RFC 8259 leaves all of them open, RFC 7493 forbids them).
//! Writing leaves no control, direction or invisible character raw, so that a receipt can be shown
//! on a terminal and read line by line.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::canonical::INTEGER_LIMIT;
use crate::redact::is_hostile;

/// Reads one JSON value, strictly. Nesting is bounded by the parser (128 levels).
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice::<Strict>(bytes).map(|strict| strict.0)
}

/// JSON for files and people: indented, with a newline at the end.
pub fn to_text(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let mut text = harmless(&serde_json::to_string_pretty(value)?);
    text.push('\n');
    Ok(text)
}

/// JSON for streams: one line for one value, without the newline.
pub fn to_line(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    Ok(harmless(&serde_json::to_string(value)?))
}

/// Escapes hostile characters of a JSON text. They can stand in strings only, the newlines of
/// indentation aside, since the writer has escaped those of strings.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hostile(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// A value that was read strictly.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without floats, large integers and duplicate keys")
    }

    fn visit_unit<E: Error>(self) -> Result<Strict, E> {
        Ok(Strict(Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Strict, E> {
        Ok(Strict(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Strict, E> {
        exact(value).map(|()| Strict(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Strict, E> {
        exact(value.unsigned_abs()).map(|()| Strict(value.into()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Strict, E> {
        Err(E::custom("a number that is not an integer, or too large for one"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Strict, E> {
        Ok(Strict(value.into()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Strict, E> {
        Ok(Strict(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strict, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Strict(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
        let mut object = Map::new();
        while let Some((key, Strict(value))) = map.next_entry::<String, Strict>()? {
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice in one object"));
            }
        }
        Ok(Strict(object.into()))
    }
}

fn exact<E: Error>(size: u64) -> Result<(), E> {
    if size <= INTEGER_LIMIT {
        Ok(())
    } else {
        Err(E::custom("an integer beyond 2^53"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D08, I04: what readers understand differently is refused.
    #[test]
    fn ambiguous_json_is_refused() {
        let deep = "[".repeat(200_000);
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":[{"b":1,"\u0062":2}]}"#,
            "1.0",
            "1e400",
            "1e2",
            "-0",
            "9007199254740993",
            "-9007199254740993",
            "18446744073709551616",
            r#""\ud800""#,
            "NaN",
            "\u{feff}1",
            "1 2",
            "",
            &deep,
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{}", &text[..text.len().min(60)]);
        }
        assert!(parse(b"\"\xff\"").is_err());
        assert_eq!(
            parse(b" {\"a\": [null, true, -9007199254740992]} ").unwrap(),
            serde_json::json!({"a": [null, true, -9_007_199_254_740_992_i64]})
        );
    }

    /// I01, I02: one line is one value, and nothing hostile stands raw.
    #[test]
    fn written_json_is_harmless() {
        let value = serde_json::json!({
            "a\u{1b}": "\u{1b}]0;x\u{7}\r\n\t\u{7f}\u{9b}\u{202e}\u{2066}\u{200d}\u{2028}\u{feff}\u{e0041}é",
            "b": ["\",\"status\":\"admitted\",\"x\":\""],
        });
        for text in [to_text(&value).unwrap(), to_line(&value).unwrap()] {
            assert!(!text.chars().any(|c| c != '\n' && is_hostile(c)), "{text}");
            assert_eq!(parse(text.as_bytes()).unwrap(), value);
        }
        assert_eq!(to_line(&value).unwrap().lines().count(), 1);
    }
}
