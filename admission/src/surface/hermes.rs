//! `requires_hermes`: comparisons of dotted digits, joined by commas; a bare version means `>=`.

use alloc::string::{String, ToString};
use core::fmt;

use hermes_pep::{Specifiers, Version};

/// The versions of Hermes that a plugin runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HermesRange {
    text: String,
    specifiers: Specifiers,
}

impl HermesRange {
    /// Reads a range; `None` when it breaks the grammar. A blank text asks for nothing.
    pub fn parse(text: &str) -> Option<Self> {
        let mut joined = String::new();
        let parts = text.split(',').map(str::trim);
        for part in parts.filter(|_| !text.trim().is_empty()) {
            let digits = part.trim_start_matches(['<', '>', '=', '!']);
            let (operator, version) = (part.get(..part.len() - digits.len())?, digits.trim());
            let known = matches!(operator, "" | ">=" | "<=" | "==" | "!=" | ">" | "<");
            let dotted = version
                .split('.')
                .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
            if !known || !dotted {
                return None;
            }
            joined.push_str(if operator.is_empty() { ">=" } else { operator });
            joined.push_str(version);
            joined.push(',');
        }
        let specifiers = Specifiers::parse(joined.trim_end_matches(',')).ok()?;
        Some(Self {
            text: text.trim().to_string(),
            specifiers,
        })
    }

    /// Whether a version of Hermes is one of them.
    pub fn contains(&self, version: &Version) -> bool {
        self.specifiers.range().contains(version)
    }
}

impl fmt::Display for HermesRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
