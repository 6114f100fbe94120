//! Lines and columns of byte offsets, each found without reading the text again: a file may hold
//! hundreds of thousands of values, and on one line.

use alloc::vec::Vec;

/// How many bytes lie between two counted places.
const BLOCK: usize = 128;

/// The places of one text.
pub(super) struct Places<'t> {
    bytes: &'t [u8],
    /// Where each line starts.
    lines: Vec<usize>,
    /// How many characters stand before each block.
    blocks: Vec<usize>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines = core::iter::once(0)
            .chain(newlines.map(|(at, _)| at + 1))
            .collect();
        let mut before = 0;
        let mut blocks = Vec::with_capacity(bytes.len() / BLOCK + 1);
        for block in bytes.chunks(BLOCK) {
            blocks.push(before);
            before += characters(block);
        }
        Self { bytes, lines, blocks }
    }

    /// Line and column, both from 1, the column in characters.
    pub(super) fn of(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|at| self.lines.get(at));
        let start = start.copied().unwrap_or_default();
        (
            line,
            self.characters_before(offset) - self.characters_before(start) + 1,
        )
    }

    fn characters_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.bytes.len());
        let Some(before) = self.blocks.get(offset / BLOCK) else {
            // The end of a text whose last block is full.
            return self.blocks.last().map_or(0, |before| {
                let start = (self.blocks.len() - 1) * BLOCK;
                before + characters(self.bytes.get(start..offset).unwrap_or_default())
            });
        };
        let start = offset / BLOCK * BLOCK;
        before + characters(self.bytes.get(start..offset).unwrap_or_default())
    }
}

/// Every byte that does not continue a character begins one.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same as counting from the start, at every offset, across blocks.
    #[test]
    fn places_agree_with_counting() {
        let text = "aé\nb\n\n日本語 x\n".repeat(300) + &"é".repeat(BLOCK);
        let places = Places::new(&text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..offset];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let want = (
                before.matches('\n').count() + 1,
                before[start..].chars().count() + 1,
            );
            assert_eq!(places.of(offset), want, "{offset}");
        }
        assert_eq!(Places::new("").of(0), (1, 1));
    }
}
