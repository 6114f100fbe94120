//! Package indexes: the simple repository API (PEP 503, 592, 629, 658, 691, 700, 714, 792) over
//! HTTP, with a cache on disk.
//!
//! [`Indexes`] answers two questions, each once in a run: the page of a project, and the core
//! metadata of a file. Each name is bound to the first index that knows it: only "there is no such
//! project" lets the next one be asked, and no failure ever looks like an answer.

mod ahead;
mod cache;
mod cached_page;
mod fault;
mod hosts;
mod html;
mod indexes;
mod memo;
mod metadata;
mod page;
mod settings;
mod shared;
mod simple_html;
mod simple_json;
#[cfg(test)]
mod tests;
mod time;
mod wheel_metadata;
mod wire;
mod writes;

pub use crate::fetch::Credentials;
pub use fault::{IndexError, MetadataError};
pub use indexes::{Indexes, Statistics};
pub use settings::{IndexLocation, IndexSettings, LocationError};
pub use time::normalise_time;
