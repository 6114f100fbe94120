//! The mutating system calls, one function each; every one announces itself to the fault hook.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{self, AtFlags, CWD, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;

use crate::faults::{Call, step};

/// Makes a file that must not exist; a link at the final component counts as existing.
pub(crate) fn create_excl(path: &Path, mode: Mode) -> io::Result<File> {
    step(Call::Create, path)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(fs::open(path, flags, mode)?))
}

/// Opens a file for a lock, making it when it is missing; never through a link, never blocking.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    step(Call::Create, path)?;
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(fs::open(path, flags, Mode::from_raw_mode(0o644))?))
}

pub(crate) fn write_all(file: &mut File, path: &Path, content: &[u8]) -> io::Result<()> {
    step(Call::Write, path)?;
    file.write_all(content)
}

pub(crate) fn truncate(file: &File, path: &Path) -> io::Result<()> {
    step(Call::Truncate, path)?;
    Ok(fs::ftruncate(file, 0)?)
}

pub(crate) fn set_mode(file: &File, path: &Path, mode: Mode) -> io::Result<()> {
    step(Call::Mode, path)?;
    Ok(fs::fchmod(file, mode)?)
}

pub(crate) fn set_owner(file: &File, path: &Path, owner: Uid, group: Gid) -> io::Result<()> {
    step(Call::Owner, path)?;
    Ok(fs::fchown(file, Some(owner), Some(group))?)
}

pub(crate) fn sync(file: &File, path: &Path) -> io::Result<()> {
    step(Call::Sync, path)?;
    file.sync_all()
}

pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    step(Call::SyncFolder, path)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match fs::fsync(fs::open(path, flags, Mode::empty())?.as_fd()) {
        // Some filesystems have no way to sync a folder; there is nothing better to do.
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step(Call::Rename, to)?;
    Ok(fs::rename(from, to)?)
}

/// Renames unless something of the new name exists.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        step(Call::Rename, to)?;
        match fs::renameat_with(CWD, from, CWD, to, fs::RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            // Neither the kernel nor every filesystem has to know the flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(error.into()),
        }
    }
    step(Call::Link, to)?;
    fs::linkat(CWD, from, CWD, to, AtFlags::empty())?;
    remove(from)
}

pub(crate) fn remove(path: &Path) -> io::Result<()> {
    step(Call::Remove, path)?;
    Ok(fs::unlink(path)?)
}

pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    step(Call::MakeFolder, path)?;
    Ok(fs::mkdir(path, Mode::from_raw_mode(0o777))?)
}
