//! The Python ecosystem for the solver: which versions can be used, which is taken first, and what
//! each of them requires.

mod availability;
mod candidates;
mod choice;
mod edges;
mod lookup;
mod nodes;
mod order;
mod places;
mod provider;
mod requires;
mod rules;

pub use availability::Obstacle;
pub(crate) use availability::Unavailable;
pub use candidates::{Candidate, Candidates};
pub(crate) use nodes::NodeId;
pub(crate) use places::{Place, Places};
pub(crate) use provider::{Interrupt, Provider};
