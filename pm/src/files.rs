//! Reading small files that somebody else wrote: never blocks on special files, never reads past a limit.

use std::io::ErrorKind;
use std::path::Path;

use hermes_admission::{ReadFault, ReadFaultKind};
use hermes_fsx::ReadError;

/// The bytes of a regular file (links are followed); `None` when there is none.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, ReadFault> {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    match hermes_fsx::read_regular(path, limit) {
        Ok(bytes) => Ok(bytes),
        // A file where a folder was expected: there is no such file below it.
        Err(ReadError::Io(error)) if error.kind() == ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(fault(&error)),
    }
}

fn fault(error: &ReadError) -> ReadFault {
    let (kind, message) = match error {
        ReadError::NotRegular => (ReadFaultKind::NotAFile, "is not a regular file".to_owned()),
        ReadError::TooLarge { limit } => (
            ReadFaultKind::TooLarge,
            format!("is larger than the {limit} bytes that are read"),
        ),
        ReadError::Io(error) => (ReadFaultKind::Unreadable, format!("cannot be read: {error}")),
    };
    ReadFault { kind, message }
}
