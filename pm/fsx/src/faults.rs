//! Counting and injecting faults: every mutating system call of this crate is announced before it
//! is made. Without a hook a step costs one atomic addition.
//!
//! A harness runs an operation with `Fail` or `Kill` at step 1, 2, 3, … until it ends without the
//! fault having fired; killing after a call is killing before the next one.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The kind of a mutating system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Call {
    /// `open` with `O_CREAT`.
    Create,
    /// `write`.
    Write,
    /// `ftruncate`.
    Truncate,
    /// `fchmod`.
    Mode,
    /// `fchown`.
    Owner,
    /// `fsync` of a file.
    Sync,
    /// `fsync` of a folder.
    SyncFolder,
    /// `rename`.
    Rename,
    /// `link`.
    Link,
    /// `unlink`.
    Remove,
    /// `mkdir`.
    MakeFolder,
    /// Taking a kernel lock.
    Lock,
}

/// One mutating system call that is about to be made.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Its number in this process, from 1.
    pub number: u64,
    /// What it is.
    pub call: Call,
    /// The file or folder it changes; of a rename the new name.
    pub path: &'a Path,
}

/// What becomes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The call is made.
    Proceed,
    /// The call is not made and fails with this error number.
    Fail(i32),
    /// The process kills itself as `kill -9` would.
    Kill,
}

/// Decides about every step. It is called from whatever thread makes the call.
pub type Hook = Box<dyn Fn(Step<'_>) -> Action + Send + Sync>;

static COUNT: AtomicU64 = AtomicU64::new(0);
static HOOKED: AtomicBool = AtomicBool::new(false);
static HOOK: RwLock<Option<Arc<Hook>>> = RwLock::new(None);

/// A hook in force; it ends when this is dropped.
#[must_use = "the hook ends when this is dropped"]
pub struct Installed(());

impl fmt::Debug for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Installed")
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        HOOKED.store(false, Ordering::SeqCst);
        *HOOK.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Puts a hook in force for the whole process, in place of an earlier one.
pub fn install(hook: Hook) -> Installed {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(hook));
    HOOKED.store(true, Ordering::SeqCst);
    Installed(())
}

/// How many steps this process has come to.
pub fn count() -> u64 {
    COUNT.load(Ordering::SeqCst)
}

/// Announces a call. An error means that it must not be made.
pub(crate) fn step(call: Call, path: &Path) -> io::Result<()> {
    let number = COUNT.fetch_add(1, Ordering::SeqCst).wrapping_add(1);
    if HOOKED.load(Ordering::Relaxed) {
        hooked(Step { number, call, path })
    } else {
        Ok(())
    }
}

#[cold]
fn hooked(step: Step<'_>) -> io::Result<()> {
    // Taken out of the lock, so that a hook may write files itself.
    let hook = HOOK.read().unwrap_or_else(PoisonError::into_inner).clone();
    match hook.map_or(Action::Proceed, |hook| hook(step)) {
        Action::Proceed => Ok(()),
        Action::Fail(number) => Err(io::Error::from_raw_os_error(number)),
        Action::Kill => {
            let own = rustix::process::getpid();
            rustix::process::kill_process(own, rustix::process::Signal::KILL)?;
            // The signal is fatal; a thread that still runs must not go on.
            loop {
                std::thread::park();
            }
        }
    }
}
