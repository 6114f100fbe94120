//! An index on the loopback interface: the simple API in JSON (PEP 691) with metadata beside the files
//! (PEP 658, 714), from the same description as the index in memory; and any misbehaviour on request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use hermes_pep::{FileHash, PackageName, ProjectStatus};
use serde_json::{Map, Value, json};

use crate::Fault;
use crate::fake_index::{DescribedFile, Universe, sha256};

/// The media type of a project page.
const PAGE: &str = "application/vnd.pypi.simple.v1+json";

/// The longest request head that is read, in bytes.
const MAX_HEAD: u64 = 64 << 10;

/// What the server says to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A status, a media type and a body.
    Whole(u16, &'static str, Vec<u8>),
    /// The head of a good answer of this length, then only these bytes, then the end.
    Cut(usize, Vec<u8>),
    /// Nothing, for this long.
    Silence(Duration),
    /// Bytes that need not be HTTP.
    Raw(Vec<u8>),
}

/// A running server; it ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    answers: BTreeMap<String, Answer>,
    log: Mutex<Vec<String>>,
    ended: AtomicBool,
}

impl Server {
    /// Serves a description.
    pub fn start(universe: &Universe) -> Result<Self, Fault> {
        Self::start_with(universe, [])
    }

    /// Serves a description, but answers some paths otherwise (such as `/simple/a/`).
    pub fn start_with<'a>(
        universe: &Universe,
        instead: impl IntoIterator<Item = (&'a str, Answer)>,
    ) -> Result<Self, Fault> {
        let mut answers = answers(universe)?;
        answers.extend(
            instead
                .into_iter()
                .map(|(path, answer)| (path.to_owned(), answer)),
        );
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            answers,
            log: Mutex::default(),
            ended: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        thread::Builder::new()
            .name("index".into())
            .spawn(move || accept(&listener, &shared))?;
        Ok(Self { address, state })
    }

    /// The address of the index, as `--index` takes it.
    pub fn url(&self) -> String {
        format!("http://{}/simple/", self.address)
    }

    /// Host and port.
    pub fn authority(&self) -> String {
        self.address.to_string()
    }

    /// What was asked for, in order: `GET /simple/a/`.
    pub fn requests(&self) -> Vec<String> {
        self.state
            .log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let state = Arc::clone(state);
        // A failed thread is a refused connection; the test sees it.
        drop(thread::Builder::new().spawn(move || serve(stream, &state)));
    }
}

/// Answers one request and ends the connection. Errors are the client's business.
fn serve(mut stream: TcpStream, state: &State) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    let mut head = BufReader::new(stream.try_clone().ok()?.take(MAX_HEAD));
    let mut first = String::new();
    head.read_line(&mut first).ok()?;
    let mut line = String::new();
    while head.read_line(&mut line).ok()? > 2 {
        line.clear();
    }
    let mut words = first.split_ascii_whitespace();
    let (method, path) = (words.next()?, words.next()?);
    state
        .log
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(format!("{method} {path}"));
    let absent = Answer::Whole(404, "text/plain", b"not found".to_vec());
    write(&mut stream, method, state.answers.get(path).unwrap_or(&absent))?;
    stream.shutdown(Shutdown::Both).ok()
}

fn write(stream: &mut TcpStream, method: &str, answer: &Answer) -> Option<()> {
    let head = |status: u16, kind: &str, length: usize| {
        format!(
            "HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    let bytes = match answer {
        Answer::Whole(status, kind, body) => {
            let body: &[u8] = if method == "HEAD" { &[] } else { body };
            [head(*status, kind, body.len()).as_bytes(), body].concat()
        }
        Answer::Cut(length, body) => [head(200, PAGE, *length).as_bytes(), body].concat(),
        Answer::Silence(time) => {
            thread::sleep(*time);
            Vec::new()
        }
        Answer::Raw(bytes) => bytes.clone(),
    };
    stream.write_all(&bytes).ok()
}

/// Every page and every metadata file by path.
fn answers(universe: &Universe) -> Result<BTreeMap<String, Answer>, Fault> {
    let mut answers = BTreeMap::new();
    for (name, package) in &universe.packages {
        let name = PackageName::parse(name)?;
        let files = package.files(&name)?;
        let page = page(&name, package.status()?, &files);
        answers.insert(
            format!("/simple/{name}/"),
            Answer::Whole(200, PAGE, page.to_string().into_bytes()),
        );
        for file in files {
            if let Some(text) = file.metadata {
                let path = format!("/files/{}.metadata", file.file.filename);
                answers.insert(path, Answer::Whole(200, "binary/octet-stream", text.into_bytes()));
            }
        }
    }
    Ok(answers)
}

fn page(name: &PackageName, status: ProjectStatus, files: &[DescribedFile]) -> Value {
    let status = match status {
        ProjectStatus::Active => "active",
        ProjectStatus::Archived => "archived",
        ProjectStatus::Quarantined => "quarantined",
        ProjectStatus::Deprecated => "deprecated",
    };
    json!({
        "meta": { "api-version": "1.4" },
        "name": name.as_str(),
        "project-status": { "status": status },
        "files": files.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn entry(described: &DescribedFile) -> Value {
    let file = &described.file;
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
    put("filename", json!(file.filename));
    put("url", json!(format!("../../files/{}", file.filename)));
    put(
        "hashes",
        json!({ "sha256": file.sha256.as_ref().map(FileHash::as_str) }),
    );
    put("size", json!(file.size));
    if let Some(range) = &file.requires_python {
        put("requires-python", json!(range.to_string()));
    }
    if let Some(time) = &file.upload_time {
        put("upload-time", json!(time));
    }
    if file.yanked.is_some() {
        put("yanked", json!(true));
    }
    if let Some(text) = &described.metadata {
        put("core-metadata", json!({ "sha256": sha256(text) }));
    }
    Value::Object(entry)
}
