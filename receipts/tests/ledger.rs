//! The ledger: the chain, what is damaged in it, what is foreign, and writers at the same time.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hermes_fsx::Lock;
use hermes_receipts::ledger::{EntryName, Flaw};
use hermes_receipts::{Checkpoint, Draft, Ledger, LedgerError, Operation, Receipt, Selector, json};
use hermes_terms::{Code, Digest};

use support::{draft, refused};

struct Home {
    folder: tempfile::TempDir,
    ledger: Ledger,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(folder.path());
        Self { folder, ledger }
    }

    fn with(count: usize) -> (Self, Vec<Receipt>) {
        let home = Self::new();
        let receipts = (0..count).map(|_| home.append()).collect();
        (home, receipts)
    }

    fn append(&self) -> Receipt {
        self.ledger.append(refused()).unwrap()
    }

    fn path(&self, receipt: &Receipt) -> PathBuf {
        self.at(&EntryName::of(receipt).to_string())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.ledger.folder().join(name)
    }

    /// The faults of the chain as `code sequence`, in order.
    fn faults(&self) -> Vec<String> {
        let found = self.ledger.verify().unwrap().faults;
        let told = |fault: hermes_receipts::ledger::ChainFault| {
            let place = fault.sequence.map_or(fault.file, |sequence| sequence.to_string());
            format!("{} {place}", fault.code)
        };
        found.into_iter().map(told).collect()
    }
}

#[test]
fn the_chain_grows_and_verifies() {
    let (home, receipts) = Home::with(3);
    assert_eq!(receipts[0].previous, None);
    for (at, receipt) in receipts.iter().enumerate() {
        assert_eq!(receipt.sequence as usize, at + 1);
        assert_eq!(receipt.computed_id().unwrap(), receipt.id);
        let before = at.checked_sub(1).map(|before| receipts[before].id.clone());
        assert_eq!(receipt.previous, before);
    }
    let verification = home.ledger.verify().unwrap();
    assert!(verification.is_sound(), "{verification:?}");
    assert_eq!(verification.intact, 3);
    let newest: Vec<_> = home
        .ledger
        .newest(2)
        .unwrap()
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(newest, [receipts[2].clone(), receipts[1].clone()]);
    let names: BTreeSet<_> = fs::read_dir(home.ledger.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 5, "three receipts, HEAD, the lock: {names:?}");
}

/// Reading makes nothing, and neither home nor ledger need exist for it.
#[test]
fn an_empty_ledger() {
    let home = Home::new();
    assert!(home.ledger.verify().unwrap().is_sound());
    assert!(home.ledger.newest(5).unwrap().is_empty());
    let error = home.ledger.find(&Selector::Last).unwrap_err();
    assert_eq!(error.code(), Code::ReceiptNotFound);
    assert_eq!(fs::read_dir(home.folder.path()).unwrap().count(), 0);
    let nowhere = Ledger::open(&home.folder.path().join("gone"));
    let error = nowhere.append(refused()).unwrap_err();
    assert_eq!(error.code(), Code::HomeInvalid);
    assert!(!home.folder.path().join("gone").exists());
}

#[test]
fn receipts_are_found_by_number_id_and_last() {
    let (home, receipts) = Home::with(12);
    let find = |text: &str| home.ledger.find(&Selector::parse(text).unwrap());
    assert_eq!(find("last").unwrap(), receipts[11]);
    assert_eq!(find("3").unwrap(), receipts[2]);
    for receipt in &receipts {
        assert_eq!(find(receipt.id.as_str()).unwrap(), *receipt);
        assert_eq!(find(receipt.id.short()).unwrap(), *receipt);
        assert_eq!(find(&receipt.id.as_str()[7..30]).unwrap(), *receipt);
    }
    assert_eq!(find("13").unwrap_err().code(), Code::ReceiptNotFound);
    let other = Digest::of(b"other");
    assert_eq!(find(other.as_str()).unwrap_err().code(), Code::ReceiptNotFound);
}

/// I03: a receipt edited afterwards, in whatever way, is found and blamed, and only it.
#[test]
fn i03_an_altered_receipt_is_found() {
    let alter: &[fn(&str) -> String] = &[
        |text| text.replace("\"refused\"", "\"done\""),
        |text| text.replace("union.conflict", "union.no-wheel"),
        |text| text.replacen('{', "{\"later\": 1,", 1),
        |text| text[..text.len() / 2].to_owned(),
        |text| text.replacen('{', "{\"sequence\": 2,", 1),
        |_| String::new(),
        |_| "[".repeat(100_000),
        |text| text.replace("receipt/1", "receipt/2"),
    ];
    for (at, alter) in alter.iter().enumerate() {
        let (home, receipts) = Home::with(3);
        let path = home.path(&receipts[1]);
        fs::write(&path, alter(&fs::read_to_string(&path).unwrap())).unwrap();
        assert_eq!(home.faults(), ["receipt.corrupt 2"], "alteration {at}");
        assert_eq!(home.ledger.verify().unwrap().intact, 2);
        let error = home.ledger.find(&Selector::parse("2").unwrap()).unwrap_err();
        assert_eq!(error.code(), Code::ReceiptCorrupt);
        assert_eq!(home.append().sequence, 4);
        assert_eq!(home.faults(), ["receipt.corrupt 2"], "alteration {at}");
    }
}

