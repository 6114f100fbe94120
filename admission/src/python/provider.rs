//! The bridge to PubGrub: answers the solver's questions from the index, by the rules.
//!
//! Priorities depend only on what the solver itself has seen (order of discovery, conflicts), never
//! on which answer arrived first, so the result is the same for every order of arrival (contract C10).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::cmp::Reverse;

use hermes_pep::{
    CoreMetadata, DistFilename, ExtraName, IndexFile, PackageName, Requirement, Version, VersionRange,
};
use hermes_terms::Code;
use pubgrub::{Dependencies, DependencyConstraints, DependencyProvider, PackageResolutionStatistics};

use super::availability::Unavailable;
use super::candidates::Candidates;
use super::requires::{Requires, added_by, applies};
use super::rules::Rules;
use crate::facts::Facts;
use crate::index::{Index, IndexFault, MetadataFault};
use crate::node::{Node, Owner};
use crate::problem::Problem;

/// Conflicts after which the search starts anew with the packages concerned decided early.
const REPEATED_CONFLICTS: u32 = 5;

/// The most new starts of one search; afterwards it goes on in the order it has.
const MAX_RESTARTS: u32 = 24;

/// The search ended before it had an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Interrupt {
    /// From outside: the index, the budget or the deadline.
    #[error("{message}")]
    Stopped {
        code: Code,
        message: alloc::string::String,
    },
    /// Two packages conflict again and again: the order of decisions is bad, and another one helps.
    #[error("the search starts anew in another order")]
    Restart,
}

impl From<IndexFault> for Interrupt {
    fn from(fault: IndexFault) -> Self {
        Self::Stopped {
            code: fault.code,
            message: fault.message,
        }
    }
}

/// What the solver asks while it works on one problem.
pub(crate) struct Provider<'a> {
    problem: &'a Problem,
    index: &'a dyn Index,
    rules: Rules,
    zero: Version,
    python: Version,
    candidates: RefCell<BTreeMap<PackageName, Arc<Candidates>>>,
    metadata: RefCell<BTreeMap<(PackageName, Version), Arc<CoreMetadata>>>,
    discovered: RefCell<BTreeMap<Node, u32>>,
    chosen: RefCell<BTreeMap<PackageName, Version>>,
    promotion: RefCell<Promotion>,
    steps: Cell<u64>,
}

/// Packages that are decided early because they conflicted repeatedly.
#[derive(Default)]
struct Promotion {
    /// The order in which they are decided.
    ranks: BTreeMap<Node, u32>,
    /// Those met since the last start, by discovery.
    next: BTreeMap<u32, Node>,
    restarts: u32,
}

