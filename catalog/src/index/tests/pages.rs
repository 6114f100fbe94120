//! Project pages: formats, failures, redirects, several indexes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use hermes_pep::{Requirement, VersionRange};
use hermes_terms::Code;

use super::super::Indexes;
use super::server::{Reply, Server};
use super::wheel::metadata;
use super::{client, name, page, settings, target};

#[test]
fn json_and_html_give_the_same_page() {
    let json = page(
        "a",
        &[(
            "a-1.0-py3-none-any.whl",
            "../../f/a-1.0-py3-none-any.whl",
            r#","requires-python":">=3.8""#,
        )],
    );
    let html =
        "<!DOCTYPE html><a href='../../f/a-1.0-py3-none-any.whl' data-requires-python='&gt;=3.8'>x</a>";
    let replies = [
        Reply::json(json.clone()),
        Reply::body("application/json; charset=utf-8", json),
        Reply::body("application/vnd.pypi.simple.v1+html", html),
        Reply::body("text/html", html),
    ];
    for reply in replies {
        let server = Server::start(move |_| reply.clone());
        let answer = client(&[&server.index()]).page(&name("A")).unwrap().unwrap();
        assert_eq!(
            answer.files[0].url,
            format!("http://127.0.0.1:{}/f/a-1.0-py3-none-any.whl", server.port)
        );
        assert_eq!(
            answer.files[0].requires_python.as_ref().unwrap().to_string(),
            ">=3.8"
        );
        let requests = server.requests();
        assert_eq!(requests[0].path, "/simple/a/");
        assert!(
            requests[0]
                .header("accept")
                .starts_with("application/vnd.pypi.simple.v1+json, ")
        );
    }
}

/// Each reply ends in this code after this many requests, and never looks like an answer.
fn assert_failures(rows: Vec<(Reply, Code, usize)>) {
    for (reply, want, requests) in rows {
        let what = format!("{reply:?}");
        let server = Server::start(move |_| reply.clone());
        let error = client(&[&server.index()]).page(&name("a")).unwrap_err();
        assert_eq!(
            (error.code, server.requests().len()),
            (want, requests),
            "{what}: {error}"
        );
        assert!(error.message.contains("127.0.0.1"), "{what}: {error}");
    }
}

#[test]
fn statuses_have_codes() {
    assert_failures(vec![
        (Reply::status(401), Code::IndexUnauthorized, 1),
        (Reply::status(403), Code::IndexUnauthorized, 1),
        (Reply::status(500), Code::IndexUnavailable, 2),
        (
            Reply::status(503).with("Retry-After", "0"),
            Code::IndexUnavailable,
            2,
        ),
        (Reply::status(429), Code::IndexUnavailable, 2),
        (Reply::status(418), Code::IndexUnavailable, 1),
        (Reply::status(204), Code::IndexUnavailable, 1),
        (Reply::status(304), Code::IndexMalformed, 1),
        (Reply::status(206), Code::IndexMalformed, 1),
        (Reply::status(302), Code::NetRedirect, 1),
        (Reply::redirect("file:///etc/passwd"), Code::NetRedirect, 1),
        (Reply::redirect("/simple/a/"), Code::NetRedirect, 11),
    ]);
}

#[test]
fn wrong_pages_have_codes() {
    let login = "<html><form action='/login'><input name='user'></form></html>";
    let malformed = |media: &str, body: &str| (Reply::body(media, body), Code::IndexMalformed, 1);
    assert_failures(vec![
        malformed("text/html", login),
        malformed("text/plain", "hello"),
        malformed("application/json", ""),
        malformed("application/vnd.pypi.simple.v2+json", "{}"),
        malformed("application/vnd.pypi.simple.v1+json", login),
        malformed("application/json", &page("b", &[])),
    ]);
}

/// E08: half a body, nothing, another protocol, far too much.
#[test]
fn broken_answers_have_codes() {
    let half = &page("a", &[])[..20];
    let raw = |head: &str, body: &str| {
        let text = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{head}\r\n{body}");
        Reply::Raw(text.into_bytes())
    };
    assert_failures(vec![
        (raw("Content-Length: 1000\r\n", half), Code::NetTruncated, 2),
        (
            raw("Transfer-Encoding: chunked\r\n", "ff\r\n{"),
            Code::NetTruncated,
            2,
        ),
        (raw("Content-Encoding: gzip\r\n", half), Code::NetTruncated, 2),
        (
            raw("Content-Length: 1000000000000\r\n", half),
            Code::LimitsSize,
            1,
        ),
        (raw("", half), Code::IndexMalformed, 1),
        (Reply::Raw(Vec::new()), Code::IndexUnavailable, 2),
        (
            Reply::Raw(b"220 ftp ready\r\n".to_vec()),
            Code::IndexUnavailable,
            2,
        ),
    ]);
}

#[test]
fn gone_and_missing_mean_that_there_is_no_such_project() {
    for status in [404, 410] {
        let server = Server::start(move |_| Reply::status(status));
        assert!(client(&[&server.index()]).page(&name("a")).unwrap().is_none());
    }
}

#[test]
fn a_passing_failure_is_retried() {
    let count = AtomicU32::new(0);
    let server = Server::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::status(502),
        _ => Reply::json(page("a", &[])),
    });
    assert!(client(&[&server.index()]).page(&name("a")).unwrap().is_some());
}

#[test]
fn a_refused_connection_and_no_index_are_told_apart() {
    // Nothing listens on port 1, which only root may open.
    let closed = client(&["http://127.0.0.1:1/simple"]);
    assert_eq!(closed.page(&name("a")).unwrap_err().code, Code::IndexUnavailable);
    assert_eq!(
        client(&[]).page(&name("a")).unwrap_err().code,
        Code::IndexNotConfigured
    );
}

