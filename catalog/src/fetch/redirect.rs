//! Where a redirect may lead: to HTTP addresses, never from `https` to `http`, never into the
//! machine's own or link-local networks from outside, ten times at most.

use hermes_terms::Code;
use url::{Host, Url};

use super::failure::{FetchError, shown};

/// The most redirects of one request.
pub(crate) const MAX_HOPS: usize = 10;

/// The next address, after an answer of `from` that names `location`.
pub(crate) fn next(from: &Url, location: Option<&str>) -> Result<Url, FetchError> {
    let refuse = |why: &str| FetchError::last(Code::NetRedirect, format!("{} redirects {why}", shown(from)));
    let location = location.ok_or_else(|| refuse("without saying where to"))?;
    if location.bytes().any(|byte| byte.is_ascii_control()) {
        return Err(refuse("to an address with control characters"));
    }
    let mut to = from
        .join(location)
        .map_err(|_| refuse("to an address that cannot be read"))?;
    match (from.scheme(), to.scheme()) {
        (_, "https") | ("http", "http") => {}
        ("https", "http") => return Err(refuse(&format!("to the insecure address {}", shown(&to)))),
        (_, scheme) => return Err(refuse(&format!("to an address of the kind `{scheme}:`"))),
    }
    if is_inner(&to) && !is_inner(from) {
        return Err(refuse(&format!(
            "into the machine's own network, to {}",
            shown(&to)
        )));
    }
    strip_user(&mut to);
    Ok(to)
}

/// Takes user name and password out of an address; they come from the configuration alone.
pub(crate) fn strip_user(url: &mut Url) {
    // Both calls fail only for addresses without a host, which have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

/// Loopback, link-local and unspecified addresses, which nothing outside has a reason to name.
fn is_inner(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_link_local() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => {
            let mapped = ip
                .to_ipv4_mapped()
                .is_some_and(|v4| v4.is_loopback() || v4.is_link_local());
            ip.is_loopback() || ip.is_unspecified() || ip.is_unicast_link_local() || mapped
        }
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E02.
    #[test]
    fn redirects_lead_only_where_they_may() {
        let rows = [
            ("https://index.example/a", "/b", Some("https://index.example/b")),
            (
                "https://index.example/a",
                "//files.example/b",
                Some("https://files.example/b"),
            ),
            (
                "http://index.example/a",
                "https://u:p@files.example/b",
                Some("https://files.example/b"),
            ),
            ("https://index.example/a", "http://index.example/a", None),
            ("https://index.example/a", "file:///etc/passwd", None),
            ("https://index.example/a", "ftp://index.example/", None),
            ("https://index.example/a", "data:text/plain,x", None),
            ("https://index.example/a", "javascript:1", None),
            ("https://index.example/a", "https://127.0.0.1/", None),
            ("https://index.example/a", "https://2130706433/", None),
            ("https://index.example/a", "https://169.254.169.254/", None),
            ("https://index.example/a", "https://[::1]/", None),
            ("https://index.example/a", "https://0.0.0.0/", None),
            ("https://index.example/a", "/b\r\nHost: evil", None),
            (
                "http://127.0.0.1:1/a",
                "http://127.0.0.1:2/b",
                Some("http://127.0.0.1:2/b"),
            ),
        ];
        for (from, to, want) in rows {
            let answer = next(&Url::parse(from).unwrap(), Some(to));
            assert_eq!(answer.as_ref().ok().map(Url::as_str), want, "{from} {to}");
            assert!(answer.is_ok() || answer.is_err_and(|e| e.code == Code::NetRedirect));
        }
        assert!(next(&Url::parse("https://index.example/").unwrap(), None).is_err());
    }
}
