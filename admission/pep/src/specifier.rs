//! Version specifiers (PEP 440) and their conversion to ranges.

use std::fmt;
use std::ops::Bound;
use std::str::FromStr;

use uv_pep440::{Operator, VersionSpecifier as Inner};

use crate::{Version, VersionRange};

/// A text is not a specifier of PEP 440.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not a valid version specifier (PEP 440)")]
pub struct SpecifierError {
    shown: String,
}

impl SpecifierError {
    fn new(text: &str) -> Self {
        Self {
            shown: text.chars().take(80).flat_map(char::escape_debug).collect(),
        }
    }
}

/// One specifier, such as `>=2.0`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Specifier(Kind);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Kind {
    Ordered(Inner),
    /// `===`, equality of texts (PEP 440, arbitrary equality): any text may stand here.
    Identical(Box<str>),
}

impl Specifier {
    /// Reads one specifier.
    pub fn parse(text: &str) -> Result<Self, SpecifierError> {
        if text.len() > 512 {
            return Err(SpecifierError::new(text));
        }
        let text = text.trim();
        if let Some(literal) = text.strip_prefix("===") {
            return identical(literal.trim()).ok_or_else(|| SpecifierError::new(text));
        }
        Inner::from_str(text)
            .map(|inner| Self(Kind::Ordered(inner)))
            .map_err(|_| SpecifierError::new(text))
    }

    /// The versions that fit. Membership is judged by this range. `===` fits nothing where its text is
    /// not the normal form of a version; otherwise it fits that version, with however many zeros at
    /// the end, since versions that differ in those alone are one point of a range.
    pub fn range(&self) -> VersionRange {
        match &self.0 {
            Kind::Ordered(inner) => {
                let ranges: astral_ranges::Ranges<uv_pep440::Version> = inner.clone().into();
                ranges.iter().map(|(a, b)| (own(a), own(b))).collect()
            }
            Kind::Identical(text) => normal(text).map_or_else(VersionRange::empty, VersionRange::singleton),
        }
    }

    /// Whether the specifier's own version is a pre-release, which asks for pre-releases.
    pub fn names_prerelease(&self) -> bool {
        match &self.0 {
            Kind::Ordered(inner) => inner.any_prerelease(),
            Kind::Identical(text) => normal(text).is_some_and(|version| version.is_prerelease()),
        }
    }

    /// Whether exactly one version is asked for (`==` without a wildcard, `===`).
    pub fn is_exact(&self) -> bool {
        self.exact().is_some()
    }

    /// The one version that is asked for, if it is only one.
    fn exact(&self) -> Option<Version> {
        match &self.0 {
            Kind::Ordered(inner) => {
                (*inner.operator() == Operator::Equal).then(|| Version(inner.version().clone()))
            }
            Kind::Identical(text) => normal(text),
        }
    }
}

/// What may follow `===`: no white space, and nothing that ends a specifier in a requirement.
fn identical(text: &str) -> Option<Specifier> {
    let allowed = |c: char| !c.is_whitespace() && !matches!(c, ';' | ')');
    (!text.is_empty() && text.chars().all(allowed)).then(|| Specifier(Kind::Identical(text.into())))
}

/// The version whose normal form a text is, upper and lower case aside.
fn normal(text: &str) -> Option<Version> {
    let version = Version::parse(text).ok()?;
    version.to_string().eq_ignore_ascii_case(text).then_some(version)
}

fn own(bound: Bound<&uv_pep440::Version>) -> Bound<Version> {
    bound.map(|v| Version(v.clone()))
}

impl fmt::Display for Specifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Ordered(inner) => inner.fmt(f),
            Kind::Identical(text) => write!(f, "==={text}"),
        }
    }
}

impl fmt::Debug for Specifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Specifiers joined by commas; all must hold. Empty means any version.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Specifiers(Vec<Specifier>);

impl Specifiers {
    /// The most specifiers that are read.
    pub const MAX: usize = 64;

    /// The longest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 4096;

    /// Reads a comma-joined list. Empty parts are allowed, as in `packaging`.
    pub fn parse(text: &str) -> Result<Self, SpecifierError> {
        if text.len() > Self::MAX_LENGTH {
            return Err(SpecifierError::new(text));
        }
        let parts: Vec<&str> = text.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
        if parts.len() > Self::MAX {
            return Err(SpecifierError::new(text));
        }
        let mut list = parts
            .into_iter()
            .map(Specifier::parse)
            .collect::<Result<Vec<_>, _>>()?;
        list.sort_by_key(ToString::to_string);
        list.dedup();
        Ok(Self(list))
    }

    /// The versions that fit all of them.
    pub fn range(&self) -> VersionRange {
        self.0
            .iter()
            .fold(VersionRange::full(), |all, s| all.intersection(&s.range()))
    }

    /// Whether a version without pre-release, post-release and local parts fits: what the range says,
    /// without making one. Interpreters are judged by this, file by file.
    pub fn contains_release(&self, version: &Version) -> bool {
        self.0.iter().all(|specifier| match &specifier.0 {
            Kind::Ordered(inner) => inner.contains(&version.0),
            Kind::Identical(text) => normal(text).is_some_and(|own| own == *version),
        })
    }

    /// The single specifiers, in order of their text.
    pub fn iter(&self) -> impl Iterator<Item = &Specifier> {
        self.0.iter()
    }

    /// Whether any version fits because nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them names a pre-release, which asks for pre-releases.
    pub fn names_prerelease(&self) -> bool {
        self.0.iter().any(Specifier::names_prerelease)
    }

    /// The one version that an exact pin names.
    pub fn exact(&self) -> Option<Version> {
        match self.0.as_slice() {
            [one] => one.exact(),
            _ => None,
        }
    }
}

impl fmt::Display for Specifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, s) in self.0.iter().enumerate() {
            write!(f, "{}{s}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Specifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
