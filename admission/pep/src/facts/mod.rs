//! What a solver needs of an index for one target, and no more: releases with the files that could be
//! used, and dependencies with the environment's markers already decided.
//!
//! Both are derived from what an index says (pages, core metadata) and from the target alone. No policy
//! is in them: whether a withdrawn or a young file counts is judged by whoever asks.

mod dependencies;
mod releases;

pub use dependencies::Dependencies;
pub use releases::{Offer, Release, Releases};
