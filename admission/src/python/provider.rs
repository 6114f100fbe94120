//! The bridge to PubGrub: answers the solver's questions from the index, by the rules.
//!
//! Priorities depend only on what the solver itself has seen (order of discovery, conflicts), never
//! on which answer arrived first, so the result is the same for every order of arrival (contract C10).

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use hermes_pep::{
    Dependencies as Declared, DistFilename, ExtraName, IndexFile, PackageName, Requirement, Version,
    VersionRange,
};
use hermes_terms::Code;
use pubgrub::{Dependencies, DependencyConstraints, DependencyProvider, PackageResolutionStatistics};

use super::availability::Unavailable;
use super::candidates::Candidates;
use super::order::{Order, Priority};
use super::requires::{Requires, applies};
use super::rules::Rules;
use crate::facts::Facts;
use crate::index::{Index, IndexFault, MetadataFault};
use crate::node::{Node, Owner};
use crate::problem::Problem;

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
    rules: Arc<Rules>,
    zero: Version,
    python: Version,
    candidates: RefCell<BTreeMap<PackageName, Arc<Candidates>>>,
    declared: RefCell<BTreeMap<(PackageName, Version), Arc<Declared>>>,
    order: RefCell<Order>,
    chosen: RefCell<BTreeMap<PackageName, Version>>,
    /// The range that each package was last seen with: a hint for its extras.
    ranges: RefCell<BTreeMap<PackageName, VersionRange>>,
    steps: Cell<u64>,
}

