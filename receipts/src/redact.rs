//! Keeping secrets out of records, and other people's text from playing tricks on a terminal.

mod secrets;
mod terminal;
mod url;

use serde_json::Value;

pub use secrets::Secrets;
pub use terminal::{for_terminal, is_hostile};

/// What stands in place of a secret.
pub const MASK: &str = "***";

/// Fields that hold our own words, numbers and digests: a secret that happens to be one of these
/// words is no reason to make a receipt unreadable.
const OWN_WORDS: &[&str] = &[
    "schema",
    "sequence",
    "previous",
    "id",
    "operation",
    "outcome",
    "started_at",
    "finished_at",
    "verdict",
    "code",
    "kind",
    "pins",
    "digest",
    "preferences",
    "index_facts",
    "sha256",
    "tree_sha256",
    "plugins_before",
    "plugins_after",
];

/// A text without credentials: user information and secret parameters of every address in it, and
/// every given secret in plain, percent-encoded or base64 form.
pub fn text(text: &str, secrets: &Secrets) -> String {
    url::mask(&secrets.mask(text))
}

/// The same for every string of a JSON value.
pub(crate) fn value(value: &mut Value, secrets: &Secrets) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(string) => *string = text(string, secrets),
            Value::Array(items) => open.extend(items),
            Value::Object(object) => {
                let foreign = object
                    .iter_mut()
                    .filter(|(key, _)| !OWN_WORDS.contains(&key.as_str()));
                open.extend(foreign.map(|(_, value)| value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
