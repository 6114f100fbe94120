//! Questions asked once: the first asker works out the answer, everyone else waits for it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use tokio::sync::Notify;

/// The answers of one run.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    slots: Mutex<HashMap<K, Arc<Slot<V>>>>,
}

/// The place of one answer.
#[derive(Debug)]
pub(super) struct Slot<V> {
    value: OnceLock<V>,
    lock: Mutex<()>,
    ready: Condvar,
    notify: Notify,
}

/// Whose turn it is.
#[derive(Debug)]
pub(super) enum Turn<V: Clone> {
    /// The caller's: it has to answer.
    Mine(Claim<V>),
    /// Another's: wait.
    Theirs(Arc<Slot<V>>),
}

/// The duty to answer. Dropped without an answer (a panic, a closed runtime), it answers with the
/// fallback, so that nobody waits for ever.
#[derive(Debug)]
pub(super) struct Claim<V: Clone> {
    slot: Arc<Slot<V>>,
    fallback: fn() -> V,
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    pub(super) fn new() -> Self {
        Self {
            slots: Mutex::new(HashMap::new()),
        }
    }

    /// Takes the turn, or the place to wait at.
    pub(super) fn turn(&self, key: K, fallback: fn() -> V) -> Turn<V> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&key) {
            return Turn::Theirs(Arc::clone(slot));
        }
        let slot = Arc::new(Slot::new());
        slots.insert(key, Arc::clone(&slot));
        Turn::Mine(Claim { slot, fallback })
    }
}

impl<V: Clone> Slot<V> {
    fn new() -> Self {
        Self {
            value: OnceLock::new(),
            lock: Mutex::new(()),
            ready: Condvar::new(),
            notify: Notify::new(),
        }
    }

    fn set(&self, value: V) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.value.set(value);
        self.ready.notify_all();
        self.notify.notify_waiters();
        drop(guard);
    }

    /// Waits on the calling thread.
    pub(super) fn wait(&self) -> V {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(value) = self.value.get() {
                return value.clone();
            }
            guard = self.ready.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits in a task.
    pub(super) async fn wait_async(&self) -> V {
        loop {
            // Made before the look at the value, it hears of every answer after that look.
            let notified = self.notify.notified();
            if let Some(value) = self.value.get() {
                return value.clone();
            }
            notified.await;
        }
    }
}

impl<V: Clone> Claim<V> {
    /// Gives the answer.
    pub(super) fn answer(self, value: V) -> V {
        self.slot.set(value.clone());
        value
    }

    /// The place where the answer will be.
    pub(super) fn slot(&self) -> Arc<Slot<V>> {
        Arc::clone(&self.slot)
    }
}

impl<V: Clone> Drop for Claim<V> {
    fn drop(&mut self) {
        if self.slot.value.get().is_none() {
            self.slot.set((self.fallback)());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_question_is_answered_once_and_a_lost_claim_is_no_hang() {
        let memo: Memo<&str, u32> = Memo::new();
        let Turn::Mine(claim) = memo.turn("a", || 0) else {
            panic!("first")
        };
        let Turn::Theirs(slot) = memo.turn("a", || 0) else {
            panic!("second")
        };
        let waiter = std::thread::spawn(move || slot.wait());
        assert_eq!(claim.answer(7), 7);
        assert_eq!(waiter.join().unwrap(), 7);
        drop(memo.turn("b", || 9));
        let Turn::Theirs(slot) = memo.turn("b", || 0) else {
            panic!("lost")
        };
        assert_eq!(slot.wait(), 9);
    }
}
