//! Ranges for people, and what they pin.
//!
//! The ranges of specifiers have bounds that no version can have: one just above every local variant
//! of a version, one just below its earliest pre-release. They never appear in a text.

use std::ops::Bound;

use uv_pep440::LocalVersionSlice;

use crate::{Version, VersionRange};

/// A range as specifiers of PEP 440, parts joined by ` or `; `any version` and `no version` where
/// that is the case. Parts between which one version, or one family of versions (`1.5.*`), is left out
/// are told as one with `!=`.
pub fn show_range(range: &VersionRange) -> String {
    if *range == VersionRange::full() {
        return "any version".into();
    }
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (low, high) in range.iter() {
        let hole = parts
            .last()
            .and_then(|part| point(outside(part.high), outside(low.as_ref())));
        match (hole, parts.last_mut()) {
            (Some(hole), Some(part)) => {
                part.holes.push(hole);
                part.high = high.as_ref();
            }
            _ => parts.push(Part {
                low: low.as_ref(),
                holes: Vec::new(),
                high: high.as_ref(),
            }),
        }
    }
    if parts.is_empty() {
        return "no version".into();
    }
    parts.iter().map(Part::show).collect::<Vec<_>>().join(" or ")
}

/// A piece of a range that one list of specifiers tells.
struct Part<'v> {
    low: Bound<&'v Version>,
    holes: Vec<String>,
    high: Bound<&'v Version>,
}

impl Part<'_> {
    fn show(&self) -> String {
        if self.holes.is_empty()
            && let Some(point) = point(self.low, self.high)
        {
            return format!("=={point}");
        }
        let holes = self.holes.iter().map(|hole| format!("!={hole}"));
        lower(self.low)
            .into_iter()
            .chain(holes)
            .chain(upper(self.high))
            .collect::<Vec<_>>()
            .join(",")
    }
}

/// The one version that a range leaves, local variants aside: what `==` makes.
pub fn pinned(range: &VersionRange) -> Option<Version> {
    let mut segments = range.iter();
    let (Some((Bound::Included(low), high)), None) = (segments.next(), segments.next()) else {
        return None;
    };
    match high {
        Bound::Included(high) if high == low => Some(low.clone()),
        Bound::Excluded(high) if is_above_locals(high) && plain(high) == *low => Some(low.clone()),
        _ => None,
    }
}

/// The bound of what lies beyond a bound.
fn outside(bound: Bound<&Version>) -> Bound<&Version> {
    match bound {
        Bound::Included(version) => Bound::Excluded(version),
        Bound::Excluded(version) => Bound::Included(version),
        Bound::Unbounded => Bound::Unbounded,
    }
}

/// What `==` would name between two bounds: a version, or a family of versions.
fn point(low: Bound<&Version>, high: Bound<&Version>) -> Option<String> {
    let whole: VersionRange = [(low.cloned(), high.cloned())].into_iter().collect();
    match (pinned(&whole), low, high) {
        (Some(version), ..) => Some(version.to_string()),
        (None, Bound::Included(low), Bound::Excluded(high)) => family(low, high),
        _ => None,
    }
}

/// `1.5.*`, made as everything from `1.5.dev0` to just below `1.6.dev0`.
fn family(low: &Version, high: &Version) -> Option<String> {
    let (base, limit) = (base_of_dev0(low)?, base_of_dev0(high)?);
    let (mut next, limit_release) = (base.release(), limit.release());
    let last = next.last_mut()?;
    *last = last.checked_add(1)?;
    let plain = base.0.post().is_none() && limit.0.post().is_none();
    (plain && base.0.epoch() == limit.0.epoch() && next == limit_release).then(|| format!("{base}.*"))
}

fn lower(bound: Bound<&Version>) -> Option<String> {
    match bound {
        Bound::Unbounded => None,
        Bound::Included(version) if !is_above_locals(version) => Some(format!(">={}", plain(version))),
        Bound::Included(version) | Bound::Excluded(version) => Some(format!(">{}", plain(version))),
    }
}

