//! Moments in one written form.

use jiff::Timestamp;

/// Normalises an RFC 3339 moment to UTC with six digits of a second, so that the order of texts is
/// the order of times: `2024-01-02T03:04:05.000000Z`. Fractions beyond that are cut off.
pub fn normalise_time(text: &str) -> Option<String> {
    if is_normal(text) {
        return Some(text.to_owned());
    }
    let moment: Timestamp = text.trim().parse().ok()?;
    let normal = format!("{moment:.6}");
    is_normal(&normal).then_some(normal)
}

fn is_normal(text: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T00:00:00.000000Z";
    let digit = |form: u8, byte: u8| {
        if form == b'0' {
            byte.is_ascii_digit()
        } else {
            byte == form
        }
    };
    text.len() == FORM.len() && text.bytes().zip(FORM).all(|(byte, form)| digit(*form, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_sort_as_texts() {
        let rows = [
            ("2024-01-02T03:04:05.123456Z", Some("2024-01-02T03:04:05.123456Z")),
            ("2024-01-02T03:04:05Z", Some("2024-01-02T03:04:05.000000Z")),
            ("2024-01-02T03:04:05.5Z", Some("2024-01-02T03:04:05.500000Z")),
            (
                "2024-01-02T03:04:05.123456789Z",
                Some("2024-01-02T03:04:05.123456Z"),
            ),
            ("2024-01-02T05:04:05+02:00", Some("2024-01-02T03:04:05.000000Z")),
            ("2024-01-02", None),
            ("yesterday", None),
            ("-002024-01-02T03:04:05Z", None),
        ];
        for (text, want) in rows {
            assert_eq!(normalise_time(text).as_deref(), want, "{text}");
        }
    }
}
