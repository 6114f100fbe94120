//! Settings from the environment and from configuration files of other tools.

mod environment;

pub use environment::Environment;
