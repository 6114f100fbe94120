//! Writes to the cache that nobody waits for, until the end: a program that ends at once would
//! lose them.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Counts the writes under way.
#[derive(Debug, Default)]
pub(super) struct Writes {
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    closed: bool,
}

/// One write under way.
#[derive(Debug)]
struct Running(Arc<Writes>);

impl Writes {
    /// Starts a write beside the work, in a task of the current runtime.
    pub(super) fn start(self: &Arc<Self>, write: impl FnOnce() + Send + 'static) {
        let Some(running) = self.enter() else { return };
        tokio::task::spawn_blocking(move || {
            write();
            drop(running);
        });
    }

    fn enter(self: &Arc<Self>) -> Option<Running> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return None;
        }
        state.running += 1;
        Some(Running(Arc::clone(self)))
    }

    /// Lets no further write start, and waits for those under way, but no longer than `most`.
    pub(super) fn finish(&self, most: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        // Ended or not: what is not written is not cached, and that is no error.
        let _ = self
            .done
            .wait_timeout_while(state, most, |state| state.running > 0);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running = state.running.saturating_sub(1);
        self.0.done.notify_all();
    }
}
