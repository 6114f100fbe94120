//! A moment as receipts write it: RFC 3339, in UTC, with milliseconds.

use std::borrow::Cow;
use std::fmt;
use std::time::SystemTime;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A moment, `2026-12-01T03:06:37.042Z`. The written form orders as the moments do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Moment(String);

/// A text is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a moment is written `YYYY-MM-DDThh:mm:ss.mmmZ`")]
pub struct MomentError;

impl Moment {
    /// The moment of a timestamp; beyond the years 0 to 9999 the nearest that can be written.
    pub fn of(timestamp: Timestamp) -> Self {
        let first = Timestamp::from_second(-62_167_219_200).unwrap_or(Timestamp::UNIX_EPOCH);
        let last = Timestamp::from_millisecond(253_402_207_199_999).unwrap_or(Timestamp::UNIX_EPOCH);
        Self(format!("{:.3}", timestamp.clamp(first, last)))
    }

    /// The moment of the system's clock, handed in by whoever may look at it.
    pub fn of_clock(time: SystemTime) -> Self {
        Self::of(Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// Reads a written moment. Other forms of RFC 3339, leap seconds and years before 0 are refused.
    pub fn parse(text: &str) -> Result<Self, MomentError> {
        let form = b"0000-00-00T00:00:00.000Z";
        let fits = |(have, want): (u8, &u8)| {
            if *want == b'0' {
                have.is_ascii_digit()
            } else {
                have == *want
            }
        };
        let in_form = text.len() == form.len() && text.bytes().zip(form).all(fits);
        let leap = text.get(17..19) == Some("60");
        let exists = text.parse::<Timestamp>().is_ok();
        if in_form && !leap && exists {
            Ok(Self(text.to_owned()))
        } else {
            Err(MomentError)
        }
    }

    /// The written form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A moment in UTC (RFC 3339) with milliseconds.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I04: leap seconds, years before 0 and loose forms.
    #[test]
    fn one_form_only() {
        assert!(Moment::parse("2026-12-01T03:06:37.042Z").is_ok());
        for text in [
            "2026-12-01T03:06:37Z",
            "2026-12-01T03:06:60.000Z",
            "2026-02-30T03:06:37.042Z",
            "2026-12-01t03:06:37.042z",
            "2026-12-01T03:06:37.042+00:00",
            "-001-12-01T03:06:37.042Z",
            "２026-12-01T03:06:37.042Z",
            "",
        ] {
            assert!(Moment::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_timestamp_has_a_written_form() {
        let from_second = |second| Moment::of(Timestamp::from_second(second).unwrap());
        assert_eq!(from_second(0).as_str(), "1970-01-01T00:00:00.000Z");
        for timestamp in [Timestamp::MIN, Timestamp::MAX] {
            let moment = Moment::of(timestamp);
            assert_eq!(Moment::parse(moment.as_str()), Ok(moment));
        }
    }
}
