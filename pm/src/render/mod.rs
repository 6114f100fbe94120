//! Text for people, made from values: no streams, no clock, no environment.

mod receipt;

pub use receipt::receipt;
