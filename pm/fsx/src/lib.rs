//! The only crate with mutating system calls, so that every write can be counted, failed and killed.
