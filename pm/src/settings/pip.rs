//! pip's configuration files: system-wide, the user's, the environment's own, and the one that
//! `PIP_CONFIG_FILE` names. As in pip, a later file wins, `[install]` wins over `[global]`, a
//! `PIP_CONFIG_FILE` that exists replaces the user's files, and the null device switches all off.

use std::path::{Path, PathBuf};

use super::ini::{self, Value};
use super::text;
use super::{IndexSetting, Origin};
use crate::Environment;
use crate::fault::Faults;

/// What pip's files say about indexes.
#[derive(Debug, Default)]
pub(super) struct PipIndexes {
    pub(super) main: Option<IndexSetting>,
    pub(super) extra: Vec<IndexSetting>,
}

/// The files that exist or may exist, the weakest first. `prefix` is the folder of the environment
/// that the interpreter belongs to.
pub(super) fn files(env: &Environment, prefix: Option<&Path>) -> Vec<PathBuf> {
    let own = env.path("PIP_CONFIG_FILE");
    if own.as_deref() == Some(Path::new("/dev/null")) {
        return Vec::new();
    }
    let name = if cfg!(windows) { "pip.ini" } else { "pip.conf" };
    let mut files = global(env, name);
    if !own.as_ref().is_some_and(|path| path.exists()) {
        files.extend(user(env, name));
    }
    files.extend(prefix.map(|prefix| prefix.join(name)));
    files.extend(own);
    files
}

fn global(env: &Environment, name: &str) -> Vec<PathBuf> {
    if cfg!(target_os = "macos") {
        return vec![env.system("Library/Application Support/pip").join(name)];
    }
    let mut files: Vec<PathBuf> = super::config_dirs(env)
        .into_iter()
        .map(|dir| dir.join("pip").join(name))
        .collect();
    files.push(env.system("etc").join(name));
    files
}

fn user(env: &Environment, name: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    files.extend(env.user_home().map(|home| home.join(".pip").join(name)));
    let mac = env
        .user_home()
        .map(|home| home.join("Library/Application Support/pip"));
    match mac.filter(|dir| cfg!(target_os = "macos") && dir.is_dir()) {
        Some(dir) => files.push(dir.join(name)),
        None => files.extend(
            env.xdg("XDG_CONFIG_HOME", ".config")
                .map(|dir| dir.join("pip").join(name)),
        ),
    }
    files
}

/// Reads the files; every fault of every file in one run.
pub(super) fn read(files: &[PathBuf]) -> Result<PipIndexes, Faults> {
    let mut faults = Vec::new();
    let mut found: Vec<(PathBuf, ini::Ini)> = Vec::new();
    for path in files {
        let parsed = text::read(path)
            .map_err(Faults::from)
            .and_then(|text| text.map(|text| ini::parse(path, &text)).transpose());
        match parsed {
            Ok(ini) => found.extend(ini.map(|ini| (path.clone(), ini))),
            Err(more) => faults.extend(more.into_all()),
        }
    }
    let main = settings_of(&found, "index-url", &mut faults).into_iter().next();
    let extra = settings_of(&found, "extra-index-url", &mut faults);
    Faults::none_in(faults)?;
    Ok(PipIndexes { main, extra })
}

/// The setting in force: `[install]` before `[global]`, within a section the last file.
fn settings_of(
    found: &[(PathBuf, ini::Ini)],
    key: &'static str,
    faults: &mut Vec<crate::fault::Fault>,
) -> Vec<IndexSetting> {
    let lookup = |section: &str| {
        let wanted = (section.to_owned(), key.to_owned());
        found
            .iter()
            .rev()
            .find_map(|(path, ini)| ini.get(&wanted).map(|value| (path, value)))
    };
    let Some((path, value)) = lookup("install").or_else(|| lookup("global")) else {
        return Vec::new();
    };
    urls(path, key, value, faults)
}

fn urls(
    path: &Path,
    key: &'static str,
    value: &Value,
    faults: &mut Vec<crate::fault::Fault>,
) -> Vec<IndexSetting> {
    let origin = Origin::File {
        path: path.to_owned(),
        line: value.line,
        key,
    };
    let texts = value.text.split_whitespace();
    texts
        .filter_map(|text| {
            super::setting(text, &origin)
                .map_err(|fault| faults.push(fault))
                .ok()
        })
        .collect()
}
