//! The scenario files of the uv project, read as they are, and the problem that each one poses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hermes_admission::Problem;
use serde::Deserialize;

use super::{PackageDescription, Universe};
use crate::{Fault, problem};

/// The interpreter of a scenario that names none.
const DEFAULT_PYTHON: &str = "3.12";

/// The platform of a scenario that names none.
const DEFAULT_PLATFORM: &str = "x86_64-linux";

/// One scenario.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
    /// What is asked for.
    pub root: Asked,
    /// The answer.
    pub expected: Expected,
    /// The index.
    #[serde(default)]
    packages: BTreeMap<String, PackageDescription>,
    #[serde(default)]
    environment: Environment,
    #[serde(default)]
    resolver_options: Options,
    /// For uv's own test generator.
    #[serde(default, rename = "testgen")]
    _testgen: toml::Table,
}

/// What is asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Requirements.
    pub requires: Vec<String>,
    /// The Python versions that it runs on.
    #[serde(default)]
    pub requires_python: Option<String>,
}

/// The answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Whether there is a solution.
    pub satisfiable: bool,
    /// The solution; not every scenario gives one.
    #[serde(default)]
    pub packages: Option<BTreeMap<String, String>>,
    /// Why.
    #[serde(default)]
    pub explanation: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Environment {
    #[serde(default)]
    python: Option<String>,
    /// Interpreters that could build; nothing is built here.
    #[serde(default, rename = "additional_python")]
    _additional_python: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    python: Option<String>,
    python_platform: Option<String>,
    prereleases: bool,
    /// Nothing is ever built while resolving, so the list changes nothing.
    #[serde(rename = "no_build")]
    _no_build: Vec<String>,
}

impl Scenario {
    /// Reads a file; a key that is not understood is a fault.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        let text = fs::read_to_string(path)?;
        toml::from_str(&text).map_err(|error| Fault::from(error).at(path.display()))
    }

    /// The index of the scenario.
    pub fn universe(&self) -> Universe {
        Universe {
            packages: self.packages.clone(),
        }
    }

    /// The problem that the scenario poses.
    pub fn problem(&self) -> Result<Problem, Fault> {
        let python = self
            .resolver_options
            .python
            .as_deref()
            .or(self.environment.python.as_deref());
        let platform = match self.resolver_options.python_platform.as_deref() {
            None => DEFAULT_PLATFORM,
            Some("x86_64-manylinux2014") => "x86_64-manylinux_2_17",
            Some(other) => other,
        };
        let target = problem::target(python.unwrap_or(DEFAULT_PYTHON), platform)?;
        let root = problem::root("core", &self.root.requires, self.root.requires_python.as_deref())?;
        let mut problem = problem::plain(vec![root], target);
        problem.policy.prereleases = self.resolver_options.prereleases;
        Ok(problem)
    }
}
