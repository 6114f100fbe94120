//! Writing and reading whole files: what is replaced, what is refused, what is left behind.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use hermes_fsx::{
    ReadError, create_dir_all, read_regular, remove_file, write_atomic, write_cache, write_new,
};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn replaces_and_keeps_the_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for mode in [0o600, 0o640, 0o444, 0o755, 0o666] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, mode, "{mode:o}");
        fs::remove_file(&path).unwrap();
    }
    assert!(names(folder.path()).is_empty());
}

/// G02, G05, G06: links and hard links are replaced for this name, never written through.
#[test]
fn writes_through_no_link() {
    type Write = fn(&Path, &[u8]) -> std::io::Result<()>;
    for write in [write_atomic as Write, write_cache as Write] {
        let folder = tempfile::tempdir().unwrap();
        let canary = folder.path().join("canary");
        fs::write(&canary, "untouched").unwrap();
        symlink(&canary, folder.path().join("soft")).unwrap();
        fs::hard_link(&canary, folder.path().join("hard")).unwrap();
        for name in ["soft", "hard"] {
            let path = folder.path().join(name);
            write(&path, b"new").unwrap();
            assert!(path.symlink_metadata().unwrap().is_file());
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(fs::read(&canary).unwrap(), b"untouched");
        }
        assert_eq!(names(folder.path()), ["canary", "hard", "soft"]);
    }
}

#[test]
fn a_new_file_never_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_new(&path, b"first").unwrap();
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    for taken in ["a", "dangling"] {
        let error = write_new(&folder.path().join(taken), b"second").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{taken}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(names(folder.path()), ["a", "dangling"]);
}

#[test]
fn folders_are_made_and_files_removed() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    create_dir_all(&deep).unwrap();
    create_dir_all(&deep).unwrap();
    fs::write(deep.join("f"), "").unwrap();
    assert!(create_dir_all(&deep.join("f/g")).is_err());
    remove_file(&deep.join("f")).unwrap();
    remove_file(&deep.join("f")).unwrap();
    assert!(names(&deep).is_empty());
    for nameless in ["/", "..", ""] {
        assert!(write_atomic(Path::new(nameless), b"").is_err());
    }
}

/// D10: nothing that is not a regular file is read, and nothing beyond the limit.
#[test]
fn reads_regular_files_within_the_limit_only() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "12345").unwrap();
    symlink(at("file"), at("link")).unwrap();
    symlink("/dev/zero", at("device")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        at("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    let sparse = fs::File::create(at("sparse")).unwrap();
    sparse.set_len(1 << 40).unwrap();

    assert_eq!(read_regular(&at("file"), 5).unwrap().unwrap(), b"12345");
    assert_eq!(read_regular(&at("link"), 5).unwrap().unwrap(), b"12345");
    assert!(read_regular(&at("absent"), 5).unwrap().is_none());
    for name in ["fifo", "device", "socket", "."] {
        let read = read_regular(&at(name), 5);
        assert!(matches!(read, Err(ReadError::NotRegular)), "{name}: {read:?}");
    }
    for (name, limit) in [("file", 4), ("sparse", 1 << 20)] {
        let read = read_regular(&at(name), limit);
        assert!(
            matches!(read, Err(ReadError::TooLarge { .. })),
            "{name}: {read:?}"
        );
    }
}

/// A file that says it is empty and is not: the limit holds for what comes.
#[test]
#[cfg(target_os = "linux")]
fn the_limit_holds_for_what_comes() {
    let read = read_regular(Path::new("/proc/self/status"), 8);
    assert!(matches!(read, Err(ReadError::TooLarge { limit: 8 })), "{read:?}");
}

/// A reader meets the old content or the new, whatever the moment.
#[test]
fn a_reader_never_sees_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let contents = [vec![b'a'; 100_000], vec![b'b'; 50_000]];
    write_cache(&path, &contents[0]).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..200 {
                write_cache(&path, &contents[round % 2]).unwrap();
            }
        });
        while !writer.is_finished() {
            let read = read_regular(&path, 1 << 20).unwrap().unwrap();
            assert!(contents.contains(&read), "{} bytes", read.len());
        }
    });
}
