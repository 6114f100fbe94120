//! Shims: files on the search path that start an interpreter chosen elsewhere. Which one that is may
//! change while the shim stays the same, so nothing is remembered about a shim itself.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Environment, files};

/// What a path that should be an interpreter is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shim {
    /// No shim.
    None,
    /// A shim of pyenv, and the interpreter behind it.
    Leads(PathBuf),
    /// A shim of pyenv for which no selected version has an interpreter.
    LeadsNowhere,
    /// Another shim: it has to be asked.
    Unknown,
}

/// Looks at a path. pyenv's shims are followed by its own files, because each takes a tenth of a
/// second to ask: `PYENV_VERSION`, else `<root>/version`, names folders of `<root>/versions`.
pub(super) fn look(path: &Path, env: &Environment) -> Shim {
    if !is_script(path) && is_named_as_interpreter(path) {
        return Shim::None;
    }
    pyenv(path, env).unwrap_or(Shim::Unknown)
}

fn pyenv(path: &Path, env: &Environment) -> Option<Shim> {
    let folder = path.parent().filter(|folder| folder.ends_with("shims"))?;
    let root = folder.parent()?;
    let versions = root.join("versions");
    let name = path.file_name()?;
    let text = match env.text("PYENV_VERSION") {
        Some(text) => text.replace(':', "\n"),
        None => String::from_utf8(files::read(&root.join("version"), 4096).ok()??).ok()?,
    };
    for version in text.split_whitespace().filter(|version| *version != "system") {
        let bin = versions.join(version).join("bin");
        // A prefix such as `3.12`, or something that only pyenv understands.
        if version.contains(['/', '\\']) || !bin.is_dir() {
            return None;
        }
        let found = bin.join(name);
        if found.is_file() {
            return Some(Shim::Leads(found));
        }
    }
    // `system` is what the rest of the search path has; it is looked at on its own.
    Some(Shim::LeadsNowhere)
}

/// Links may lead to a program that serves under many names and looks at the one it was called by.
fn is_named_as_interpreter(path: &Path) -> bool {
    let real = path.canonicalize().ok();
    let name = real
        .as_deref()
        .and_then(Path::file_name)
        .map(std::ffi::OsStr::to_string_lossy);
    name.is_some_and(|name| name.to_ascii_lowercase().starts_with("py") && !name.contains("pyenv"))
}

/// Whether a file starts another program by `#!`.
fn is_script(path: &Path) -> bool {
    let is_regular = fs::metadata(path).is_ok_and(|meta| meta.is_file());
    let mut start = [0; 2];
    is_regular
        && fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == *b"#!"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn shims_of_pyenv_are_followed_without_asking() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let write = |name: &str, text: &str| {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), text).unwrap();
        };
        for name in [
            "shims/python3",
            "shims/python3.12",
            "shims/python3.13",
            "bin/tool",
            "bin/python3.9",
        ] {
            write(name, "#!/bin/sh\n");
        }
        write("versions/3.11.7/bin/python3", "\u{7f}ELF");
        write("versions/3.12.1/bin/python3", "\u{7f}ELF");
        write("versions/3.12.1/bin/python3.12", "\u{7f}ELF");
        write("manager", "\u{7f}ELF");
        std::os::unix::fs::symlink(at("manager"), at("bin/python3")).unwrap();
        let leads = |name: &str| Shim::Leads(at("versions").join(name));
        let table = [
            (
                "shims/python3",
                "3.11.7\n3.12.1\n",
                "",
                leads("3.11.7/bin/python3"),
            ),
            (
                "shims/python3.12",
                "3.11.7\n3.12.1\n",
                "",
                leads("3.12.1/bin/python3.12"),
            ),
            ("shims/python3.12", "3.11.7\n", "", Shim::LeadsNowhere),
            ("shims/python3.13", "system\n", "", Shim::LeadsNowhere),
            (
                "shims/python3",
                "3.11.7\n",
                "3.12.1:3.11.7",
                leads("3.12.1/bin/python3"),
            ),
            ("shims/python3", "3.12\n", "", Shim::Unknown),
            ("shims/python3", "../x\n", "", Shim::Unknown),
            ("bin/python3", "", "", Shim::Unknown),
            ("bin/python3.9", "", "", Shim::Unknown),
            ("versions/3.11.7/bin/python3", "", "", Shim::None),
        ];
        for (path, global, own, expected) in table {
            write("version", global);
            let env = Environment::stated([("PYENV_VERSION", own)], dir.path(), dir.path());
            assert_eq!(look(&at(path), &env), expected, "{path} {global:?} {own:?}");
        }
        fs::remove_file(at("version")).unwrap();
        let env = Environment::stated([("X", "")], dir.path(), dir.path());
        assert_eq!(look(&at("shims/python3"), &env), Shim::Unknown);
    }
}
