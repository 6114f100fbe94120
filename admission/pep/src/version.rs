//! Versions (PEP 440).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uv_pep440::Version as Inner;

/// The longest version text that is read, in bytes.
const MAX_VERSION: usize = 256;

/// The longest text that is looked at, white space around the version included.
const MAX_TEXT: usize = 4096;

/// A text is not a PEP 440 version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not a valid version (PEP 440)")]
pub struct VersionError {
    shown: String,
}

impl VersionError {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            shown: text.chars().take(80).flat_map(char::escape_debug).collect(),
        }
    }
}

/// A version by PEP 440, ordered as the standard says. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub(crate) Inner);

impl Version {
    /// Reads a version; surrounding white space is allowed, as in PyPA's `packaging`.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        if text.len() > MAX_TEXT {
            return Err(VersionError::new(text));
        }
        let trimmed = text.trim();
        if trimmed.len() > MAX_VERSION {
            return Err(VersionError::new(text));
        }
        Inner::from_str(trimmed)
            .map(Self)
            .map_err(|_| VersionError::new(text))
    }

    /// Whether the version is a pre-release or a development release.
    pub fn is_prerelease(&self) -> bool {
        self.0.any_prerelease()
    }

    /// Whether the version has a local part (`+…`).
    pub fn is_local(&self) -> bool {
        self.0.is_local()
    }

    /// The version without its local part.
    #[must_use]
    pub fn without_local(&self) -> Self {
        Self(self.0.clone().without_local())
    }

    /// The release numbers only (`3.14.0rc2` becomes `3.14.0`).
    #[must_use]
    pub fn release_only(&self) -> Self {
        Self(self.0.only_release())
    }

    /// The release numbers.
    pub fn release(&self) -> Vec<u64> {
        self.0.release().to_vec()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
