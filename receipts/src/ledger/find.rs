//! Finding one receipt by what a person types.

use std::fmt;

use super::error::LedgerError;
use super::{EntryName, Ledger, Listing};
use crate::Receipt;

/// The fewest digits that name an id.
const FEWEST: usize = 4;

/// Which receipt is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// The newest intact one.
    Last,
    /// The one at a position; when there is none, the one whose id begins with the same digits.
    Number {
        /// The position.
        sequence: u64,
        /// As it was typed.
        digits: String,
    },
    /// The one whose id begins so.
    Id(String),
}

/// A text means no receipt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a receipt is named by its number, by {FEWEST} or more digits of its id, or by `last`")]
pub struct SelectorError;

impl Selector {
    /// Reads what a person typed: `last`, a number, or the beginning of an id with or without
    /// `sha256:`.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        if text == "last" {
            return Ok(Self::Last);
        }
        if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            let digits = text.to_owned();
            if let Ok(sequence) = text.parse() {
                return Ok(Self::Number { sequence, digits });
            }
        }
        let digits = text.strip_prefix("sha256:").unwrap_or(text).to_ascii_lowercase();
        let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        if hex && (FEWEST..=64).contains(&digits.len()) {
            Ok(Self::Id(digits))
        } else {
            Err(SelectorError)
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Number { digits, .. } | Self::Id(digits) => f.write_str(digits),
        }
    }
}

impl Ledger {
    /// The receipt that is meant.
    pub fn find(&self, wanted: &Selector) -> Result<Receipt, LedgerError> {
        let listing = self.list()?;
        match wanted {
            Selector::Last => self.last(&listing),
            Selector::Number { sequence, digits } => {
                let at = listing.entries.iter().filter(|name| name.sequence() == *sequence);
                match self.only(at.collect(), wanted, |_| true) {
                    Err(LedgerError::NotFound { .. }) if digits.len() >= FEWEST => {
                        self.by_id(&listing, digits, wanted)
                    }
                    other => other,
                }
            }
            Selector::Id(digits) => self.by_id(&listing, digits, wanted),
        }
    }

    /// The newest intact receipt of the chain. Nothing beyond its end counts.
    fn last(&self, listing: &Listing) -> Result<Receipt, LedgerError> {
        let end = super::head::tip(&self.folder(), listing).map_or(0, |tip| tip.sequence);
        let mut chain = listing.entries.iter().rev().filter(|name| name.sequence() <= end);
        let newest = chain.find_map(|name| self.read(name).ok());
        newest.ok_or_else(|| not_found(&Selector::Last))
    }

    fn by_id(&self, listing: &Listing, digits: &str, wanted: &Selector) -> Result<Receipt, LedgerError> {
        let short = digits.get(..8).unwrap_or(digits);
        let alike = listing
            .entries
            .iter()
            .filter(|name| name.short().starts_with(short));
        self.only(alike.collect(), wanted, |receipt| {
            let id = receipt.id.as_str();
            id.strip_prefix("sha256:")
                .is_some_and(|id| id.starts_with(digits))
        })
    }

    /// The one intact receipt among some names; a damaged one is told when there is no intact one.
    fn only(
        &self,
        names: Vec<&EntryName>,
        wanted: &Selector,
        meant: impl Fn(&Receipt) -> bool,
    ) -> Result<Receipt, LedgerError> {
        let mut found = Vec::new();
        let mut corrupt = None;
        for name in names {
            match self.read(name) {
                Ok(receipt) if meant(&receipt) => found.push(receipt),
                Ok(_) => {}
                Err(damage) => corrupt = Some(damage),
            }
        }
        let count = found.len();
        match (found.pop(), corrupt) {
            (Some(receipt), _) if count == 1 => Ok(receipt),
            (Some(_), _) => Err(LedgerError::Ambiguous {
                wanted: wanted.to_string(),
                count,
            }),
            (None, Some(corrupt)) => Err(corrupt.into()),
            (None, None) => Err(not_found(wanted)),
        }
    }
}

fn not_found(wanted: &Selector) -> LedgerError {
    LedgerError::NotFound {
        wanted: wanted.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_types() {
        let number = |sequence, digits: &str| {
            Ok(Selector::Number {
                sequence,
                digits: digits.into(),
            })
        };
        let id = |digits: &str| Ok(Selector::Id(digits.into()));
        let cases = [
            ("last", Ok(Selector::Last)),
            ("12", number(12, "12")),
            ("1234567890123456789012345", id("1234567890123456789012345")),
            ("ABCD", id("abcd")),
            ("sha256:0123", id("0123")),
            ("abc", Err(SelectorError)),
            ("", Err(SelectorError)),
            ("../HEAD", Err(SelectorError)),
            ("-1", Err(SelectorError)),
        ];
        for (text, expected) in cases {
            assert_eq!(Selector::parse(text), expected, "{text}");
        }
        assert!(Selector::parse(&"a".repeat(65)).is_err());
    }
}
