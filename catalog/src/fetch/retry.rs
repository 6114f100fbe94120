//! When a failed request is made again: a few times, with growing pauses, or when the server says.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::failure::Again;

/// The first pause; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(100);

/// The longest pause, whatever the server asks for.
const LONGEST: Duration = Duration::from_secs(20);

/// How long to wait before attempt `made + 1`, of at most `retries` after the first; `None` when
/// the failure stands.
pub(crate) fn pause(again: Again, made: u32, retries: u32) -> Option<Duration> {
    if made >= retries {
        return None;
    }
    match again {
        Again::Never => None,
        Again::Soon => Some((FIRST * 2u32.saturating_pow(made.min(10))).min(LONGEST)),
        Again::After(wait) => Some(wait.min(LONGEST)),
    }
}

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Again {
    let text = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let Some(text) = text.map(str::trim) else {
        return Again::Soon;
    };
    if let Ok(seconds) = text.parse() {
        return Again::After(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).map(|date| date.timestamp());
    date.ok()
        .and_then(|moment| Duration::try_from(moment.duration_since(jiff::Timestamp::now())).ok())
        .map_or(Again::Soon, Again::After)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let rows = [
            (Again::Soon, 0, Some(100)),
            (Again::Soon, 1, Some(200)),
            (Again::Soon, 2, Some(400)),
            (Again::Soon, 3, None),
            (Again::Never, 0, None),
            (Again::After(Duration::from_millis(7)), 0, Some(7)),
            (Again::After(Duration::from_hours(24)), 0, Some(20_000)),
        ];
        for (again, made, want) in rows {
            assert_eq!(
                pause(again, made, 3),
                want.map(Duration::from_millis),
                "{again:?} {made}"
            );
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(read("3"), Again::After(Duration::from_secs(3)));
        assert_eq!(read("soon"), Again::Soon);
        assert_eq!(read("Wed, 21 Oct 2015 07:28:00 GMT"), Again::Soon);
        assert!(matches!(read("Sat, 21 Oct 2215 07:28:00 GMT"), Again::After(_)));
    }
}
