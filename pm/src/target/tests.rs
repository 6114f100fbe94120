//! Interpreters that print junk, hang, or hide behind shims: shell scripts that stand in for them.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::Environment;

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A shim whose interpreter says that it has this version, and counts how often it is asked.
    fn python(&self, name: &str, version: &str) -> PathBuf {
        let real = self.dir.path().join(format!("real/{version}"));
        let answer = serde_json::json!({
            "schema": 1, "executable": real, "prefix": "/p", "base_prefix": "/p",
            "markers": {"sys_platform": "linux", "platform_machine": "x86_64", "python_full_version": version,
                        "implementation_name": "cpython"},
            "bits": 64, "free_threaded": false, "glibc": "2.36", "musl": null, "macos": null,
            "default_index": "https://index.example/simple",
        });
        let count = self.dir.path().join("asked");
        self.script(
            &format!("real/{version}"),
            &format!("echo x >>'{}'\n/bin/cat <<'EOF'\n{answer}\nEOF", count.display()),
        );
        self.script(
            name,
            &format!(
                "case $4 in *'sys.stdout.write(sys.executable)'*) printf %s '{}';; *) exit 9;; esac",
                real.display()
            ),
        )
    }

    fn asked(&self) -> usize {
        fs::read_to_string(self.dir.path().join("asked")).map_or(0, |text| text.lines().count())
    }

    fn env(&self, folders: &[&str]) -> Environment {
        let path = std::env::join_paths(folders.iter().map(|name| self.dir.path().join(name))).unwrap();
        let path = path.into_string().unwrap();
        Environment::stated(
            [("PATH", path), ("SECRET", "s3cret".into())],
            self.dir.path(),
            Path::new("/"),
        )
    }
}

fn prober(env: &Environment) -> Prober<'_> {
    let limits = ChildLimits {
        timeout: Duration::from_millis(400),
        output: 1000,
    };
    Prober {
        env,
        cache: ProbeCache::default(),
        limits,
    }
}

#[test]
fn junk_interpreters_are_named_quickly() {
    let world = World::new();
    let env = world.env(&[]);
    let table = [
        ("junk", "echo hello", "does not name the interpreter"),
        ("silent", "true", "does not name the interpreter"),
        ("fails", "echo no such version >&2; exit 3", "no such version"),
        ("sleeps", "exec /bin/sleep 60", "within 0.4 seconds"),
        ("closes", "exec >&-; exec /bin/sleep 60", "within 0.4 seconds"),
        (
            "endless",
            "while :; do echo 0123456789012345678901234567890123456789; done",
            "more than 1000 bytes",
        ),
    ];
    for (name, body, words) in table {
        let started = Instant::now();
        let fault = prober(&env).probe(&world.script(name, body)).unwrap_err();
        assert_eq!(fault.code(), Code::TargetInvalid, "{name}");
        assert!(fault.to_string().contains(words), "{name}: {fault}");
        assert!(started.elapsed() < Duration::from_secs(5), "{name}");
    }
    let gone = prober(&env).probe(Path::new("gone/python")).unwrap_err();
    assert_eq!(gone.code(), Code::TargetNotFound);
    let folder = prober(&env).probe(world.dir.path()).unwrap_err();
    assert_eq!(folder.code(), Code::TargetInvalid);
}

#[test]
fn a_child_sees_only_the_variables_it_needs() {
    let world = World::new();
    let env = world.env(&["bin"]);
    let path = world.script("env", "/usr/bin/env; exit 0");
    let said = child::ask(&path, &[], &env, ChildLimits::default()).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("PATH=") && !said.contains("s3cret"), "{said}");
}

