//! A kernel lock on a file. The file stays when the lock is given back; what it says about the holder
//! is for people and never a reason to take the lock away (a stale number decides nothing).

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::faults::{Call, step};
use crate::sys;

/// The most that is read of a lock file.
const CONTENT_LIMIT: u64 = 512;

/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// How often the file may be replaced under us before that is an error.
const TRIES: usize = 16;

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    // Closing the file gives the lock back.
    _file: File,
}

/// Who holds a lock, as far as the lock file tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holder {
    /// The number of the process.
    pub pid: Option<u32>,
    /// What it is doing.
    pub operation: Option<String>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.pid, &self.operation) {
            (Some(pid), Some(operation)) => write!(f, "process {pid} ({operation})"),
            (Some(pid), None) => write!(f, "process {pid}"),
            (None, _) => f.write_str("another process"),
        }
    }
}

/// A lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else holds it.
    #[error("{} is held by {holder}", path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// Who holds it.
        holder: Holder,
    },
    /// The lock file cannot be used: not a regular file, a link, not writable, no locks there.
    #[error("{}: {source}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock if it is free. `who` says what it is for, in a word.
    pub fn try_acquire(path: &Path, who: &str) -> Result<Self, LockError> {
        let failed = |source| LockError::Io {
            path: path.to_owned(),
            source,
        };
        for _ in 0..TRIES {
            let file = sys::open_lock(path).map_err(failed)?;
            if !file.metadata().map_err(failed)?.is_file() {
                return Err(failed(io::Error::other("not a regular file")));
            }
            step(Call::Lock, path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) if is_current(&file, path) => return Self::taken(file, path, who).map_err(failed),
                // The file was removed or replaced meanwhile: what is locked is not what others see.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let holder = holder(&file);
                    let path = path.to_owned();
                    return Err(LockError::Busy { path, holder });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Err(failed(io::Error::other(
            "the lock file is replaced again and again",
        )))
    }

    /// Takes the lock, waiting at most this long for it.
    pub fn acquire(path: &Path, who: &str, patience: Duration) -> Result<Self, LockError> {
        let start = Instant::now();
        loop {
            match Self::try_acquire(path, who) {
                Err(LockError::Busy { .. }) if start.elapsed() < patience => std::thread::sleep(PAUSE),
                other => return other,
            }
        }
    }

    fn taken(mut file: File, path: &Path, who: &str) -> io::Result<Self> {
        // A file with several names may be somebody's content: it serves as a lock, but is not written.
        if file.metadata()?.nlink() == 1 {
            let plain = |c: &char| c.is_ascii_graphic() || *c == ' ';
            let who: String = who.chars().filter(plain).take(64).collect();
            let text = format!("{} {who}\n", std::process::id());
            // The lock holds whether or not there is room left to say so.
            let _ =
                sys::truncate(&file, path).and_then(|()| sys::write_all(&mut file, path, text.as_bytes()));
        }
        Ok(Self { _file: file })
    }
}

/// Whether the locked file is still the one that the path names.
fn is_current(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(held), Ok(named)) => held.dev() == named.dev() && held.ino() == named.ino(),
        _ => false,
    }
}

fn holder(mut file: &File) -> Holder {
    let mut content = Vec::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(CONTENT_LIMIT).read_to_end(&mut content));
    let text = String::from_utf8_lossy(&content);
    let line = text.lines().next().unwrap_or_default();
    let (pid, operation) = line.split_once(' ').unwrap_or((line, ""));
    let pid = read.ok().and_then(|_| pid.parse().ok());
    let plain: String = operation
        .chars()
        .filter(|c| c.is_ascii_graphic() || *c == ' ')
        .take(64)
        .collect();
    Holder {
        operation: (pid.is_some() && !plain.is_empty()).then_some(plain),
        pid,
    }
}
