//! Text for people, made from values: no streams, no clock, no environment.

mod receipt;
mod union;

pub use receipt::receipt;
pub use union::union;
