//! JSON (RFC 8259). Strictness comes from `serde_json`; the places from the YAML reader, of whose
//! language JSON is a part, and which refuses repeated keys.

use alloc::string::ToString;

use hermes_terms::Code;

use super::{At, DocumentFault, shortened, yaml};

/// Reads one document. A byte order mark is allowed.
pub fn json(text: &str) -> Result<At, DocumentFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return Err(DocumentFault {
            code: Code::JsonInvalid,
            line: error.line(),
            column: error.column(),
            message: shortened(&error.to_string()),
        });
    }
    yaml(text).map_err(|fault| DocumentFault {
        code: Code::JsonInvalid,
        ..fault
    })
}
