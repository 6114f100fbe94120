//! The port through which a plugin root is read (contract C1: reading is all that happens).

use alloc::string::String;
use alloc::vec::Vec;

/// A file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReadFault {
    /// What kind of obstacle it was.
    pub kind: ReadFaultKind,
    /// What happened, for people.
    pub message: String,
}

/// What stood in the way of reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadFaultKind {
    /// Not a regular file (a FIFO, a device, a folder).
    NotAFile,
    /// Larger than the limit.
    TooLarge,
    /// The system refused, or the file vanished.
    Unreadable,
}

/// The files of one plugin root.
pub trait SourceTree {
    /// The bytes of a file directly below the root; `None` when it does not exist. Never blocks on
    /// special files and never reads more than `limit` bytes.
    fn read(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>, ReadFault>;
}
