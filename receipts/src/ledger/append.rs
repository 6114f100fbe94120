//! Appending to the ledger.

use std::io;
use std::path::Path;

use hermes_fsx::Lock;

use super::error::LedgerError;
use super::file::LOCK;
use super::name::EntryName;
use super::{Ledger, RECEIPT_LIMIT, Tip, head};
use crate::{Draft, Receipt};

impl Ledger {
    /// Gives a draft its place in the chain and writes it, durably. Secrets are taken out and the
    /// refusal is capped first. The home must exist; the ledger's folder is made.
    ///
    /// The receipt counts as soon as its own file is there: when `HEAD` cannot be written after it, the
    /// next writer finds it all the same.
    pub fn append(&self, draft: Draft) -> Result<Receipt, LedgerError> {
        let draft = draft.prepare(&self.secrets)?;
        self.make_folder()?;
        let folder = self.folder();
        let _lock = Lock::acquire(&folder.join(LOCK), draft.operation.as_str(), self.patience)?;
        let listing = self.list()?;
        for name in &listing.leftovers {
            // Left by a writer that was killed; the next one tries again.
            let _ = hermes_fsx::remove_file(&folder.join(name));
        }
        let tip = head::tip(&folder, &listing);
        let sequence = tip.as_ref().map_or(1, |tip| tip.sequence.saturating_add(1));
        let receipt = draft.place(sequence, tip.map(|tip| tip.id))?;
        write(&folder, &receipt)?;
        let _ = head::write(&folder, &Tip::from(&receipt));
        Ok(receipt)
    }

    fn make_folder(&self) -> Result<(), LedgerError> {
        if !self.root.is_dir() {
            return Err(LedgerError::NoHome {
                root: self.root.clone(),
            });
        }
        let above = self.root.join("pm");
        own_folder(&self.root, &above)?;
        own_folder(&above, &self.folder())
    }
}

/// Makes a folder inside another, unless it is there; links are refused, since what they lead to is
/// not ours to write.
fn own_folder(above: &Path, path: &Path) -> Result<(), LedgerError> {
    let failed = |source| LedgerError::Io {
        path: path.to_owned(),
        source,
    };
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(LedgerError::NotFolder {
            path: path.to_owned(),
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => hermes_fsx::create_dir_all(path)
            .and_then(|()| hermes_fsx::sync_folder(above))
            .map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

fn write(folder: &Path, receipt: &Receipt) -> Result<(), LedgerError> {
    let text = receipt.to_json()?;
    if u64::try_from(text.len()).map_or(true, |size| size > RECEIPT_LIMIT) {
        return Err(LedgerError::TooLarge { size: text.len() });
    }
    let path = folder.join(EntryName::of(receipt).to_string());
    hermes_fsx::write_new(&path, text.as_bytes()).map_err(|source| LedgerError::Io { path, source })
}