/// A shim's answer is cached under the interpreter behind it, and asked for again when that changes.
#[test]
fn answers_are_cached_by_the_real_interpreter() {
    let world = World::new();
    let env = world.env(&[]);
    let shim = world.python("shim", "3.12.4");
    let mut prober = Prober::new(
        &env,
        ProbeCache {
            folder: Some(world.dir.path().join("cache")),
            refresh: false,
        },
    );
    // The stand-in's real file is a script as well, so it is asked through its own path.
    let real = world.dir.path().join("real/3.12.4");
    let ask = |prober: &Prober<'_>| prober.probe(&shim).unwrap();
    let first = ask(&prober);
    assert_eq!(
        (first.path.as_path(), first.target.platform()),
        (real.as_path(), "x86_64-manylinux_2_36")
    );
    ask(&prober);
    assert_eq!(world.asked(), 1);
    prober.cache.refresh = true;
    ask(&prober);
    assert_eq!(world.asked(), 2);
    prober.cache.refresh = false;
    fs::write(&real, fs::read_to_string(&real).unwrap() + "# touched\n").unwrap();
    ask(&prober);
    assert_eq!(world.asked(), 3);
    for entry in fs::read_dir(world.dir.path().join("cache")).unwrap() {
        fs::write(entry.unwrap().path(), "junk").unwrap();
    }
    ask(&prober);
    assert_eq!(world.asked(), 4, "a damaged entry is no entry");
}

#[test]
fn the_newest_that_is_allowed_is_found() {
    let world = World::new();
    world.python("a/python3", "3.11.2");
    world.python("a/python3.13", "3.13.1");
    world.python("b/python3.12", "3.12.9");
    world.python("b/python3.14", "3.14.0");
    world.script("a/python3.12", "exit 127");
    world.script("a/python3.13t", "echo junk");
    let env = world.env(&["a", "b"]);
    let find = |allowed: &str| {
        let allowed = hermes_pep::Specifiers::parse(allowed).unwrap();
        prober(&env)
            .find(None, Some(&allowed))
            .map(|found| found.target.python().to_string())
    };
    assert_eq!(find(">=3.11").unwrap(), "3.14.0");
    assert_eq!(find(">=3.11,<3.14").unwrap(), "3.13.1");
    assert_eq!(find("<3.13").unwrap(), "3.12.9");
    assert_eq!(find("==3.11.*").unwrap(), "3.11.2");
    assert_eq!(find(">=3.15").unwrap_err().code(), Code::TargetNotFound);
    let named = prober(&env)
        .find(Some(Path::new("python3.12")), None)
        .unwrap_err();
    assert_eq!(
        named.code(),
        Code::TargetInvalid,
        "a named interpreter is never replaced by another"
    );
}

#[test]
fn the_default_index_is_what_pip_would_use() {
    let world = World::new();
    world.python("a/python3", "3.11.2");
    let env = world.env(&["a"]);
    if option_env!("HERMES_PM_DEFAULT_INDEX").is_none() {
        let found = default_index(None, &prober(&env));
        assert_eq!(
            found,
            Some(("https://index.example/simple".into(), DefaultIndexOrigin::Pip))
        );
        let nothing = world.env(&["empty"]);
        assert_eq!(default_index(None, &prober(&nothing)), None);
    }
}

/// A target stated by hand needs no interpreter; only its platform is asked for when it is not stated.
#[test]
fn a_version_without_a_platform_means_this_machine() {
    let world = World::new();
    world.python("a/python3", "3.11.2");
    let (env, nothing) = (world.env(&["a"]), world.env(&["empty"]));
    let choose = |env: &Environment, version: Option<&str>, platform: Option<&str>| {
        let wanted = Wanted {
            python: None,
            python_version: version.map(str::to_owned),
            platform: platform.map(str::to_owned),
        };
        let chosen = prober(env).choose(&wanted, None)?;
        let interpreter = chosen.interpreter.is_some();
        Ok::<_, TargetFault>((
            chosen.target.python().to_string(),
            chosen.target.platform().to_owned(),
            interpreter,
        ))
    };
    let here = "x86_64-manylinux_2_36".to_owned();
    assert_eq!(
        choose(&env, None, None),
        Ok(("3.11.2".into(), here.clone(), true))
    );
    assert_eq!(
        choose(&env, Some("3.13"), None),
        Ok(("3.13.0".into(), here, false))
    );
    let arm = "aarch64-musllinux_1_2";
    assert_eq!(
        choose(&nothing, Some("3.13"), Some(arm)),
        Ok(("3.13.0".into(), arm.into(), false))
    );
    assert!(
        choose(&nothing, Some("3.13"), None)
            .unwrap_err()
            .to_string()
            .contains("--platform")
    );
    assert_eq!(
        choose(&nothing, None, None).unwrap_err().code(),
        Code::TargetNotFound
    );
}
