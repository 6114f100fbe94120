//! Normalised names of packages and extras (PEP 503, PEP 685).

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The longest name that is read, in bytes.
const MAX_NAME: usize = 255;

/// A text is not a name: PEP 508 allows ASCII letters, digits, `-`, `_` and `.`, and a letter or
/// digit at both ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not a valid name: {reason}")]
pub struct NameError {
    shown: String,
    reason: &'static str,
}

impl NameError {
    fn new(text: &str, reason: &'static str) -> Self {
        let shown = text.chars().take(80).flat_map(char::escape_debug).collect();
        Self { shown, reason }
    }
}

/// Lower-cases and folds runs of `-`, `_`, `.` into one `-` (PEP 503).
fn normalise(text: &str) -> Result<Arc<str>, NameError> {
    let fault = |reason| Err(NameError::new(text, reason));
    if text.is_empty() {
        return fault("it is empty");
    }
    if text.len() > MAX_NAME {
        return fault("it is longer than 255 bytes");
    }
    if !text.bytes().all(|b| b.is_ascii_alphanumeric() || is_separator(b)) {
        return fault("only ASCII letters, digits, `-`, `_` and `.` are allowed");
    }
    let ends = [text.bytes().next(), text.bytes().next_back()];
    if ends.into_iter().flatten().any(is_separator) {
        return fault("it must start and end with a letter or digit");
    }
    let mut out = String::with_capacity(text.len());
    for b in text.bytes() {
        match (is_separator(b), out.ends_with('-')) {
            (true, true) => {}
            (true, false) => out.push('-'),
            (false, _) => out.push(char::from(b.to_ascii_lowercase())),
        }
    }
    Ok(out.into())
}

const fn is_separator(b: u8) -> bool {
    matches!(b, b'-' | b'_' | b'.')
}

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Validates and normalises a text.
            pub fn parse(text: &str) -> Result<Self, NameError> {
                normalise(text).map(Self)
            }

            /// The normalised form.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = String::deserialize(d)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

name_type!(
    /// The normalised name of a package (PEP 503). Cheap to clone.
    PackageName
);
name_type!(
    /// The normalised name of an extra (PEP 685). Cheap to clone.
    ExtraName
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised() {
        for (text, want) in [
            ("ruamel.yaml", "ruamel-yaml"),
            ("a.b-c__D", "a-b-c-d"),
            ("A", "a"),
        ] {
            assert_eq!(PackageName::parse(text).unwrap().as_str(), want);
        }
    }

    /// D01: nothing but ASCII, and no separator at an end.
    #[test]
    fn hostile_names_are_refused() {
        let long = "a".repeat(500);
        for text in [
            "",
            "-a",
            "a-",
            "_",
            "r\u{435}quests",
            "Req\u{200b}uests",
            "\u{ff52}equests",
            "a b",
            ".",
            "..",
            &long,
        ] {
            assert!(PackageName::parse(text).is_err(), "{text:?}");
        }
    }
}
