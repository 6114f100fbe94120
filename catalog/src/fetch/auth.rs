//! Credentials: from the addresses of indexes, then from netrc; sent to the origin (scheme, host,
//! port) they belong to and nowhere else, and never shown.

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;

use url::Url;

use super::netrc::{MAX_SIZE, Netrc};

/// A user name and a password or token. Neither is ever written out.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    user: String,
    secret: String,
}

impl Credentials {
    /// Credentials for the scheme `Basic` (RFC 7617).
    pub fn new(user: impl Into<String>, secret: impl Into<String>) -> Self {
        Self {
            user: user.into(),
            secret: secret.into(),
        }
    }

    /// The credentials in the user information of an address, percent-decoded.
    pub(crate) fn of_url(url: &Url) -> Option<Self> {
        let secret = url.password().unwrap_or_default();
        let none = url.username().is_empty() && secret.is_empty();
        (!none).then(|| Self::new(decode_percent(url.username()), decode_percent(secret)))
    }

    pub(crate) fn user(&self) -> &str {
        &self.user
    }

    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

impl fmt::Display for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// Whose credentials go where.
#[derive(Debug)]
pub(crate) struct Keyring {
    indexes: Vec<(Url, Option<Credentials>)>,
    netrc: Option<PathBuf>,
    read: OnceLock<Netrc>,
}

impl Keyring {
    /// The indexes with what their addresses carried, and the netrc file, which is read when first needed.
    pub(crate) fn new(indexes: Vec<(Url, Option<Credentials>)>, netrc: Option<PathBuf>) -> Self {
        Self {
            indexes,
            netrc,
            read: OnceLock::new(),
        }
    }

    /// What to send to an address. Of several indexes at one origin the one with the longest
    /// common path counts. Netrc knows no schemes, so its secrets go over `https`, or to an index.
    pub(crate) fn find(&self, url: &Url) -> Option<&Credentials> {
        let here = self
            .indexes
            .iter()
            .filter(|(index, _)| index.origin() == url.origin());
        let (mut own, mut is_index, mut length) = (None, false, 0);
        for (index, credentials) in here {
            is_index = true;
            let common = common_path(index, url);
            if let Some(credentials) = credentials
                && (own.is_none() || common > length)
            {
                (own, length) = (Some(credentials), common);
            }
        }
        if own.is_some() || !(is_index || url.scheme() == "https") {
            return own;
        }
        self.read
            .get_or_init(|| self.read_netrc())
            .find(url.host_str()?, is_index)
    }

    /// Whether plain `http` may be asked for files: only where an index is configured so.
    pub(crate) fn allows_plain(&self) -> bool {
        self.indexes.iter().any(|(index, _)| index.scheme() == "http")
    }

    fn read_netrc(&self) -> Netrc {
        let Some(path) = &self.netrc else {
            return Netrc::default();
        };
        let text = match hermes_fsx::read_regular(path, MAX_SIZE) {
            Ok(bytes) => String::from_utf8(bytes.unwrap_or_default()).ok(),
            Err(_) => None,
        };
        if text.is_none() {
            tracing::debug!(path = %path.display(), "netrc cannot be read");
        }
        Netrc::parse(&text.unwrap_or_default())
    }
}

fn common_path(a: &Url, b: &Url) -> usize {
    a.path()
        .split('/')
        .zip(b.path().split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

/// Decodes `%41` (RFC 3986); what is not a code stays as it is.
pub(crate) fn decode_percent(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = text
            .get(at + 1..at + 3)
            .filter(|_| byte == b'%')
            .filter(|c| c.bytes().all(|b| b.is_ascii_hexdigit()));
        let decoded = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(decoded.unwrap_or(byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    /// E03: no way of writing credentials shows them.
    #[test]
    fn credentials_are_never_shown() {
        let own = Credentials::of_url(&url("https://j%61ne:hu%40sh@index.example/")).unwrap();
        assert_eq!((own.user(), own.secret()), ("jane", "hu@sh"));
        let keyring = Keyring::new(vec![(url("https://index.example/"), Some(own.clone()))], None);
        for text in [format!("{own:?}"), format!("{own}"), format!("{keyring:?}")] {
            assert!(!text.contains("hu@sh") && !text.contains("jane"), "{text}");
        }
    }

    /// E04: another scheme, host or port gets nothing.
    #[test]
    fn credentials_belong_to_an_origin() {
        let one = Credentials::new("one", "1");
        let two = Credentials::new("two", "2");
        let indexes = vec![
            (url("https://index.example/one/simple"), Some(one)),
            (url("https://index.example/two/simple"), Some(two)),
        ];
        let keyring = Keyring::new(indexes, None);
        let rows = [
            ("https://index.example/two/simple/a/", Some("two")),
            ("https://index.example/one/simple/a/", Some("one")),
            ("https://index.example/files/a.whl", Some("one")),
            ("http://index.example/two/simple/a/", None),
            ("https://index.example:444/two/simple/a/", None),
            ("https://files.example/two/simple/a/", None),
        ];
        for (address, want) in rows {
            assert_eq!(
                keyring.find(&url(address)).map(Credentials::user),
                want,
                "{address}"
            );
        }
    }

    #[test]
    fn percent_codes_are_decoded() {
        for (text, want) in [
            ("a%20b", "a b"),
            ("%", "%"),
            ("%4", "%4"),
            ("%+1", "%+1"),
            ("%zz%41", "%zzA"),
            ("é%C3%A9", "éé"),
        ] {
            assert_eq!(decode_percent(text), want);
        }
    }
}
