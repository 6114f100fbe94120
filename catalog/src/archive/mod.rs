//! Reading one member out of a wheel, from as few bytes as will do.
//!
//! Strict: an archive that two readers could understand differently is refused.

mod directory;
mod member;
mod window;

pub(crate) use directory::{Directory, Member};
pub(crate) use member::{LocalSpan, read_member};
pub(crate) use window::Window;

/// Why an archive is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ZipFault(pub(crate) &'static str);
