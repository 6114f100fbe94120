//! Exit codes, documented and stable.

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done, or nothing to do.
    Done = 0,
    /// Refused: `unsatisfiable`, `invalid`, `blocked`.
    Refused = 1,
    /// Wrong usage.
    Usage = 2,
    /// Undecided: index, network, deadline.
    Undecided = 3,
    /// The machine: disk, permissions, read-only.
    Machine = 4,
    /// Busy: another process holds the lock.
    Busy = 5,
    /// Consent is needed and was not given.
    Consent = 6,
    /// A bug.
    Bug = 70,
    /// Interrupted.
    Interrupted = 130,
}

impl Exit {
    /// The number handed to the system.
    pub const fn code(self) -> u8 {
        self as u8
    }
}
