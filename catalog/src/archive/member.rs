//! The content of one member: its local header must agree with the directory, its length and
//! checksum with what was claimed.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::window::{Window, u16_at};
use super::{Member, ZipFault};

const LOCAL_SIGNATURE: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: u64 = 30;

/// Room for an extra field of the local header, which may differ from the directory's.
const SPARE: u64 = 1024;

/// The bytes to fetch for a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalSpan {
    /// The first position.
    pub(crate) start: u64,
    /// The position after the last.
    pub(crate) end: u64,
}

impl LocalSpan {
    /// What will do in all likelihood, within an archive whose directory begins at `directory`.
    pub(crate) fn guess(member: &Member, directory: u64) -> Self {
        let end = member.offset + LOCAL_SIZE + member.name.len() as u64 + member.packed + SPARE;
        Self {
            start: member.offset,
            end: end.min(directory),
        }
    }
}

/// Reads the content of a member; `Ok(None)` when the window does not hold all of it. A size
/// beyond `limit` is refused before anything is unpacked.
pub(crate) fn read_member(
    window: Window<'_>,
    member: &Member,
    limit: u64,
) -> Result<Option<Vec<u8>>, ZipFault> {
    if member.size > limit || member.packed > limit {
        return Err(ZipFault("its METADATA is too large"));
    }
    let Some(header) = window.get(member.offset, LOCAL_SIZE) else {
        return Ok(None);
    };
    let (Some(method), Some(name), Some(extra)) = (u16_at(header, 8), u16_at(header, 26), u16_at(header, 28))
    else {
        return Ok(None);
    };
    let Some(own_name) = window.get(member.offset + LOCAL_SIZE, u64::from(name)) else {
        return Ok(None);
    };
    if !header.starts_with(LOCAL_SIGNATURE) || own_name != member.name.as_bytes() || method != member.method {
        return Err(ZipFault("a local header disagrees with its directory"));
    }
    let data = member.offset + LOCAL_SIZE + u64::from(name) + u64::from(extra);
    let Some(packed) = window.get(data, member.packed) else {
        return Ok(None);
    };
    unpack(packed, member).map(Some)
}

fn unpack(packed: &[u8], member: &Member) -> Result<Vec<u8>, ZipFault> {
    let content = match member.method {
        0 => packed.to_vec(),
        8 => {
            let mut content = Vec::new();
            // One byte more than claimed shows a false claim.
            let mut reader = DeflateDecoder::new(packed).take(member.size + 1);
            reader
                .read_to_end(&mut content)
                .map_err(|_| ZipFault("its METADATA cannot be unpacked"))?;
            content
        }
        _ => {
            return Err(ZipFault(
                "its METADATA is packed by a method that wheels do not use",
            ));
        }
    };
    let mut crc = Crc::new();
    crc.update(&content);
    if content.len() as u64 != member.size || crc.sum() != member.crc {
        return Err(ZipFault("its METADATA is not what the directory describes"));
    }
    Ok(content)
}
