//! Remembers what interpreters said. The key is everything that the answer hangs on: the probe's own
//! text, the path asked for, and the real file with its size and time. A damaged entry is no entry.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use hermes_terms::Digest;

use super::Facts;
use crate::files;

/// Where answers are kept; without a folder nothing is.
#[derive(Debug, Clone, Default)]
pub struct ProbeCache {
    /// The folder (`<cache>/target`).
    pub folder: Option<PathBuf>,
    /// Whether known answers are asked for again.
    pub refresh: bool,
}

impl ProbeCache {
    pub(super) fn get(&self, key: &Key) -> Option<Facts> {
        let path = self.folder.as_ref().filter(|_| !self.refresh)?.join(&key.0);
        let bytes = files::read(&path, 64 << 10).ok()??;
        Facts::parse(&bytes).ok()
    }

    /// Keeps an answer. A cache that cannot be written costs time, nothing else.
    pub(super) fn put(&self, key: &Key, facts: &Facts) {
        let Some(folder) = &self.folder else { return };
        let _ = write(folder, &key.0, facts);
    }
}

fn write(folder: &Path, name: &str, facts: &Facts) -> std::io::Result<()> {
    hermes_fsx::create_dir_all(folder)?;
    hermes_fsx::write_cache(&folder.join(name), &serde_json::to_vec(facts)?)
}

/// What an answer hangs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key(String);

impl Key {
    /// The key of an interpreter's file; `None` when it cannot be looked at.
    pub(super) fn of(python: &Path, probe: &str) -> Option<Self> {
        let real = python.canonicalize().ok()?;
        let meta = fs::metadata(&real).ok()?;
        let time = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let paths = (
            python.as_os_str().as_encoded_bytes(),
            real.as_os_str().as_encoded_bytes(),
        );
        let text = format!(
            "{}\0{}\0{}\0{}\0{time}",
            Digest::of(probe.as_bytes()),
            Digest::of(paths.0),
            Digest::of(paths.1),
            meta.len()
        );
        Digest::of(text.as_bytes())
            .as_str()
            .strip_prefix("sha256:")
            .map(|hex| Self(format!("{hex}.json")))
    }
}
