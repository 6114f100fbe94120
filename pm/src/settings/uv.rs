//! uv's configuration files: the user's `uv.toml`, then the first system-wide one. Of a project's own
//! files nothing is read: whoever writes into a working directory must not choose where packages come from.

use std::path::{Path, PathBuf};

use hermes_terms::Code;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::text::{self, Toml};
use super::{IndexSetting, Origin};
use crate::Environment;
use crate::fault::{Fault, Faults, Notice};

/// What uv's files say about indexes.
#[derive(Debug, Default)]
pub(super) struct UvIndexes {
    pub(super) main: Option<IndexSetting>,
    pub(super) extra: Vec<IndexSetting>,
    pub(super) notices: Vec<Notice>,
}

/// The files, the strongest first.
pub(super) fn files(env: &Environment) -> Vec<PathBuf> {
    let user = env
        .xdg("XDG_CONFIG_HOME", ".config")
        .map(|dir| dir.join("uv/uv.toml"));
    let mut system: Vec<PathBuf> = super::config_dirs(env)
        .into_iter()
        .map(|dir| dir.join("uv/uv.toml"))
        .collect();
    system.push(env.system("etc/uv/uv.toml"));
    user.into_iter()
        .chain(system.into_iter().find(|path| path.exists()))
        .collect()
}

/// Reads the files; every fault of every file in one run.
pub(super) fn read(files: &[PathBuf]) -> Result<UvIndexes, Faults> {
    let mut found = UvIndexes::default();
    let mut faults = Vec::new();
    for path in files {
        match text::read(path) {
            Ok(Some(text)) => match Toml::parse(path, &text) {
                Ok(toml) => Reader {
                    toml: &toml,
                    found: &mut found,
                    faults: &mut faults,
                }
                .read(),
                Err(fault) => faults.push(fault),
            },
            Ok(None) => {}
            Err(fault) => faults.push(fault),
        }
    }
    Faults::none_in(faults)?;
    Ok(found)
}

struct Reader<'a, 't> {
    toml: &'a Toml<'t>,
    found: &'a mut UvIndexes,
    faults: &'a mut Vec<Fault>,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        let toml = self.toml;
        if let Some(list) = toml.table.get("index") {
            match list.get_ref().as_array() {
                Some(list) => list.iter().for_each(|entry| self.entry(entry)),
                None => self
                    .faults
                    .push(toml.wrong_type("index", list, "a list of tables")),
            }
        }
        if let Some(list) = toml.table.get("extra-index-url") {
            match list.get_ref().as_array() {
                Some(list) => {
                    for item in list {
                        let setting = self.url("extra-index-url", item);
                        self.found.extra.extend(setting);
                    }
                }
                None => self
                    .faults
                    .push(toml.wrong_type("extra-index-url", list, "a list of texts")),
            }
        }
        if let Some(item) = toml.table.get("index-url") {
            let setting = self.url("index-url", item);
            self.found.main = self.found.main.take().or(setting);
        }
    }

    /// An entry of `[[index]]`.
    fn entry(&mut self, entry: &Spanned<DeValue<'_>>) {
        let Some(table) = entry.get_ref().as_table() else {
            return self
                .faults
                .push(self.toml.wrong_type("index", entry, "a list of tables"));
        };
        let flag = |key: &str| {
            table
                .get(key)
                .and_then(|value| value.get_ref().as_bool())
                .unwrap_or(false)
        };
        if let Some(why) = unfit(table, flag("explicit")) {
            let place = self.toml.fault(entry, format!("an entry of `[[index]]` {why}"));
            return self.found.notices.push(Notice {
                code: Code::ConfigIgnored,
                message: place.to_string(),
            });
        }
        let Some(url) = table.get("url") else {
            return self.faults.push(
                self.toml
                    .fault(entry, "an entry of `[[index]]` has no `url`".into()),
            );
        };
        let Some(setting) = self.url("index", url) else {
            return;
        };
        if flag("default") {
            self.found.main = self.found.main.take().or(Some(setting));
        } else {
            self.found.extra.push(setting);
        }
    }

    fn url(&mut self, key: &'static str, at: &Spanned<DeValue<'_>>) -> Option<IndexSetting> {
        let Some(text) = at.get_ref().as_str() else {
            self.faults.push(self.toml.wrong_type(key, at, "a text"));
            return None;
        };
        let place = self.toml.fault(at, String::new()).place;
        let origin = Origin::File {
            path: self.toml.path.to_owned(),
            line: place.line,
            key,
        };
        super::setting(text, &origin)
            .map_err(|fault| self.faults.push(fault))
            .ok()
    }
}

/// Why an entry is not used, if so.
fn unfit(table: &DeTable<'_>, explicit: bool) -> Option<&'static str> {
    let is_flat = table.get("format").and_then(|value| value.get_ref().as_str()) == Some("flat");
    match (is_flat, explicit) {
        (true, _) => Some("has the format `flat`, which is not read"),
        (_, true) => Some("is `explicit`: it serves only packages that a project binds to it"),
        _ => None,
    }
}

/// Files of a working directory that are not read.
pub(super) fn project_files(dir: &Path) -> Vec<Notice> {
    let names = ["pip.conf", "pip.ini", "uv.toml"];
    let there = names
        .iter()
        .map(|name| dir.join(name))
        .filter(|path| path.exists());
    let notice = |path: PathBuf| Notice {
        code: Code::ConfigIgnored,
        message: format!(
            "{}: a project's own index settings are not read; use --index",
            path.display()
        ),
    };
    there.map(notice).collect()
}
