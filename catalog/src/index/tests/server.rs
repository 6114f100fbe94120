//! A server on the loopback interface that answers as it is told, wrongly too.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) path: String,
    pub(super) headers: BTreeMap<String, String>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// Status, headers, body; the length is added.
    Full(u16, Vec<(String, String)>, Vec<u8>),
    /// These bytes, then the end of the connection.
    Raw(Vec<u8>),
    /// Nothing for this long, then the end of the connection.
    Hang(Duration),
}

impl Reply {
    pub(super) fn status(status: u16) -> Self {
        Self::Full(status, Vec::new(), b"<html>no</html>".to_vec())
    }

    pub(super) fn body(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Full(200, vec![("Content-Type".into(), media_type.into())], body.into())
    }

    pub(super) fn json(body: impl Into<Vec<u8>>) -> Self {
        Self::body("application/vnd.pypi.simple.v1+json", body)
    }

    pub(super) fn redirect(to: &str) -> Self {
        Self::Full(302, vec![("Location".into(), to.into())], Vec::new())
    }

    pub(super) fn with(self, name: &str, value: &str) -> Self {
        match self {
            Self::Full(status, mut headers, body) => {
                headers.push((name.into(), value.into()));
                Self::Full(status, headers, body)
            }
            other => other,
        }
    }

    /// The part that was asked for, or everything.
    pub(super) fn part(request: &Request, bytes: &[u8]) -> Self {
        let total = bytes.len();
        let Some(range) = request.header("range").strip_prefix("bytes=") else {
            return Self::body("application/octet-stream", bytes);
        };
        let (from, to) = range.split_once('-').unwrap();
        let (first, last) = match (from, to) {
            ("", length) => (total.saturating_sub(length.parse().unwrap()), total - 1),
            (from, to) => (from.parse().unwrap(), to.parse::<usize>().unwrap().min(total - 1)),
        };
        let span = format!("bytes {first}-{last}/{total}");
        Self::Full(
            206,
            vec![("Content-Range".into(), span)],
            bytes[first..=last].to_vec(),
        )
    }
}

type Handler = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;

/// A running server; it ends when dropped.
pub(super) struct Server {
    pub(super) port: u16,
    log: Arc<Mutex<Vec<Request>>>,
    stop: Arc<AtomicBool>,
}

impl Server {
    pub(super) fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (log, stop) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let (own_log, own_stop) = (Arc::clone(&log), Arc::clone(&stop));
        let handler: Handler = Arc::new(handler);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if own_stop.load(Ordering::SeqCst) {
                    break;
                }
                let (log, handler) = (Arc::clone(&own_log), Arc::clone(&handler));
                std::thread::spawn(move || serve(&stream, &log, &handler));
            }
        });
        Self { port, log, stop }
    }

    /// The address of the index on this server.
    pub(super) fn index(&self) -> String {
        format!("http://127.0.0.1:{}/simple/", self.port)
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.log.lock().unwrap().clone()
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(stream: &TcpStream, log: &Mutex<Vec<Request>>, handler: &Handler) {
    let mut out = stream;
    let Some(request) = read(stream) else {
        let _ = out.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        return;
    };
    log.lock().unwrap().push(request.clone());
    let bytes = match handler(&request) {
        Reply::Hang(time) => return std::thread::sleep(time),
        Reply::Raw(bytes) => bytes,
        Reply::Full(status, headers, body) => {
            let mut bytes = format!("HTTP/1.1 {status} Text\r\nConnection: close\r\n").into_bytes();
            for (name, value) in &headers {
                bytes.extend(format!("{name}: {value}\r\n").into_bytes());
            }
            bytes.extend(format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes());
            bytes.extend(body);
            bytes
        }
    };
    let _ = out.write_all(&bytes);
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    });
    Some(Request {
        path,
        headers: headers.collect(),
    })
}
