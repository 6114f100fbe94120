//! Metadata: beside the file, in parts of a wheel, in a whole wheel.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use hermes_pep::{CoreMetadata, IndexFile};
use hermes_terms::Code;
use sha2::{Digest as _, Sha256};

use super::super::{Indexes, MetadataError};
use super::server::{Reply, Request, Server};
use super::wheel::{Part, bad_archives, metadata, noise, zip};
use super::{client, code_of, name, page};

const WHEEL: &str = "a-1.0-py3-none-any.whl";
const ANNOUNCED: &str = r#","core-metadata":true"#;

fn file(indexes: &Indexes) -> Arc<IndexFile> {
    Arc::clone(&indexes.page(&name("a")).unwrap().unwrap().files[0])
}

/// The metadata of the one file of a page, and what was asked for it.
fn ask(
    more: &str,
    serve: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (Result<Arc<CoreMetadata>, MetadataError>, Vec<String>) {
    let page = page("a", &[(WHEEL, &format!("/f/{WHEEL}"), more)]);
    let server = Server::start(move |request| match request.path.as_str() {
        "/simple/a/" => Reply::json(page.clone()),
        _ => serve(request),
    });
    let indexes = client(&[&server.index()]);
    let answer = indexes.metadata(&name("a"), &file(&indexes));
    let asked = server.requests().into_iter().skip(1);
    (
        answer,
        asked
            .map(|r| format!("{} {}", r.path, r.header("range")).trim().to_owned())
            .collect(),
    )
}

/// An answer for the wheel itself; metadata beside it is missing.
fn only_wheel(request: &Request, reply: impl FnOnce() -> Reply) -> Reply {
    if request.path.ends_with(".metadata") {
        Reply::status(404)
    } else {
        reply()
    }
}

fn wheel(front: bool) -> Vec<u8> {
    let own = Part::new("a-1.0.dist-info/METADATA", metadata("a", "1.0", &["b>=1"]));
    let other = Part::new("a/x-1.dist-info/METADATA", noise(200_000));
    zip(&if front { [own, other] } else { [other, own] })
}

#[test]
fn metadata_beside_the_file_is_used() {
    for more in [ANNOUNCED, ""] {
        let (answer, asked) = ask(more, |_| {
            Reply::body("text/plain", metadata("A", "1.0.0", &["b>=1"]))
        });
        assert_eq!(answer.unwrap().requires[0].to_string(), "b>=1");
        assert_eq!(asked, [format!("/f/{WHEEL}.metadata")]);
    }
}

#[test]
fn parts_of_a_wheel_are_enough() {
    for (front, requests) in [(false, 2), (true, 3)] {
        let bytes = wheel(front);
        let (answer, asked) = ask("", move |request| {
            only_wheel(request, || Reply::part(request, &bytes))
        });
        assert_eq!(answer.unwrap().requires[0].to_string(), "b>=1");
        assert_eq!(asked.len(), requests, "{asked:?}");
        assert!(
            asked[1..].iter().all(|request| request.contains("bytes=")),
            "{asked:?}"
        );
    }
}

/// Servers that answer 200 to everything, or refuse, have no metadata beside files; announced, a
/// refusal is a failure.
#[test]
fn what_is_not_announced_may_be_missing() {
    let page = Reply::body("text/html", "<html>Hello</html>");
    for reply in [Reply::status(403), Reply::status(401), Reply::status(405), page] {
        let bytes = wheel(false);
        let (answer, _) = ask("", move |request| {
            let beside = request.path.ends_with(".metadata");
            if beside {
                reply.clone()
            } else {
                Reply::part(request, &bytes)
            }
        });
        assert!(answer.is_ok());
    }
    let (answer, _) = ask(ANNOUNCED, |_| Reply::status(403));
    assert_eq!(code_of(&answer.unwrap_err()), Code::IndexUnauthorized);
}

/// E01: a wheel that is not the one of the page is not read.
#[test]
fn a_whole_wheel_is_the_last_resort() {
    let bytes = wheel(true);
    let digest = hex::encode(Sha256::digest(&bytes));
    for (digest, want) in [(digest, None), ("00".repeat(32), Some(Code::HashMismatch))] {
        let bytes = bytes.clone();
        let more = format!(r#","hashes":{{"sha256":"{digest}"}}"#);
        let (answer, asked) = ask(&more, move |request| {
            only_wheel(request, || Reply::body("", bytes.clone()))
        });
        assert_eq!(asked.len(), 2);
        assert_eq!(answer.err().as_ref().map(code_of), want);
    }
}

/// What one file taught about its server is not tried again.
#[test]
fn servers_are_remembered() {
    let files = [
        (WHEEL, "/f/a-1.0-py3-none-any.whl", ""),
        ("a-1.0-py2-none-any.whl", "/f/a-1.0-py2-none-any.whl", ""),
    ];
    let (page, bytes) = (page("a", &files), wheel(false));
    let server = Server::start(move |request| match request.path.as_str() {
        "/simple/a/" => Reply::json(page.clone()),
        _ => only_wheel(request, || Reply::part(request, &bytes)),
    });
    let indexes = client(&[&server.index()]);
    let page = indexes.page(&name("a")).unwrap().unwrap();
    for file in &page.files {
        indexes.metadata(&name("a"), file).unwrap();
        indexes.metadata(&name("a"), file).unwrap();
    }
    let asked = server.paths();
    assert_eq!(
        asked[1..],
        [
            "/f/a-1.0-py3-none-any.whl.metadata",
            "/f/a-1.0-py3-none-any.whl",
            "/f/a-1.0-py2-none-any.whl"
        ]
    );
}

#[test]
fn wrong_metadata_has_codes() {
    let rows = [
        (metadata("b", "1.0", &[]), Code::MetadataIdentity),
        (metadata("a", "1.1", &[]), Code::MetadataIdentity),
        ("<html>".to_owned(), Code::MetadataParse),
        (String::new(), Code::MetadataParse),
    ];
    for (text, want) in rows {
        let (answer, _) = ask(ANNOUNCED, move |_| Reply::body("text/plain", text.clone()));
        assert!(
            matches!(answer.unwrap_err(), MetadataError::Unusable { code, .. } if code == want),
            "{want}"
        );
    }
    let rows = [
        (Reply::status(500), Code::IndexUnavailable),
        (
            Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nName".to_vec()),
            Code::NetTruncated,
        ),
        (
            Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\nName".to_vec()),
            Code::LimitsSize,
        ),
        (Reply::status(404), Code::IndexUnavailable),
    ];
    for (reply, want) in rows {
        let (answer, _) = ask(ANNOUNCED, move |_| reply.clone());
        assert_eq!(code_of(&answer.unwrap_err()), want);
    }
}

/// E08: an answer that unpacks to far more than it was.
#[test]
fn a_bomb_is_not_unpacked() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b'a'; 11 << 20]).unwrap();
    let bomb = Reply::body("text/plain", encoder.finish().unwrap()).with("Content-Encoding", "gzip");
    let (answer, _) = ask(ANNOUNCED, move |_| bomb.clone());
    assert_eq!(code_of(&answer.unwrap_err()), Code::LimitsSize);
}

