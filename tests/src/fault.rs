//! Why the support library could not do something: one text for whoever reads the failed test.

use std::error::Error;
use std::fmt;

/// A failure of a test's own machinery. It converts from every error, so it is not an error itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Fault(String);

impl Fault {
    /// A failure with a text.
    pub fn new(text: impl fmt::Display) -> Self {
        Self(text.to_string())
    }

    /// The same failure, with where it happened in front.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text itself: this is what the test harness prints.
impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Error> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
