//! The address of an index as it was configured. It may carry credentials, so it is shown without
//! them (contract C35); only [`IndexUrl::expose`] gives the whole.

use std::fmt;

use url::Url;

/// An address that may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexUrl {
    whole: String,
    shown: String,
}

impl IndexUrl {
    /// Reads an absolute `http` or `https` address. The error never repeats the text.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let mut url = Url::parse(text)
            .map_err(|_| "is not an absolute address such as `https://index.example/simple`")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("is not an address of an index: only http and https are read");
        }
        if url.query().is_some() {
            return Err("has a query (`?…`), which may hold a secret and is not read");
        }
        url.set_fragment(None);
        url.set_username("")
            .and_then(|()| url.set_password(None))
            .map_err(|()| "has no host")?;
        Ok(Self {
            whole: text.to_owned(),
            shown: url.to_string(),
        })
    }

    /// The address with its credentials, for the index client alone.
    pub fn expose(&self) -> &str {
        &self.whole
    }
}

impl fmt::Display for IndexUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for IndexUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E03: no way of showing an address shows its secret.
    #[test]
    fn e03_secrets_are_not_shown() {
        let url = IndexUrl::parse(" https://user:hush@index.example/simple#hush ").unwrap();
        for text in [format!("{url}"), format!("{url:?}")] {
            assert_eq!(text, "https://index.example/simple");
        }
        assert!(url.expose().contains("hush"));
        for bad in [
            "",
            "simple",
            "./simple",
            "file:///hush",
            "ssh://hush@x",
            "https://",
            "https://x/?token=hush",
        ] {
            assert!(!IndexUrl::parse(bad).unwrap_err().contains("hush"), "{bad}");
        }
    }
}
