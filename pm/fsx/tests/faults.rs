//! The fault hook: every step can be counted, failed and killed; the file is the old or the new one
//! afterwards. One test, since a hook holds for the whole process.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use hermes_fsx::faults::{self, Action, Call};
use hermes_fsx::write_atomic;

const EIO: i32 = 5;
const CHILD: &str = "HERMES_FSX_TEST_KILL_AT";

fn left(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn every_step_can_be_counted_failed_and_killed() {
    if let Ok(at) = std::env::var(CHILD) {
        let (at, path) = at.split_once(' ').unwrap();
        kill_at(at.parse().unwrap(), Path::new(path));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");

    let before = faults::count();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let calls = Arc::clone(&seen);
    let hook = faults::install(Box::new(move |step| {
        calls.lock().unwrap().push(step.call);
        Action::Proceed
    }));
    write_atomic(&path, b"old").unwrap();
    drop(hook);
    let steps = faults::count() - before;
    let expected = [
        Call::Create,
        Call::Write,
        Call::Sync,
        Call::Rename,
        Call::SyncFolder,
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(steps, 5);

    for at in 1..=steps {
        let base = faults::count();
        let hook = faults::install(Box::new(move |step| {
            if step.number == base + at {
                Action::Fail(EIO)
            } else {
                Action::Proceed
            }
        }));
        let error = write_atomic(&path, b"new").unwrap_err();
        drop(hook);
        assert_eq!(error.raw_os_error(), Some(EIO));
        // After the rename the new content is there, though not yet known to be durable.
        let expected: &[u8] = if at <= 4 { b"old" } else { b"new" };
        assert_eq!(fs::read(&path).unwrap(), expected, "step {at}");
        assert_eq!(left(folder.path()), 1, "step {at}");
    }

    fs::write(&path, "old").unwrap();
    for at in 1..=steps + 1 {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "every_step_can_be_counted_failed_and_killed"])
            .env(CHILD, format!("{at} {}", path.display()))
            .output()
            .unwrap()
            .status;
        let killed = at <= steps;
        assert_eq!(status.signal() == Some(9), killed, "step {at}: {status}");
        let content = fs::read(&path).unwrap();
        assert!(content == b"old" || content == b"new", "step {at}");
    }
}

fn kill_at(at: u64, path: &Path) {
    let _hook = faults::install(Box::new(move |step| {
        if step.number == at {
            Action::Kill
        } else {
            Action::Proceed
        }
    }));
    write_atomic(path, b"new").unwrap();
}
