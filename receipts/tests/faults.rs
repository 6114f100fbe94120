//! Appending, failed and killed at every mutating step: the chain stays whole, nothing is lost, and
//! the next writer needs no help. One test, since a hook holds for the whole process.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;

use hermes_fsx::faults::{self, Action, Installed};
use hermes_receipts::Ledger;

use support::refused;

const CHILD: &str = "HERMES_RECEIPTS_TEST_KILL_AT";
const NAME: &str = "appending_is_whole_whatever_step_fails";
const ENOSPC: i32 = 28;

/// Lets the step fail that comes `at` steps from now, and with `on` all that follow as well.
fn fault(at: u64, on: bool, action: Action) -> Installed {
    let at = faults::count() + at;
    faults::install(Box::new(move |step| {
        if step.number == at || (on && step.number > at) {
            action
        } else {
            Action::Proceed
        }
    }))
}

fn append_once(root: &Path) -> bool {
    Ledger::open(root).append(refused()).is_ok()
}

/// After a fault and one more append: whole, with what was confirmed and at most one more, and tidy.
fn check(root: &Path, confirmed: u64, context: &str) {
    let ledger = Ledger::open(root);
    assert!(
        ledger
            .verify()
            .unwrap()
            .faults
            .iter()
            .all(|fault| fault.file == "HEAD"),
        "{context}"
    );
    assert!(append_once(root), "{context}");
    let found = ledger.verify().unwrap();
    assert!(found.is_sound(), "{context}: {found:?}");
    assert!(
        (confirmed..=confirmed + 1).contains(&(found.intact - 1)),
        "{context}: {found:?}"
    );
    let files = fs::read_dir(ledger.folder()).unwrap().count() as u64;
    assert_eq!(files, found.intact + 2, "{context}: receipts, HEAD, the lock");
}

#[test]
fn appending_is_whole_whatever_step_fails() {
    if let Ok(at) = std::env::var(CHILD) {
        let (at, root) = at.split_once(' ').unwrap();
        let _hook = fault(at.parse().unwrap(), false, Action::Kill);
        assert!(append_once(Path::new(root)));
        return;
    }
    for before in [0, 2] {
        let steps = {
            let root = home(before);
            let start = faults::count();
            assert!(append_once(root.path()));
            faults::count() - start
        };
        for at in 1..=steps {
            for on in [false, true] {
                let root = home(before);
                let hook = fault(at, on, Action::Fail(ENOSPC));
                let confirmed = append_once(root.path());
                drop(hook);
                check(
                    root.path(),
                    before + u64::from(confirmed),
                    &format!("{before} failed {at} {on}"),
                );
            }
            let root = home(before);
            assert!(killed(at, root.path()), "{before} killed {at}");
            check(root.path(), before, &format!("{before} killed {at}"));
        }
    }
}

fn home(receipts: u64) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for _ in 0..receipts {
        assert!(append_once(root.path()));
    }
    root
}

fn killed(at: u64, root: &Path) -> bool {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME])
        .env(CHILD, format!("{at} {}", root.display()))
        .output()
        .unwrap();
    child.status.signal() == Some(9)
}