fn upper(bound: Bound<&Version>) -> Option<String> {
    match bound {
        Bound::Unbounded => None,
        // Everything up to the local variants of a version: that version is inside.
        Bound::Excluded(version) if is_above_locals(version) => Some(format!("<={}", plain(version))),
        Bound::Included(version) => Some(format!("<={}", plain(version))),
        // `2.dev0`, the earliest of all `2`, is told as `2`: `<2` leaves out its pre-releases as well.
        Bound::Excluded(version) => {
            let version = plain(version);
            Some(format!("<{}", base_of_dev0(&version).unwrap_or(version)))
        }
    }
}

/// `2` for `2.dev0`, the earliest of all `2`; nothing for any other form.
fn base_of_dev0(version: &Version) -> Option<Version> {
    let inner = &version.0;
    let earliest = inner.dev() == Some(0) && inner.pre().is_none() && !inner.is_local();
    let text = version.to_string();
    let base = text.strip_suffix(".dev0").filter(|_| earliest)?;
    Version::parse(base).ok()
}

fn is_above_locals(version: &Version) -> bool {
    version.0.local() == LocalVersionSlice::Max
}

/// A bound as the version it was made from.
fn plain(version: &Version) -> Version {
    let inner = version.0.clone();
    // The inner marks exist only where the version type allows them, and it insists on that.
    let without = match (inner.is_dev() || inner.is_post(), inner.is_pre()) {
        (true, _) => inner,
        (false, true) => inner.with_max(None),
        (false, false) => inner.with_min(None).with_max(None),
    };
    if is_above_locals(version) {
        Version(without.without_local())
    } else {
        Version(without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Specifiers;

    #[test]
    fn ranges_are_told_without_inner_bounds() {
        let cases = [
            ("", "any version"),
            ("==1.2.3", "==1.2.3"),
            (">=1.0,<2.0", ">=1.0,<2.0"),
            ("<=1.0", "<=1.0"),
            (">1.0", ">1.0"),
            ("~=1.4.2", ">=1.4.2,<1.5"),
            ("!=1.5", "!=1.5"),
            (">=1,!=1.5", ">=1,!=1.5"),
            (">=1,!=1.5,!=1.7.*,<2", ">=1,!=1.5,!=1.7.*,<2"),
            ("!=1.5,!=1.6", "!=1.5,!=1.6"),
            ("==1.2.*", "==1.2.*"),
            ("==1!1.*", "==1!1.*"),
            ("!=1.*", "!=1.*"),
            ("==1.0+cpu", "==1.0+cpu"),
            ("!=1.0+cpu", "!=1.0+cpu"),
            ("<=1.0.post1", "<=1.0.post1"),
            (">1.0.post1", ">1.0.post1"),
            ("<1.0.post1", "<1.0.post1"),
            (">=1.0rc1", ">=1.0rc1"),
            ("===1.0", "==1.0"),
            (">2,<1", "no version"),
            (">1.0a1,<2.0b1", ">1.0a1,<2.0b1"),
            ("<2.0.post1", "<2.0.post1"),
            (">1.0.post1", ">1.0.post1"),
            (">=1.dev1", ">=1.dev1"),
        ];
        for (text, told) in cases {
            assert_eq!(
                show_range(&Specifiers::parse(text).unwrap().range()),
                told,
                "{text}"
            );
        }
    }

    #[test]
    fn unions_and_complements_are_told() {
        let range = |text| Specifiers::parse(text).unwrap().range();
        assert_eq!(show_range(&range("<1").union(&range(">=2"))), "<1 or >=2");
        assert_eq!(show_range(&range("==1").union(&range("==2"))), "==1 or ==2");
        assert_eq!(show_range(&range("==1.5").complement()), "!=1.5");
        assert_eq!(show_range(&range(">1").complement()), "<=1");
    }

    #[test]
    fn equality_pins() {
        let range = |text| Specifiers::parse(text).unwrap().range();
        assert_eq!(pinned(&range("==1.0")), Some(Version::parse("1.0").unwrap()));
        assert_eq!(
            pinned(&range("==1.0+cpu")),
            Some(Version::parse("1.0+cpu").unwrap())
        );
        assert_eq!(pinned(&range("==1.*")), None);
        assert_eq!(pinned(&range(">=1")), None);
    }
}
