//! The end of the window of releases that count (quarantine). A window given in days becomes a date
//! when the operation starts, so that the same inputs give the same answer.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

/// The moment from which uploads do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cutoff {
    /// A moment.
    At(Timestamp),
    /// So many days (of 24 hours) before the operation starts.
    Days(u16),
}

/// A text is not a cutoff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a date (2026-11-20, or 2026-11-20T00:00:00Z) nor a number of days (`14 days`)")]
pub struct CutoffError(String);

impl Cutoff {
    /// Reads `2026-11-20T12:00:00Z` (RFC 3339), `2026-11-20` (that whole day, UTC, still counts),
    /// `14 days`, `2 weeks` or `P14D`.
    pub fn parse(text: &str) -> Result<Self, CutoffError> {
        let fault = || CutoffError(text.chars().take(60).flat_map(char::escape_debug).collect());
        let text = text.trim();
        if let Some(days) = days(text) {
            return Ok(Self::Days(days));
        }
        if let Some(date) = Some(text)
            .filter(|text| text.len() == 10)
            .and_then(|text| text.parse::<Date>().ok())
        {
            let next = date.tomorrow().map_err(|_| fault())?;
            return format!("{next}T00:00:00Z")
                .parse()
                .map(Self::At)
                .map_err(|_| fault());
        }
        text.parse().map(Self::At).map_err(|_| fault())
    }

    /// The moment, for an operation that starts now; RFC 3339 in UTC.
    pub fn resolve(self, now: Timestamp) -> String {
        let moment = match self {
            Self::At(moment) => moment,
            Self::Days(days) => {
                let window = SignedDuration::from_hours(24 * i64::from(days));
                now.checked_sub(window).unwrap_or(Timestamp::MIN)
            }
        };
        moment.to_string()
    }
}

fn days(text: &str) -> Option<u16> {
    if let Some(number) = text.strip_prefix('P').and_then(|rest| rest.strip_suffix('D')) {
        return number.parse().ok();
    }
    let (number, unit) = text.split_once(' ')?;
    let number: u16 = number.parse().ok()?;
    match unit.trim() {
        "day" | "days" => Some(number),
        "week" | "weeks" => number.checked_mul(7),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutoffs_become_moments() {
        let now: Timestamp = "2026-12-01T02:03:04Z".parse().unwrap();
        let table = [
            ("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"),
            ("2026-11-20T01:00:00+01:00", "2026-11-20T00:00:00Z"),
            ("2026-11-20", "2026-11-21T00:00:00Z"),
            ("14 days", "2026-11-17T02:03:04Z"),
            ("1 week", "2026-11-24T02:03:04Z"),
            ("P1D", "2026-11-30T02:03:04Z"),
        ];
        for (text, expected) in table {
            assert_eq!(Cutoff::parse(text).unwrap().resolve(now), expected, "{text}");
        }
        for bad in [
            "",
            "yesterday",
            "14",
            "-1 days",
            "2026-13-01",
            "2026-11-20T00:00:00",
            "99999999 days",
            "9999-12-31",
        ] {
            assert!(Cutoff::parse(bad).is_err(), "{bad}");
        }
    }
}
