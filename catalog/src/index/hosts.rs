//! What the servers of files turned out to do, so that what one does not do is tried once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use url::Url;

/// What a server does, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
struct Ability {
    metadata: Option<bool>,
    ranges: Option<bool>,
}

/// The servers seen in one run, by origin.
#[derive(Debug, Default)]
pub(super) struct Hosts(Mutex<BTreeMap<String, Ability>>);

impl Hosts {
    /// Whether metadata beside files may be there (PEP 658).
    pub(super) fn may_have_metadata(&self, url: &Url) -> bool {
        self.with(url, |ability| ability.metadata != Some(false))
    }

    /// Notes whether metadata was there. One success outweighs failures: some files lack it.
    pub(super) fn note_metadata(&self, url: &Url, works: bool) {
        self.with(url, |ability| {
            ability.metadata = Some(works || ability.metadata == Some(true));
        });
    }

    /// Whether parts of files may be had.
    pub(super) fn may_have_ranges(&self, url: &Url) -> bool {
        self.with(url, |ability| ability.ranges != Some(false))
    }

    /// Notes whether a part was given.
    pub(super) fn note_ranges(&self, url: &Url, works: bool) {
        self.with(url, |ability| ability.ranges = Some(works));
    }

    fn with<T>(&self, url: &Url, look: impl FnOnce(&mut Ability) -> T) -> T {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(hosts.entry(url.origin().ascii_serialization()).or_default())
    }
}