/// E08: a part that is not the one that was asked for is not used.
#[test]
fn another_part_is_refused() {
    let bytes = wheel(false);
    for (range, cut) in [
        ("bytes 0-9/10", 10),
        ("bytes 5-9/100", 5),
        ("nonsense", 5),
        ("", 5),
    ] {
        let bytes = bytes.clone();
        let (answer, _) = ask("", move |request| {
            if request.path.ends_with(".metadata") {
                return Reply::status(404);
            }
            Reply::Full(
                206,
                vec![("Content-Range".into(), range.into())],
                bytes[..cut].to_vec(),
            )
        });
        let code = code_of(&answer.unwrap_err());
        assert!(
            matches!(code, Code::IndexMalformed | Code::ZipInvalid),
            "{range}: {code}"
        );
    }
}

/// Archives that two readers could understand differently, and claims that are not true.
#[test]
fn bad_archives_are_refused() {
    for (what, bytes) in bad_archives() {
        for ranges in [true, false] {
            let bytes = bytes.clone();
            let reply = move |request: &Request| {
                let part = ranges && !bytes.is_empty();
                if part {
                    Reply::part(request, &bytes)
                } else {
                    Reply::body("", bytes.clone())
                }
            };
            let (answer, _) = ask("", move |request| only_wheel(request, || reply(request)));
            let error = answer.unwrap_err();
            assert!(
                matches!(
                    error,
                    MetadataError::Unusable {
                        code: Code::ZipInvalid,
                        ..
                    }
                ),
                "{what}: {error}"
            );
        }
    }
}

#[test]
fn stored_members_are_read() {
    let text = metadata("a", "1.0", &[]);
    let part = Part {
        deflate: false,
        ..Part::new("A-1.0.dist-info/METADATA", text)
    };
    let bytes = zip(&[part]);
    let (answer, _) = ask("", move |request| {
        only_wheel(request, || Reply::part(request, &bytes))
    });
    assert_eq!(answer.unwrap().version.to_string(), "1.0");
}

#[test]
fn a_source_distribution_without_metadata_needs_a_build() {
    let page = page("a", &[("a-1.0.tar.gz", "/f/a-1.0.tar.gz", "")]);
    let server = Server::start(move |request| match request.path.as_str() {
        "/simple/a/" => Reply::json(page.clone()),
        _ => Reply::status(404),
    });
    let indexes = client(&[&server.index()]);
    let error = indexes.metadata(&name("a"), &file(&indexes)).unwrap_err();
    assert_eq!(code_of(&error), Code::BuildRequired);
}
