//! What is asked and what is answered, apart from how.

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, RANGE,
};
use reqwest::{RequestBuilder, StatusCode};
use url::Url;

/// One question to a server.
#[derive(Debug, Clone)]
pub(crate) struct Question<'a> {
    /// The address.
    pub(crate) url: Url,
    /// The content types that are understood.
    pub(crate) accept: Option<&'static str>,
    /// A part of the file.
    pub(crate) range: Option<ByteRange>,
    /// What is known of the version in the cache.
    pub(crate) validators: Option<&'a Validators>,
    /// The largest body, in bytes.
    pub(crate) limit: u64,
}

impl<'a> Question<'a> {
    pub(crate) fn new(url: Url, limit: u64) -> Self {
        Self {
            url,
            accept: None,
            range: None,
            validators: None,
            limit,
        }
    }

    pub(crate) fn range(self, range: ByteRange) -> Self {
        Self {
            range: Some(range),
            ..self
        }
    }

    pub(crate) fn page(url: Url, limit: u64, validators: Option<&'a Validators>) -> Self {
        let accept = "application/vnd.pypi.simple.v1+json, \
                      application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";
        Self {
            url,
            accept: Some(accept),
            range: None,
            validators,
            limit,
        }
    }

    /// Puts the question into the headers of a request.
    pub(crate) fn apply(&self, mut request: RequestBuilder) -> RequestBuilder {
        if let Some(accept) = self.accept {
            request = request.header(ACCEPT, accept);
        }
        if let Some(range) = self.range {
            // Ranges of a compressed form would be of no use.
            request = request
                .header(RANGE, range.to_string())
                .header(ACCEPT_ENCODING, "identity");
        }
        let Some(validators) = self.validators else {
            return request;
        };
        match (&validators.etag, &validators.last_modified) {
            (Some(etag), _) => request.header(IF_NONE_MATCH, etag),
            (None, Some(date)) => request.header(IF_MODIFIED_SINCE, date),
            (None, None) => request,
        }
    }
}

/// A part of a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteRange {
    /// From the first to the last byte, both included.
    Span(u64, u64),
    /// The last bytes.
    Last(u64),
}

impl std::fmt::Display for ByteRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Span(first, last) => write!(f, "bytes={first}-{last}"),
            Self::Last(length) => write!(f, "bytes=-{length}"),
        }
    }
}

/// What a server gave to recognise a version of a page by (RFC 9110, 8.8).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Validators {
    /// `ETag`.
    pub(crate) etag: Option<String>,
    /// `Last-Modified`.
    pub(crate) last_modified: Option<String>,
}

impl Validators {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self {
            etag: text(headers, &ETAG),
            last_modified: text(headers, &LAST_MODIFIED),
        }
    }

    /// Whether a conditional request can be made.
    pub(crate) fn any(&self) -> Option<&Self> {
        (self.etag.is_some() || self.last_modified.is_some()).then_some(self)
    }
}

/// The kinds of answers that are no failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// 200: the whole.
    Full,
    /// 206: the part that was asked for.
    Partial,
    /// 304: as in the cache.
    Unchanged,
    /// 404, 410: there is no such thing.
    Missing,
    /// 416: no such part.
    NoSuchPart,
}

impl Status {
    pub(crate) fn of(status: StatusCode) -> Option<Self> {
        match status.as_u16() {
            200 => Some(Self::Full),
            206 => Some(Self::Partial),
            304 => Some(Self::Unchanged),
            404 | 410 => Some(Self::Missing),
            416 => Some(Self::NoSuchPart),
            _ => None,
        }
    }

    pub(crate) fn has_body(self) -> bool {
        matches!(self, Self::Full | Self::Partial)
    }
}

/// One answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The kind.
    pub(crate) status: Status,
    /// The address that answered, after redirects.
    pub(crate) url: Url,
    /// The media type, lower case, without parameters.
    pub(crate) media_type: String,
    /// To recognise this version by.
    pub(crate) validators: Validators,
    /// First byte, last byte and total of a part, as the server states them.
    pub(crate) span: Option<(u64, u64, u64)>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn new(status: Status, url: Url, headers: &HeaderMap) -> Self {
        let media_type = text(headers, &CONTENT_TYPE).unwrap_or_default();
        let media_type = media_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let span = text(headers, &CONTENT_RANGE).and_then(|range| read_span(&range));
        Self {
            status,
            url,
            media_type,
            validators: Validators::of(headers),
            span,
            body: Vec::new(),
        }
    }
}

fn text(headers: &HeaderMap, name: &reqwest::header::HeaderName) -> Option<String> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

/// Reads `bytes 0-9/10` (RFC 9110, 14.4).
fn read_span(text: &str) -> Option<(u64, u64, u64)> {
    let (span, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = span.split_once('-')?;
    let (first, last, total) = (first.parse().ok()?, last.parse().ok()?, total.parse().ok()?);
    (first <= last && last < total).then_some((first, last, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_must_make_sense() {
        let rows = [
            ("bytes 0-9/10", Some((0, 9, 10))),
            ("bytes 5-4/10", None),
            ("bytes 5-10/10", None),
            ("bytes 0-9/*", None),
            ("bytes */10", None),
            ("0-9/10", None),
        ];
        for (text, want) in rows {
            assert_eq!(read_span(text), want, "{text}");
        }
    }
}
