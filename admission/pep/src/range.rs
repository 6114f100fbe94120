//! Ranges for people, and what they pin.
//!
//! The ranges of specifiers have bounds that no version can have: one just above every local variant
//! of a version, one just below its earliest pre-release. They never appear in a text.

use std::ops::Bound;

use uv_pep440::LocalVersionSlice;

use crate::{Version, VersionRange};

/// A range as specifiers of PEP 440, parts joined by ` or `; `any version` and `no version` where
/// that is the case.
pub fn show_range(range: &VersionRange) -> String {
    if *range == VersionRange::full() {
        return "any version".into();
    }
    let parts: Vec<String> = gaps(range).unwrap_or_else(|| {
        range
            .iter()
            .map(|(low, high)| segment(low.as_ref(), high.as_ref()))
            .collect()
    });
    if parts.is_empty() {
        "no version".into()
    } else {
        parts.join(" or ")
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

/// A range that leaves out single versions only, as `!=` lists.
fn gaps(range: &VersionRange) -> Option<Vec<String>> {
    let holes: Vec<Version> = range
        .complement()
        .iter()
        .map(|(low, high)| hole(low.as_ref(), high.as_ref()))
        .collect::<Option<_>>()?;
    if holes.is_empty() {
        return None;
    }
    Some(vec![
        holes
            .iter()
            .map(|version| format!("!={version}"))
            .collect::<Vec<_>>()
            .join(","),
    ])
}

fn hole(low: Bound<&Version>, high: Bound<&Version>) -> Option<Version> {
    let whole: VersionRange = [(low.cloned(), high.cloned())].into_iter().collect();
    pinned(&whole)
}

fn segment(low: Bound<&Version>, high: Bound<&Version>) -> String {
    let whole: VersionRange = [(low.cloned(), high.cloned())].into_iter().collect();
    if let Some(version) = pinned(&whole) {
        return format!("=={version}");
    }
    let low = match low {
        Bound::Unbounded => None,
        Bound::Included(version) if !is_above_locals(version) => Some(format!(">={}", plain(version))),
        Bound::Included(version) | Bound::Excluded(version) => Some(format!(">{}", plain(version))),
    };
    let high = match high {
        Bound::Unbounded => None,
        // Everything up to the local variants of a version: that version is inside.
        Bound::Excluded(version) if is_above_locals(version) => Some(format!("<={}", plain(version))),
        Bound::Included(version) => Some(format!("<={}", plain(version))),
        Bound::Excluded(version) => Some(format!("<{}", first_of(version))),
    };
    low.into_iter().chain(high).collect::<Vec<_>>().join(",")
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

/// An excluded upper bound: `2.dev0`, the earliest of all `2`, is told as `2`.
fn first_of(version: &Version) -> Version {
    let plain = plain(version);
    if plain.0.dev() == Some(0) && plain.0.pre().is_none() && plain.0.post().is_none() {
        let text = plain.to_string();
        return Version::parse(text.trim_end_matches(".dev0")).unwrap_or(plain);
    }
    plain
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
            (">=1,!=1.5", ">=1,<1.5 or >1.5"),
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