impl<'a> Provider<'a> {
    pub(crate) fn new(problem: &'a Problem, index: &'a dyn Index, zero: Version) -> Self {
        Self {
            problem,
            index,
            rules: Rules::new(problem),
            zero,
            python: problem.target.python().release_only(),
            candidates: RefCell::default(),
            metadata: RefCell::default(),
            discovered: RefCell::default(),
            chosen: RefCell::default(),
            promotion: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    /// Prepares a new start: what conflicted is decided early, of each batch the latest discovered
    /// first, because it was decided last and so gave way each time.
    pub(crate) fn restart(&self) {
        let promotion = &mut *self.promotion.borrow_mut();
        promotion.restarts += 1;
        for (_, node) in core::mem::take(&mut promotion.next).into_iter().rev() {
            let rank = u32::try_from(promotion.ranks.len()).unwrap_or(u32::MAX);
            promotion.ranks.entry(node).or_insert(rank);
        }
        self.discovered.borrow_mut().clear();
        self.chosen.borrow_mut().clear();
    }

    /// Notes a package that conflicts repeatedly, while new starts are left.
    fn note_conflicts(&self, node: &Node, discovered: u32, conflicts: u32) {
        let promotion = &mut *self.promotion.borrow_mut();
        let repeated = conflicts >= REPEATED_CONFLICTS && matches!(node, Node::Package(_));
        if repeated && promotion.restarts < MAX_RESTARTS && !promotion.ranks.contains_key(node) {
            promotion.next.insert(discovered, node.clone());
        }
    }

    /// Decisions taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Everything that the search looked at: the facts that the answer rests on.
    pub(crate) fn into_facts(self) -> Facts {
        Facts {
            candidates: self.candidates.into_inner(),
            metadata: self.metadata.into_inner(),
        }
    }

    /// What a chosen node requires, as it was told to the solver.
    pub(crate) fn requires(&self, node: &Node, version: &Version) -> Vec<(Node, VersionRange)> {
        self.answer(node, version)
            .map(Requires::into_list)
            .unwrap_or_default()
    }

    /// The file of a chosen version; none for what is provided.
    pub(crate) fn file(&self, package: &PackageName, version: &Version) -> Option<Arc<IndexFile>> {
        if self.problem.provided.contains_key(package) {
            return None;
        }
        self.file_of(package, version).ok()
    }

    fn answer(&self, node: &Node, version: &Version) -> Result<Requires, Stop> {
        match node {
            Node::Union => Ok(self.owners()),
            Node::Owner(owner) => Ok(self.owner_requires(owner)),
            Node::Python => Ok(Requires::default()),
            Node::Package(package) => self.package_requires(package, version),
            Node::Extra(package, extra) => self.extra_requires(package, extra, version),
        }
    }

    fn candidates(&self, package: &PackageName) -> Result<Arc<Candidates>, IndexFault> {
        if let Some(known) = self.candidates.borrow().get(package) {
            return Ok(Arc::clone(known));
        }
        let page = self.index.page(package)?;
        let judged = page.map_or_else(Candidates::unknown, |page| {
            Candidates::judge(&page, self.problem.target.tags(), &self.rules)
        });
        let judged = Arc::new(judged);
        self.candidates
            .borrow_mut()
            .insert(package.clone(), Arc::clone(&judged));
        Ok(judged)
    }

    fn choose(&self, package: &PackageName, range: &VersionRange) -> Result<Option<Version>, IndexFault> {
        if let Some(provided) = self.problem.provided.get(package) {
            return Ok(range
                .contains(&provided.version)
                .then(|| provided.version.clone()));
        }
        let candidates = self.candidates(package)?;
        let preferred = self.preferred(package, range, &candidates);
        let version = preferred.or_else(|| {
            candidates
                .newest(range, self.rules.prereleases())
                .map(|candidate| candidate.version.clone())
        });
        if let Some(version) = &version {
            self.chosen.borrow_mut().insert(package.clone(), version.clone());
        }
        Ok(version)
    }

    fn preferred(&self, package: &PackageName, range: &VersionRange, among: &Candidates) -> Option<Version> {
        let wishes = self
            .problem
            .preferences
            .iter()
            .filter_map(|preference| preference.versions.get(package));
        let usable = |version: &&Version| {
            range.contains(version) && among.get(version).is_some_and(|c| c.file.is_ok())
        };
        wishes.into_iter().find(usable).cloned()
    }

    /// An extra follows its package: the version last decided for it, if that fits.
    fn choose_extra(
        &self,
        package: &PackageName,
        range: &VersionRange,
    ) -> Result<Option<Version>, IndexFault> {
        let last = self.chosen.borrow().get(package).cloned();
        match last {
            Some(version) if range.contains(&version) => Ok(Some(version)),
            _ => self.choose(package, range),
        }
    }

    fn owner_requires(&self, owner: &Owner) -> Requires {
        let mut requires = Requires::default();
        let Some(root) = self.problem.roots.get(owner.index) else {
            return requires;
        };
        if let Some(python) = &root.requires_python {
            requires.add(Node::Python, &python.range());
        }
        let environment = self.problem.target.markers();
        let declared = root.requirements.iter().map(|declared| &declared.requirement);
        for requirement in declared.filter(|requirement| applies(requirement, environment)) {
            self.ask_ahead(requirement);
            requires.require(requirement);
        }
        requires
    }

    fn package_requires(&self, package: &PackageName, version: &Version) -> Result<Requires, Stop> {
        let mut requires = Requires::default();
        if self.problem.provided.contains_key(package) {
            return Ok(requires);
        }
        let Some(metadata) = self.metadata_of(package, version)? else {
            return Ok(requires);
        };
        if let Some(python) = metadata
            .requires_python
            .as_ref()
            .map(hermes_pep::Specifiers::range)
        {
            requires.add(Node::Python, &python);
        }
        let environment = self.problem.target.markers();
        for requirement in metadata.requires.iter().filter(|r| applies(r, environment)) {
            self.require(&mut requires, package, version, requirement)?;
        }
        Ok(requires)
    }

    fn extra_requires(
        &self,
        package: &PackageName,
        extra: &ExtraName,
        version: &Version,
    ) -> Result<Requires, Stop> {
        let mut requires = Requires::default();
        requires.add(
            Node::Package(package.clone()),
            &VersionRange::singleton(version.clone()),
        );
        let environment = self.problem.target.markers();
        if let Some(provided) = self.problem.provided.get(package) {
            for requirement in provided
                .extras
                .get(extra)
                .into_iter()
                .flatten()
                .filter(|r| applies(r, environment))
            {
                self.require(&mut requires, package, version, requirement)?;
            }
            return Ok(requires);
        }
        let Some(metadata) = self.metadata_of(package, version)? else {
            return Ok(requires);
        };
        for requirement in metadata
            .requires
            .iter()
            .filter(|r| added_by(r, environment, extra))
        {
            self.require(&mut requires, package, version, requirement)?;
        }
        Ok(requires)
    }

    /// Adds a requirement of a package, which may be one on itself.
    fn require(
        &self,
        into: &mut Requires,
        package: &PackageName,
        version: &Version,
        requirement: &Requirement,
    ) -> Result<(), Stop> {
        if requirement.url.is_some() {
            let message = format!(
                "it requires {} from an address instead of an index",
                requirement.name
            );
            return Err(Stop::Unavailable(Unavailable::new(
                Code::DeclarationDirectUrl,
                message,
            )));
        }
        if requirement.name != *package {
            self.ask_ahead(requirement);
            into.require(requirement);
            return Ok(());
        }
        if !requirement.specifiers.range().contains(version) {
            let message = "it requires another version of itself";
            return Err(Stop::Unavailable(Unavailable::new(Code::UnionConflict, message)));
        }
        for extra in &requirement.extras {
            into.add(
                Node::Extra(package.clone(), extra.clone()),
                &VersionRange::singleton(version.clone()),
            );
        }
        Ok(())
    }

    /// `None` for a source build that is only assumed: nobody knows what it would require.
    fn metadata_of(
        &self,
        package: &PackageName,
        version: &Version,
    ) -> Result<Option<Arc<CoreMetadata>>, Stop> {
        let file = self.file_of(package, version)?;
        if matches!(file.dist, DistFilename::Sdist(_)) {
            return Ok(None);
        }
        let key = (package.clone(), version.clone());
        if let Some(known) = self.metadata.borrow().get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let metadata = self.index.metadata(package, &file).map_err(|fault| match fault {
            MetadataFault::Index(fault) => Stop::Index(fault),
            MetadataFault::Unusable { code, message } => Stop::Unavailable(Unavailable { code, message }),
        })?;
        self.metadata.borrow_mut().insert(key, Arc::clone(&metadata));
        Ok(Some(metadata))
    }

    fn file_of(&self, package: &PackageName, version: &Version) -> Result<Arc<IndexFile>, Stop> {
        let candidates = self.candidates(package).map_err(Stop::Index)?;
        match candidates.get(version).map(|candidate| &candidate.file) {
            Some(Ok(file)) => Ok(Arc::clone(file)),
            Some(Err(obstacle)) => Err(Stop::Unavailable(Unavailable::new(
                obstacle.code(),
                obstacle.phrase(false),
            ))),
            None => Err(Stop::Unavailable(Unavailable::new(
                Code::UnionNoSuchVersion,
                "it does not exist",
            ))),
        }
    }

    fn ask_ahead(&self, requirement: &Requirement) {
        if !self.problem.provided.contains_key(&requirement.name) {
            self.index.want(requirement, &requirement.specifiers.range());
        }
    }

    fn discover(&self, nodes: &[(Node, VersionRange)]) {
        let mut discovered = self.discovered.borrow_mut();
        for (node, _) in nodes {
            let next = u32::try_from(discovered.len()).unwrap_or(u32::MAX);
            discovered.entry(node.clone()).or_insert(next);
        }
    }

    fn owners(&self) -> Requires {
        let mut requires = Requires::default();
        for (index, root) in self.problem.roots.iter().enumerate() {
            let owner = Owner {
                index,
                id: root.id.as_str().into(),
            };
            requires.add(Node::Owner(owner), &VersionRange::singleton(self.zero.clone()));
        }
        requires
    }
}

/// Why there are no dependencies to give.
enum Stop {
    Unavailable(Unavailable),
    Index(IndexFault),
}

/// What is decided first: the higher class, then the earlier discovery.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority {
    class: Class,
    earliest: Reverse<u32>,
}

/// Classes from the last to the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Follows its package.
    Extra,
    /// Anything else.
    Ordinary,
    /// Conflicted repeatedly in an earlier start.
    Promoted,
    /// Has one version left.
    Pinned,
    /// Has one version by nature: core, plugins, Python.
    Fixed,
}