impl<'a> Provider<'a> {
    pub(crate) fn new(problem: &'a Problem, index: &'a dyn Index, zero: Version) -> Self {
        Self {
            problem,
            index,
            rules: Arc::new(Rules::new(problem)),
            zero,
            python: problem.target.python().release_only(),
            candidates: RefCell::default(),
            declared: RefCell::default(),
            order: RefCell::default(),
            chosen: RefCell::default(),
            ranges: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    /// Prepares a new start in a better order.
    pub(crate) fn restart(&self) {
        self.order.borrow_mut().restart();
        self.chosen.borrow_mut().clear();
        self.ranges.borrow_mut().clear();
    }

    /// Decisions taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Everything that the search looked at: the facts that the answer rests on.
    pub(crate) fn into_facts(self) -> Facts {
        Facts {
            candidates: self.candidates.into_inner(),
            declared: self.declared.into_inner(),
            with_late: self.problem.policy.assume.aged,
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
            Node::Owner(owner) => self.owner_requires(owner),
            Node::Python => Ok(Requires::default()),
            Node::Package(package) => self.package_requires(package, version),
            Node::Extra(package, extra) => self.extra_requires(package, extra, version),
        }
    }

    fn candidates(&self, package: &PackageName) -> Result<Arc<Candidates>, IndexFault> {
        if let Some(known) = self.candidates.borrow().get(package) {
            return Ok(Arc::clone(known));
        }
        let releases = self.index.releases(package)?;
        let judged = Arc::new(Candidates::new(releases, Arc::clone(&self.rules)));
        self.candidates
            .borrow_mut()
            .insert(package.clone(), Arc::clone(&judged));
        Ok(judged)
    }

    fn choose(&self, package: &PackageName, range: &VersionRange) -> Result<Option<Version>, IndexFault> {
        let version = self.pick(package, range)?;
        if let Some(version) = &version {
            self.chosen.borrow_mut().insert(package.clone(), version.clone());
        }
        Ok(version)
    }

    /// The version to take of a range: a preferred one, else the newest that can be used.
    fn pick(&self, package: &PackageName, range: &VersionRange) -> Result<Option<Version>, IndexFault> {
        if let Some(provided) = self.problem.provided.get(package) {
            return Ok(range
                .contains(&provided.version)
                .then(|| provided.version.clone()));
        }
        let candidates = self.candidates(package)?;
        let newest = || {
            candidates
                .newest(range, self.rules.prereleases())
                .map(|candidate| candidate.version.clone())
        };
        Ok(self.preferred(package, range, &candidates).or_else(newest))
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

    /// An extra goes with its package: the version last decided for it, else one that the package could
    /// have as well. Both are hints; the tie between the two is a dependency.
    fn choose_extra(
        &self,
        package: &PackageName,
        range: &VersionRange,
    ) -> Result<Option<Version>, IndexFault> {
        let last = self.chosen.borrow().get(package).cloned();
        if let Some(version) = last.filter(|version| range.contains(version)) {
            return Ok(Some(version));
        }
        let common = self
            .ranges
            .borrow()
            .get(package)
            .map(|base| base.intersection(range));
        if let Some(common) = common
            && let Some(version) = self.pick(package, &common)?
        {
            return Ok(Some(version));
        }
        self.pick(package, range)
    }

    fn owner_requires(&self, owner: &Owner) -> Result<Requires, Stop> {
        let mut requires = Requires::default();
        let Some(root) = self.problem.roots.get(owner.index) else {
            return Ok(requires);
        };
        if let Some(python) = &root.requires_python {
            requires.add(Node::Python, &python.range());
        }
        let environment = self.problem.target.markers();
        let declared = root.requirements.iter().map(|declared| &declared.requirement);
        for requirement in declared.filter(|requirement| applies(requirement, environment)) {
            from_an_index(requirement)?;
            self.ask_ahead(requirement);
            requires.require(requirement);
        }
        Ok(requires)
    }

    fn package_requires(&self, package: &PackageName, version: &Version) -> Result<Requires, Stop> {
        let mut requires = Requires::default();
        if self.problem.provided.contains_key(package) {
            return Ok(requires);
        }
        let Some(declared) = self.declared_by(package, version)? else {
            return Ok(requires);
        };
        if let Some(python) = declared.requires_python().map(hermes_pep::Specifiers::range) {
            requires.add(Node::Python, &python);
        }
        for requirement in declared.always() {
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
        if let Some(provided) = self.problem.provided.get(package) {
            // As with any package, an extra that it does not have adds nothing.
            let added = provided.extras.get(extra).into_iter().flatten();
            let environment = self.problem.target.markers();
            for requirement in added.filter(|r| applies(r, environment)) {
                self.require(&mut requires, package, version, requirement)?;
            }
            return Ok(requires);
        }
        let Some(declared) = self.declared_by(package, version)? else {
            return Ok(requires);
        };
        for requirement in declared.added_by(extra) {
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
        from_an_index(requirement)?;
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
    fn declared_by(&self, package: &PackageName, version: &Version) -> Result<Option<Arc<Declared>>, Stop> {
        let file = self.file_of(package, version)?;
        if matches!(file.dist, DistFilename::Sdist(_)) {
            return Ok(None);
        }
        let key = (package.clone(), version.clone());
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

/// What comes from an address is no version of an index, whatever its name (contract C5).
fn from_an_index(requirement: &Requirement) -> Result<(), Stop> {
    if requirement.url.is_none() {
        return Ok(());
    }
    let message = format!(
        "it requires {} from an address instead of an index",
        requirement.name
    );
    Err(Stop::Unavailable(Unavailable::new(
        Code::DeclarationDirectUrl,
        message,
    )))
}

/// Why there are no dependencies to give.
enum Stop {
    Unavailable(Unavailable),
    Index(IndexFault),
}

impl DependencyProvider for Provider<'_> {
    type P = Node;
    type V = Version;
    type VS = VersionRange;
    type Priority = Priority;
    type M = Unavailable;
    type Err = Interrupt;

    fn prioritize(&self, node: &Node, range: &VersionRange, stats: &PackageResolutionStatistics) -> Priority {
        self.order
            .borrow_mut()
            .priority(node, range, stats.conflict_count())
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
                self.order
                    .borrow_mut()
                    .discover(list.iter().map(|(node, _)| node));
                Ok(Dependencies::Available(
                    list.into_iter().collect::<DependencyConstraints<_, _>>(),
                ))
            }
            Err(Stop::Unavailable(reason)) => Ok(Dependencies::Unavailable(reason)),
            Err(Stop::Index(fault)) => Err(fault.into()),
        }
    }

    fn should_cancel(&self) -> Result<(), Interrupt> {
        if self.order.borrow().wants_restart() {
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
