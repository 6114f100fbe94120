//! Which home is meant (contract C30): the override, then `HERMES_HOME`, then the platform's default;
//! and the root that it hangs under, because all profiles of a root share one union.

use std::path::{Path, PathBuf};

use hermes_terms::Code;

use super::ProfileName;
use crate::Environment;
use crate::fault::{Fault, Place};

/// How the home was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolvedFrom {
    /// Given on the command line.
    Override,
    /// The variable `HERMES_HOME`.
    Env,
    /// The platform's default.
    Default,
}

impl ResolvedFrom {
    /// The word used in receipts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Env => "env",
            Self::Default => "default",
        }
    }
}

/// The home that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The root: the home that the profiles hang under.
    pub root: PathBuf,
    /// The profile, if the home is one.
    pub profile: Option<ProfileName>,
    /// How it was found.
    pub resolved_from: ResolvedFrom,
}

impl Located {
    /// The home itself: the root, or the profile's folder.
    pub fn home(&self) -> PathBuf {
        match &self.profile {
            None => self.root.clone(),
            Some(name) => self.root.join("profiles").join(name.as_str()),
        }
    }
}

/// Finds the home. `stated` is the override, `profile` a profile of the root that was found
/// (`default` is the root itself).
pub fn locate(stated: Option<&Path>, profile: Option<&str>, env: &Environment) -> Result<Located, Fault> {
    let (home, resolved_from) = base(stated, env)?;
    let (root, own_profile) = split(&home);
    let profile = match profile {
        None => own_profile,
        Some("default") => None,
        Some(text) => Some(existing(&root, text)?),
    };
    Ok(Located {
        root,
        profile,
        resolved_from,
    })
}

fn base(stated: Option<&Path>, env: &Environment) -> Result<(PathBuf, ResolvedFrom), Fault> {
    let stated = stated
        .filter(|path| !path.as_os_str().is_empty())
        .map(|path| env.absolute(path));
    let found = stated
        .map(|path| (path, ResolvedFrom::Override))
        .or_else(|| env.path("HERMES_HOME").map(|path| (path, ResolvedFrom::Env)))
        .or_else(|| default_home(env).map(|path| (path, ResolvedFrom::Default)));
    let (home, from) = found.ok_or_else(|| {
        fault(
            Path::new("~/.hermes"),
            "no home was given and the user's own folder is unknown; give --home",
        )
    })?;
    match std::fs::metadata(&home) {
        Ok(meta) if !meta.is_dir() => Err(fault(&home, "the home is not a folder")),
        _ => Ok((home, from)),
    }
}

fn default_home(env: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        return env.path("LOCALAPPDATA").map(|path| path.join("hermes"));
    }
    env.user_home().map(|path| path.join(".hermes"))
}

/// `<root>/profiles/<name>` hangs under `<root>`; any other home is its own root. The written path
/// counts first: a profile may be a link to somewhere else. Then the real one: a link may lead to a
/// profile.
fn split(home: &Path) -> (PathBuf, Option<ProfileName>) {
    let lexical = split_path(home);
    let real = || home.canonicalize().ok().and_then(|real| split_path(&real));
    match lexical.or_else(real) {
        Some((root, name)) => (root, Some(name)),
        None => (home.to_owned(), None),
    }
}

fn split_path(home: &Path) -> Option<(PathBuf, ProfileName)> {
    let name = ProfileName::parse(home.file_name()?.to_str()?)?;
    let profiles = home.parent()?;
    let is_profile = profiles.file_name()? == "profiles";
    is_profile.then(|| profiles.parent().map(|root| (root.to_owned(), name)))?
}

fn existing(root: &Path, text: &str) -> Result<ProfileName, Fault> {
    let folder = root.join("profiles");
    let name = ProfileName::parse(text).ok_or_else(|| {
        fault(
            &folder,
            &format!("`{}` cannot name a profile", text.escape_debug()),
        )
    })?;
    if !folder.join(name.as_str()).is_dir() {
        return Err(fault(
            &folder,
            &format!("there is no profile `{name}`; profiles are never made implicitly"),
        ));
    }
    Ok(name)
}

fn fault(path: &Path, message: &str) -> Fault {
    Fault {
        code: Code::HomeInvalid,
        place: Place::file(path),
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(hermes_home: &str) -> Environment {
        Environment::stated(
            [("HERMES_HOME", hermes_home), ("HOME", "/u")],
            Path::new("/w"),
            Path::new("/"),
        )
    }

    /// C30: override, then the variable (trimmed, not empty), then the default; profiles map to their root.
    #[test]
    fn c30_homes_are_found_in_order() {
        type Row<'a> = (Option<&'a str>, &'a str, &'a str, Option<&'a str>, &'a str);
        let table: [Row<'_>; 8] = [
            (None, "", "/u/.hermes", None, "default"),
            (None, "   ", "/u/.hermes", None, "default"),
            (None, " /h ", "/h", None, "env"),
            (None, "/h/profiles/work", "/h", Some("work"), "env"),
            (None, "/h/profiles/default", "/h/profiles/default", None, "env"),
            (
                None,
                "/h/profiles/Wrong Name",
                "/h/profiles/Wrong Name",
                None,
                "env",
            ),
            (Some("/o"), "/h", "/o", None, "override"),
            (Some("rel"), "/h", "/w/rel", None, "override"),
        ];
        for (stated, variable, root, profile, from) in table {
            let located = locate(stated.map(Path::new), None, &env(variable)).unwrap();
            assert_eq!(located.root, Path::new(root), "{stated:?} {variable:?}");
            assert_eq!(
                located.profile.as_ref().map(ProfileName::as_str),
                profile,
                "{stated:?} {variable:?}"
            );
            assert_eq!(located.resolved_from.as_str(), from, "{stated:?} {variable:?}");
        }
    }

    #[test]
    fn without_any_home_the_fault_says_what_to_give() {
        let empty = Environment::stated([("X", "")], Path::new("/w"), Path::new("/"));
        assert!(locate(None, None, &empty).unwrap_err().message.contains("--home"));
    }

    #[test]
    fn a_profile_is_taken_only_when_it_exists() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("profiles/work")).unwrap();
        let at = |profile| locate(Some(dir.path()), Some(profile), &env(""));
        assert_eq!(at("work").unwrap().home(), dir.path().join("profiles/work"));
        assert_eq!(at("default").unwrap().home(), dir.path());
        for bad in ["gone", "..", "", "A"] {
            assert_eq!(at(bad).unwrap_err().code, Code::HomeInvalid, "{bad:?}");
        }
    }

    #[test]
    fn a_file_is_no_home() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(
            locate(Some(file.path()), None, &env("")).unwrap_err().code,
            Code::HomeInvalid
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_profile_hangs_under_the_real_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("h/profiles/work")).unwrap();
        std::os::unix::fs::symlink(root.join("h/profiles/work"), root.join("link")).unwrap();
        let located = locate(Some(&root.join("link")), None, &env("")).unwrap();
        assert_eq!(
            (located.root, located.profile.unwrap().as_str()),
            (root.join("h"), "work")
        );
    }
}
