//! Why a request failed, without anything secret: addresses are shown without user information,
//! query and fragment, and texts of the HTTP library are never passed on whole.

use std::error::Error;
use std::io;
use std::time::Duration;

use hermes_terms::Code;
use url::Url;

/// A request has no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct FetchError {
    /// Why, for machines.
    pub(crate) code: Code,
    /// Why, for people.
    pub(crate) message: String,
    /// Whether asking again may help.
    pub(crate) again: Again,
}

/// Whether asking again may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// No.
    Never,
    /// Yes, after the usual pause.
    Soon,
    /// Yes, after the time that the server named (`Retry-After`, RFC 9110).
    After(Duration),
}

impl FetchError {
    pub(crate) fn new(code: Code, message: impl Into<String>, again: Again) -> Self {
        Self {
            code,
            message: message.into(),
            again,
        }
    }

    /// A failure that asking again cannot mend.
    pub(crate) fn last(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, message, Again::Never)
    }

    /// Whether asking again cannot help.
    pub(crate) fn is_final(&self) -> bool {
        self.again == Again::Never
    }

    /// What an error of the HTTP library means for a request of `url`.
    pub(crate) fn from_library(error: &reqwest::Error, url: &Url) -> Self {
        let place = shown(url);
        if let Some(cause) = tls_cause(error) {
            return Self::last(
                Code::NetTls,
                format!(
                    "no secure connection for {place}: {cause}; if a proxy or a private authority \
                     signed the certificate, add its root to the certificates of the system"
                ),
            );
        }
        let cause = root_cause(error);
        let (code, message) = if error.is_timeout() {
            (Code::NetTimeout, format!("{place} did not answer in time"))
        } else if error.is_connect() {
            (
                Code::IndexUnavailable,
                format!("{place} cannot be reached: {cause}"),
            )
        } else if error.is_body() || error.is_decode() {
            (
                Code::NetTruncated,
                format!("the answer of {place} ended before it was complete"),
            )
        } else {
            (Code::IndexUnavailable, format!("{place} gave no answer: {cause}"))
        };
        Self::new(code, message, Again::Soon)
    }
}

/// An address as it may be shown: scheme, host, port and path.
pub(crate) fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!(
        "{}://{}{port}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.path()
    )
}

/// The causes of an error, outermost first. `io::Error` hides the error that it wraps from
/// `source`, so it is looked into.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let current = next?;
        let wrapped = current.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(inner) => Some(inner),
            None => current.source(),
        };
        Some(current)
    })
    .take(32)
}

fn tls_cause(error: &reqwest::Error) -> Option<String> {
    causes(error)
        .find_map(|cause| cause.downcast_ref::<rustls::Error>())
        .map(ToString::to_string)
}

fn root_cause(error: &reqwest::Error) -> String {
    // The outermost text names the address in full; a cause further in does not.
    let deepest = causes(error).skip(1).last().map(ToString::to_string);
    deepest.unwrap_or_else(|| "the request failed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E03: neither user information nor a query is shown.
    #[test]
    fn addresses_are_shown_without_secrets() {
        let url =
            Url::parse("https://user:hush@index.example:8443/simple/a/?token=hush#sha256=hush").unwrap();
        assert_eq!(shown(&url), "https://index.example:8443/simple/a/");
    }
}