impl DependencyProvider for Provider<'_> {
    type P = Node;
    type V = Version;
    type VS = VersionRange;
    type Priority = Priority;
    type M = Unavailable;
    type Err = Interrupt;

    fn prioritize(&self, node: &Node, range: &VersionRange, stats: &PackageResolutionStatistics) -> Priority {
        let discovered = self.discovered.borrow().get(node).copied().unwrap_or(0);
        self.note_conflicts(node, discovered, stats.conflict_count());
        let promoted = self.promotion.borrow().ranks.get(node).copied();
        let class = match node {
            Node::Union | Node::Owner(_) | Node::Python => Class::Fixed,
            Node::Extra(..) => Class::Extra,
            Node::Package(_) if hermes_pep::pinned(range).is_some() => Class::Pinned,
            Node::Package(_) if promoted.is_some() => Class::Promoted,
            Node::Package(_) => Class::Ordinary,
        };
        let place = if class == Class::Promoted {
            promoted.unwrap_or(discovered)
        } else {
            discovered
        };
        Priority {
            class,
            earliest: Reverse(place),
        }
    }

    fn choose_version(&self, node: &Node, range: &VersionRange) -> Result<Option<Version>, Interrupt> {
        let fixed = |version: &Version| range.contains(version).then(|| version.clone());
        Ok(match node {
            Node::Union | Node::Owner(_) => fixed(&self.zero),
            Node::Python => fixed(&self.python),
            Node::Package(package) => self.choose(package, range)?,
            Node::Extra(package, _) => self.choose_extra(package, range)?,
        })
    }

    fn get_dependencies(
        &self,
        node: &Node,
        version: &Version,
    ) -> Result<Dependencies<Node, VersionRange, Unavailable>, Interrupt> {
        match self.answer(node, version) {
            Ok(requires) => {
                let list: Vec<_> = requires.into_list();
                self.discover(&list);
                Ok(Dependencies::Available(
                    list.into_iter().collect::<DependencyConstraints<_, _>>(),
                ))
            }
            Err(Stop::Unavailable(reason)) => Ok(Dependencies::Unavailable(reason)),
            Err(Stop::Index(fault)) => Err(fault.into()),
        }
    }

    fn should_cancel(&self) -> Result<(), Interrupt> {
        if !self.promotion.borrow().next.is_empty() {
            return Err(Interrupt::Restart);
        }
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.problem.policy.step_limit() {
            let message = format!("no decision after {} steps of the search", steps - 1);
            return Err(Interrupt::Stopped {
                code: Code::ResolveBudget,
                message,
            });
        }
        if self.index.is_out_of_time() {
            let message = "the time allowed ended before a decision".into();
            return Err(Interrupt::Stopped {
                code: Code::ResolveDeadline,
                message,
            });
        }
        Ok(())
    }
}
