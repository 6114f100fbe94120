//! The only crate with mutating system calls, so that every write can be counted, failed and killed.
//!
//! Invariants: a reader sees a file's old content or the new, never a part; nothing is written
//! through a symbolic link at the final component; temporary names are random and made with
//! `O_EXCL`; reading never blocks on a FIFO or a device and never passes a limit.

pub mod faults;
mod folder;
mod lock;
mod read;
mod sys;
mod write;

pub use folder::{create_dir_all, sync_folder};
pub use lock::{Holder, Lock, LockError};
pub use read::{ReadError, read_regular};
pub use write::{is_temporary, remove_file, write_atomic, write_cache, write_new};
