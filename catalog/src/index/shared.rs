//! The state behind [`super::Indexes`], shared with its tasks: answers, cache, client.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_pep::{CoreMetadata, IndexFile, IndexPage, PackageName, Target};
use hermes_terms::Code;

use super::ahead::Want;
use super::cache::{Cache, CachedPage};
use super::fault::{IndexError, MetadataError};
use super::hosts::Hosts;
use super::memo::{Memo, Turn};
use super::settings::{IndexLocation, IndexSettings};
use super::time::normalise_time;
use super::wheel_metadata::WheelMetadata;
use super::writes::Writes;
use super::{metadata, wire};
use crate::fetch::{Client, Keyring, Limits, Question, Status, Validators};

/// The answer about a project.
pub(super) type PageAnswer = Result<Option<Arc<IndexPage>>, IndexError>;

/// The answer about a file.
pub(super) type MetadataAnswer = Result<Arc<CoreMetadata>, MetadataError>;

/// How long "no such project" counts: a package may be published while somebody waits for it.
const ABSENT_TTL: Duration = Duration::from_mins(1);

/// Everything that tasks need.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) settings: IndexSettings,
    pub(super) target: Arc<Target>,
    pub(super) client: Client,
    pub(super) pages: Memo<PackageName, PageAnswer>,
    pub(super) files: Memo<String, MetadataAnswer>,
    pub(super) wanted: Mutex<HashSet<Want>>,
    pub(super) cache_hits: AtomicU64,
    pub(super) writes: Arc<Writes>,
    cache: Option<Cache>,
    hosts: Hosts,
}

impl Shared {
    pub(super) fn new(mut settings: IndexSettings, target: Arc<Target>) -> Self {
        // A cutoff of another form is compared as it is, as the solver does.
        let cutoff = settings.exclude_newer.take();
        settings.exclude_newer = cutoff.map(|text| normalise_time(&text).unwrap_or(text));
        let keys = settings
            .indexes
            .iter()
            .map(|index| (index.url().clone(), index.credentials().cloned()));
        let keyring = Keyring::new(keys.collect(), settings.netrc.clone());
        let limits = Limits {
            concurrency: settings.concurrency,
            retries: settings.retries,
            deadline: settings.deadline,
        };
        Self {
            client: Client::new(keyring, limits),
            cache: settings.cache.clone().map(Cache::new),
            settings,
            target,
            pages: Memo::new(),
            files: Memo::new(),
            wanted: Mutex::new(HashSet::new()),
            cache_hits: AtomicU64::new(0),
            writes: Arc::default(),
            hosts: Hosts::default(),
        }
    }

    /// The page of a project, as far as it needs no network; `None` when it does.
    pub(super) fn page_at_hand(&self, name: &PackageName) -> Option<PageAnswer> {
        if self.settings.indexes.is_empty() {
            let message = "no package index is configured; give one with --index";
            return Some(Err(IndexError::new(Code::IndexNotConfigured, message)));
        }
        for index in &self.settings.indexes {
            match self.cached(index, name) {
                Some(known) if self.is_fresh(&known) => {
                    self.cache_hits.fetch_add(1, Ordering::Relaxed);
                    if let Some(page) = known.page {
                        return Some(Ok(Some(Arc::new(page))));
                    }
                }
                _ if self.settings.offline => {
                    return Some(Err(offline(&format!("the page of {name} at {index}"))));
                }
                _ => return None,
            }
        }
        Some(Ok(None))
    }

