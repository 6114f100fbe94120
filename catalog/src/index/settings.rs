//! What the index client is told: which indexes, which cache, which limits.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use url::Url;

use crate::fetch::{Credentials, shown};

/// Settings of the index client. No address is built in: without indexes every question fails with
/// `index.not-configured`.
#[derive(Debug, Clone)]
pub struct IndexSettings {
    /// The indexes, in the order they are asked.
    pub indexes: Vec<IndexLocation>,
    /// The folder of the cache; `None` keeps nothing.
    pub cache: Option<PathBuf>,
    /// How long a cached page counts without asking.
    pub time_to_live: Duration,
    /// Whether to answer from the cache alone, whatever its age.
    pub offline: bool,
    /// Whether to ask for every page again, whatever its age.
    pub refresh: bool,
    /// The moment after which nothing is waited for.
    pub deadline: Option<Instant>,
    /// The cutoff that the solver uses; here it only guides what is asked for ahead of time.
    pub exclude_newer: Option<String>,
    /// The netrc file.
    pub netrc: Option<PathBuf>,
    /// Requests at one time.
    pub concurrency: usize,
    /// Attempts after the first.
    pub retries: u32,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self {
            indexes: Vec::new(),
            cache: None,
            time_to_live: Duration::from_mins(10),
            offline: false,
            refresh: false,
            deadline: None,
            exclude_newer: None,
            netrc: None,
            concurrency: 50,
            retries: 3,
        }
    }
}

/// An address cannot be that of an index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the address of an index: {0}")]
pub struct LocationError(&'static str);

/// The address of an index, and the credentials that it carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLocation {
    url: Url,
    credentials: Option<Credentials>,
}

impl IndexLocation {
    /// Reads an address such as `https://user:secret@index.example/simple`. The user information is
    /// taken out at once; queries are refused, because they may hold secrets that would be shown.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let mut url = Url::parse(text.trim()).map_err(|_| LocationError("it is not an absolute address"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(LocationError("only http and https are read"));
        }
        if url.query().is_some() {
            return Err(LocationError("it has a query (`?…`)"));
        }
        let credentials = Credentials::of_url(&url);
        url.set_fragment(None);
        let gone = url.set_username("").and_then(|()| url.set_password(None));
        gone.map_err(|()| LocationError("it has no host"))?;
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self { url, credentials })
    }

    /// The same index with these credentials.
    #[must_use]
    pub fn with_credentials(self, credentials: Credentials) -> Self {
        Self {
            credentials: Some(credentials),
            ..self
        }
    }

    /// The address, without credentials.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The credentials.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    /// The address of a project's page (PEP 503: it ends with a slash).
    pub(crate) fn page(&self, project: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/{project}/", self.url.path().trim_end_matches('/')));
        url
    }
}

impl std::fmt::Display for IndexLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&shown(&self.url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_leave_the_address_at_once() {
        let location = IndexLocation::parse("https://us%40er:hush@index.example/simple/#x").unwrap();
        assert_eq!(location.url().as_str(), "https://index.example/simple");
        assert_eq!(location.page("a-b").as_str(), "https://index.example/simple/a-b/");
        assert!(location.credentials().is_some());
        let all = format!("{location:?} {location}");
        assert!(
            !all.contains("hush") && !all.contains("us@er") && !all.contains("us%40er"),
            "{all}"
        );
        assert_eq!(
            IndexLocation::parse("http://index.example")
                .unwrap()
                .page("a")
                .path(),
            "/a/"
        );
    }

    #[test]
    fn other_addresses_are_refused_without_repeating_them() {
        for text in [
            "",
            "index.example",
            "file:///x",
            "ftp://index.example",
            "https://u:hush@index.example/?token=hush",
            "https://",
        ] {
            let message = IndexLocation::parse(text).unwrap_err().to_string();
            assert!(!message.contains("hush"), "{message}");
        }
    }
}
