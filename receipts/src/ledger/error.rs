//! What can go wrong with a ledger.

use std::io;
use std::path::PathBuf;

use hermes_fsx::LockError;
use hermes_terms::{Code, Digest};

use crate::canonical::CanonicalError;

/// Something in the ledger's folder is not a receipt of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {flaw}")]
pub struct Corrupt {
    /// The name in the folder, fit to be shown.
    pub file: String,
    /// What is wrong with it.
    pub flaw: Flaw,
}

impl Corrupt {
    /// Always `receipt.corrupt`.
    pub const fn code(&self) -> Code {
        Code::ReceiptCorrupt
    }
}

/// Why something is not a receipt of the ledger it lies in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Its name is not one that receipts have.
    #[error("this is not a receipt")]
    Foreign,
    /// It is not a regular file.
    #[error("not a regular file")]
    NotRegular,
    /// It is larger than a receipt can be.
    #[error("larger than any receipt")]
    TooLarge,
    /// The system does not give it out, or it went away.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// It is not JSON as receipts are written.
    #[error("it is not the JSON of a receipt: {0}")]
    Json(String),
    /// It has another schema.
    #[error("its schema `{0}` is not one that this program reads")]
    Schema(String),
    /// Its id is not the digest of its content: it was altered.
    #[error("it was altered: its id is {stated}, its content has {computed}")]
    Altered {
        /// The id that it states.
        stated: String,
        /// The id of its content.
        computed: Digest,
    },
    /// It says another position, operation or id than its name does.
    #[error("its name is another receipt's")]
    Misnamed,
}

/// An operation on the ledger failed.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The home does not exist; a ledger makes no home.
    #[error("{} is not a folder", root.display())]
    NoHome {
        /// The root of the home.
        root: PathBuf,
    },
    /// A folder of the ledger is a link, or something else than a folder.
    #[error("{} must be a folder of its own", path.display())]
    NotFolder {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another process appends for too long, or the lock cannot be taken.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The receipt cannot be written exactly.
    #[error("the receipt cannot be written: {0}")]
    Canonical(#[from] CanonicalError),
    /// The receipt is larger than any that is read.
    #[error("the receipt takes {size} bytes")]
    TooLarge {
        /// Its size, in bytes.
        size: usize,
    },
    /// No receipt is meant.
    #[error("there is no receipt `{wanted}`")]
    NotFound {
        /// What was asked for.
        wanted: String,
    },
    /// Several receipts are meant.
    #[error("`{wanted}` means {count} receipts")]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// How many there are.
        count: usize,
    },
    /// The receipt that is meant is not intact.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

impl LedgerError {
    /// The code.
    pub fn code(&self) -> Code {
        match self {
            Self::NoHome { .. } => Code::HomeInvalid,
            Self::NotFolder { .. } => Code::HomeSymlink,
            Self::Io { source, .. } | Self::Lock(LockError::Io { source, .. }) => io_code(source),
            Self::Lock(LockError::Busy { .. }) => Code::LockBusy,
            Self::Canonical(_) => Code::Internal,
            Self::TooLarge { .. } => Code::LimitsSize,
            Self::NotFound { .. } => Code::ReceiptNotFound,
            Self::Ambiguous { .. } => Code::UsageInvalid,
            Self::Corrupt(corrupt) => corrupt.code(),
        }
    }
}

fn io_code(error: &io::Error) -> Code {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::DiskFull,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Code::DiskDenied,
        _ => Code::HomeUnreadable,
    }
}
