//! Decides. Surfaces, the union, the solver, explanations and verdicts: pure functions of values.
//!
//! The crate is `no_std`: it cannot touch files, the network, the clock, the environment or
//! processes. It sees the world through two ports, [`SourceTree`] (a plugin root) and [`Index`]
//! (projects and their metadata); everything else comes in as a value.
#![no_std]

extern crate alloc;

pub mod core;
pub mod surface;

mod index;
mod problem;
mod tree;

pub use index::{Index, IndexFault, MetadataFault};
pub use problem::{Policy, Preference, Problem, Root, RootRequirement};
pub use tree::{ReadFault, ReadFaultKind, SourceTree};
