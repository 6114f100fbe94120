//! Problems from short descriptions.

use std::collections::BTreeMap;
use std::sync::Arc;

use hermes_admission::{Policy, Problem, Root, RootRequirement};
use hermes_pep::{Platform, Requirement, Specifiers, Target};

use crate::Fault;

/// A stated target: a Python version and a platform as the command line takes them.
pub fn target(python: &str, platform: &str) -> Result<Arc<Target>, Fault> {
    let platform = Platform::parse(platform)?;
    Ok(Arc::new(Target::stated(python, &platform)?))
}

/// A root from the texts of its requirements; the one called `core` is core.
pub fn root(id: &str, requires: &[String], requires_python: Option<&str>) -> Result<Root, Fault> {
    let requirements = requires
        .iter()
        .enumerate()
        .map(|(at, text)| declared(text, at + 1));
    Ok(Root {
        id: id.to_owned(),
        is_core: id == "core",
        requirements: requirements.collect::<Result<_, _>>()?,
        requires_python: requires_python.map(Specifiers::parse).transpose()?,
    })
}

fn declared(text: &str, line: usize) -> Result<RootRequirement, Fault> {
    Ok(RootRequirement {
        requirement: Requirement::parse(text)?,
        text: text.to_owned(),
        file: "pyproject.toml".to_owned(),
        line,
        column: 1,
    })
}

/// A problem with nothing but roots and a target.
pub fn plain(roots: Vec<Root>, target: Arc<Target>) -> Problem {
    Problem {
        target,
        roots,
        policy: Policy::default(),
        preferences: Vec::new(),
        provided: BTreeMap::new(),
    }
}
