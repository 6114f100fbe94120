//! The program as others meet it: streams, exit codes, and what it leaves alone.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot set up its world fails")]

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    /// A world with an interpreter that describes itself, and nothing else.
    fn new() -> Self {
        let world = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let real = world.path("bin/real");
        let answer = serde_json::json!({
            "schema": 1, "executable": real, "prefix": "/p", "base_prefix": "/p",
            "markers": {"sys_platform": "linux", "platform_machine": "x86_64", "python_full_version": "3.12.4",
                        "implementation_name": "cpython"},
            "bits": 64, "free_threaded": false, "glibc": "2.36", "musl": null, "macos": null,
            "default_index": "https://user:hush@index.example/simple",
        });
        world.script("bin/real", &format!("/bin/cat <<'EOF'\n{answer}\nEOF"));
        let real = real.display();
        world.script(
            "bin/python3",
            &format!("case $4 in *'write(sys.executable)'*) printf %s '{real}';; *) exit 9;; esac"),
        );
        world
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn script(&self, name: &str, body: &str) {
        self.write(name, &format!("#!/bin/sh\n{body}\n"));
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hermes-pm"));
        command.args(line.split(' ').filter(|word| !word.is_empty()));
        command.env_clear().current_dir(self.dir.path());
        command
            .env("PATH", self.path("bin"))
            .env("HOME", self.path("user"));
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).unwrap()
}

/// C34: answers on standard output, talk on standard error, documented exit codes.
#[test]
fn c34_streams_and_exit_codes() {
    let world = World::new();
    let table = [
        ("--version", 0, true),
        ("--help", 0, true),
        ("completions bash", 0, true),
        ("self completions zsh", 0, true),
        ("man receipts list", 0, true),
        ("man fly", 2, false),
        ("", 2, false),
        ("fly", 2, false),
        ("plan", 2, false),
        ("doctor --profile ../x", 2, false),
        ("receipts codes", 0, true),
        ("receipts schema", 0, true),
        ("doctor", 0, true),
    ];
    for (line, exit, answers) in table {
        let output = world.run(line);
        assert_eq!(
            output.status.code(),
            Some(exit),
            "{line}: {}",
            text(&output.stderr)
        );
        assert_eq!(
            !output.stdout.is_empty(),
            answers || line.contains("doctor"),
            "{line}"
        );
        assert_eq!(
            output.stderr.is_empty(),
            answers || line.contains("doctor"),
            "{line}"
        );
    }
}

#[test]
fn wrong_usage_is_json_where_json_is_asked_for() {
    let output = World::new().run("union --deadline never --json");
    assert_eq!(
        (output.status.code(), text(&output.stderr).as_str()),
        (Some(2), "")
    );
    assert_eq!(json(&output.stdout)["error"]["code"], "usage.invalid");
}

/// C30, C35: `doctor` tells what is in use, makes nothing, and shows no secret.
#[test]
fn doctor_tells_what_is_in_use_and_makes_nothing() {
    let world = World::new();
    let output = world
        .command("doctor --json")
        .env("HERMES_HOME", world.path("home"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output.stdout);
    assert_eq!(report["home"]["resolved_from"], "env");
    assert_eq!(report["home"]["exists"], false);
    assert_eq!(report["target"]["python"], "3.12.4");
    if option_env!("HERMES_PM_DEFAULT_INDEX").is_none() {
        assert_eq!(report["indexes"][0]["url"], "https://index.example/simple");
    }
    assert!(!text(&output.stdout).contains("hush"));
    assert!(!world.path("home").exists());
}

/// C06: every broken file is named in one run, for people and for programs.
#[test]
fn doctor_names_everything_that_is_broken() {
    let world = World::new();
    world.write("h/config.yaml", "plugins:\n  enabled: [1, 2]\n");
    world.write("h/pm/policy.toml", "pins = 3\n");
    world.write("h/profiles/work/config.yaml", "- \u{1b}[2J\n");
    let output = world.run("doctor --json --home h");
    let report = json(&output.stdout);
    let problems = report["problems"].as_array().unwrap();
    assert_eq!((output.status.code(), problems.len()), (Some(1), 2));
    assert_eq!(
        (
            &problems[0]["line"],
            problems[0]["also"].as_array().unwrap().len()
        ),
        (&2.into(), 2)
    );
    let shown = text(&world.run("doctor --home h --color always").stdout);
    assert!(
        shown.contains("h/config.yaml:2:13") && shown.contains("policy.toml:1:8"),
        "{shown}"
    );
}

#[test]
fn without_an_interpreter_the_way_out_is_told() {
    let world = World::new();
    std::fs::remove_dir_all(world.path("bin")).unwrap();
    let output = world.run("doctor");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{shown}");
    assert!(
        shown.contains("error[target.not-found]") && shown.contains("--python-version"),
        "{shown}"
    );
}

#[test]
fn colours_are_for_terminals() {
    let world = World::new();
    for line in ["doctor", "doctor --color never", "--help"] {
        assert!(!world.run(line).stdout.contains(&0x1b), "{line}");
    }
    assert!(world.run("doctor --color always").stdout.contains(&0x1b));
}

/// A reader that goes away ends the answer quietly.
#[test]
fn a_broken_pipe_is_no_failure() {
    let world = World::new();
    let mut child = world
        .command("completions bash")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

/// A full disk behind standard output is told, with the exit code of the machine.
#[test]
fn a_full_disk_is_told() {
    let full = Path::new("/dev/full");
    if full.exists() {
        let world = World::new();
        let out = std::fs::OpenOptions::new().write(true).open(full).unwrap();
        let output = world.command("completions bash").stdout(out).output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        assert!(
            text(&output.stderr).starts_with("error[disk.full]"),
            "{}",
            text(&output.stderr)
        );
    }
}
