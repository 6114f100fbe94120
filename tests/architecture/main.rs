//! The promises of the architecture, read from manifests and sources.

#![allow(missing_docs)]

mod codes;
mod star;
mod text;
