//! The files of a ledger: what lies in the folder, and reading one receipt without trusting it.

use std::fs::DirEntry;
use std::io;
use std::path::Path;

use hermes_fsx::ReadError;
use serde_json::Value;

use super::error::{Corrupt, Flaw, LedgerError};
use super::head::HEAD;
use super::name::EntryName;
use super::{Listing, RECEIPT_LIMIT};
use crate::{Receipt, SCHEMA, canonical, json, redact};

/// The lock that guards appending.
pub(super) const LOCK: &str = ".lock";

/// Lists a ledger's folder.
pub(super) fn list(folder: &Path) -> Result<Listing, LedgerError> {
    let failed = |source| LedgerError::Io {
        path: folder.to_owned(),
        source,
    };
    let mut listing = Listing::default();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(listing),
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        place(&mut listing, &entry.map_err(failed)?);
    }
    listing.entries.sort();
    listing.foreign.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(listing)
}

fn place(listing: &mut Listing, entry: &DirEntry) {
    let raw = entry.file_name();
    let name = raw.to_string_lossy();
    match EntryName::parse(&name) {
        Some(name) => listing.entries.push(name),
        None if matches!(&*name, HEAD | LOCK) => {}
        None if hermes_fsx::is_temporary(&name) => listing.leftovers.push(name.into_owned()),
        None => listing.foreign.push(Corrupt {
            file: redact::for_terminal(&name),
            flaw: Flaw::Foreign,
        }),
    }
}

/// Reads a receipt and checks that it is the one that its name says.
pub(super) fn read(folder: &Path, name: &EntryName) -> Result<Receipt, Corrupt> {
    let file = name.to_string();
    check(folder, &file, name).map_err(|flaw| Corrupt { file, flaw })
}

fn check(folder: &Path, file: &str, name: &EntryName) -> Result<Receipt, Flaw> {
    let value = json::parse(&content(&folder.join(file))?).map_err(|error| Flaw::Json(error.to_string()))?;
    let field = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let shown = |text: &str| redact::for_terminal(&text.chars().take(80).collect::<String>());
    if field("schema") != SCHEMA {
        return Err(Flaw::Schema(shown(field("schema"))));
    }
    let stated = shown(field("id"));
    let computed = canonical::id_of(&value).map_err(|error| Flaw::Json(error.to_string()))?;
    if stated != computed.as_str() {
        return Err(Flaw::Altered { stated, computed });
    }
    let receipt: Receipt = serde_json::from_value(value).map_err(|error| Flaw::Json(error.to_string()))?;
    if EntryName::of(&receipt) == *name {
        Ok(receipt)
    } else {
        Err(Flaw::Misnamed)
    }
}

/// The content of a file that is no link. A link put there between the two looks is read, at most up
/// to the limit; the checks that follow judge what it holds.
pub(super) fn content(path: &Path) -> Result<Vec<u8>, Flaw> {
    let unreadable = |error: io::Error| Flaw::Unreadable(error.to_string());
    if !path.symlink_metadata().map_err(unreadable)?.is_file() {
        return Err(Flaw::NotRegular);
    }
    match hermes_fsx::read_regular(path, RECEIPT_LIMIT) {
        Ok(Some(content)) => Ok(content),
        Ok(None) => Err(Flaw::Unreadable("it went away".into())),
        Err(ReadError::NotRegular) => Err(Flaw::NotRegular),
        Err(ReadError::TooLarge { .. }) => Err(Flaw::TooLarge),
        Err(ReadError::Io(error)) => Err(unreadable(error)),
    }
}
