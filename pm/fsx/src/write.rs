//! Whole files, written in one step: a temporary file in the same folder, made with `O_EXCL` under a
//! random name, synced, then renamed; the folder is synced last. A link at the final component is
//! replaced, never followed, and a file with several hard links is replaced for this name only.

use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Gid, Mode, Uid};

use crate::sys;

/// Mode of a new file, before the umask.
const NEW_FILE: Mode = Mode::from_raw_mode(0o644);

/// How often another random name is tried.
const TRIES: usize = 16;

/// Replaces a file, or makes it, durably. An existing file's mode is kept, and its owner where the
/// system allows it.
pub fn write_atomic(path: &Path, content: &[u8]) -> io::Result<()> {
    let staged = Staged::write(path, content, Old::of(path)?.as_ref(), Durable::Yes)?;
    staged.publish(|from| sys::rename(from, path))?;
    sys::sync_folder(folder_of(path))
}

/// Like [`write_atomic`] for what can be made again: a reader never sees a part of a file that this
/// process writes, but a power cut may leave a damaged one, so that content needs a check of its own.
pub fn write_cache(path: &Path, content: &[u8]) -> io::Result<()> {
    let staged = Staged::write(path, content, None, Durable::No)?;
    staged.publish(|from| sys::rename(from, path))
}

/// Makes a file durably; fails with `AlreadyExists` when anything of that name exists, a dangling
/// link included.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let staged = Staged::write(path, content, None, Durable::Yes)?;
    staged.publish(|from| sys::rename_new(from, path))?;
    sys::sync_folder(folder_of(path))
}

/// Removes a file or a link, durably; one that is not there is fine.
pub fn remove_file(path: &Path) -> io::Result<()> {
    match sys::remove(path) {
        Ok(()) => sys::sync_folder(folder_of(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Durable {
    Yes,
    No,
}

/// What a replaced file keeps.
struct Old {
    mode: Mode,
    owner: Uid,
    group: Gid,
}

impl Old {
    fn of(path: &Path) -> io::Result<Option<Self>> {
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(metadata.is_file().then(|| Self {
            mode: Mode::from_raw_mode(metadata.mode() & 0o777),
            owner: Uid::from_raw(metadata.uid()),
            group: Gid::from_raw(metadata.gid()),
        }))
    }

    fn keep(&self, file: &File, path: &Path) -> io::Result<()> {
        let now = file.metadata()?;
        let foreign = now.uid() != self.owner.as_raw() || now.gid() != self.group.as_raw();
        // Only root may give files away; anyone else keeps what they write.
        let owned = !foreign || sys::set_owner(file, path, self.owner, self.group).is_ok();
        let mode = if owned { self.mode } else { self.mode & NEW_FILE };
        if now.mode() & 0o777 == mode.as_raw_mode() {
            return Ok(());
        }
        sys::set_mode(file, path, mode)
    }
}

/// A complete temporary file; removed when it is not published.
struct Staged(PathBuf);

impl Staged {
    fn write(path: &Path, content: &[u8], old: Option<&Old>, durable: Durable) -> io::Result<Self> {
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // Never more open than the file it replaces, at any moment.
        let mode = old.map_or(NEW_FILE, |old| old.mode | Mode::WUSR);
        let (staged, mut file) = Self::create(folder_of(path), mode)?;
        sys::write_all(&mut file, &staged.0, content)?;
        if let Some(old) = old {
            old.keep(&file, &staged.0)?;
        }
        if durable == Durable::Yes {
            sys::sync(&file, &staged.0)?;
        }
        Ok(staged)
    }

    fn create(folder: &Path, mode: Mode) -> io::Result<(Self, File)> {
        let mut last = io::ErrorKind::AlreadyExists.into();
        for _ in 0..TRIES {
            let path = folder.join(temporary_name());
            match sys::create_excl(&path, mode) {
                Ok(file) => return Ok((Self(path), file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    fn publish(self, rename: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        rename(&self.0)?;
        std::mem::forget(self);
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Nothing more can be done here; the name says that it is temporary.
        let _ = sys::remove(&self.0);
    }
}

/// Whether a file's name is one that this crate gives to temporary files. Such a file in a folder
/// whose writers share a lock was left by one that was killed.
pub fn is_temporary(name: &str) -> bool {
    let digits = name
        .strip_prefix(".hermes-")
        .and_then(|rest| rest.strip_suffix(".tmp"));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// `.hermes-<16 hexadecimal digits>.tmp`; the digits are seeded by the system for every thread and
/// differ for every call.
fn temporary_name() -> String {
    format!(
        ".hermes-{:016x}.tmp",
        RandomState::new().hash_one(std::process::id())
    )
}
