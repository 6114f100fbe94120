//! The quarantine that core declares: `[tool.uv] exclude-newer`.

use alloc::string::{String, ToString};

/// A quarantine as it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExcludeNewer {
    /// So many days before the operation.
    Days(u32),
    /// A moment, as it is written: a date, or a date and time (RFC 3339).
    Date(String),
}

impl ExcludeNewer {
    /// Reads a date, or a span: `14 days`, `2 weeks`, `P14D`, `P2W`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if is_date(text) {
            return Some(Self::Date(text.to_string()));
        }
        let lower = text.to_ascii_lowercase();
        let span = lower.strip_prefix('p').unwrap_or(&lower);
        let digits = span.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = span.split_at_checked(digits)?;
        let days = match unit.trim() {
            "d" | "day" | "days" => 1,
            "w" | "week" | "weeks" => 7,
            _ => return None,
        };
        number.parse::<u32>().ok()?.checked_mul(days).map(Self::Days)
    }
}

/// Begins with `YYYY-MM-DD`; what follows the date is judged where a moment is made of it.
fn is_date(text: &str) -> bool {
    let mut bytes = text.bytes();
    let shape = b"dddd-dd-dd";
    let fits = shape.iter().all(|want| {
        bytes.next().is_some_and(|byte| {
            if *want == b'd' {
                byte.is_ascii_digit()
            } else {
                byte == b'-'
            }
        })
    });
    fits && bytes.next().is_none_or(|byte| matches!(byte, b'T' | b't' | b' '))
}
