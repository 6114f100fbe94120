//! What versions of a node declare about another: the range for which the solver only knows places.

use alloc::vec::Vec;
use core::ops::Bound;

use hermes_pep::{Version, VersionRange};

use crate::python::{NodeId, Places, Provider};

/// What a node declares at these places of another, joined: at each of them it asks for a part of that.
pub(super) fn declared(provider: &Provider<'_>, from: NodeId, places: &Places, to: NodeId) -> VersionRange {
    let mut ranges = provider.known_ranges(from, places, to);
    // Neighbours mostly declare the same.
    ranges.dedup();
    match ranges.as_slice() {
        [one] => one.clone(),
        many => joined(many),
    }
}

/// A union in one pass: one range after the other would take quadratic time.
fn joined(ranges: &[VersionRange]) -> VersionRange {
    let mut segments: Vec<_> = ranges.iter().flat_map(pubgrub::Ranges::iter).collect();
    segments.sort_by(|(a, _), (b, _)| start(a).cmp(&start(b)));
    segments
        .into_iter()
        .map(|(low, high)| (low.clone(), high.clone()))
        .collect()
}

/// Where a segment starts, comparable.
fn start(bound: &Bound<Version>) -> Option<(&Version, bool)> {
    match bound {
        Bound::Unbounded => None,
        Bound::Included(version) => Some((version, false)),
        Bound::Excluded(version) => Some((version, true)),
    }
}
