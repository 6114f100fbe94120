//! Asking another program a question: a cleared environment, a deadline, a cap on what it may say.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Environment;

/// How long a child may take and how much it may say.
#[derive(Debug, Clone, Copy)]
pub struct ChildLimits {
    /// Wall-clock time.
    pub timeout: Duration,
    /// Bytes on standard output.
    pub output: usize,
}

impl Default for ChildLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            output: 64 << 10,
        }
    }
}

/// Variables that a child gets when they are set; everything else is cleared. The `PYENV_*` ones let
/// a shim find the interpreter that the user's shell would.
const ALLOWED: [&str; 14] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",
    "USERPROFILE",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
];

/// Runs `program` with `arguments` in the root folder and gives what it printed, or why not.
pub(super) fn ask(
    program: &Path,
    arguments: &[&str],
    env: &Environment,
    limits: ChildLimits,
) -> Result<Vec<u8>, String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .current_dir(if cfg!(windows) { "C:\\" } else { "/" });
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in ALLOWED {
        if let Some(value) = env.raw(name) {
            command.env(name, value);
        }
    }
    let mut child = command
        .spawn()
        .map_err(|error| format!("it cannot be started: {error}"))?;
    let answer = listen(&mut child, limits);
    if answer.is_err() {
        // Already gone is fine; reaping keeps no zombie behind.
        let _ = child.kill();
        let _ = child.wait();
    }
    answer
}

fn listen(child: &mut Child, limits: ChildLimits) -> Result<Vec<u8>, String> {
    let deadline = Instant::now() + limits.timeout;
    let said = child.stdout.take().map(|pipe| collect(pipe, limits.output + 1));
    let complained = child.stderr.take().map(|pipe| collect(pipe, 4 << 10));
    let late = || {
        format!(
            "it did not answer within {} seconds",
            limits.timeout.as_secs_f32()
        )
    };
    let receive = |from: Option<mpsc::Receiver<Vec<u8>>>, until: Instant| match from {
        None => Ok(Vec::new()),
        Some(from) => from.recv_timeout(until.saturating_duration_since(Instant::now())),
    };
    let output = receive(said, deadline).map_err(|_| late())?;
    if output.len() > limits.output {
        return Err(format!("it printed more than {} bytes", limits.output));
    }
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() >= deadline => return Err(late()),
            Ok(None) => thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(format!("it cannot be waited for: {error}")),
        }
    };
    if status.success() {
        return Ok(output);
    }
    let soon = Instant::now() + Duration::from_millis(100);
    let words = receive(complained, soon).unwrap_or_default();
    Err(format!("it ended with {status}{}", last_line(&words)))
}

/// Reads a pipe on a thread of its own; dropped with the pipe when nobody waits any more.
fn collect(pipe: impl Read + Send + 'static, cap: usize) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    let cap = u64::try_from(cap).unwrap_or(u64::MAX);
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks ends the answer; what came so far is judged by its content.
        let _ = pipe.take(cap).read_to_end(&mut bytes);
        let _ = send.send(bytes);
    });
    receive
}

fn last_line(words: &[u8]) -> String {
    let text = String::from_utf8_lossy(words);
    let line = text
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .unwrap_or_default();
    let line: String = line.chars().take(200).flat_map(char::escape_debug).collect();
    if line.is_empty() {
        line
    } else {
        format!(": {line}")
    }
}
