//! Decides. Surfaces, the union, the solver, explanations and verdicts: pure functions of values.
//!
//! The crate is `no_std`: it cannot touch files, the network, the clock, the environment or
//! processes. It sees the world through two ports, [`SourceTree`] (a plugin root) and [`Index`]
//! (projects and their metadata); everything else comes in as a value.
#![no_std]

extern crate alloc;

pub mod core;
pub mod document;
pub mod surface;

mod decide;
mod effort;
mod explain;
mod facts;
mod ground;
mod index;
mod node;
mod normal;
mod plan;
mod problem;
mod python;
mod solve;
mod tree;

pub use decide::{Judgement, Refusal, decide};
pub use effort::Effort;
pub use explain::{Premise, Proof, Step};
pub use facts::Facts;
pub use index::{Index, IndexFault, MetadataFault};
pub use plan::{Change, Changes};
pub use problem::{Assumptions, Policy, Preference, Problem, Provided, Root, RootRequirement};
pub use python::{Candidate, Candidates, Obstacle};
pub use solve::{Refutation, Resolution, ResolvedPackage, Solution, Stop, solve};
pub use tree::{ReadFault, ReadFaultKind, SourceTree};
