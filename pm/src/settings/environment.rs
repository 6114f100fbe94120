//! The environment as a value: read once in `main`, handed on to everything that depends on it, so
//! that nothing else looks at the process.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Variables, the working directory and the root of the system's own configuration.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    current_dir: PathBuf,
    system_root: PathBuf,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            // A working directory that was deleted leaves relative paths without meaning, nothing else.
            current_dir: std::env::current_dir().unwrap_or_else(|_| "/".into()),
            system_root: "/".into(),
        }
    }

    /// An environment stated by hand, for tests and embedding. `system_root` stands for `/` where
    /// system-wide configuration files are looked for.
    pub fn stated<K: Into<OsString>, V: Into<OsString>>(
        variables: impl IntoIterator<Item = (K, V)>,
        current_dir: &Path,
        system_root: &Path,
    ) -> Self {
        Self {
            variables: variables
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            current_dir: current_dir.to_owned(),
            system_root: system_root.to_owned(),
        }
    }

    /// A variable as it is.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// A variable as text without surrounding blanks; `None` when that is empty or not UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.raw(name)
            .and_then(OsStr::to_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// A variable as an absolute path (relative ones are taken from the working directory).
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let raw = self.raw(name)?;
        let trimmed = raw.to_str().map_or(raw, |text| OsStr::new(text.trim()));
        (!trimmed.is_empty()).then(|| self.absolute(Path::new(trimmed)))
    }

    /// Whether a variable is set to `1`, `true` or `yes`.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name)
            .is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "1" | "true" | "yes"))
    }

    /// The user's own folder.
    pub fn user_home(&self) -> Option<PathBuf> {
        self.path(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
    }

    /// A folder of the XDG base directory specification: the variable if it is absolute, else the
    /// default below the user's folder.
    pub fn xdg(&self, variable: &str, default: &str) -> Option<PathBuf> {
        let stated = self
            .text(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        stated.or_else(|| self.user_home().map(|home| home.join(default)))
    }

    /// The folders of the search path.
    pub fn search_path(&self) -> Vec<PathBuf> {
        let Some(path) = self.raw("PATH") else {
            return Vec::new();
        };
        std::env::split_paths(path)
            .filter(|folder| folder.is_absolute())
            .collect()
    }

    /// The working directory.
    pub fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    /// A system-wide path, such as `etc/pip.conf`.
    pub fn system(&self, relative: &str) -> PathBuf {
        self.system_root.join(relative)
    }

    /// A path made absolute by the working directory.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.current_dir.join(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_trimmed_and_empty_ones_count_as_unset() {
        let env = Environment::stated(
            [
                ("A", "  x "),
                ("B", "   "),
                ("T", "YES"),
                ("F", "0"),
                ("P", " rel "),
            ],
            Path::new("/w"),
            Path::new("/"),
        );
        assert_eq!(
            (env.text("A"), env.text("B"), env.text("C")),
            (Some("x"), None, None)
        );
        assert!(env.flag("T") && !env.flag("F"));
        assert_eq!(env.path("P"), Some("/w/rel".into()));
        assert_eq!(env.path("B"), None);
    }

    #[test]
    fn a_relative_xdg_folder_is_ignored_as_the_specification_asks() {
        let env = Environment::stated(
            [("XDG_CACHE_HOME", "rel"), ("HOME", "/u")],
            Path::new("/w"),
            Path::new("/"),
        );
        assert_eq!(env.xdg("XDG_CACHE_HOME", ".cache"), Some("/u/.cache".into()));
    }
}
