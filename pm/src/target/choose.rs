//! From what was asked for to one target.

use std::path::PathBuf;

use hermes_pep::{Specifiers, Target};

use super::{Interpreter, Prober, TargetFault, stated};

/// What was asked for; nothing at all means the newest interpreter that core allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// An interpreter: a path, or a name on the search path.
    pub python: Option<PathBuf>,
    /// A version, for a target without an interpreter.
    pub python_version: Option<String>,
    /// A platform, with a version.
    pub platform: Option<String>,
}

/// A target, and the interpreter that it is, if it is one.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The target.
    pub target: Target,
    /// The interpreter; `None` when the target is stated by hand.
    pub interpreter: Option<Interpreter>,
}

impl Prober<'_> {
    /// The target to use. A version without a platform means the platform of this machine, which an
    /// interpreter on the search path has to tell.
    pub fn choose(&self, wanted: &Wanted, allowed: Option<&Specifiers>) -> Result<Chosen, TargetFault> {
        let Some(version) = &wanted.python_version else {
            let found = self.find(wanted.python.as_deref(), allowed)?;
            return Ok(Chosen {
                target: found.target.clone(),
                interpreter: Some(found),
            });
        };
        let platform = match &wanted.platform {
            Some(platform) => platform.clone(),
            None => self.platform_here(version)?,
        };
        Ok(Chosen {
            target: stated(version, &platform)?,
            interpreter: None,
        })
    }

    fn platform_here(&self, version: &str) -> Result<String, TargetFault> {
        let found = self
            .find(None, None)
            .ok()
            .and_then(|found| found.facts.platform_text());
        found.ok_or_else(|| TargetFault::Unsupported {
            what: format!("Python {}", version.escape_debug()),
            reason: "no interpreter tells the platform of this machine; give --platform".into(),
        })
    }
}