/// I03: an alteration with a new id breaks the link of the one after it.
#[test]
fn i03_a_forged_receipt_breaks_the_chain() {
    let (home, receipts) = Home::with(3);
    let mut forged = receipts[1].clone();
    forged.restart_required = true;
    forged.id = forged.computed_id().unwrap();
    fs::remove_file(home.path(&receipts[1])).unwrap();
    fs::write(home.path(&forged), forged.to_json().unwrap()).unwrap();
    assert_eq!(home.faults(), ["receipt.chain 3"]);

    // Put beside the true one, it is the one that is not followed.
    fs::write(home.path(&receipts[1]), receipts[1].to_json().unwrap()).unwrap();
    assert_eq!(home.faults(), ["receipt.chain 2"]);
}

#[test]
fn missing_receipts_are_noticed() {
    let cases: [(&[usize], &[&str]); 5] = [
        (&[0], &["receipt.chain 2"]),
        (&[1], &["receipt.chain 3"]),
        (&[1, 2], &["receipt.chain 4"]),
        (&[3], &["receipt.chain HEAD"]),
        (&[0, 1, 2, 3], &["receipt.chain HEAD"]),
    ];
    for (gone, expected) in cases {
        let (home, receipts) = Home::with(4);
        for at in gone {
            fs::remove_file(home.path(&receipts[*at])).unwrap();
        }
        assert_eq!(home.faults(), expected, "{gone:?}");
        // The chain goes on where it was, so that the gap stays seen.
        assert_eq!(home.append().previous, Some(receipts[3].id.clone()));
        assert!(!home.ledger.verify().unwrap().is_sound(), "{gone:?}");
    }
}

/// Pruning: gaps up to the checkpoint are accounted for, later ones are not.
#[test]
fn a_checkpoint_accounts_for_what_was_pruned() {
    let (home, receipts) = Home::with(5);
    let checkpoint = |at: usize| Checkpoint {
        sequence: receipts[at].sequence,
        id: receipts[at].id.clone(),
        removed: 3,
    };
    let pruned = |checkpoint| Draft {
        checkpoint: Some(checkpoint),
        ..draft(Operation::Collect)
    };
    home.ledger.append(pruned(checkpoint(3))).unwrap();
    for at in [0, 1, 3] {
        fs::remove_file(home.path(&receipts[at])).unwrap();
    }
    assert!(home.faults().is_empty(), "{:?}", home.faults());
    fs::remove_file(home.path(&receipts[4])).unwrap();
    assert_eq!(home.faults(), ["receipt.chain 6"]);
    fs::write(home.path(&receipts[4]), receipts[4].to_json().unwrap()).unwrap();

    let lie = Checkpoint {
        id: Digest::of(b"another"),
        ..checkpoint(3)
    };
    home.ledger.append(pruned(lie)).unwrap();
    assert_eq!(home.faults(), ["receipt.chain 5"]);
}

/// G11: foreign things of every kind are told, never trusted, never in the way.
#[test]
fn g11_foreign_files_are_told_and_in_nobodys_way() {
    let (home, receipts) = Home::with(2);
    let other = Home::new();
    let elsewhere: Vec<_> = (0..3)
        .map(|_| other.ledger.append(draft(Operation::Enable)).unwrap())
        .collect();
    fs::write(home.at("notes.txt"), "x").unwrap();
    fs::write(home.at("\u{1b}[2J"), "x").unwrap();
    fs::create_dir(home.at("5-plan-01234567.json")).unwrap();
    symlink("/dev/zero", home.at("6-plan-01234567.json")).unwrap();
    symlink(home.path(&receipts[0]), home.at("7-plan-01234567.json")).unwrap();
    fs::write(home.at("9007199254740992-plan-01234567.json"), "{}").unwrap();
    fs::copy(home.path(&receipts[1]), home.at("8-plan-01234567.json")).unwrap();
    fs::write(home.path(&elsewhere[2]), elsewhere[2].to_json().unwrap()).unwrap();
    fs::write(home.at(".hermes-0123456789abcdef.tmp"), "half").unwrap();

    let before = home.ledger.verify().unwrap();
    let corrupt = before
        .faults
        .iter()
        .filter(|fault| fault.code == Code::ReceiptCorrupt);
    assert_eq!(corrupt.count(), 7, "{before:?}");
    assert!(before.faults.iter().all(|fault| !fault.file.contains('\u{1b}')));
    assert_eq!(home.ledger.find(&Selector::Last).unwrap(), receipts[1]);

    let next = home.append();
    assert_eq!(
        (next.sequence, &next.previous),
        (3, &Some(receipts[1].id.clone()))
    );
    assert_eq!(home.ledger.find(&Selector::Last).unwrap(), next);
    assert!(!home.at(".hermes-0123456789abcdef.tmp").exists());
    let name = EntryName::parse("6-plan-01234567.json").unwrap();
    assert_eq!(home.ledger.read(&name).unwrap_err().flaw, Flaw::NotRegular);
    let name = EntryName::parse("8-plan-01234567.json").unwrap();
    assert_eq!(home.ledger.read(&name).unwrap_err().flaw, Flaw::Misnamed);
}

