//! A part of a file, addressed by positions in the whole.

/// Bytes of a file from `start` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window<'a> {
    start: u64,
    bytes: &'a [u8],
}

impl<'a> Window<'a> {
    pub(crate) fn new(start: u64, bytes: &'a [u8]) -> Self {
        Self { start, bytes }
    }

    /// All bytes.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The first position.
    pub(crate) fn start(self) -> u64 {
        self.start
    }

    /// The bytes at a position, if all of them are here.
    pub(crate) fn get(self, at: u64, length: u64) -> Option<&'a [u8]> {
        let from = usize::try_from(at.checked_sub(self.start)?).ok()?;
        let to = from.checked_add(usize::try_from(length).ok()?)?;
        self.bytes.get(from..to)
    }
}

/// A little-endian number of two bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(part.try_into().ok()?))
}

/// A little-endian number of four bytes.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(part.try_into().ok()?))
}
