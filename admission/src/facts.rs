//! What of the index a search looked at: the facts that its answer rests on.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;

use hermes_pep::{Dependencies, PackageName, Version, VersionRange};
use hermes_terms::{Code, Digest};

use crate::normal::NormalForm;
use crate::python::{Candidates, Obstacle};

/// Candidates and dependencies that were consulted.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub(crate) candidates: BTreeMap<PackageName, Arc<Candidates>>,
    pub(crate) declared: BTreeMap<(PackageName, Version), Arc<Dependencies>>,
    /// Whether releases beyond the quarantine's cutoff took part in the decision.
    pub(crate) with_late: bool,
}

impl Facts {
    pub(crate) fn new(
        candidates: BTreeMap<PackageName, Arc<Candidates>>,
        declared: BTreeMap<(PackageName, Version), Arc<Dependencies>>,
        with_late: bool,
    ) -> Self {
        Self {
            candidates,
            declared,
            with_late,
        }
    }

    /// The versions of a package, if it was looked at.
    pub fn candidates(&self, package: &PackageName) -> Option<&Candidates> {
        self.candidates.get(package).map(Arc::as_ref)
    }

    /// What keeps the versions of a package in a range from being used.
    pub(crate) fn obstacles(&self, package: &PackageName, range: &VersionRange) -> BTreeSet<Code> {
        let candidates = self
            .candidates
            .get(package)
            .into_iter()
            .flat_map(|known| known.iter());
        let inside = candidates.filter(|candidate| range.contains(&candidate.version));
        inside
            .filter_map(|candidate| candidate.file.as_ref().err().map(Obstacle::code))
            .collect()
    }

    /// A digest over every fact in a fixed order. Files beyond the quarantine's cutoff are no facts
    /// unless the decision is about them, so a later upload does not change the digest of an answer.
    pub fn digest(&self) -> Digest {
        let mut form = NormalForm::default();
        for (name, candidates) in &self.candidates {
            form.line(format_args!("{name} {}", candidates.is_known()));
            for candidate in candidates.judged() {
                match &candidate.file {
                    Ok(file) => {
                        let hash = file.sha256.as_ref().map_or("-", |hash| hash.as_str());
                        form.line(format_args!(" {} {} {hash}", candidate.version, file.filename));
                    }
                    Err(Obstacle::TooNew) if !self.with_late => {}
                    Err(obstacle) => form.line(format_args!(" {} {}", candidate.version, obstacle.code())),
                }
            }
        }
        for ((name, version), declared) in &self.declared {
            form.line(format_args!("{name} {version}"));
            for requirement in declared.always() {
                form.line(format_args!(" {requirement}"));
            }
        }
        form.digest()
    }
}
