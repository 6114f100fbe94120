//! What is wrong with a root, or worth saying of it, with the place.

use alloc::borrow::ToOwned;
use alloc::string::String;

use hermes_pep::{RequirementError, RequirementErrorKind};
use hermes_terms::Code;

use crate::document::{At, DocumentFault};
use crate::tree::{ReadFault, ReadFaultKind};

/// One thing that is wrong, or worth saying.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The file, relative to the root.
    pub file: String,
    /// The line, from 1; 0 when unknown.
    pub line: usize,
    /// The column, from 1; 0 when unknown.
    pub column: usize,
    /// Why, for machines.
    pub code: Code,
    /// Why, for people.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(file: &str, code: Code, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: 0,
            column: 0,
            code,
            message: message.into(),
        }
    }

    #[must_use]
    pub(crate) fn at(self, at: &At) -> Self {
        Self {
            line: at.line,
            column: at.column,
            ..self
        }
    }

    pub(crate) fn document(file: &str, fault: DocumentFault) -> Self {
        Self {
            file: file.to_owned(),
            line: fault.line,
            column: fault.column,
            code: fault.code,
            message: fault.message,
        }
    }

    pub(crate) fn read(file: &str, fault: ReadFault) -> Self {
        let code = match fault.kind {
            ReadFaultKind::TooLarge => Code::DeclarationLimits,
            ReadFaultKind::NotAFile | ReadFaultKind::Unreadable => Code::PluginUnreadable,
        };
        Self::new(file, code, fault.message)
    }

    pub(crate) fn requirement(file: &str, at: &At, text: &str, error: &RequirementError) -> Self {
        let code = match error.kind {
            RequirementErrorKind::Limit => Code::DeclarationLimits,
            RequirementErrorKind::Syntax => Code::DeclarationInvalid,
        };
        let shown: String = text.chars().take(120).flat_map(char::escape_debug).collect();
        let message = alloc::format!("`{shown}` is not a requirement (PEP 508): {}", error.message);
        Self::new(file, code, message).at(at)
    }
}
