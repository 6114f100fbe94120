//! The normal form of a value as lines of text: what a digest is taken of.

use alloc::string::String;
use core::fmt::{Arguments, Write as _};

use hermes_terms::Digest;

/// Lines that are collected for a digest.
#[derive(Default)]
pub(crate) struct NormalForm(String);

impl NormalForm {
    /// Adds a line.
    pub(crate) fn line(&mut self, line: Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = self.0.write_fmt(line);
        self.0.push('\n');
    }

    /// The digest of all lines.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}
