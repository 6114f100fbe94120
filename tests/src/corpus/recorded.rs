//! The recorded answers, and what follows from them for ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::Fault;

/// The corpus.
#[derive(Debug, Deserialize)]
pub(super) struct Corpus {
    pub(super) cutoff: String,
    pub(super) python: String,
    pub(super) platform: String,
    pub(super) core: Core,
    pub(super) plugins: Vec<Plugin>,
    pub(super) union: Union,
}

/// Hermes core.
#[derive(Debug, Deserialize)]
pub(super) struct Core {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) requires_python: String,
    pub(super) dependencies: Vec<String>,
}

/// A plugin with the recorded answers.
#[derive(Debug, Deserialize)]
pub(super) struct Plugin {
    pub(super) name: String,
    pub(super) dependencies: Vec<String>,
    alone_with_core: String,
    after_all_before_it: String,
    uv_explanation: Option<String>,
}

/// The union of everything that was admitted.
#[derive(Debug, Deserialize)]
pub(super) struct Union {
    pub(super) members: Vec<String>,
    pub(super) resolved: BTreeMap<String, String>,
}

/// What our answer must be.
#[derive(Debug, Default)]
pub(super) struct Expected {
    pub(super) verdict: String,
    pub(super) code: Option<&'static str>,
    /// Names that the refusal must tell.
    pub(super) named: Vec<String>,
    /// The plugins in the conflict set; empty when nothing is recorded.
    pub(super) conflict: Vec<String>,
}

/// The two refusals of the corpus, with what must be said of them.
const REFUSALS: [(&str, &[&str], &[&str]); 2] = [
    ("cognee-integration-hermes-agent", &["langdetect"], &[]),
    (
        "hermes-memori",
        &["agento11y-hermes", "hermes-memori", "protobuf"],
        &["agento11y-hermes", "hermes-memori"],
    ),
];

impl Corpus {
    pub(super) fn read(path: &Path) -> Result<Self, Fault> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }
}

impl Plugin {
    pub(super) fn expected_alone(&self) -> Expected {
        self.expected(&self.alone_with_core)
    }

    pub(super) fn expected_in_sequence(&self) -> Expected {
        self.expected(&self.after_all_before_it)
    }

    /// "Unsatisfiable" for want of a wheel is our `blocked` with `build.required`.
    fn expected(&self, recorded: &str) -> Expected {
        if recorded != "unsatisfiable" {
            return Expected {
                verdict: recorded.to_owned(),
                ..Expected::default()
            };
        }
        let wants_build = self
            .uv_explanation
            .as_deref()
            .is_some_and(|text| text.contains("Wheels are required"));
        let (verdict, code) = if wants_build {
            ("blocked", "build.required")
        } else {
            ("unsatisfiable", "union.conflict")
        };
        let told = REFUSALS.iter().find(|(name, ..)| *name == self.name);
        let own = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        Expected {
            verdict: verdict.to_owned(),
            code: Some(code),
            named: told.map(|(_, named, _)| own(named)).unwrap_or_default(),
            conflict: told.map(|(.., conflict)| own(conflict)).unwrap_or_default(),
        }
    }
}
