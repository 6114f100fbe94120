//! The lock: one holder, named to the others; links and odd files are no locks.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use hermes_fsx::{Lock, LockError};

#[test]
fn one_holder_who_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let held = Lock::try_acquire(&path, "admit\nhonest\u{1b}").unwrap();
    let LockError::Busy { holder, .. } = Lock::try_acquire(&path, "plan").unwrap_err() else {
        panic!("held");
    };
    assert_eq!(holder.pid, Some(std::process::id()));
    assert_eq!(holder.operation.as_deref(), Some("admithonest"));
    let start = Instant::now();
    assert!(Lock::acquire(&path, "plan", Duration::from_millis(40)).is_err());
    assert!(start.elapsed() >= Duration::from_millis(40));
    drop(held);
    Lock::try_acquire(&path, "plan").unwrap();
    assert!(path.exists());
}

#[test]
fn waits_for_the_holder_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let held = Lock::try_acquire(&path, "first").unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| Lock::acquire(&path, "second", Duration::from_secs(10)));
        std::thread::sleep(Duration::from_millis(20));
        drop(held);
        second.join().unwrap().unwrap();
    });
}

/// G12: what the file says decides nothing; a removed file does not let two in under one name.
#[test]
fn stale_content_and_removed_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    fs::write(&path, "1 update\n").unwrap();
    let held = Lock::try_acquire(&path, "first").unwrap();
    fs::remove_file(&path).unwrap();
    let second = Lock::try_acquire(&path, "second").unwrap();
    assert!(Lock::try_acquire(&path, "third").is_err());
    drop((held, second));
}

/// G02, G06: a link is refused, a file with two names is not written to.
#[test]
fn links_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let canary = folder.path().join("canary");
    fs::write(&canary, "untouched").unwrap();
    let soft = folder.path().join("soft");
    symlink(&canary, &soft).unwrap();
    assert!(matches!(Lock::try_acquire(&soft, "x"), Err(LockError::Io { .. })));
    let hard = folder.path().join("hard");
    fs::hard_link(&canary, &hard).unwrap();
    let _held = Lock::try_acquire(&hard, "x").unwrap();
    assert_eq!(fs::read(&canary).unwrap(), b"untouched");
    assert!(Lock::try_acquire(folder.path(), "x").is_err());
}
