//! The ledger: a folder `<root>/pm/receipts/` of receipts that form a chain.
//!
//! Each receipt is a file `<sequence>-<operation>-<first 8 digits of its id>.json`, written whole and
//! never changed. `HEAD` names the newest one, so that a missing end is noticed; when it cannot be
//! used, the receipts themselves are enough to go on. Appending is guarded by a lock of its own, with
//! a bounded wait. Whatever else lies in the folder is reported as `receipt.corrupt`: it is never
//! trusted and never in the way.

mod append;
mod error;
mod file;
mod find;
mod head;
mod name;
mod verify;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::{Corrupt, Flaw, LedgerError};
pub use find::{Selector, SelectorError};
pub use head::Tip;
pub use name::EntryName;
pub use verify::{ChainFault, Verification};

use crate::{Receipt, Secrets};

/// How long appending waits for another process that appends.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest receipt that is read or written, in bytes.
const RECEIPT_LIMIT: u64 = 16 << 20;

/// The ledger of a home. Opening and reading make nothing; appending makes the folder.
#[derive(Debug, Clone)]
pub struct Ledger {
    root: PathBuf,
    secrets: Secrets,
    patience: Duration,
}

/// What lies in a ledger, by name alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Files named as receipts are, the oldest first.
    pub entries: Vec<EntryName>,
    /// Everything that has no business there.
    pub foreign: Vec<Corrupt>,
    /// Temporary files of writers that were killed.
    leftovers: Vec<String>,
}

impl Ledger {
    /// The ledger of the home with this root.
    pub fn open(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            secrets: Secrets::default(),
            patience: PATIENCE,
        }
    }

    /// The same, with secrets that must not be written.
    #[must_use]
    pub fn with_secrets(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// The same, with another bound on waiting for a writer.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.root.join("pm").join("receipts")
    }

    /// What lies there, without opening anything. A folder that does not exist is empty.
    pub fn list(&self) -> Result<Listing, LedgerError> {
        file::list(&self.folder())
    }

    /// Reads one receipt; what is not intact is told and not returned.
    pub fn read(&self, name: &EntryName) -> Result<Receipt, Corrupt> {
        file::read(&self.folder(), name)
    }

    /// The newest entries, the newest first, at most this many.
    pub fn newest(&self, count: usize) -> Result<Vec<Result<Receipt, Corrupt>>, LedgerError> {
        let listing = self.list()?;
        let newest = listing.entries.iter().rev().take(count);
        Ok(newest.map(|name| self.read(name)).collect())
    }

    /// The end of the chain, where the next receipt goes.
    pub fn tip(&self) -> Result<Option<Tip>, LedgerError> {
        Ok(head::tip(&self.folder(), &self.list()?))
    }
}
