//! The Python ecosystem for the solver: which versions can be used, which is taken first, and what
//! each of them requires.

mod availability;
mod candidates;
mod order;
mod provider;
mod requires;
mod rules;

pub use availability::Obstacle;
pub(crate) use availability::Unavailable;
pub use candidates::{Candidate, Candidates};
pub(crate) use provider::{Interrupt, Provider};
