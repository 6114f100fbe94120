//! Reading small files that somebody else wrote: never blocks on special files, never reads past a limit.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use hermes_admission::{ReadFault, ReadFaultKind};

/// The bytes of a regular file (links are followed); `None` when there is none.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, ReadFault> {
    // Looked at before it is opened: opening a FIFO waits for a writer.
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => return absent_or(&error),
    };
    if !meta.is_file() {
        return Err(fault(ReadFaultKind::NotAFile, "is not a regular file".into()));
    }
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) => return absent_or(&error),
    };
    let mut bytes = Vec::new();
    let cap = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(cap)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    if bytes.len() > limit {
        return Err(fault(
            ReadFaultKind::TooLarge,
            format!("is larger than the {limit} bytes that are read"),
        ));
    }
    Ok(Some(bytes))
}

fn absent_or(error: &io::Error) -> Result<Option<Vec<u8>>, ReadFault> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(None),
        _ => Err(unreadable(error)),
    }
}

fn unreadable(error: &io::Error) -> ReadFault {
    fault(ReadFaultKind::Unreadable, format!("cannot be read: {error}"))
}

fn fault(kind: ReadFaultKind, message: String) -> ReadFault {
    ReadFault { kind, message }
}
