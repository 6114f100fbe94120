//! What a search asks the index, each question once.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::cell::RefCell;

use hermes_pep::{Dependencies, DistFilename, IndexFile, PackageName, Requirement, Version, VersionRange};
use hermes_terms::Code;
use pubgrub::VersionSet;

use super::availability::Unavailable;
use super::candidates::Candidates;
use super::places::{Place, Places};
use super::rules::Rules;
use crate::facts::Facts;
use crate::index::{Index, IndexFault, MetadataFault};
use crate::node::Node;
use crate::problem::{Problem, Provided};

/// Why there is no answer about a version.
#[derive(Debug, Clone)]
pub(crate) enum Stop {
    /// The version cannot be used.
    Unavailable(Unavailable),
    /// Nobody knows.
    Index(IndexFault),
}

/// The index as one problem sees it.
pub(crate) struct Lookup<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) rules: Arc<Rules>,
    index: &'a dyn Index,
    python: Version,
    candidates: RefCell<BTreeMap<PackageName, Arc<Candidates>>>,
    declared: RefCell<BTreeMap<(PackageName, Version), Arc<Dependencies>>>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(problem: &'a Problem, index: &'a dyn Index) -> Self {
        Self {
            problem,
            rules: Arc::new(Rules::new(problem)),
            index,
            python: problem.target.python().release_only(),
            candidates: RefCell::default(),
            declared: RefCell::default(),
        }
    }

    /// Everything that was looked at: the facts that an answer rests on.
    pub(crate) fn into_facts(self) -> Facts {
        let with_late = self.problem.policy.assume.aged;
        Facts::new(
            self.candidates.into_inner(),
            self.declared.into_inner(),
            with_late,
        )
    }

    /// Whether the time that the caller allows has ended.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.index.is_out_of_time()
    }

    /// What stands for a package that is there already.
    pub(crate) fn provided(&self, package: &PackageName) -> Option<&'a Provided> {
        self.problem.provided.get(package)
    }

    /// Says that a package will be asked for.
    pub(crate) fn announce(&self, requirement: &Requirement) {
        if self.provided(&requirement.name).is_none() {
            self.index.want(requirement, &requirement.specifiers.range());
        }
    }

    /// The versions of a package.
    pub(crate) fn candidates(&self, package: &PackageName) -> Result<Arc<Candidates>, IndexFault> {
        if let Some(known) = self.candidates.borrow().get(package) {
            return Ok(Arc::clone(known));
        }
        let releases = self.index.releases(package)?;
        let judged = Arc::new(Candidates::new(releases, Arc::clone(&self.rules)));
        let mut candidates = self.candidates.borrow_mut();
        Ok(Arc::clone(candidates.entry(package.clone()).or_insert(judged)))
    }

    /// The places of a node's versions in a range.
    pub(crate) fn places(&self, node: &Node, range: &VersionRange) -> Result<Places, IndexFault> {
        let only = |version| Places::first(usize::from(range.contains(version)));
        Ok(match node {
            Node::Union | Node::Owner(_) => Places::first(1),
            Node::Python => only(&self.python),
            Node::Package(package) | Node::Extra(package, _) => match self.provided(package) {
                Some(provided) => only(&provided.version),
                None => self.candidates(package)?.places(range),
            },
        })
    }

    /// The range that tells places of a node, by the versions that are known.
    pub(crate) fn range(&self, node: &Node, places: &Places) -> VersionRange {
        let only = |version: &Version| {
            if places.contains(&Place(0)) {
                VersionRange::singleton(version.clone())
            } else {
                VersionRange::empty()
            }
        };
        match node {
            Node::Union | Node::Owner(_) => VersionRange::full(),
            Node::Python => only(&self.python),
            Node::Package(package) | Node::Extra(package, _) => {
                if let Some(provided) = self.provided(package) {
                    only(&provided.version)
                } else {
                    let candidates = self.candidates.borrow();
                    candidates
                        .get(package)
                        .map_or_else(VersionRange::empty, |known| known.range(places))
                }
            }
        }
    }

    /// The version of a package at a place.
    pub(crate) fn version(&self, package: &PackageName, place: Place) -> Option<Version> {
        match self.provided(package) {
            Some(provided) => Some(provided.version.clone()),
            None => self
                .candidates
                .borrow()
                .get(package)?
                .version(place.index())
                .cloned(),
        }
    }

    /// The file of a package's version.
    pub(crate) fn file(&self, package: &PackageName, place: Place) -> Result<Arc<IndexFile>, Stop> {
        let candidates = self.candidates(package).map_err(Stop::Index)?;
        let (code, message) = match candidates.at(place.index()).map(|candidate| &candidate.file) {
            Some(Ok(file)) => return Ok(Arc::clone(file)),
            Some(Err(obstacle)) => (obstacle.code(), obstacle.phrase(false)),
            None => (Code::UnionNoSuchVersion, "it does not exist".into()),
        };
        Err(Stop::Unavailable(Unavailable::new(code, message)))
    }

    /// What a package's version requires; `None` for a source build that is only assumed: nobody knows
    /// what it would require.
    pub(crate) fn declared(
        &self,
        package: &PackageName,
        place: Place,
    ) -> Result<Option<Arc<Dependencies>>, Stop> {
        let file = self.file(package, place)?;
        if matches!(file.dist, DistFilename::Sdist(_)) {
            return Ok(None);
        }
        let key = (package.clone(), file.version().clone());
        if let Some(known) = self.declared.borrow().get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let answer = self.index.dependencies(package, &file);
        let declared = answer.map_err(|fault| match fault {
            MetadataFault::Index(fault) => Stop::Index(fault),
            MetadataFault::Unusable { code, message } => Stop::Unavailable(Unavailable { code, message }),
        })?;
        self.declared.borrow_mut().insert(key, Arc::clone(&declared));
        Ok(Some(declared))
    }
}
