//! The solver against judges that are simpler than it is.

#![allow(missing_docs)]

mod effort;
mod judges;
mod loopback;
mod random;
mod verdicts;
