//! Secrets that are known, in the forms they travel in.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::MASK;

/// Shorter secrets are not looked for: they would blot out ordinary words.
const SHORTEST: usize = 4;

/// Known secrets. Neither shown nor compared.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Every form that is looked for, the longest first.
    forms: Vec<String>,
}

impl Secrets {
    /// Secrets to be kept out: passwords, tokens, and for basic authentication `user:password` as a
    /// whole as well. Those of fewer than four bytes are not looked for.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let long = secrets.into_iter().filter(|secret| secret.len() >= SHORTEST);
        let forms: BTreeSet<String> = long.flat_map(forms).collect();
        let mut forms: Vec<String> = forms.into_iter().collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        Self { forms }
    }

    pub(super) fn mask(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for form in &self.forms {
            if text.contains(form.as_str()) {
                text = text.replace(form.as_str(), MASK);
            }
        }
        text
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({} forms)", self.forms.len())
    }
}

fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![
        secret.to_owned(),
        percent(secret, false),
        percent(secret, true),
        percent(secret, false).replace("%20", "+"),
    ];
    let lower: Vec<String> = forms.iter().map(|form| lower_percent(form)).collect();
    forms.extend(lower);
    // The three ways that a secret may lie inside a longer text that is encoded as a whole.
    for offset in 0..3 {
        let padded = [vec![0; offset], secret.as_bytes().to_vec()].concat();
        for encoded in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            // Characters at the edges also hold bits of what stands before and after.
            let first = [0, 2, 3].get(offset).copied().unwrap_or_default();
            let last = encoded.len() - usize::from(padded.len() % 3 != 0);
            forms.extend(encoded.get(first..last).map(str::to_owned));
        }
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms
}

/// Percent-encodes (RFC 3986); `all` also what needs it not.
fn percent(text: &str, all: bool) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if !all && (byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The same with lower-case digits after `%`.
fn lower_percent(text: &str) -> String {
    let mut digits = 0;
    let lower = |c: char| {
        if c == '%' {
            digits = 2;
            return c;
        }
        let inside = digits > 0;
        digits = if inside { digits - 1 } else { 0 };
        if inside { c.to_ascii_lowercase() } else { c }
    };
    text.chars().map(lower).collect()
}
