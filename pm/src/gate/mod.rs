//! The gate: gathers what is declared, asks the resolver, and turns the answer into a receipt.
//!
//! One direction: [`gather`] reads (homes, roots, core) → [`question`] makes one problem of it (pure)
//! → [`answer`] asks the resolver through [`adapter`] → [`record`] writes it down as a decision (pure).

mod adapter;
mod answer;
mod gather;
mod question;
mod record;

pub use adapter::CatalogIndex;
pub use answer::{Answer, answer};
pub use gather::{CoreSource, Gathered, Gatherer};
pub use question::{Party, Question};
pub use record::{decision, refused_inputs};
