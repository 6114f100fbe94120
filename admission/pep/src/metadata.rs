//! Core metadata (PEP 566, 643): the fields that a resolver needs, read as RFC 822 headers.

use crate::{ExtraName, PackageName, Requirement, Specifiers, Version};

/// A METADATA text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct MetadataError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The metadata of one distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreMetadata {
    /// `Name`.
    pub name: PackageName,
    /// `Version`.
    pub version: Version,
    /// `Requires-Python`; a value that cannot be read counts as absent.
    pub requires_python: Option<Specifiers>,
    /// `Requires-Dist`, in the order of the file.
    pub requires: Vec<Requirement>,
    /// `Provides-Extra`, in the order of the file.
    pub extras: Vec<ExtraName>,
    /// Whether the dependencies are static (PEP 643): `Metadata-Version` 2.2 or later and none of the
    /// fields read here is `Dynamic`. Wheels are always static.
    pub is_static: bool,
}

/// One header.
struct Header<'t> {
    line: usize,
    name: &'t str,
    value: String,
}

impl CoreMetadata {
    /// The largest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 10 << 20;

    /// Reads the headers of a METADATA or PKG-INFO file; the description is not looked at.
    pub fn parse(text: &str) -> Result<Self, MetadataError> {
        if text.len() > Self::MAX_LENGTH {
            return Err(fault(1, "it is larger than 10 MiB"));
        }
        let headers = headers(text)?;
        let name = single(&headers, "name")?;
        let version = single(&headers, "version")?;
        Ok(Self {
            name: PackageName::parse(&name.value).map_err(|error| fault(name.line, &error.to_string()))?,
            version: Version::parse(&version.value)
                .map_err(|error| fault(version.line, &error.to_string()))?,
            requires_python: all(&headers, "requires-python")
                .next()
                .and_then(|h| Specifiers::parse(&h.value).ok()),
            requires: all(&headers, "requires-dist")
                .map(requirement)
                .collect::<Result<_, _>>()?,
            extras: all(&headers, "provides-extra")
                .filter_map(|h| ExtraName::parse(h.value.trim()).ok())
                .collect(),
            is_static: is_static(&headers),
        })
    }
}

fn requirement(header: &Header<'_>) -> Result<Requirement, MetadataError> {
    Requirement::parse(&header.value)
        .map_err(|error| fault(header.line, &format!("`{}`: {error}", shortened(&header.value))))
}

fn shortened(text: &str) -> String {
    text.chars().take(120).flat_map(char::escape_debug).collect()
}

fn is_static(headers: &[Header<'_>]) -> bool {
    let version = all(headers, "metadata-version")
        .next()
        .and_then(|h| Version::parse(&h.value).ok());
    let recent = version.is_some_and(|version| version.release() >= vec![2, 2]);
    let dynamic = |name: &str| matches!(name, "requires-dist" | "requires-python" | "provides-extra");
    recent && !all(headers, "dynamic").any(|h| dynamic(&h.value.to_ascii_lowercase()))
}

/// Headers up to the first empty line; folded lines are joined.
fn headers(text: &str) -> Result<Vec<Header<'_>>, MetadataError> {
    let mut headers: Vec<Header<'_>> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some(last) = headers.last_mut() {
                last.value.push(' ');
                last.value.push_str(line.trim());
            }
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(fault(index + 1, "a header `Name: value` was expected"));
        };
        headers.push(Header {
            line: index + 1,
            name,
            value: value.trim().to_owned(),
        });
    }
    Ok(headers)
}

fn all<'h, 't>(headers: &'h [Header<'t>], name: &'h str) -> impl Iterator<Item = &'h Header<'t>> {
    headers
        .iter()
        .filter(move |header| header.name.eq_ignore_ascii_case(name))
}

fn single<'h, 't>(headers: &'h [Header<'t>], name: &'h str) -> Result<&'h Header<'t>, MetadataError> {
    let mut found = all(headers, name);
    let Some(first) = found.next() else {
        return Err(fault(1, &format!("the header `{name}` is missing")));
    };
    match found.next() {
        Some(again) => Err(fault(again.line, &format!("the header `{name}` stands twice"))),
        None => Ok(first),
    }
}

fn fault(line: usize, message: &str) -> MetadataError {
    MetadataError {
        line,
        message: message.to_owned(),
    }
}
