//! How questions to an index fail.

use hermes_terms::Code;

use crate::fetch::FetchError;

/// An index could not answer: nothing may be concluded from it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IndexError {
    /// Why, for machines: `index.*`, `net.*`, `limits.size`.
    pub code: Code,
    /// Why, for people. Without credentials.
    pub message: String,
}

impl IndexError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl From<FetchError> for IndexError {
    fn from(error: FetchError) -> Self {
        Self {
            code: error.code,
            message: error.message,
        }
    }
}

/// The metadata of one file could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// The index answered, and what it holds is no use.
    #[error("{message}")]
    Unusable {
        /// Why, for machines: `metadata.*`, `zip.invalid`, `hash.mismatch`, `limits.size`, `build.required`.
        code: Code,
        /// Why, for people.
        message: String,
    },
    /// The index did not answer.
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl MetadataError {
    pub(crate) fn unusable(code: Code, message: impl Into<String>) -> Self {
        Self::Unusable {
            code,
            message: message.into(),
        }
    }
}

impl From<FetchError> for MetadataError {
    fn from(error: FetchError) -> Self {
        if error.code == Code::LimitsSize {
            return Self::unusable(error.code, error.message);
        }
        Self::Index(error.into())
    }
}
