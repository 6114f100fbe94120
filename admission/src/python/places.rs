//! Sets of versions as the solver sees them: places among the versions that exist, counted from the
//! oldest.
//!
//! PubGrub takes every version for possible, so with ranges of PEP 440 a package whose versions are
//! ruled out one by one leaves a range with a hole for each of them, and a long ladder costs quadratic
//! time and memory. Between two neighbouring places there is nothing: sets of places that are ruled out
//! one after the other close up to a single interval, whatever the versions look like. Two ranges that
//! hold the same versions are the same set.

use core::fmt;

use pubgrub::VersionSet;
use smallvec::SmallVec;

/// The place of a version among those of its package, counted from the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place(pub(crate) u32);

/// A set of places: intervals without their end, in order, none touching the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places(SmallVec<[(u32, u32); 2]>);

/// Beyond every place.
const END: u32 = u32::MAX;

impl Place {
    /// The place of a version by its index.
    pub(crate) fn of(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(END - 1))
    }

    /// The index of the version.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Places {
    /// The first so many places.
    pub(crate) fn first(many: usize) -> Self {
        Self::between(0, many)
    }

    /// Everything from one index to just below another.
    pub(crate) fn between(start: usize, end: usize) -> Self {
        let mut places = Self::empty();
        places.push(Place::of(start).0, Place::of(end).0);
        places
    }

    /// The intervals, from the oldest, each without its end.
    pub(crate) fn intervals(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        self.0.iter().map(|(start, end)| (*start as usize, *end as usize))
    }

    /// The places below a bound, from the newest.
    pub(crate) fn newest_first(&self, bound: usize) -> impl Iterator<Item = usize> {
        self.intervals()
            .rev()
            .flat_map(move |(start, end)| (start..end.min(bound)).rev())
    }

    /// Whether nothing is in the set.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one place in the set, if it is one.
    pub(crate) fn single(&self) -> Option<Place> {
        match self.0.as_slice() {
            [(start, end)] if end - start == 1 => Some(Place(*start)),
            _ => None,
        }
    }

    /// Adds an interval that starts no earlier than the last one.
    pub(crate) fn push(&mut self, start: u32, end: u32) {
        if start >= end {
            return;
        }
        match self.0.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => self.0.push((start, end)),
        }
    }

    /// Walks over the overlaps of two sets, in order, until the visitor has seen enough.
    fn overlaps(&self, other: &Self, mut visit: impl FnMut(u32, u32) -> bool) {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((a, b)), Some((c, d))) = (left.peek(), right.peek()) {
            let (start, end) = ((*a).max(*c), (*b).min(*d));
            if start < end && !visit(start, end) {
                return;
            }
            if b <= d {
                left.next();
            } else {
                right.next();
            }
        }
    }
}

impl VersionSet for Places {
    type V = Place;

    fn empty() -> Self {
        Self(SmallVec::new())
    }

    fn singleton(place: Place) -> Self {
        let mut places = Self::empty();
        places.push(place.0, place.0.saturating_add(1));
        places
    }

    fn full() -> Self {
        let mut places = Self::empty();
        places.push(0, END);
        places
    }

    fn complement(&self) -> Self {
        let mut places = Self::empty();
        let mut next = 0;
        for (start, end) in &self.0 {
            places.push(next, *start);
            next = *end;
        }
        places.push(next, END);
        places
    }

    fn intersection(&self, other: &Self) -> Self {
        let mut places = Self::empty();
        self.overlaps(other, |start, end| {
            places.push(start, end);
            true
        });
        places
    }

    fn union(&self, other: &Self) -> Self {
        let mut places = Self::empty();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let from_left = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a <= b,
                (left, _) => left.is_some(),
            };
            let next = if from_left { left.next() } else { right.next() };
            let Some((start, end)) = next else {
                return places;
            };
            places.push(*start, *end);
        }
    }

    fn contains(&self, place: &Place) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= place.0);
        let before = after.checked_sub(1).and_then(|at| self.0.get(at));
        before.is_some_and(|(_, end)| place.0 < *end)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        let mut disjoint = true;
        self.overlaps(other, |_, _| {
            disjoint = false;
            false
        });
        disjoint
    }

    fn subset_of(&self, other: &Self) -> bool {
        let mut others = other.0.iter().peekable();
        self.0.iter().all(|(start, end)| {
            while others.peek().is_some_and(|(_, last)| last <= start) {
                others.next();
            }
            others
                .peek()
                .is_some_and(|(first, last)| first <= start && end <= last)
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    /// What the sets of the tests may hold; everything above is in all or nothing.
    const SMALL: u32 = 24;

    fn set() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0..SMALL, 0..12)
    }

    fn places(set: &BTreeSet<u32>) -> Places {
        let single = set.iter().map(|at| Places::singleton(Place(*at)));
        single.fold(Places::empty(), |all, one| all.union(&one))
    }

    fn members(places: &Places) -> BTreeSet<u32> {
        (0..SMALL).filter(|at| places.contains(&Place(*at))).collect()
    }

    proptest! {
        /// The set operations are those of sets, and equal sets are equal values.
        #[test]
        fn c10_places_are_sets(a in set(), b in set()) {
            let (left, right) = (places(&a), places(&b));
            prop_assert_eq!(members(&left), a.clone());
            prop_assert_eq!(left.union(&right), places(&a.union(&b).copied().collect()));
            prop_assert_eq!(left.intersection(&right), places(&a.intersection(&b).copied().collect()));
            prop_assert_eq!(left.complement().complement(), left.clone());
            prop_assert_eq!(members(&left.complement()), (0..SMALL).filter(|at| !a.contains(at)).collect());
            prop_assert_eq!(left.is_disjoint(&right), a.is_disjoint(&b));
            prop_assert_eq!(left.subset_of(&right), a.is_subset(&b));
            prop_assert!(left.subset_of(&Places::full()) && Places::empty().subset_of(&left));
            let newest: Vec<usize> = left.newest_first(10).collect();
            let expected: Vec<usize> = a.iter().rev().filter(|at| **at < 10).map(|at| *at as usize).collect();
            prop_assert_eq!(newest, expected);
            let single = (a.len() == 1).then(|| a.first().copied().map(Place)).flatten();
            prop_assert_eq!(left.single(), single);
        }
    }

    #[test]
    fn what_is_ruled_out_one_by_one_is_one_interval() {
        let out = (0..5_000).rev().map(|at| Places::singleton(Place(at)));
        let left = out.fold(Places::first(6_000), |left, one| {
            left.intersection(&one.complement())
        });
        assert_eq!(left, Places::between(5_000, 6_000));
    }
}
