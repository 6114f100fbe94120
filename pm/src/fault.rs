//! What is wrong with something that was read, with its place; and what is only worth saying.
//! Every reader collects all faults of its input before it refuses.

use std::fmt;
use std::path::{Path, PathBuf};

use hermes_terms::Code;

/// A place in a file. Line and column count from 1 (columns in characters); 0 means unknown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// A file as a whole.
    pub fn file(path: &Path) -> Self {
        Self {
            file: path.to_owned(),
            line: 0,
            column: 0,
        }
    }

    /// A place given as a byte offset into a file's text.
    pub fn at_offset(path: &Path, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(line_start..).map_or(0, |part| part.chars().count()) + 1;
        Self {
            file: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.line > 0 && self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Fault {
    /// Why, for machines.
    pub code: Code,
    /// Where.
    pub place: Place,
    /// What, for people.
    pub message: String,
}

/// Everything that is wrong with an input; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` when nothing was found.
    pub fn none_in(found: Vec<Fault>) -> Result<(), Self> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Self(found))
        }
    }

    /// The faults, in the order they were met.
    pub fn all(&self) -> &[Fault] {
        &self.0
    }

    /// The faults, in the order they were met.
    pub fn into_all(self) -> Vec<Fault> {
        self.0
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// Something worth saying that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is, for machines.
    pub code: Code,
    /// What it is, for people.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_a_line_and_a_column_in_characters() {
        let at = |offset| Place::at_offset(Path::new("f"), "aé\nbc", offset).to_string();
        assert_eq!(
            [at(0), at(3), at(5), at(99)],
            ["f:1:1", "f:1:3", "f:2:2", "f:2:3"]
        );
    }
}
