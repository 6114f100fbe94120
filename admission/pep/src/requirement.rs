//! Requirements (PEP 508): parsed by strict, iterative code with limits.

use std::fmt;

use crate::{ExtraName, Marker, PackageName, Specifiers};

/// Why a text is not a requirement, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RequirementError {
    /// The byte offset in the text.
    pub offset: usize,
    /// Which kind of fault it is.
    pub kind: RequirementErrorKind,
    /// What is wrong, for a reader.
    pub message: String,
}

/// The kinds of faults of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequirementErrorKind {
    /// The text is not a requirement.
    Syntax,
    /// A limit on length, nesting or number was passed.
    Limit,
}

/// A requirement: a package, its extras, and either versions or an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The package.
    pub name: PackageName,
    /// The extras asked for, sorted, without repeats.
    pub extras: Vec<ExtraName>,
    /// The versions that fit.
    pub specifiers: Specifiers,
    /// A direct address (`name @ …`), unread.
    pub url: Option<String>,
    /// When the requirement applies; `None` means always.
    pub marker: Option<Marker>,
}

/// The white space of the language: a line break is none (PEP 508).
const BLANKS: [char; 2] = [' ', '\t'];

type Parsed<T> = Result<T, RequirementError>;

impl Requirement {
    /// The longest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 4096;

    /// The most extras that one requirement may ask for.
    pub const MAX_EXTRAS: usize = 64;

    /// Reads a requirement.
    pub fn parse(text: &str) -> Parsed<Self> {
        if text.len() > Self::MAX_LENGTH {
            let message = format!("it is longer than {} bytes", Self::MAX_LENGTH);
            return Err(RequirementError {
                offset: Self::MAX_LENGTH,
                kind: RequirementErrorKind::Limit,
                message,
            });
        }
        let mut reader = Reader { text, at: 0 };
        let name = reader.name()?;
        let extras = reader.extras()?;
        let url = reader.url()?;
        let specifiers = if url.is_some() {
            Specifiers::default()
        } else {
            reader.specifiers()?
        };
        let marker = reader.marker()?;
        Ok(Self {
            name,
            extras,
            specifiers,
            url,
            marker,
        })
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn name(&mut self) -> Parsed<PackageName> {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        if text.is_empty() {
            return Err(self.fault("a package name was expected"));
        }
        let name = PackageName::parse(text).map_err(|error| self.fault(&error.to_string()))?;
        self.at += end;
        Ok(name)
    }

    fn extras(&mut self) -> Parsed<Vec<ExtraName>> {
        if !self.eat("[") {
            return Ok(Vec::new());
        }
        let Some(end) = self.rest().find(']') else {
            return Err(self.fault("`]` is missing after the extras"));
        };
        let inner = self.rest().get(..end).unwrap_or_default();
        let mut extras = Vec::new();
        for part in inner.split(',') {
            if inner.trim_matches(BLANKS).is_empty() {
                break;
            }
            if extras.len() == Requirement::MAX_EXTRAS {
                return Err(self.limit("it asks for too many extras"));
            }
            extras.push(
                ExtraName::parse(part.trim_matches(BLANKS))
                    .map_err(|error| self.fault(&error.to_string()))?,
            );
        }
        self.at += end + 1;
        extras.sort();
        extras.dedup();
        Ok(extras)
    }

    fn url(&mut self) -> Parsed<Option<String>> {
        if !self.eat("@") {
            return Ok(None);
        }
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let url = rest.get(..end).unwrap_or_default();
        if url.is_empty() {
            return Err(self.fault("an address was expected after `@`"));
        }
        self.at += end;
        Ok(Some(url.to_owned()))
    }

    fn specifiers(&mut self) -> Parsed<Specifiers> {
        let enclosed = self.eat("(");
        self.skip_space();
        let rest = self.rest();
        let end = rest.find([';', ')']).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        if text.matches(',').count() > Specifiers::MAX {
            return Err(self.limit("it has too many version specifiers"));
        }
        let specifiers = self.read_specifiers(text)?;
        self.at += end;
        if enclosed && !self.eat(")") {
            return Err(self.fault("`)` is missing after the versions"));
        }
        Ok(specifiers)
    }

    /// Between the commas stands one specifier each; a trailing comma is allowed, an empty part is not.
    fn read_specifiers(&self, text: &str) -> Parsed<Specifiers> {
        if text.trim_matches(BLANKS).is_empty() {
            return Ok(Specifiers::default());
        }
        if text.chars().any(|c| !matches!(c, '\t' | ' '..='~')) {
            return Err(self.fault("among the versions stands a character that is no printable ASCII"));
        }
        let body = text.trim_end().strip_suffix(',').unwrap_or(text);
        if body.split(',').any(|part| part.trim().is_empty()) {
            return Err(self.fault("a version specifier is missing between commas"));
        }
        Specifiers::parse(body).map_err(|error| self.fault(&error.to_string()))
    }

    fn marker(&mut self) -> Parsed<Option<Marker>> {
        self.skip_space();
        if self.rest().is_empty() {
            return Ok(None);
        }
        if !self.eat(";") {
            return Err(self.fault("versions, `;` with a marker, or the end was expected"));
        }
        let marker = Marker::parse(self.rest()).map_err(|error| RequirementError {
            offset: self.at + error.offset,
            kind: if error.is_limit {
                RequirementErrorKind::Limit
            } else {
                RequirementErrorKind::Syntax
            },
            message: error.message,
        })?;
        Ok(Some(marker))
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(BLANKS).len();
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn fault(&self, message: &str) -> RequirementError {
        RequirementError {
            offset: self.at,
            kind: RequirementErrorKind::Syntax,
            message: message.to_owned(),
        }
    }

    fn limit(&self, message: &str) -> RequirementError {
        RequirementError {
            kind: RequirementErrorKind::Limit,
            ..self.fault(message)
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        for (i, extra) in self.extras.iter().enumerate() {
            write!(f, "{}{extra}", if i == 0 { "[" } else { "," })?;
        }
        if !self.extras.is_empty() {
            f.write_str("]")?;
        }
        match &self.url {
            // The blank keeps a marker apart from the address.
            Some(url) => write!(f, " @ {url}{}", if self.marker.is_some() { " " } else { "" })?,
            None => self.specifiers.fmt(f)?,
        }
        match &self.marker {
            Some(marker) => write!(f, "; {marker}"),
            None => Ok(()),
        }
    }
}
