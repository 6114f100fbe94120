//! The cache on disk: one file an answer, a line of JSON about it and then its content.
//!
//! Nothing in the cache is trusted to be whole: an entry that is damaged, of another layout or of
//! another question is not there. What cannot be written is not cached, and that is no error.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use flate2::Crc;
use hermes_pep::{IndexFile, IndexPage, PackageName};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::cached_page;
use crate::fetch::Validators;

/// The layout of entries; older and newer ones are not read.
const LAYOUT: u32 = 1;

/// The largest entry that is read, in bytes.
const MAX_ENTRY: u64 = 128 << 20;

/// The first line of an entry.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    layout: u32,
    /// The question, in full: file names are only its digest.
    key: String,
    /// Seconds since 1970.
    fetched_at: u64,
    etag: Option<String>,
    last_modified: Option<String>,
    /// Whether the answer was a page; otherwise "no such project".
    found: bool,
    /// The checksum of the content.
    crc: u32,
}

/// A cached answer about a project.
#[derive(Debug)]
pub(super) struct CachedPage {
    /// The page; `None` when the index did not know the project.
    pub(super) page: Option<IndexPage>,
    /// How old the answer is; `None` when it seems to come from the future.
    pub(super) age: Option<Duration>,
    /// To ask with whether it still holds.
    pub(super) validators: Validators,
}

/// A folder of cached answers.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    root: PathBuf,
}

impl Cache {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// What is known of a project.
    pub(super) fn page(&self, index: &Url, name: &PackageName) -> Option<CachedPage> {
        let key = page_key(index, name);
        let bytes = read_entry(&self.path("pages", &key))?;
        let (head, content) = open_entry(&bytes, &key)?;
        let page = if head.found {
            Some(cached_page::read(content, name)?)
        } else {
            None
        };
        let age = now().checked_sub(head.fetched_at).map(Duration::from_secs);
        let validators = Validators {
            etag: head.etag,
            last_modified: head.last_modified,
        };
        Some(CachedPage {
            page,
            age,
            validators,
        })
    }

    /// Keeps what an index said of a project.
    pub(super) fn put_page(
        &self,
        index: &Url,
        name: &PackageName,
        page: Option<&IndexPage>,
        validators: Validators,
    ) {
        let content = match page {
            Some(page) => cached_page::write(page),
            None => Some(Vec::new()),
        };
        let Some(content) = content else { return };
        let Validators { etag, last_modified } = validators;
        let head = Head {
            etag,
            last_modified,
            found: page.is_some(),
            ..Head::new(page_key(index, name), &content)
        };
        self.put("pages", &head, &content);
    }

    /// Notes that a cached answer still holds.
    pub(super) fn touch_page(&self, index: &Url, name: &PackageName) {
        let key = page_key(index, name);
        let Some(bytes) = read_entry(&self.path("pages", &key)) else {
            return;
        };
        let Some((head, content)) = open_entry(&bytes, &key) else {
            return;
        };
        self.put(
            "pages",
            &Head {
                fetched_at: now(),
                ..head
            },
            content,
        );
    }

    /// The headers of the metadata of a file.
    pub(super) fn metadata(&self, file: &IndexFile) -> Option<String> {
        let key = file_key(file);
        let bytes = read_entry(&self.path("metadata", &key))?;
        let (_, content) = open_entry(&bytes, &key)?;
        std::str::from_utf8(content).ok().map(str::to_owned)
    }

    /// Keeps the headers of the metadata of a file; they never change.
    pub(super) fn put_metadata(&self, file: &IndexFile, headers: &str) {
        self.put(
            "metadata",
            &Head::new(file_key(file), headers.as_bytes()),
            headers.as_bytes(),
        );
    }

    fn put(&self, kind: &str, head: &Head, content: &[u8]) {
        let path = self.path(kind, &head.key);
        let (Ok(mut bytes), Some(folder)) = (serde_json::to_vec(head), path.parent()) else {
            return;
        };
        bytes.push(b'\n');
        bytes.extend_from_slice(content);
        let written =
            hermes_fsx::create_dir_all(folder).and_then(|()| hermes_fsx::write_cache(&path, &bytes));
        if let Err(error) = written {
            tracing::debug!(path = %path.display(), %error, "an index answer was not cached");
        }
    }

    /// Where an entry lies: two levels of folders, named by the digest of the question.
    fn path(&self, kind: &str, key: &str) -> PathBuf {
        let digest = hex::encode(Sha256::digest(key.as_bytes()));
        let (first, rest) = digest.split_at(2);
        self.root.join(format!("{kind}-{LAYOUT}")).join(first).join(rest)
    }
}

impl Head {
    fn new(key: String, content: &[u8]) -> Self {
        let crc = checksum(content);
        Self {
            layout: LAYOUT,
            key,
            fetched_at: now(),
            etag: None,
            last_modified: None,
            found: true,
            crc,
        }
    }
}

fn page_key(index: &Url, name: &PackageName) -> String {
    format!("{index} {name}")
}

/// Address and digest together: the digest alone would let one index speak for another's file, the
/// address alone would outlive its file.
fn file_key(file: &IndexFile) -> String {
    let digest = file.sha256.as_ref().map_or("-", |hash| hash.as_str());
    format!("{} {digest}", file.url)
}

fn read_entry(path: &Path) -> Option<Vec<u8>> {
    hermes_fsx::read_regular(path, MAX_ENTRY).ok().flatten()
}

/// Splits an entry, if it is whole and answers this question.
fn open_entry<'a>(bytes: &'a [u8], key: &str) -> Option<(Head, &'a [u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(bytes.get(..end)?).ok()?;
    let content = bytes.get(end + 1..)?;
    let whole = head.layout == LAYOUT && head.key == key && head.crc == checksum(content);
    if !whole {
        // Without the question: an address may be signed.
        tracing::debug!("a damaged cache entry was passed over");
    }
    whole.then_some((head, content))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
