//! Asks an interpreter what it is, once: the answer is cached by the real file behind shims.

use std::fs;
use std::path::{Path, PathBuf};

use hermes_pep::Target;

use super::cache::Key;
use super::shim::{self, Shim};
use super::{ChildLimits, Facts, ProbeCache, TargetFault, child};
use crate::Environment;

/// An interpreter that was asked.
#[derive(Debug, Clone)]
pub struct Interpreter {
    /// The path to run it by: as given, or what lies behind a shim.
    pub path: PathBuf,
    /// What it said.
    pub facts: Facts,
    /// The target that it is.
    pub target: Target,
}

/// How interpreters are asked.
#[derive(Debug, Clone)]
pub struct Prober<'a> {
    /// The environment, of which a child gets a small part.
    pub env: &'a Environment,
    /// Where answers are kept.
    pub cache: ProbeCache,
    /// How long and how much.
    pub limits: ChildLimits,
}

const SCRIPT: &str = include_str!("probe.py");
const WHO: &str = "import sys; sys.stdout.write(sys.executable)";

impl<'a> Prober<'a> {
    /// Asks with the usual limits.
    pub fn new(env: &'a Environment, cache: ProbeCache) -> Self {
        Self {
            env,
            cache,
            limits: ChildLimits::default(),
        }
    }

    /// What an interpreter is.
    pub fn probe(&self, python: &Path) -> Result<Interpreter, TargetFault> {
        let given = self.env.absolute(python);
        if fs::metadata(&given).is_err() {
            return Err(TargetFault::NotFound {
                looked_for: given.display().to_string(),
            });
        }
        let path = match shim::look(&given, self.env) {
            Shim::None => given,
            Shim::Leads(path) => path,
            Shim::LeadsNowhere => {
                return Err(TargetFault::NotFound {
                    looked_for: given.display().to_string(),
                });
            }
            Shim::Unknown => self.behind(&given)?,
        };
        let facts = self.facts(&path)?;
        let target = facts.target(&path)?;
        Ok(Interpreter { path, facts, target })
    }

    fn facts(&self, path: &Path) -> Result<Facts, TargetFault> {
        let key = Key::of(path, SCRIPT);
        if let Some(facts) = key.as_ref().and_then(|key| self.cache.get(key)) {
            return Ok(facts);
        }
        let invalid = |reason| TargetFault::Invalid {
            python: path.to_owned(),
            reason,
        };
        let said = child::ask(path, &["-I", "-S", "-c", SCRIPT], self.env, self.limits).map_err(invalid)?;
        let facts = Facts::parse(&said).map_err(invalid)?;
        if let Some(key) = &key {
            self.cache.put(key, &facts);
        }
        Ok(facts)
    }

    /// The interpreter that a shim starts: which one it is may change while the shim stays the same.
    fn behind(&self, shim: &Path) -> Result<PathBuf, TargetFault> {
        let invalid = |reason: String| TargetFault::Invalid {
            python: shim.to_owned(),
            reason,
        };
        let said = child::ask(shim, &["-I", "-S", "-c", WHO], self.env, self.limits).map_err(invalid)?;
        let path = String::from_utf8(said).ok().map(PathBuf::from);
        path.filter(|path| path.is_absolute() && path.is_file())
            .ok_or_else(|| invalid("it does not name the interpreter that it starts".into()))
    }
}