#[test]
fn a_plain_server_is_no_tls_server() {
    let server = Server::start(|_| Reply::status(404));
    let error = client(&[&format!("https://127.0.0.1:{}/simple", server.port)])
        .page(&name("a"))
        .unwrap_err();
    assert_eq!(error.code, Code::NetTls, "{error}");
}

/// E08: the deadline ends a wait for a server that says nothing, or too little.
#[test]
fn the_deadline_holds() {
    for reply in [
        Reply::Hang(Duration::from_secs(5)),
        Reply::status(503).with("Retry-After", "5"),
    ] {
        let server = Server::start(move |_| reply.clone());
        let start = Instant::now();
        let deadline = Some(start + Duration::from_millis(300));
        let indexes = Indexes::new(
            super::super::IndexSettings {
                deadline,
                ..settings(&[&server.index()])
            },
            target(),
        );
        let code = indexes.page(&name("a")).unwrap_err().code;
        assert!(
            matches!(code, Code::NetTimeout | Code::IndexUnavailable),
            "{code}"
        );
        drop(indexes);
        assert!(start.elapsed() < Duration::from_secs(3));
    }
}

/// E05: a name belongs to the first index that knows it, and only "no such project" asks the next.
#[test]
fn each_name_is_bound_to_one_index() {
    let second = |file: &'static str| Server::start(move |_| Reply::json(page("a", &[(file, "/x/a", "")])));
    let private = Server::start(|_| Reply::json(page("a", &[("a-1.0-py3-none-any.whl", "/x/a", "")])));
    let public = second("a-99.0-py3-none-any.whl");
    let answer = client(&[&private.index(), &public.index()])
        .page(&name("a"))
        .unwrap()
        .unwrap();
    assert_eq!(
        (answer.files.len(), answer.files[0].version().to_string()),
        (1, "1.0".to_owned())
    );
    assert!(public.requests().is_empty());
    for (status, falls_through) in [(404, true), (410, true), (401, false), (403, false), (500, false)] {
        let public = second("a-99.0-py3-none-any.whl");
        let private = Server::start(move |_| Reply::status(status));
        let answer = client(&[&private.index(), &public.index()]).page(&name("a"));
        assert_eq!(answer.is_ok(), falls_through, "{status}");
        assert_eq!(public.requests().len(), usize::from(falls_through), "{status}");
    }
}

#[test]
fn many_askers_are_one_request() {
    let server = Server::start(|_| {
        std::thread::sleep(Duration::from_millis(30));
        Reply::json(page("a", &[]))
    });
    let indexes = Arc::new(client(&[&server.index()]));
    let ask = |_| {
        let indexes = Arc::clone(&indexes);
        std::thread::spawn(move || indexes.page(&name("a")).unwrap().unwrap())
    };
    let askers: Vec<_> = (0..8).map(ask).collect();
    let pages: Vec<_> = askers.into_iter().map(|asker| asker.join().unwrap()).collect();
    assert!(pages.iter().all(|page| Arc::ptr_eq(page, &pages[0])));
    assert_eq!((server.requests().len(), indexes.statistics().requests), (1, 1));
}

/// A hint fetches pages and metadata of dependencies; the questions then find the answers.
#[test]
fn hints_follow_dependencies() {
    let server = Server::start(|request| match request.path.as_str() {
        "/simple/a/" => Reply::json(page(
            "a",
            &[
                ("a-2.0rc1-py3-none-any.whl", "/f/a-2.0rc1-py3-none-any.whl", ""),
                ("a-1.0-py3-none-any.whl", "/f/a-1.0-py3-none-any.whl", ""),
                ("a-1.5-cp27-cp27m-win32.whl", "/f/a-1.5-cp27-cp27m-win32.whl", ""),
                (
                    "a-1.6-py3-none-any.whl",
                    "/f/a-1.6-py3-none-any.whl",
                    r#","requires-python":"<3""#,
                ),
                (
                    "a-1.7-py3-none-any.whl",
                    "/f/a-1.7-py3-none-any.whl",
                    r#","yanked":true"#,
                ),
                ("a-3.0-py3-none-any.whl", "/f/a-3.0-py3-none-any.whl", ""),
            ],
        )),
        "/f/a-1.0-py3-none-any.whl.metadata" => {
            let requires = [
                "b",
                "c; extra == 'x'",
                "d; extra == 'y'",
                "e; sys_platform == 'win32'",
                "a[x]",
            ];
            Reply::body("text/plain", metadata("a", "1.0", &requires))
        }
        "/simple/b/" | "/simple/c/" => Reply::status(404),
        _ => Reply::status(500),
    });
    let indexes = client(&[&server.index()]);
    let range = Requirement::parse("a<3").unwrap().specifiers.range();
    indexes.want(&Requirement::parse("a[x]<3").unwrap(), &range);
    let end = Instant::now() + Duration::from_secs(5);
    while server.requests().len() < 4 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut paths = server.paths();
    paths.sort();
    assert_eq!(
        paths,
        [
            "/f/a-1.0-py3-none-any.whl.metadata",
            "/simple/a/",
            "/simple/b/",
            "/simple/c/"
        ]
    );
    let known = indexes.page(&name("a")).unwrap().unwrap();
    assert!(indexes.page(&name("b")).unwrap().is_none());
    assert!(indexes.metadata(&name("a"), &known.files[1]).is_ok());
    assert_eq!(server.requests().len(), 4);
    indexes.want(&Requirement::parse("b").unwrap(), &VersionRange::full());
}
