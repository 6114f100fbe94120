//! From the solver's derivation to something that people and machines can follow.
//!
//! [`Graph`] is the derivation, flat; [`Proof`] is the same as numbered steps with short texts; the
//! culprits are the smallest set of owners that still conflict, and what would have to go.

pub(crate) mod culprits;
mod declared;
mod graph;
mod narrate;
mod proof;

pub(crate) use graph::{Fact, Graph};
pub(crate) use narrate::Narrator;
pub use proof::{Premise, Proof, Step};