type Spoil = fn(&Path);

/// A writer that was stopped before `HEAD`, and a `HEAD` that cannot be used.
#[test]
fn head_may_be_old_missing_or_odd() {
    let spoil: &[(&str, Spoil)] = &[
        ("missing", |head| fs::remove_file(head).unwrap()),
        ("empty", |head| fs::write(head, "").unwrap()),
        ("link", |head| {
            fs::remove_file(head).unwrap();
            symlink("/dev/zero", head).unwrap();
        }),
        ("folder", |head| {
            fs::remove_file(head).unwrap();
            fs::create_dir(head).unwrap();
        }),
        ("beyond", |head| {
            let id = Digest::of(b"x");
            let text = format!(r#"{{"schema":"hermes-pm/head/1","sequence":9007199254740992,"id":"{id}"}}"#);
            fs::write(head, text).unwrap();
        }),
    ];
    for (what, spoil) in spoil {
        let (home, receipts) = Home::with(3);
        spoil(&home.at("HEAD"));
        assert_eq!(home.faults().len(), 1, "{what}");
        let next = home.append();
        assert_eq!(next.previous, Some(receipts[2].id.clone()), "{what}");
        assert!(home.faults().is_empty() || *what == "folder", "{what}");
    }

    let (home, _) = Home::with(1);
    let old = fs::read(home.at("HEAD")).unwrap();
    let last = (home.append(), home.append()).1;
    fs::write(home.at("HEAD"), old).unwrap();
    assert!(home.faults().is_empty());
    assert_eq!(home.append().previous, Some(last.id));
}

/// G02: links in the way of the ledger are refused, and what they lead to is not touched.
#[test]
fn g02_folders_that_are_links_are_refused() {
    for link in ["pm", "pm/receipts"] {
        let home = Home::new();
        let canary = tempfile::tempdir().unwrap();
        let path = home.folder.path().join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(canary.path(), &path).unwrap();
        let error = home.ledger.append(refused()).unwrap_err();
        assert!(matches!(error, LedgerError::NotFolder { .. }), "{error}");
        assert_eq!(error.code(), Code::HomeSymlink);
        assert_eq!(fs::read_dir(canary.path()).unwrap().count(), 0);
    }
}

#[test]
fn waiting_for_another_writer_is_bounded() {
    let (home, _) = Home::with(1);
    let _held = Lock::try_acquire(&home.at(".lock"), "update").unwrap();
    let hasty = home.ledger.clone().with_patience(Duration::from_millis(30));
    let error = hasty.append(refused()).unwrap_err();
    assert_eq!(error.code(), Code::LockBusy);
    assert!(error.to_string().contains("(update)"), "{error}");
}

const CHILD: &str = "HERMES_RECEIPTS_TEST_ROOT";
const EACH: usize = 15;

/// Threads and processes that append at once lose nothing.
#[test]
fn writers_at_once_lose_nothing() {
    if let Ok(root) = std::env::var(CHILD) {
        let ledger = Ledger::open(root.as_ref()).with_patience(Duration::from_mins(1));
        for _ in 0..EACH {
            ledger.append(refused()).unwrap();
        }
        return;
    }
    let home = Home::new();
    let ledger = home.ledger.clone().with_patience(Duration::from_mins(1));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let child = Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "writers_at_once_lose_nothing"])
                    .env(CHILD, home.folder.path())
                    .output()
                    .unwrap();
                assert!(child.status.success());
            });
            scope.spawn(|| (0..EACH).for_each(|_| drop(ledger.append(refused()).unwrap())));
        }
    });
    let verification = home.ledger.verify().unwrap();
    assert!(verification.is_sound(), "{verification:?}");
    assert_eq!(verification.intact as usize, 4 * EACH);
}

/// What was written is what is read, byte for byte, and pure.
#[test]
fn files_are_harmless_json() {
    let (home, receipts) = Home::with(1);
    let bytes = fs::read(home.path(&receipts[0])).unwrap();
    assert!(bytes.iter().all(|b| *b == b'\n' || (*b >= 0x20 && *b != 0x7f)));
    let value = json::parse(&bytes).unwrap();
    assert_eq!(serde_json::from_value::<Receipt>(value).unwrap(), receipts[0]);
}
