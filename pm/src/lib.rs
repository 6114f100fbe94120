//! The package manager and dependency gate for plugins of the Hermes Agent.
//!
//! The one crate that acts: it finds homes and interpreters, reads settings, connects `admission`,
//! `catalog` and `receipts`, and talks to people and programs.

pub mod cli;
pub mod commands;
pub mod fault;
pub mod gate;
pub mod home;
pub mod render;
pub mod settings;
pub mod target;

mod error;
mod files;

pub use error::Error;
pub use settings::Environment;
