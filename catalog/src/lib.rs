//! Obtains: package indexes, archives, caches, plugin sources.
//!
//! Nothing is decided here: the crate hands over what indexes say, as types of `hermes-pep`, and
//! tells apart "there is no such thing" from "there was no answer".

mod archive;
mod fetch;
pub mod index;
