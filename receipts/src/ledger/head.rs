//! The end of the chain.

use std::io;
use std::path::Path;

use hermes_terms::Digest;
use serde::{Deserialize, Serialize};

use super::error::Flaw;
use super::file;
use super::{EntryName, Listing};
use crate::canonical::INTEGER_LIMIT;
use crate::{Receipt, json};

/// The file that names the newest receipt.
pub(super) const HEAD: &str = "HEAD";

const HEAD_SCHEMA: &str = "hermes-pm/head/1";

/// A place in the chain: a receipt's position and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The position.
    pub sequence: u64,
    /// The id.
    pub id: Digest,
}

impl From<&Receipt> for Tip {
    fn from(receipt: &Receipt) -> Self {
        Self {
            sequence: receipt.sequence,
            id: receipt.id.clone(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Stored {
    schema: String,
    sequence: u64,
    id: Digest,
}

/// Reads `HEAD`; `None` when there is none.
pub(super) fn read(folder: &Path) -> Result<Option<Tip>, Flaw> {
    let path = folder.join(HEAD);
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let json = |error: serde_json::Error| Flaw::Json(error.to_string());
    let value = json::parse(&file::content(&path)?).map_err(json)?;
    let stored: Stored = serde_json::from_value(value).map_err(json)?;
    // The last possible position cannot be followed, so nothing honest says it.
    if stored.schema != HEAD_SCHEMA || !(1..INTEGER_LIMIT).contains(&stored.sequence) {
        return Err(Flaw::Schema(stored.schema.chars().take(80).collect()));
    }
    Ok(Some(Tip {
        sequence: stored.sequence,
        id: stored.id,
    }))
}

/// Writes `HEAD`.
pub(super) fn write(folder: &Path, tip: &Tip) -> io::Result<()> {
    let stored = Stored {
        schema: HEAD_SCHEMA.to_owned(),
        sequence: tip.sequence,
        id: tip.id.clone(),
    };
    let mut line = json::to_line(&stored).map_err(io::Error::other)?;
    line.push('\n');
    hermes_fsx::write_atomic(&folder.join(HEAD), line.as_bytes())
}

/// The end of the chain: what `HEAD` names, or else the intact receipt with the highest position; and
/// from there the intact receipts that follow, since a writer may have been stopped before `HEAD`.
/// A receipt that `HEAD` names need not be readable for the chain to go on from it.
pub(super) fn tip(folder: &Path, listing: &Listing) -> Option<Tip> {
    let mut tip = match read(folder) {
        Ok(Some(tip)) => tip,
        Ok(None) | Err(_) => highest(folder, listing)?,
    };
    while let Some(next) = following(folder, listing, &tip) {
        tip = next;
    }
    Some(tip)
}

fn highest(folder: &Path, listing: &Listing) -> Option<Tip> {
    let mut intact = listing
        .entries
        .iter()
        .rev()
        .filter_map(|name| file::read(folder, name).ok());
    let found = intact.find(|receipt| receipt.sequence < INTEGER_LIMIT)?;
    Some(Tip::from(&found))
}

fn following(folder: &Path, listing: &Listing, tip: &Tip) -> Option<Tip> {
    let wanted = tip.sequence.checked_add(1).filter(|next| *next < INTEGER_LIMIT)?;
    let from = listing.entries.partition_point(|name| name.sequence() < wanted);
    let here = listing.entries.get(from..).unwrap_or_default();
    let same = here.iter().take_while(|name| name.sequence() == wanted);
    let follows = |name: &EntryName| {
        let receipt = file::read(folder, name).ok()?;
        (receipt.previous.as_ref() == Some(&tip.id)).then(|| Tip::from(&receipt))
    };
    same.into_iter().find_map(follows)
}
