//! The cache: what it saves, and what it must never do.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hermes_terms::Code;

use super::super::{IndexSettings, Indexes};
use super::server::{Reply, Server};
use super::wheel::metadata;
use super::{code_of, name, page, settings, target};

fn server() -> Server {
    let page = page(
        "a",
        &[(
            "a-1.0-py3-none-any.whl",
            "/f/a-1.0-py3-none-any.whl",
            r#","core-metadata":true"#,
        )],
    );
    Server::start(move |request| match request.path.as_str() {
        "/simple/a/" if request.header("if-none-match") == "\"one\"" => Reply::status(304),
        "/simple/a/" => Reply::json(page.clone()).with("ETag", "\"one\""),
        "/f/a-1.0-py3-none-any.whl.metadata" => Reply::body("text/plain", metadata("a", "1.0", &["b"])),
        _ => Reply::status(404),
    })
}

fn cached(server: &Server, folder: &Path) -> IndexSettings {
    IndexSettings {
        cache: Some(folder.to_owned()),
        ..settings(&[&server.index()])
    }
}

/// Asks the usual questions; the client's end lets the cache be written.
fn ask(settings: IndexSettings) -> Result<(), Code> {
    let indexes = Indexes::new(settings, target());
    let page = indexes
        .page(&name("a"))
        .map_err(|error| error.code)?
        .ok_or(Code::UnionNoSuchPackage)?;
    assert!(
        indexes
            .page(&name("missing"))
            .map_err(|error| error.code)?
            .is_none()
    );
    let metadata = indexes
        .metadata(&name("a"), &page.files[0])
        .map_err(|error| code_of(&error))?;
    assert_eq!(metadata.requires[0].to_string(), "b");
    Ok(())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let list = if entry.path().is_dir() {
                &mut folders
            } else {
                &mut files
            };
            list.push(entry.path());
        }
    }
    files
}

#[test]
fn a_second_run_asks_nothing() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    ask(cached(&server, folder.path())).unwrap();
    assert_eq!(server.requests().len(), 3);
    assert_eq!(entries(folder.path()).len(), 3);
    ask(cached(&server, folder.path())).unwrap();
    ask(IndexSettings {
        offline: true,
        ..cached(&server, folder.path())
    })
    .unwrap();
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn an_old_page_is_asked_for_again() {
    for old in [
        |s: &mut IndexSettings| s.time_to_live = Duration::ZERO,
        |s: &mut IndexSettings| s.refresh = true,
    ] {
        let (server, folder) = (server(), tempfile::tempdir().unwrap());
        ask(cached(&server, folder.path())).unwrap();
        let mut second = cached(&server, folder.path());
        old(&mut second);
        ask(second.clone()).unwrap();
        let requests = server.requests();
        // Two pages; the metadata of a file does not age.
        assert_eq!(requests.len(), 5);
        assert_eq!(requests[3].header("if-none-match"), "\"one\"");
        ask(IndexSettings {
            offline: true,
            ..second
        })
        .unwrap();
        assert_eq!(server.requests().len(), 5);
    }
}

#[test]
fn offline_without_an_entry_is_a_failure() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let offline = |cache| IndexSettings {
        offline: true,
        cache,
        ..settings(&[&server.index()])
    };
    assert_eq!(ask(offline(None)), Err(Code::IndexOffline));
    assert_eq!(
        ask(offline(Some(folder.path().to_owned()))),
        Err(Code::IndexOffline)
    );
    assert!(server.requests().is_empty());
}

/// Every byte of an entry may be wrong, or missing; the answer stays right.
#[test]
fn damaged_entries_are_fetched_again() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    ask(cached(&server, folder.path())).unwrap();
    let damages: [fn(&mut Vec<u8>); 5] = [
        Vec::clear,
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| bytes.iter_mut().rev().take(3).for_each(|byte| *byte ^= 1),
        |bytes| bytes.insert(0, b'x'),
        |bytes| {
            *bytes = String::from_utf8_lossy(bytes)
                .replacen("\"layout\":1", "\"layout\":2", 1)
                .into_bytes();
        },
    ];
    for (round, damage) in damages.into_iter().enumerate() {
        for path in entries(folder.path()) {
            let mut bytes = fs::read(&path).unwrap();
            damage(&mut bytes);
            fs::write(&path, bytes).unwrap();
        }
        let before = server.requests().len();
        ask(cached(&server, folder.path())).unwrap();
        let asked = server.requests().len() - before;
        // The entry for "no such project" has no content that could be damaged at its end.
        assert!(asked >= 2, "round {round}: {asked}");
    }
}

/// An entry of another question, put in the place of this one's, is not an answer to it.
#[test]
fn entries_answer_their_own_question_only() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    ask(cached(&server, folder.path())).unwrap();
    let files = entries(folder.path());
    let pages: Vec<_> = files
        .iter()
        .filter(|path| path.to_string_lossy().contains("pages"))
        .collect();
    fs::copy(pages[0], pages[1]).unwrap();
    ask(cached(&server, folder.path())).unwrap();
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    ask(cached(&server, &file.join("cache"))).unwrap();
}
