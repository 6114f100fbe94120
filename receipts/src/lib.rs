//! Records: receipt types, canonical JSON, the chained ledger, schema, redaction.
//!
//! Invariants: a receipt's `id` is the digest of everything else in it, in canonical form (RFC 8785),
//! and `previous` is the id of the receipt before it; no secret and no oversized refusal is ever
//! written; what lies in the ledger and is not a receipt of this chain is reported, never trusted,
//! and never in the way of the next receipt.

pub mod canonical;
mod cap;
pub mod json;
pub mod ledger;
mod receipt;
pub mod redact;
pub mod schema;

pub use cap::REFUSAL_LIMIT;
pub use ledger::{Ledger, LedgerError, Selector};
pub use receipt::*;
pub use redact::Secrets;
