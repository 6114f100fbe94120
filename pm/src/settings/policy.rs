//! `<root>/pm/policy.toml`: the rules of a root. Strict: an unknown key is a fault, because a rule
//! that is misspelt would silently not hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_pep::PackageName;
use toml::Spanned;
use toml::de::DeValue;

use super::Cutoff;
use super::text::{self, Toml};
use crate::fault::{Fault, Faults};

/// How hard the versions of core's lock hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pins {
    /// Only declared requirements bind; locked versions are preferred.
    #[default]
    Declared,
    /// Locked versions bind as well.
    Locked,
}

impl Pins {
    /// Reads `declared` or `locked`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "declared" => Some(Self::Declared),
            "locked" => Some(Self::Locked),
            _ => None,
        }
    }
}

/// The rules of a root; what is not set is `None` or off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyFile {
    /// `pins`.
    pub pins: Option<Pins>,
    /// `exclude-newer`: a date, or a number of days.
    pub exclude_newer: Option<Cutoff>,
    /// `allow-undated`: whether files without an upload time count in spite of a cutoff.
    pub allow_undated: bool,
    /// `build`: whether source builds are allowed.
    pub build: bool,
    /// `prereleases`.
    pub prereleases: bool,
    /// `exempt`: packages that the cutoff does not hold for.
    pub exempt: BTreeSet<PackageName>,
}

impl PolicyFile {
    /// Where the rules of a root lie.
    pub fn path(root: &Path) -> PathBuf {
        root.join("pm").join("policy.toml")
    }

    /// Reads the rules of a root; without a file there are none.
    pub fn read(root: &Path) -> Result<Self, Faults> {
        let path = Self::path(root);
        match text::read(&path)? {
            Some(text) => Self::parse(&path, &text),
            None => Ok(Self::default()),
        }
    }

    /// Reads rules; every fault in one run.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Faults> {
        let toml = Toml::parse(path, text)?;
        let mut policy = Self::default();
        let mut faults = Vec::new();
        for (key, value) in &toml.table {
            if let Err(found) = policy.set(&toml, key, value) {
                faults.extend(found.into_all());
            }
        }
        faults.sort_by(|a, b| a.place.cmp(&b.place));
        Faults::none_in(faults)?;
        Ok(policy)
    }

    fn set(
        &mut self,
        toml: &Toml<'_>,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Faults> {
        let name: &str = key.get_ref();
        match name {
            "pins" => {
                let pins = value.get_ref().as_str().and_then(Pins::parse);
                self.pins =
                    Some(pins.ok_or_else(|| toml.wrong_type(name, value, "\"declared\" or \"locked\""))?);
            }
            "exclude-newer" => self.exclude_newer = Some(cutoff(toml, value)?),
            "allow-undated" => self.allow_undated = flag(toml, name, value)?,
            "build" => self.build = flag(toml, name, value)?,
            "prereleases" => self.prereleases = flag(toml, name, value)?,
            "exempt" => self.exempt = names(toml, name, value)?,
            other => {
                return Err(toml
                    .fault(key, format!("`{}` is not a rule", other.escape_debug()))
                    .into());
            }
        }
        Ok(())
    }
}

fn flag(toml: &Toml<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<bool, Fault> {
    value
        .get_ref()
        .as_bool()
        .ok_or_else(|| toml.wrong_type(key, value, "true or false"))
}

fn cutoff(toml: &Toml<'_>, value: &Spanned<DeValue<'_>>) -> Result<Cutoff, Fault> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Integer(days) => format!("{days} days"),
        _ => return Err(toml.wrong_type("exclude-newer", value, "a date or a number of days")),
    };
    Cutoff::parse(&text).map_err(|error| toml.fault(value, error.to_string()))
}

fn names(toml: &Toml<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<BTreeSet<PackageName>, Faults> {
    let list = value
        .get_ref()
        .as_array()
        .ok_or_else(|| toml.wrong_type(key, value, "a list of package names"))?;
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for item in list {
        match item.get_ref().as_str().map(PackageName::parse) {
            Some(Ok(name)) => {
                names.insert(name);
            }
            Some(Err(error)) => faults.push(toml.fault(item, error.to_string())),
            None => faults.push(toml.wrong_type(key, item, "a list of package names")),
        }
    }
    Faults::none_in(faults)?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PolicyFile, Faults> {
        PolicyFile::parse(Path::new("policy.toml"), text)
    }

    #[test]
    fn rules_are_read() {
        let policy = parse("pins = 'locked'\nexclude-newer = 14\nbuild = true\nprereleases = true\nallow-undated = true\nexempt = ['Foo_Bar']\n").unwrap();
        assert_eq!(
            (policy.pins, policy.exclude_newer),
            (Some(Pins::Locked), Some(Cutoff::Days(14)))
        );
        assert!(policy.build && policy.prereleases && policy.allow_undated);
        assert_eq!(
            policy.exempt.iter().map(PackageName::as_str).collect::<Vec<_>>(),
            ["foo-bar"]
        );
        assert_eq!(parse("").unwrap(), PolicyFile::default());
        for text in [
            "exclude-newer = 2026-11-20",
            "exclude-newer = '2026-11-20'",
            "exclude-newer = 2026-11-21T00:00:00Z",
        ] {
            let cutoff = parse(text).unwrap().exclude_newer.unwrap();
            assert_eq!(
                cutoff.resolve(jiff::Timestamp::UNIX_EPOCH),
                "2026-11-21T00:00:00Z",
                "{text}"
            );
        }
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(PolicyFile::read(dir.path()).unwrap(), PolicyFile::default());
    }

    #[test]
    fn faults_are_told_by_line() {
        let found = parse(
            "pins = 'hard'\nbuilds = true\nbuild = 'yes'\nexempt = ['a b', 3]\nexclude-newer = 'soon'\n",
        )
        .unwrap_err();
        let places: Vec<String> = found.all().iter().map(|fault| fault.place.to_string()).collect();
        let expected =
            ["1:8", "2:1", "3:9", "4:11", "4:18", "5:17"].map(|place| format!("policy.toml:{place}"));
        assert_eq!(places, expected);
        assert_eq!(parse("pins = \n").unwrap_err().all().len(), 1);
    }
}
