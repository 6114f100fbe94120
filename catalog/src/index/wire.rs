//! Which format an answer is in: by its media type, and by its first byte where servers say nothing
//! of use.

use hermes_pep::{IndexPage, PackageName};
use hermes_terms::Code;

use super::fault::IndexError;
use super::{simple_html, simple_json};
use crate::fetch::{Answer, shown};

/// The largest page that is read, in bytes.
pub(super) const MAX_PAGE: u64 = 64 << 20;

/// Reads the page of a project from an answer.
pub(super) fn read_page(answer: &Answer, name: &PackageName) -> Result<IndexPage, IndexError> {
    let read = match answer.media_type.as_str() {
        "application/vnd.pypi.simple.v1+json" => simple_json::read,
        "application/vnd.pypi.simple.v1+html" => simple_html::read,
        media if media.starts_with("application/vnd.pypi.simple.") => {
            return Err(malformed(
                answer,
                name,
                "it follows another version of the simple API than 1",
            ));
        }
        _ if first_byte(&answer.body) == Some(b'{') => simple_json::read,
        _ if first_byte(&answer.body) == Some(b'<') => simple_html::read,
        _ => return Err(malformed(answer, name, "it is neither JSON nor HTML")),
    };
    read(&answer.body, name, &answer.url).map_err(|why| malformed(answer, name, &why))
}

fn first_byte(body: &[u8]) -> Option<u8> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    body.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn malformed(answer: &Answer, name: &PackageName, why: &str) -> IndexError {
    let message = format!(
        "the answer of {} is not the project page of {name}: {why}",
        shown(&answer.url)
    );
    IndexError::new(Code::IndexMalformed, message)
}
