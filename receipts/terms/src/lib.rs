//! Words that every crate shares: codes, digests, plugin names, verdicts, outcomes.
