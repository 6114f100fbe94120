//! What of the index a search looked at: the facts that its answer rests on.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

use hermes_pep::{CoreMetadata, PackageName, Version};
use hermes_terms::{Code, Digest};

use crate::normal::NormalForm;
use crate::python::{Candidate, Candidates, Obstacle};

/// Candidates and metadata that were consulted.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub(crate) candidates: BTreeMap<PackageName, Arc<Candidates>>,
    pub(crate) metadata: BTreeMap<(PackageName, Version), Arc<CoreMetadata>>,
}

impl Facts {
    /// The versions of a package, if it was looked at.
    pub fn candidates(&self, package: &PackageName) -> Option<&Candidates> {
        self.candidates.get(package).map(Arc::as_ref)
    }

    /// Whether a version of a package was met that only this obstacle keeps from being used.
    pub(crate) fn met_in(&self, package: &PackageName, obstacle: Code) -> bool {
        let barred = |candidate: &Candidate| candidate.file.as_ref().is_err_and(|met| met.code() == obstacle);
        self.candidates
            .get(package)
            .is_some_and(|candidates| candidates.iter().any(barred))
    }

    /// A digest over every fact in a fixed order. Files beyond the quarantine's cutoff are no facts,
    /// so a later upload does not change the digest of an answer with a cutoff.
    pub fn digest(&self) -> Digest {
        let mut form = NormalForm::default();
        for (name, candidates) in &self.candidates {
            form.line(format_args!("{name} {}", candidates.known));
            for candidate in candidates.iter() {
                match &candidate.file {
                    Ok(file) => {
                        let hash = file.sha256.as_ref().map_or("-", |hash| hash.as_str());
                        form.line(format_args!(" {} {} {hash}", candidate.version, file.filename));
                    }
                    Err(Obstacle::TooNew) => {}
                    Err(obstacle) => form.line(format_args!(" {} {}", candidate.version, obstacle.code())),
                }
            }
        }
        for ((name, version), metadata) in &self.metadata {
            form.line(format_args!("{name} {version}"));
            for requirement in &metadata.requires {
                form.line(format_args!(" {requirement}"));
            }
        }
        form.digest()
    }
}
