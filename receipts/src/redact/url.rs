//! Credentials in addresses (RFC 3986): user information, and parameters with telling names.

use super::MASK;

/// Parts of names of parameters whose values are secret.
const TELLING: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "pwd",
    "auth",
    "credential",
    "signature",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "session",
];

/// Names of such parameters that are too short to be looked for as a part.
const SHORT_TELLING: &[&str] = &["sig", "key", "pass", "jwt", "pat"];

/// A text with the credentials of every address in it masked.
pub(super) fn mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let (address, tail) = after.split_at(after.find(ends_address).unwrap_or(after.len()));
        address_into(&mut out, before, address);
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Characters that no address holds unescaped.
fn ends_address(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '`' | '|' | '\\' | '^')
}

fn address_into(out: &mut String, scheme: &str, address: &str) {
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    let (authority, rest) = address.split_at(end);
    let rest = match authority.rsplit_once('@') {
        Some((user, host)) => {
            // `git` is the name that every server of ssh addresses knows, and no secret.
            let public = user == "git" && scheme.ends_with("ssh://");
            out.push_str(if public { user } else { MASK });
            out.push('@');
            out.push_str(host);
            rest
        }
        // A password with a raw `/`, `?` or `#` ends the authority early, at something that is no port.
        None if !plain_port(authority) && rest.contains('@') => {
            out.push_str(MASK);
            out.push('@');
            rest.rsplit_once('@').map_or("", |(_, host)| host)
        }
        None => {
            out.push_str(authority);
            rest
        }
    };
    parameters_into(out, rest);
}

/// Whether an authority without user information ends in a port or in none.
fn plain_port(authority: &str) -> bool {
    let after_literal = authority.rsplit_once(']').map_or(authority, |(_, port)| port);
    let port = after_literal.split_once(':').map_or("", |(_, port)| port);
    port.bytes().all(|b| b.is_ascii_digit())
}

/// Copies path, query and fragment, with the values of telling parameters masked.
fn parameters_into(out: &mut String, rest: &str) {
    let start = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, parameters) = rest.split_at(start);
    out.push_str(path);
    for piece in parameters.split_inclusive(['?', '#', '&', ';']) {
        let (piece, separator) = match piece.char_indices().next_back() {
            Some((at, '?' | '#' | '&' | ';')) => piece.split_at(at),
            _ => (piece, ""),
        };
        match piece.split_once('=') {
            Some((name, value)) if !value.is_empty() && is_telling(name) => {
                out.push_str(name);
                out.push('=');
                out.push_str(MASK);
            }
            _ => out.push_str(piece),
        }
        out.push_str(separator);
    }
}

fn is_telling(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let whole = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    SHORT_TELLING.contains(&whole) || TELLING.iter().any(|part| name.contains(part))
}
