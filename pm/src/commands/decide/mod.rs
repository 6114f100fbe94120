//! What the deciding commands have in common: prepare what is asked with, ask, and keep a receipt.

mod ask;
mod keep;
mod prepare;

pub(super) use ask::{Asked, ask, union};
pub(super) use keep::{keep, receipt};
pub(super) use prepare::{Prepared, prepare};
