//! Which package indexes are asked, in which order, and where each was configured.
//!
//! `--index` alone decides when it is given. Otherwise: extra indexes first (`PIP_EXTRA_INDEX_URL`,
//! else pip's files; then uv's), then the main one (`PIP_INDEX_URL`, pip's files, uv's, else what the
//! interpreter's pip would use). The order matters: each name is bound to the first index that knows it.

use std::fmt;
use std::path::{Path, PathBuf};

use hermes_terms::Code;

use super::{IndexUrl, pip, uv};
use crate::Environment;
use crate::fault::{Fault, Faults, Notice, Place};
use crate::target::DefaultIndexOrigin;

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    CommandLine,
    /// An environment variable.
    Variable(&'static str),
    /// A configuration file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: &'static str,
    },
    /// The default, when nothing is configured.
    Default(DefaultIndexOrigin),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandLine => f.write_str("--index"),
            Self::Variable(name) => f.write_str(name),
            Self::File { path, line, key } => write!(f, "{}:{line} ({key})", path.display()),
            Self::Default(DefaultIndexOrigin::Build) => f.write_str("set when this program was built"),
            Self::Default(DefaultIndexOrigin::Pip) => f.write_str("the default of the interpreter's pip"),
        }
    }
}

/// An index, and where it was configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSetting {
    /// The address.
    pub url: IndexUrl,
    /// Where it comes from.
    pub origin: Origin,
}

/// No index is configured and none can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no package index is configured, and no pip was found whose default could be used")]
pub struct IndexNotConfigured;

impl IndexNotConfigured {
    /// What to do about it.
    pub const HELP: &'static str = "give --index URL, or set PIP_INDEX_URL";
}

/// What is configured, before the default is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfiguredIndexes {
    extra: Vec<IndexSetting>,
    main: Option<IndexSetting>,
    /// Settings that were found and are not used.
    pub notices: Vec<Notice>,
}

impl ConfiguredIndexes {
    /// Reads all settings. `stated` are the values of `--index`, `prefix` the folder of the
    /// interpreter's environment, if there is one.
    pub fn read(stated: &[String], env: &Environment, prefix: Option<&Path>) -> Result<Self, Faults> {
        if !stated.is_empty() {
            let mut extra = all(stated.iter().map(String::as_str), &Origin::CommandLine)?;
            let main = extra.pop();
            return Ok(Self {
                extra,
                main,
                notices: Vec::new(),
            });
        }
        let mut faults = Vec::new();
        let mut keep = |found: Vec<Fault>| faults.extend(found);
        let variables = of_variables(env)
            .map_err(|more| keep(more.into_all()))
            .unwrap_or_default();
        let pip = pip::read(&pip::files(env, prefix))
            .map_err(|more| keep(more.into_all()))
            .unwrap_or_default();
        let uv = uv::read(&uv::files(env))
            .map_err(|more| keep(more.into_all()))
            .unwrap_or_default();
        Faults::none_in(faults)?;
        let mut extra = if variables.extra.is_empty() {
            pip.extra
        } else {
            variables.extra
        };
        extra.extend(uv.extra);
        let mut notices = uv.notices;
        notices.extend(uv::project_files(env.current_dir()));
        Ok(Self {
            extra,
            main: variables.main.or(pip.main).or(uv.main),
            notices,
        })
    }

    /// The indexes in the order they are asked. `default` is only called when no main index is
    /// configured.
    pub fn complete(
        self,
        default: impl FnOnce() -> Option<(String, DefaultIndexOrigin)>,
    ) -> Result<Vec<IndexSetting>, IndexNotConfigured> {
        let default = || {
            let (url, origin) = default()?;
            Some(IndexSetting {
                url: IndexUrl::parse(&url).ok()?,
                origin: Origin::Default(origin),
            })
        };
        let main = self.main.or_else(default).ok_or(IndexNotConfigured)?;
        let mut list: Vec<IndexSetting> = Vec::new();
        for setting in self.extra.into_iter().chain([main]) {
            if !list.iter().any(|known| known.url == setting.url) {
                list.push(setting);
            }
        }
        Ok(list)
    }
}

fn of_variables(env: &Environment) -> Result<ConfiguredIndexes, Faults> {
    let read = |name: &'static str| {
        let texts = env.text(name).into_iter().flat_map(str::split_whitespace);
        all(texts, &Origin::Variable(name))
    };
    let main = read("PIP_INDEX_URL")?.into_iter().next();
    Ok(ConfiguredIndexes {
        main,
        extra: read("PIP_EXTRA_INDEX_URL")?,
        notices: Vec::new(),
    })
}

fn all<'t>(texts: impl Iterator<Item = &'t str>, origin: &Origin) -> Result<Vec<IndexSetting>, Faults> {
    let mut faults = Vec::new();
    let settings = texts
        .filter_map(|text| setting(text, origin).map_err(|fault| faults.push(fault)).ok())
        .collect();
    Faults::none_in(faults)?;
    Ok(settings)
}

/// An index from a text; the fault never repeats the text, which may hold a secret.
pub(super) fn setting(text: &str, origin: &Origin) -> Result<IndexSetting, Fault> {
    match IndexUrl::parse(text) {
        Ok(url) => Ok(IndexSetting {
            url,
            origin: origin.clone(),
        }),
        Err(why) => {
            let (place, key) = match origin {
                Origin::File { path, line, key } => (
                    Place {
                        file: path.clone(),
                        line: *line,
                        column: 0,
                    },
                    *key,
                ),
                other => (Place::file(Path::new(&other.to_string())), "the value"),
            };
            Err(Fault {
                code: Code::ConfigInvalid,
                place,
                message: format!("`{key}` {why}"),
            })
        }
    }
}

#[cfg(test)]
#[path = "indexes_tests.rs"]
mod tests;
