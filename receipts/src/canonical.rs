//! The canonical form (RFC 8785) and the digests made of it.
//!
//! Receipts hold no floats and no integers beyond 2⁵³, so that every JSON reader sees the same
//! numbers; a value that holds one has no canonical form here.

use hermes_terms::Digest;
use serde_json::{Map, Value};

/// The largest integer that every JSON reader takes exactly (RFC 7493).
pub const INTEGER_LIMIT: u64 = 1 << 53;

/// A value has no canonical form.
#[derive(Debug, thiserror::Error)]
pub enum CanonicalError {
    /// It holds a number that is not an integer of at most 2⁵³.
    #[error("the number {0} cannot be written exactly")]
    Number(String),
    /// It cannot be written as JSON at all.
    #[error("it cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// The canonical form of a value.
pub fn bytes(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    check(value)?;
    Ok(serde_jcs::to_vec(value)?)
}

/// The digest of the canonical form.
pub fn digest_of(value: &Value) -> Result<Digest, CanonicalError> {
    bytes(value).map(|bytes| Digest::of(&bytes))
}

/// The id of a receipt: the digest of everything in it but `id`, fields that this program does not
/// know included.
pub fn id_of(receipt: &Value) -> Result<Digest, CanonicalError> {
    let Value::Object(object) = receipt else {
        return digest_of(receipt);
    };
    let rest: Map<String, Value> = object
        .iter()
        .filter(|(key, _)| *key != "id")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    digest_of(&Value::Object(rest))
}

fn check(value: &Value) -> Result<(), CanonicalError> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => {
                let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
                if size.is_none_or(|size| size > INTEGER_LIMIT) {
                    return Err(CanonicalError::Number(number.to_string()));
                }
            }
            Value::Array(items) => open.extend(items),
            Value::Object(object) => open.extend(object.values()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The order of keys is that of UTF-16 units and strings are escaped as little as JSON allows
    /// (RFC 8785, sections 3.2.2 and 3.2.3).
    #[test]
    fn canonical_form_is_that_of_the_standard() {
        let value = json!({
            "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7,
            "text": "\u{20ac}$\u{f}\nA'B\"\\\u{7f}\u{2028}/",
        });
        let expected = "{\"\\r\":2,\"1\":4,\"text\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\u{7f}\u{2028}/\",\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}";
        assert_eq!(String::from_utf8(bytes(&value).unwrap()).unwrap(), expected);
    }

    #[test]
    fn only_exact_numbers_have_a_canonical_form() {
        for value in [
            json!(1.5),
            json!(9_007_199_254_740_993_u64),
            json!({"a": [u64::MAX]}),
        ] {
            assert!(matches!(bytes(&value), Err(CanonicalError::Number(_))), "{value}");
        }
        assert_eq!(
            bytes(&json!(9_007_199_254_740_992_u64)).unwrap(),
            b"9007199254740992"
        );
        assert_eq!(
            bytes(&json!(-9_007_199_254_740_992_i64)).unwrap(),
            b"-9007199254740992"
        );
        assert_eq!(bytes(&json!(0)).unwrap(), b"0");
    }

    #[test]
    fn the_id_leaves_out_itself_only() {
        let id = |value: Value| id_of(&value).unwrap();
        assert_eq!(id(json!({"a": 1, "id": "x"})), id(json!({"id": "y", "a": 1})));
        assert_ne!(id(json!({"a": 1})), id(json!({"a": 1, "later": 2})));
        assert_ne!(id(json!({"a": {"id": 1}})), id(json!({"a": {"id": 2}})));
    }
}
