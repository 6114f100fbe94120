//! The gate: gathers what is declared, asks the resolver, and turns the answer into a decision.
//!
//! One direction: `core_source` and `gather` read (core, homes, roots) → `question` makes one problem of
//! it (pure) → `answer` asks the resolver through `adapter` → `record` writes it down (pure).

mod adapter;
mod answer;
mod core_source;
pub(crate) mod gather;
mod question;
mod record;

pub use adapter::CatalogIndex;
pub use answer::{Answer, answer};
pub use core_source::CoreSource;
pub use gather::{Candidate, Gathered};
pub use question::{Party, Question};
pub use record::{Judged, decision, retry_remedy, target};
