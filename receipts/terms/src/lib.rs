//! Words that every crate shares: codes, digests, plugin names and keys, verdicts, outcomes, exit codes.

mod code;
mod digest;
mod exit;
mod plugin;
mod verdict;

pub use code::Code;
pub use digest::{Digest, DigestError};
pub use exit::Exit;
pub use plugin::{PluginKey, PluginName, PluginNameError};
pub use verdict::{Outcome, Verdict};
