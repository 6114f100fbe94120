//! What a search cost, counted: the same for the same problem and the same index.

use core::fmt;

/// The effort of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Decisions that the solver took, in all its starts.
    pub steps: u64,
    /// How often the search began: more than once when a better order of decisions was learned.
    pub starts: u32,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |many: bool| if many { "s" } else { "" };
        let (steps, starts) = (plural(self.steps != 1), plural(self.starts != 1));
        write!(f, "{} step{steps} in {} start{starts}", self.steps, self.starts)
    }
}
