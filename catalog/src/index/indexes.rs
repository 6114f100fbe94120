//! The index client: synchronous in front, threads behind.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use hermes_pep::{
    CoreMetadata, Dependencies, IndexFile, IndexPage, PackageName, Releases, Requirement, Target,
    VersionRange,
};
use hermes_terms::Code;
use tokio::runtime::{Builder, Runtime};

use super::ahead::{Want, follow};
use super::fault::{IndexError, MetadataError};
use super::memo::Turn;
use super::settings::IndexSettings;
use super::shared::{Shared, lost_metadata, lost_page};

/// How long the end waits for writes to the cache.
const LAST_WRITES: Duration = Duration::from_secs(2);

/// Package indexes, each name bound to one of them.
///
/// Calls wait for the answer. Each question is answered once in the life of the value, so answers
/// to the same question are the same. Making one is cheap: threads begin with the first hint or
/// question that needs them, and the TLS client with the first request.
#[derive(Debug)]
pub struct Indexes {
    shared: Arc<Shared>,
    runtime: OnceLock<Option<Runtime>>,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Requests over the network, each redirect and each attempt counted.
    pub requests: u64,
    /// Answers that came from the cache.
    pub cache_hits: u64,
    /// Bytes received in bodies.
    pub bytes: u64,
}

impl Indexes {
    /// A client for a target. The target only guides what is asked for ahead of time.
    pub fn new(settings: IndexSettings, target: Arc<Target>) -> Self {
        Self {
            shared: Arc::new(Shared::new(settings, target)),
            runtime: OnceLock::new(),
        }
    }

    /// The releases of a project, as they concern the target; `None` when every index says that there is no
    /// such project.
    pub fn releases(&self, name: &PackageName) -> Result<Option<Releases>, IndexError> {
        let page = self.page(name)?;
        Ok(page.map(|page| Releases::of(&page, self.shared.target.tags())))
    }

    /// What a file of a page requires on the target.
    pub fn dependencies(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<Dependencies>, MetadataError> {
        let metadata = self.metadata(name, file)?;
        Ok(Arc::new(Dependencies::of(
            &metadata,
            self.shared.target.markers(),
        )))
    }

    /// The page of a project; `None` when every index says that there is no such project.
    pub fn page(&self, name: &PackageName) -> Result<Option<Arc<IndexPage>>, IndexError> {
        let claim = match self.shared.pages.turn(name.clone(), lost_page) {
            Turn::Theirs(slot) => return slot.wait(),
            Turn::Mine(claim) => claim,
        };
        if let Some(answer) = self.shared.page_at_hand(name) {
            return claim.answer(answer);
        }
        let Some(runtime) = self.runtime() else {
            return claim.answer(Err(no_threads()));
        };
        let (slot, shared, name) = (claim.slot(), Arc::clone(&self.shared), name.clone());
        runtime.spawn(async move { claim.answer(shared.page_from_network(&name).await) });
        slot.wait()
    }

    /// The core metadata of a file of a page.
    pub fn metadata(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> Result<Arc<CoreMetadata>, MetadataError> {
        let claim = match self.shared.files.turn(file.url.clone(), lost_metadata) {
            Turn::Theirs(slot) => return slot.wait(),
            Turn::Mine(claim) => claim,
        };
        if let Some(answer) = self.shared.metadata_at_hand(name, file) {
            return claim.answer(answer);
        }
        let Some(runtime) = self.runtime() else {
            return claim.answer(Err(no_threads().into()));
        };
        let (slot, shared) = (claim.slot(), Arc::clone(&self.shared));
        let (name, file) = (name.clone(), Arc::clone(file));
        runtime.spawn(async move { claim.answer(shared.metadata_from_network(&name, &file).await) });
        slot.wait()
    }

    /// A hint that a project will be asked for, with versions in this range and these extras; its
    /// dependencies are followed. Answers never depend on hints.
    pub fn want(&self, requirement: &Requirement, range: &VersionRange) {
        if self.shared.settings.indexes.is_empty() || requirement.url.is_some() {
            return;
        }
        let want = Want::new(requirement, range);
        if self.shared.is_new(&want)
            && let Some(runtime) = self.runtime()
        {
            runtime.spawn(follow(Arc::clone(&self.shared), want));
        }
    }

    /// Whether the time that the caller allows has ended.
    pub fn is_out_of_time(&self) -> bool {
        self.shared
            .settings
            .deadline
            .is_some_and(|end| Instant::now() >= end)
    }

    /// What was used so far. Hints make it depend on timing.
    pub fn statistics(&self) -> Statistics {
        let traffic = self.shared.client.traffic();
        Statistics {
            requests: traffic.requests.load(Ordering::Relaxed),
            cache_hits: self.shared.cache_hits.load(Ordering::Relaxed),
            bytes: traffic.bytes.load(Ordering::Relaxed),
        }
    }

    fn runtime(&self) -> Option<&Runtime> {
        let start = || {
            let mut builder = Builder::new_multi_thread();
            builder
                .worker_threads(2)
                // Name lookups wait here as well, one for each connection; pages must not queue behind them.
                .max_blocking_threads(64)
                .thread_name("hermes-index")
                .enable_all();
            builder.build().ok()
        };
        self.runtime.get_or_init(start).as_ref()
    }
}

impl Drop for Indexes {
    /// Stops what was asked ahead and is no longer needed; lets the cache be written.
    fn drop(&mut self) {
        if let Some(Some(runtime)) = self.runtime.take() {
            self.shared.writes.finish(LAST_WRITES);
            runtime.shutdown_background();
        }
    }
}

fn no_threads() -> IndexError {
    IndexError::new(Code::Internal, "the threads for the network cannot be started")
}
