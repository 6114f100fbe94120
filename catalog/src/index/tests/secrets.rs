//! Credentials: they reach their origin, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use hermes_terms::Code;

use super::super::{IndexSettings, Indexes};
use super::server::{Reply, Server};
use super::{client, name, page, settings, target};

/// `jane:hush` in Base64.
const HEADER: &str = "Basic amFuZTpodXNo";

fn with_user(server: &Server) -> String {
    format!("http://jane:hush@127.0.0.1:{}/simple", server.port)
}

#[test]
fn credentials_of_the_address_are_sent() {
    let server = Server::start(|_| Reply::json(page("a", &[])));
    client(&[&with_user(&server)]).page(&name("a")).unwrap();
    assert_eq!(server.requests()[0].header("authorization"), HEADER);
}

#[test]
fn credentials_of_netrc_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let netrc = folder.path().join("netrc");
    std::fs::write(&netrc, "machine 127.0.0.1 login jane password hush").unwrap();
    let server = Server::start(|_| Reply::json(page("a", &[])));
    let settings = IndexSettings {
        netrc: Some(netrc),
        ..settings(&[&server.index()])
    };
    Indexes::new(settings, target()).page(&name("a")).unwrap();
    assert_eq!(server.requests()[0].header("authorization"), HEADER);
}

/// E04: another port is another origin; the way back gets them again.
#[test]
fn redirects_carry_no_credentials_elsewhere() {
    let home = Arc::new(AtomicU16::new(0));
    let back = Arc::clone(&home);
    let other = Server::start(move |_| {
        Reply::redirect(&format!("http://127.0.0.1:{}/back", back.load(Ordering::SeqCst)))
    });
    let to = format!("http://mallory:pw@127.0.0.1:{}/other", other.port);
    let server = Server::start(move |request| match request.path.as_str() {
        "/simple/a/" => Reply::redirect("/moved"),
        "/moved" => Reply::redirect(&to),
        _ => Reply::json(page("a", &[])),
    });
    home.store(server.port, Ordering::SeqCst);
    client(&[&with_user(&server)]).page(&name("a")).unwrap();
    assert_eq!(server.paths(), ["/simple/a/", "/moved", "/back"]);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.header("authorization") == HEADER)
    );
    assert_eq!(other.requests()[0].header("authorization"), "");
    assert_eq!(other.requests()[0].header("referer"), "");
}

/// E03: on no path of failure does a secret show.
#[test]
fn no_message_shows_a_secret() {
    let replies = [
        Reply::status(401),
        Reply::status(500),
        Reply::status(302),
        Reply::redirect("ftp://jane:hush@index.example/?token=hush"),
        Reply::redirect("/simple/a/?token=hush"),
        Reply::body("text/html", "<form><input>hush jane</form>"),
        Reply::json("{\"hush\":\"jane\"}"),
        Reply::Raw(Vec::new()),
        Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhush".to_vec()),
    ];
    for reply in replies {
        let server = Server::start(move |_| reply.clone());
        let indexes = client(&[&with_user(&server)]);
        let error = indexes.page(&name("a")).unwrap_err();
        let all = format!(
            "{error} {error:?} {indexes:?} {:?}",
            settings(&[&with_user(&server)])
        );
        for secret in ["hush", "jane", "amFuZTpodXNo"] {
            assert!(!all.contains(secret), "{secret}: {all}");
        }
    }
}

/// An index at `https` cannot make the client speak in the clear.
#[test]
fn a_secure_index_allows_no_insecure_files() {
    let server = Server::start(|_| Reply::status(404));
    let indexes = client(&["https://127.0.0.1:1/simple"]);
    let plain = Arc::new(hermes_pep::IndexFile {
        filename: "a-1.0-py3-none-any.whl".into(),
        dist: hermes_pep::DistFilename::parse("a-1.0-py3-none-any.whl", &name("a")).unwrap(),
        url: format!("http://127.0.0.1:{}/a-1.0-py3-none-any.whl", server.port),
        sha256: None,
        size: None,
        requires_python: None,
        upload_time: None,
        yanked: None,
        has_metadata: true,
    });
    let error = indexes.metadata(&name("a"), &plain).unwrap_err();
    assert_eq!(super::code_of(&error), Code::NetRedirect);
    assert!(server.requests().is_empty());
}
