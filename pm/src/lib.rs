//! The package manager and dependency gate for plugins of the Hermes Agent.