    /// The page of a project: the first index that knows it has it.
    pub(super) async fn page_from_network(self: &Arc<Self>, name: &PackageName) -> PageAnswer {
        for at in 0..self.settings.indexes.len() {
            if let Some(page) = self.ask_index(at, name).await? {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    async fn ask_index(self: &Arc<Self>, at: usize, name: &PackageName) -> PageAnswer {
        let Some(index) = self.settings.indexes.get(at) else {
            return Ok(None);
        };
        let known = {
            let (shared, index, name) = (Arc::clone(self), index.clone(), name.clone());
            aside(move || shared.cached(&index, &name)).await?
        };
        let known = match known {
            Some(known) if self.is_fresh(&known) => {
                self.cache_hits.fetch_add(1, Ordering::Relaxed);
                return Ok(known.page.map(Arc::new));
            }
            known => known,
        };
        let validators = known.as_ref().and_then(|known| known.validators.any());
        let url = index.page(name.as_str());
        let answer = self
            .client
            .ask(&Question::page(url, wire::MAX_PAGE, validators))
            .await?;
        match answer.status {
            Status::Full => {
                let own = name.clone();
                let validators = answer.validators.clone();
                let page = Arc::new(aside(move || wire::read_page(&answer, &own)).await??);
                self.keep(index, name, Some(Arc::clone(&page)), validators);
                Ok(Some(page))
            }
            Status::Missing => {
                self.keep(index, name, None, Validators::default());
                Ok(None)
            }
            Status::Unchanged if validators.is_some() => {
                self.keep_longer(index, name);
                Ok(known.and_then(|known| known.page).map(Arc::new))
            }
            _ => {
                let message = format!("{index} answers what was not asked for {name}");
                Err(IndexError::new(Code::IndexMalformed, message))
            }
        }
    }

    fn cached(&self, index: &IndexLocation, name: &PackageName) -> Option<CachedPage> {
        self.cache.as_ref()?.page(index.url(), name)
    }

    fn is_fresh(&self, known: &CachedPage) -> bool {
        if self.settings.offline {
            return true;
        }
        let most = self.settings.time_to_live;
        let most = if known.page.is_some() {
            most
        } else {
            most.min(ABSENT_TTL)
        };
        !self.settings.refresh && known.age.is_some_and(|age| age < most)
    }

    /// Writes to the cache beside the work; nobody waits for it.
    fn keep(
        &self,
        index: &IndexLocation,
        name: &PackageName,
        page: Option<Arc<IndexPage>>,
        validators: Validators,
    ) {
        let Some(cache) = self.cache.clone() else { return };
        let (url, name) = (index.url().clone(), name.clone());
        self.writes
            .start(move || cache.put_page(&url, &name, page.as_deref(), validators));
    }

    fn keep_longer(&self, index: &IndexLocation, name: &PackageName) {
        let Some(cache) = self.cache.clone() else { return };
        let (url, name) = (index.url().clone(), name.clone());
        self.writes.start(move || cache.touch_page(&url, &name));
    }

    /// The metadata of a file, as far as it needs no network; `None` when it does.
    pub(super) fn metadata_at_hand(&self, name: &PackageName, file: &IndexFile) -> Option<MetadataAnswer> {
        let headers = self.cache.as_ref().and_then(|cache| cache.metadata(file));
        if let Some(headers) = headers {
            self.cache_hits.fetch_add(1, Ordering::Relaxed);
            return Some(metadata::read(&headers, name, file).map(Arc::new));
        }
        self.settings
            .offline
            .then(|| Err(offline(&format!("the metadata of {}", file.filename)).into()))
    }

    /// The metadata of a file, from its server.
    pub(super) async fn metadata_from_network(
        &self,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> MetadataAnswer {
        let source = WheelMetadata {
            client: &self.client,
            hosts: &self.hosts,
            name,
            file,
        };
        let headers = source.obtain().await?;
        let read = metadata::read(&headers, name, file)?;
        if let Some(cache) = self.cache.clone() {
            let file = Arc::clone(file);
            self.writes.start(move || cache.put_metadata(&file, &headers));
        }
        Ok(Arc::new(read))
    }

    /// The page of a project, for a task.
    pub(super) async fn page(self: &Arc<Self>, name: &PackageName) -> PageAnswer {
        match self.pages.turn(name.clone(), lost_page) {
            Turn::Theirs(slot) => slot.wait_async().await,
            Turn::Mine(claim) => {
                let (shared, own) = (Arc::clone(self), name.clone());
                let at_hand = aside(move || shared.page_at_hand(&own)).await;
                claim.answer(match at_hand {
                    Ok(Some(answer)) => answer,
                    Ok(None) => self.page_from_network(name).await,
                    Err(error) => Err(error),
                })
            }
        }
    }

    /// The metadata of a file, for a task.
    pub(super) async fn metadata(
        self: &Arc<Self>,
        name: &PackageName,
        file: &Arc<IndexFile>,
    ) -> MetadataAnswer {
        match self.files.turn(file.url.clone(), lost_metadata) {
            Turn::Theirs(slot) => slot.wait_async().await,
            Turn::Mine(claim) => claim.answer(match self.metadata_at_hand(name, file) {
                Some(answer) => answer,
                None => self.metadata_from_network(name, file).await,
            }),
        }
    }
}

/// Runs work that keeps a processor busy, or a disk, away from the threads of the network.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, IndexError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| lost())
}

fn offline(what: &str) -> IndexError {
    IndexError::new(
        Code::IndexOffline,
        format!("{what} is not in the cache, and the network is not to be used"),
    )
}

fn lost() -> IndexError {
    IndexError::new(Code::Internal, "the work on an index's answer was abandoned")
}

pub(super) fn lost_page() -> PageAnswer {
    Err(lost())
}

pub(super) fn lost_metadata() -> MetadataAnswer {
    Err(lost().into())
}
