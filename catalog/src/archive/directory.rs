//! The end record and the central directory of an archive (APPNOTE 4.3.12, 4.3.16).

use super::ZipFault;
use super::window::{Window, u16_at, u32_at};

const END_SIGNATURE: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
const ENTRY_SIGNATURE: &[u8] = b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;

/// The largest directory that is read, in bytes.
const MAX_DIRECTORY: u64 = 64 << 20;

/// Where the central directory lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directory {
    /// The position of its first byte.
    pub(crate) offset: u64,
    /// Its length in bytes.
    pub(crate) length: u64,
    entries: usize,
}

/// One member, as the central directory describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// The name.
    pub(crate) name: String,
    /// 0 stored, 8 deflated.
    pub(crate) method: u16,
    /// The checksum of the content.
    pub(crate) crc: u32,
    /// Bytes in the archive.
    pub(crate) packed: u64,
    /// Bytes of the content.
    pub(crate) size: u64,
    /// The position of the local header.
    pub(crate) offset: u64,
}

impl Directory {
    /// Finds the directory from the last bytes of the file. The end record must end the file, the
    /// directory must end where the record begins, and only one record may be possible.
    pub(crate) fn locate(tail: Window<'_>) -> Result<Self, ZipFault> {
        let bytes = tail.bytes();
        let mut found = None;
        // A comment is at most 65,535 bytes long.
        let oldest = bytes.len().saturating_sub(END_SIZE + usize::from(u16::MAX));
        for at in (oldest..=bytes.len().saturating_sub(END_SIZE)).rev() {
            let record = bytes.get(at..).unwrap_or_default();
            let comment = u16_at(record, 20).map(usize::from);
            if record.starts_with(END_SIGNATURE) && comment == Some(record.len().saturating_sub(END_SIZE)) {
                if found.is_some() {
                    return Err(ZipFault("it has two end records"));
                }
                found = Some(Self::read(record, tail.start() + at as u64)?);
            }
        }
        found.ok_or(ZipFault("it has no end record"))
    }

    fn read(record: &[u8], position: u64) -> Result<Self, ZipFault> {
        let short = ZipFault("its end record is cut off");
        let half = |at| u16_at(record, at).ok_or_else(|| short.clone());
        let word = |at| u32_at(record, at).ok_or_else(|| short.clone());
        let (disk, first_disk, here, entries) = (half(4)?, half(6)?, half(8)?, half(10)?);
        let (length, offset) = (word(12)?, word(16)?);
        if entries == u16::MAX || length == u32::MAX || offset == u32::MAX {
            return Err(ZipFault("it is a zip64 archive, which is not read"));
        }
        if disk != 0 || first_disk != 0 || here != entries {
            return Err(ZipFault("it spans several disks"));
        }
        let (length, offset) = (u64::from(length), u64::from(offset));
        if offset + length != position {
            return Err(ZipFault("bytes lie between its directory and its end record"));
        }
        if length > MAX_DIRECTORY {
            return Err(ZipFault("its directory is too large"));
        }
        Ok(Self {
            offset,
            length,
            entries: usize::from(entries),
        })
    }

    /// Reads the directory's bytes.
    pub(crate) fn members(self, bytes: &[u8]) -> Result<Vec<Member>, ZipFault> {
        let mut rest = bytes;
        let mut members = Vec::with_capacity(self.entries.min(bytes.len() / ENTRY_SIZE));
        for _ in 0..self.entries {
            let (member, after) = Member::read(rest).ok_or(ZipFault("its directory cannot be read"))?;
            if member.offset >= self.offset {
                return Err(ZipFault("a member lies outside the archive"));
            }
            members.push(member);
            rest = after;
        }
        if rest.is_empty() {
            Ok(members)
        } else {
            Err(ZipFault("its directory holds more than it says"))
        }
    }
}

impl Member {
    /// Reads one entry; `None` when it is no entry, is encrypted, or its name is not UTF-8.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        if !bytes.starts_with(ENTRY_SIGNATURE) {
            return None;
        }
        let half = |at| u16_at(bytes, at).map(usize::from);
        let word = |at| u32_at(bytes, at);
        let (name, extra, comment) = (half(28)?, half(30)?, half(32)?);
        let is_encrypted = half(8)? & 1 != 0;
        let name_bytes = bytes.get(ENTRY_SIZE..ENTRY_SIZE + name)?;
        let member = Self {
            name: std::str::from_utf8(name_bytes).ok()?.to_owned(),
            method: u16_at(bytes, 10)?,
            crc: word(16)?,
            packed: word(20)?.into(),
            size: word(24)?.into(),
            offset: word(42)?.into(),
        };
        let rest = bytes.get(ENTRY_SIZE + name + extra + comment..)?;
        (!is_encrypted).then_some((member, rest))
    }
}
