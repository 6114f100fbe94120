//! Names of the files in a ledger.

use std::fmt;

use crate::canonical::INTEGER_LIMIT;
use crate::{Operation, Receipt};

/// The longest word for an operation in a name.
const WORD: usize = 32;

/// The name of a receipt's file: `<sequence>-<operation>-<first 8 digits of its id>.json`. Names sort
/// by position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryName {
    sequence: u64,
    operation: String,
    short: String,
}

impl EntryName {
    /// The name for a receipt.
    pub fn of(receipt: &Receipt) -> Self {
        Self {
            sequence: receipt.sequence,
            operation: word(&receipt.operation).to_owned(),
            short: receipt.id.short().to_owned(),
        }
    }

    /// Reads a file name; `None` when a receipt is not named so.
    pub fn parse(file: &str) -> Option<Self> {
        let (sequence, rest) = file.strip_suffix(".json")?.split_once('-')?;
        let (operation, short) = rest.rsplit_once('-')?;
        let digits = sequence.bytes().all(|b| b.is_ascii_digit()) && !sequence.starts_with('0');
        let sequence = sequence
            .parse()
            .ok()
            .filter(|number| digits && *number <= INTEGER_LIMIT)?;
        let hex = short.len() == 8 && short.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        (hex && is_word(operation)).then(|| Self {
            sequence,
            operation: operation.to_owned(),
            short: short.to_owned(),
        })
    }

    /// The position.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The operation.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The first eight digits of the id.
    pub fn short(&self) -> &str {
        &self.short
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}.json", self.sequence, self.operation, self.short)
    }
}

/// The operation's word, if it can stand in a name.
fn word(operation: &Operation) -> &str {
    let word = operation.as_str();
    if is_word(word) { word } else { "other" }
}

fn is_word(word: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=WORD).contains(&word.len()) && word.bytes().all(plain) && !word.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_written_are_read() {
        for name in [
            "1-plan-0123abcd.json",
            "9007199254740992-lazy-install-ffffffff.json",
        ] {
            assert_eq!(EntryName::parse(name).unwrap().to_string(), name);
        }
        for name in [
            "0-plan-0123abcd.json",
            "01-plan-0123abcd.json",
            "+1-plan-0123abcd.json",
            "1-plan-0123ABCD.json",
            "1-plan-0123abc.json",
            "1--0123abcd.json",
            "1-Plan-0123abcd.json",
            "1-../x-0123abcd.json",
            "9007199254740993-plan-0123abcd.json",
            "99999999999999999999-plan-0123abcd.json",
            "1-plan-0123abcd.json.bak",
            "HEAD",
            "",
        ] {
            assert_eq!(EntryName::parse(name), None, "{name}");
        }
        assert_eq!(word(&Operation::Other("../../x".into())), "other");
    }
}
