//! Reading whole files that others may have put there.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// A file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Something else than a regular file: a folder, a FIFO, a socket, a device.
    #[error("not a regular file")]
    NotRegular,
    /// The file is larger than is read.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The system does not give it out.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads a regular file of at most `limit` bytes; `None` when there is none. Links are read through.
/// A FIFO or a device is refused without waiting for it, and the limit holds for what is announced
/// and for what comes.
pub fn read_regular(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => read_opened(&File::from(opened), limit).map(Some),
        Err(Errno::NOENT) => Ok(None),
        // What the system says of sockets and of devices without a driver.
        Err(Errno::NXIO | Errno::NODEV) => Err(ReadError::NotRegular),
        Err(error) => Err(ReadError::Io(error.into())),
    }
}

fn read_opened(file: &File, limit: u64) -> Result<Vec<u8>, ReadError> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::NotRegular);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let mut content = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    file.take(limit.saturating_add(1)).read_to_end(&mut content)?;
    if u64::try_from(content.len()).unwrap_or(u64::MAX) > limit {
        return Err(ReadError::TooLarge { limit });
    }
    Ok(content)
}
