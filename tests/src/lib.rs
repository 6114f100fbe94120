//! Test context, fake indexes, oracles, outside suites, corpus runner.
//!
//! The judges in here (oracle, checker) share types with the product and no reasoning: they read the
//! same descriptions and decide by simpler means. Nothing in here is depended on by the product.

pub mod checker;
pub mod context;
pub mod corpus;
pub mod dice;
pub mod fake_index;
pub mod fault;
pub mod live;
pub mod oracle;
pub mod problem;
pub mod raw_index;
pub mod server;
pub mod shared;
pub mod universes;

pub use fault::Fault;
