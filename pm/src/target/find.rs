//! Which interpreter is meant: the one given, else the newest on the search path that core allows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hermes_pep::{Specifiers, Version};

use super::{Interpreter, Prober, TargetFault};

impl Prober<'_> {
    /// The interpreter to use: `python` when given (a path, or a name on the search path), else the
    /// newest on the search path within `allowed` (core's `requires-python`).
    pub fn find(
        &self,
        python: Option<&Path>,
        allowed: Option<&Specifiers>,
    ) -> Result<Interpreter, TargetFault> {
        match python {
            Some(python) => self.probe(&self.resolve(python)),
            None => self.newest(allowed),
        }
    }

    /// A bare name is looked for on the search path, everything else is a path.
    fn resolve(&self, python: &Path) -> PathBuf {
        let is_bare = python.components().count() == 1 && python.is_relative();
        let on_path = || {
            self.env
                .search_path()
                .into_iter()
                .map(|dir| dir.join(python))
                .find(|path| path.is_file())
        };
        if is_bare {
            on_path().unwrap_or_else(|| python.to_owned())
        } else {
            python.to_owned()
        }
    }

    fn newest(&self, allowed: Option<&Specifiers>) -> Result<Interpreter, TargetFault> {
        let allows = |version: &Version| allowed.is_none_or(|allowed| allowed.range().contains(version));
        let mut best: Option<Interpreter> = None;
        let mut asked = BTreeSet::new();
        let mut faults = Vec::new();
        for candidate in self.candidates() {
            let known = best
                .as_ref()
                .and_then(|best| best.target.python().release().get(1).copied());
            if !candidate.may_beat(known, &allows) {
                continue;
            }
            match self.probe(&candidate.path) {
                Err(fault) => faults.push(fault),
                Ok(found) if !asked.insert(found.path.clone()) || !allows(found.target.python()) => {}
                Ok(found) => {
                    if best
                        .as_ref()
                        .is_none_or(|best| found.target.python() > best.target.python())
                    {
                        best = Some(found);
                    }
                }
            }
        }
        best.ok_or_else(|| none_found(allowed, faults))
    }

    /// `python3` and `python` first, then the named versions, the newest first; by folder within one
    /// name, because the search path's order decides between equals.
    fn candidates(&self) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = self
            .env
            .search_path()
            .iter()
            .flat_map(|dir| in_folder(dir))
            .collect();
        found.sort_by_key(|candidate| std::cmp::Reverse(candidate.minor.unwrap_or(u64::MAX)));
        found
    }
}

/// A file that may be an interpreter.
struct Candidate {
    path: PathBuf,
    /// The minor version that its name states.
    minor: Option<u64>,
}

impl Candidate {
    /// Whether asking is worth it: the name allows a version that is allowed and not older than what
    /// is known.
    fn may_beat(&self, known: Option<u64>, allows: &impl Fn(&Version) -> bool) -> bool {
        let Some(minor) = self.minor else { return true };
        let mut patches = (0..64).filter_map(|patch| Version::parse(&format!("3.{minor}.{patch}")).ok());
        known.is_none_or(|known| minor >= known) && patches.any(|version| allows(&version))
    }
}

fn in_folder(dir: &Path) -> Vec<Candidate> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<Candidate> = entries.filter_map(|entry| candidate(&entry)).collect();
    found.sort_by(|a, b| b.path.cmp(&a.path));
    found
}

fn candidate(entry: &fs::DirEntry) -> Option<Candidate> {
    let name = entry.file_name();
    let name = name.to_str()?.strip_suffix(std::env::consts::EXE_SUFFIX)?;
    let minor = match name {
        "python" | "python3" => None,
        _ => Some(name.strip_prefix("python3.")?.parse().ok()?),
    };
    let path = entry.path();
    fs::metadata(&path)
        .is_ok_and(|meta| meta.is_file())
        .then_some(Candidate { path, minor })
}

fn none_found(allowed: Option<&Specifiers>, faults: Vec<TargetFault>) -> TargetFault {
    let looked_for = match allowed {
        Some(allowed) if !allowed.is_empty() => format!("a Python {allowed} on the search path"),
        _ => "a Python on the search path".to_owned(),
    };
    // When everything there is broken, the first obstacle says more than that nothing was found.
    faults
        .into_iter()
        .find(|fault| matches!(fault, TargetFault::Unsupported { .. }))
        .unwrap_or(TargetFault::NotFound { looked_for })
}
