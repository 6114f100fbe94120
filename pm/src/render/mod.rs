//! Text for people, made from values: no streams, no clock, no environment.

mod receipt;
mod view;

pub use receipt::receipt;
