//! The homes that are live under a root: the root itself, then its profiles by name.
//!
//! A profile counts when it is a folder (or a link to one) with a valid name other than `default`,
//! has no tombstone `profiles/.deleted/<name>` and is not parked (`gateway.parked`). What cannot be
//! looked at is a fault: it must not shrink the union in silence.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hermes_terms::Code;

use crate::fault::{Fault, Faults, Place};

/// The name of a profile: 1 to 64 lower-case ASCII letters, digits, `-`, `_`, the first a letter or
/// digit; not `default`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProfileName(String);

impl ProfileName {
    /// Validates a name.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let first = text.bytes().next().is_some_and(plain);
        let rest = text.bytes().all(|b| plain(b) || matches!(b, b'-' | b'_'));
        (first && rest && text.len() <= 64 && text != "default").then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A home whose plugins are in the union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveHome {
    /// Empty for the root, otherwise the profile's name.
    pub label: String,
    /// The folder, as it was reached.
    pub path: PathBuf,
}

/// The root and its live profiles, by name. Homes that are the same folder behind links count once.
/// A root that does not exist is a root without profiles.
pub fn live_homes(root: &Path) -> Result<Vec<LiveHome>, Faults> {
    let mut homes = vec![LiveHome {
        label: String::new(),
        path: root.to_owned(),
    }];
    let folder = root.join("profiles");
    let mut faults = Vec::new();
    for name in names_in(&folder)? {
        match is_live(&folder, &name) {
            Ok(true) => homes.push(LiveHome {
                label: name.0.clone(),
                path: folder.join(&name.0),
            }),
            Ok(false) => {}
            Err(error) => faults.push(unreadable(&folder.join(&name.0), &error)),
        }
    }
    Faults::none_in(faults)?;
    Ok(without_aliases(homes))
}

fn names_in(folder: &Path) -> Result<Vec<ProfileName>, Faults> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(folder, &error).into()),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        names.extend(entry.file_name().to_str().and_then(ProfileName::parse));
    }
    names.sort();
    Ok(names)
}

fn is_live(folder: &Path, name: &ProfileName) -> io::Result<bool> {
    let path = folder.join(&name.0);
    let is_folder = match fs::metadata(&path) {
        Ok(meta) => meta.is_dir(),
        Err(error) if is_absent(&error) => false,
        Err(error) => return Err(error),
    };
    Ok(is_folder
        && !exists(&folder.join(".deleted").join(&name.0))?
        && !exists(&path.join("gateway.parked"))?)
}

/// Whether something of that name is there, a dangling link included.
fn exists(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn without_aliases(homes: Vec<LiveHome>) -> Vec<LiveHome> {
    let mut seen = std::collections::BTreeSet::new();
    homes
        .into_iter()
        .filter(|home| home.path.canonicalize().map_or(true, |real| seen.insert(real)))
        .collect()
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    let message = format!("cannot be read: {error}");
    Fault {
        code: Code::HomeUnreadable,
        place: Place::file(path),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_names_are_plain() {
        for good in ["work", "a", "0-1_x"] {
            assert!(ProfileName::parse(good).is_some(), "{good:?}");
        }
        let long = "a".repeat(65);
        for bad in [
            "",
            "default",
            "Work",
            "-a",
            "_a",
            "a.b",
            "a/b",
            "..",
            "\u{441}",
            long.as_str(),
        ] {
            assert!(ProfileName::parse(bad).is_none(), "{bad:?}");
        }
    }

    /// C8: the root first, profiles by name; tombstones, parked ones, files and bad names sit out.
    #[test]
    fn c08_live_profiles() {
        let dir = tempfile::tempdir().unwrap();
        let profiles = dir.path().join("profiles");
        for name in ["zeta", "alpha", "gone", "parked", "default", "Bad"] {
            fs::create_dir_all(profiles.join(name)).unwrap();
        }
        fs::create_dir_all(profiles.join(".deleted")).unwrap();
        fs::write(profiles.join(".deleted/gone"), "").unwrap();
        fs::write(profiles.join("parked/gateway.parked"), "").unwrap();
        fs::write(profiles.join("file"), "").unwrap();
        let labels: Vec<String> = live_homes(dir.path())
            .unwrap()
            .into_iter()
            .map(|home| home.label)
            .collect();
        assert_eq!(labels, ["", "alpha", "zeta"]);
    }

    #[test]
    fn a_root_that_does_not_exist_has_no_profiles() {
        let homes = live_homes(Path::new("/nonexistent/hermes")).unwrap();
        assert_eq!(homes.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_count_once_and_dangling_ones_not_at_all() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let profiles = dir.path().join("profiles");
        fs::create_dir_all(profiles.join("a")).unwrap();
        symlink("a", profiles.join("b")).unwrap();
        symlink("nowhere", profiles.join("c")).unwrap();
        symlink("..", profiles.join("d")).unwrap();
        let labels: Vec<String> = live_homes(dir.path())
            .unwrap()
            .into_iter()
            .map(|home| home.label)
            .collect();
        assert_eq!(labels, ["", "a"]);
    }
}
