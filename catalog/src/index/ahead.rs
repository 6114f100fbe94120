//! Asking ahead: what will probably be asked for is fetched before it is, following dependencies
//! in the order of discovery.
//!
//! A hint changes when an answer arrives and never what it says; failures of hints are kept as the
//! answer to the question, as if it had been asked, and otherwise nobody hears of them.

use std::pin::Pin;
use std::sync::{Arc, PoisonError};

use hermes_pep::{
    DistFilename, ExtraName, IndexFile, IndexPage, PackageName, ProjectStatus, Requirement, TagRank, Version,
    VersionRange,
};

use super::shared::Shared;

/// The most different hints that are followed in one run.
const MAX_WANTS: usize = 50_000;

/// Final before pre-release, then version, tag and build number.
type Rank<'a> = (bool, &'a Version, TagRank, (u64, String));

/// A project that will probably be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Want {
    name: PackageName,
    extras: Vec<ExtraName>,
    range: VersionRange,
}

impl Want {
    pub(super) fn new(requirement: &Requirement, range: &VersionRange) -> Self {
        Self {
            name: requirement.name.clone(),
            extras: requirement.extras.clone(),
            range: range.clone(),
        }
    }
}

impl Shared {
    /// Whether a hint is new, and not one too many.
    pub(super) fn is_new(&self, want: &Want) -> bool {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.len() < MAX_WANTS && wanted.insert(want.clone())
    }

    /// The wheel that the solver will probably take: the newest version in range, a pre-release
    /// only when there is nothing else; of its wheels the one with the best tag.
    fn guess(&self, page: &IndexPage, range: &VersionRange) -> Option<Arc<IndexFile>> {
        if page.status == ProjectStatus::Quarantined {
            return None;
        }
        let python = self.target.python().release_only();
        let mut best: Option<(Rank<'_>, &Arc<IndexFile>)> = None;
        for file in page.files.iter().filter(|file| range.contains(file.version())) {
            let Some(rank) = self.rank(file) else { continue };
            let is_better = best.as_ref().is_none_or(|(known, _)| rank > *known);
            // Judged last: it costs the most.
            let runs = || {
                file.requires_python
                    .as_ref()
                    .is_none_or(|needs| needs.range().contains(&python))
            };
            if is_better && runs() {
                best = Some((rank, file));
            }
        }
        best.map(|(_, file)| Arc::clone(file))
    }

    fn rank<'a>(&self, file: &'a IndexFile) -> Option<Rank<'a>> {
        let DistFilename::Wheel(wheel) = &file.dist else {
            return None;
        };
        if file.yanked.is_some() || self.is_too_new(file) {
            return None;
        }
        let tag = wheel.rank(self.target.tags())?;
        let version = file.version();
        Some((!version.is_prerelease(), version, tag, wheel.build()))
    }

    fn is_too_new(&self, file: &IndexFile) -> bool {
        let Some(cutoff) = &self.settings.exclude_newer else {
            return false;
        };
        file.upload_time.as_ref().is_none_or(|time| time >= cutoff)
    }
}

/// Follows a hint: the page, the probable wheel's metadata, and what that requires.
pub(super) async fn follow(shared: Arc<Shared>, want: Want) {
    let Ok(Some(page)) = shared.page(&want.name).await else {
        return;
    };
    let Some(file) = shared.guess(&page, &want.range) else {
        return;
    };
    let Ok(metadata) = shared.metadata(&want.name, &file).await else {
        return;
    };
    let markers = shared.target.markers();
    for requirement in metadata
        .requires
        .iter()
        .filter(|requirement| requirement.url.is_none())
    {
        let applies = requirement
            .marker
            .as_ref()
            .is_none_or(|marker| marker.evaluate(markers, &want.extras));
        let mut range = requirement.specifiers.range();
        if requirement.name == want.name {
            // `a[all]` that requires `a[x]` means the same version.
            range = range.intersection(&want.range);
        }
        let next = Want::new(requirement, &range);
        if applies && shared.is_new(&next) {
            tokio::spawn(boxed(&shared, next));
        }
    }
}

/// A boxed future: one that starts its own kind would have no size.
fn boxed(shared: &Arc<Shared>, want: Want) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(follow(Arc::clone(shared), want))
}
