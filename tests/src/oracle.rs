//! Decides small problems by trying everything: the judge of the solver.
//!
//! It reads the description of the index, not the index, and knows the rules of
//! `admission/src/python/rules.rs` in its own words: a release counts when it has a wheel that fits, was
//! not uploaded too late, is not withdrawn (unless a root pins it) and runs on the target's Python.
//! Pre-releases count: whether they are taken is a matter of preference, not of possibility.

use std::collections::BTreeSet;

use hermes_admission::{Problem, Provided, Root};
use hermes_pep::{ExtraName, PackageName, Requirement, Specifiers, Version, WheelFilename};

use crate::Fault;
use crate::fake_index::{Universe, VersionDescription};

/// Whether a problem has a solution.
pub fn is_satisfiable(problem: &Problem, universe: &Universe) -> Result<bool, Fault> {
    let python = problem.target.python().release_only();
    let runs = |root: &Root| {
        root.requires_python
            .as_ref()
            .is_none_or(|range| range.range().contains(&python))
    };
    if !problem.roots.iter().all(runs) {
        return Ok(false);
    }
    let tables = Tables::new(problem, universe)?;
    Ok(tables.search(&vec![None; tables.releases.len()]))
}

/// Everything compiled to numbers.
struct Tables {
    /// By package, its usable releases with what they require.
    releases: Vec<Vec<Edges>>,
    roots: Edges,
}

type Edges = Vec<Edge>;

/// A requirement: while the extra is asked for, `to` must be one of the allowed releases.
struct Edge {
    extra: Option<ExtraName>,
    to: usize,
    allowed: Vec<bool>,
    extras: Vec<ExtraName>,
}

/// A package with its usable releases and what they require.
type Found = (PackageName, Vec<(Version, Vec<Hanging>)>);

/// A requirement with the extra that it hangs on.
type Hanging = (Option<ExtraName>, Requirement);

enum State {
    Complete,
    Broken,
    Needs(usize),
}

impl Tables {
    fn new(problem: &Problem, universe: &Universe) -> Result<Self, Fault> {
        let mut found = Vec::new();
        for (name, package) in &universe.packages {
            let name = PackageName::parse(name)?;
            if problem.provided.contains_key(&name) {
                continue;
            }
            let mut usable = Vec::new();
            let offered = package
                .versions
                .iter()
                .filter(|_| package.status.as_deref() != Some("quarantined"));
            for (version, described) in offered {
                if let Some(requires) = usable_release(problem, &name, version, described)? {
                    usable.push((Version::parse(version)?, requires));
                }
            }
            found.push((name, usable));
        }
        for (name, provided) in &problem.provided {
            found.push((name.clone(), vec![provided_release(provided)]));
        }
        Ok(Self::compile(problem, &found))
    }

    fn compile(problem: &Problem, found: &[Found]) -> Self {
        let compile = |hanging: &[Hanging]| hanging.iter().map(|one| edge(found, one)).collect();
        let mut releases: Vec<Vec<Edges>> = found
            .iter()
            .map(|(_, releases)| releases.iter().map(|(_, requires)| compile(requires)).collect())
            .collect();
        // The project that nobody knows: it has no releases.
        releases.push(Vec::new());
        let environment = problem.target.markers();
        let asked = problem
            .roots
            .iter()
            .flat_map(|root| &root.requirements)
            .map(|declared| &declared.requirement);
        let asked = asked.filter(|r| r.marker.as_ref().is_none_or(|m| m.evaluate(environment, &[])));
        let roots: Vec<Hanging> = asked.map(|requirement| (None, requirement.clone())).collect();
        Self {
            releases,
            roots: compile(&roots),
        }
    }

    /// Tries every release of every package that is needed. The depth is the number of packages.
    fn search(&self, chosen: &[Option<usize>]) -> bool {
        let package = match self.state(chosen) {
            State::Complete => return true,
            State::Broken => return false,
            State::Needs(package) => package,
        };
        let many = self.releases.get(package).map_or(0, Vec::len);
        (0..many).any(|release| {
            let mut next = chosen.to_vec();
            if let Some(slot) = next.get_mut(package) {
                *slot = Some(release);
            }
            self.search(&next)
        })
    }

    /// Follows every requirement of what is chosen.
    fn state(&self, chosen: &[Option<usize>]) -> State {
        let mut needs = None;
        let mut seen: BTreeSet<(usize, Option<&ExtraName>)> = BTreeSet::new();
        let mut waiting: Vec<&Edge> = self.roots.iter().collect();
        while let Some(edge) = waiting.pop() {
            let Some(release) = chosen.get(edge.to).copied().flatten() else {
                needs = Some(edge.to);
                continue;
            };
            if edge.allowed.get(release) != Some(&true) {
                return State::Broken;
            }
            for extra in edge.extras.iter().map(Some).chain([None]) {
                if seen.insert((edge.to, extra)) {
                    waiting.extend(self.edges(edge.to, release, extra));
                }
            }
        }
        needs.map_or(State::Complete, State::Needs)
    }

    fn edges<'t>(
        &'t self,
        package: usize,
        release: usize,
        extra: Option<&'t ExtraName>,
    ) -> impl Iterator<Item = &'t Edge> {
        let edges = self
            .releases
            .get(package)
            .and_then(|releases| releases.get(release));
        let edges = edges.map(Vec::as_slice).unwrap_or_default();
        edges.iter().filter(move |edge| edge.extra.as_ref() == extra)
    }
}

/// A requirement as numbers. One of an address never holds.
fn edge(found: &[Found], (extra, requirement): &Hanging) -> Edge {
    let to = found
        .iter()
        .position(|(name, _)| *name == requirement.name)
        .unwrap_or(found.len());
    let releases = found
        .get(to)
        .map(|(_, releases)| releases.as_slice())
        .unwrap_or_default();
    let range = requirement.specifiers.range();
    let allowed = releases
        .iter()
        .map(|(version, _)| requirement.url.is_none() && range.contains(version));
    Edge {
        extra: extra.clone(),
        to,
        allowed: allowed.collect(),
        extras: requirement.extras.clone(),
    }
}

fn provided_release(provided: &Provided) -> (Version, Vec<Hanging>) {
    let hanging = provided.extras.iter().flat_map(|(extra, list)| {
        list.iter()
            .map(move |requirement| (Some(extra.clone()), requirement.clone()))
    });
    (provided.version.clone(), hanging.collect())
}

/// The requirements of a release that counts; `None` for one that does not.
fn usable_release(
    problem: &Problem,
    name: &PackageName,
    version: &str,
    described: &VersionDescription,
) -> Result<Option<Vec<Hanging>>, Fault> {
    let python = described
        .requires_python
        .as_deref()
        .map(Specifiers::parse)
        .transpose()?;
    let runs = python.is_none_or(|range| range.range().contains(&problem.target.python().release_only()));
    let assume = problem.policy.assume;
    let allowed = runs
        && (assume.aged || !is_too_late(problem, name, described))
        && (assume.yanked || !described.yanked || is_pinned(problem, name, &Version::parse(version)?));
    if allowed && has_fitting_wheel(problem, name, version, described) {
        return match described.metadata {
            None => requirements(problem, described).map(Some),
            Some(_) => Ok(None),
        };
    }
    // Nobody knows what a build would require: it is taken to require nothing.
    Ok((allowed && assume.builds && described.sdist).then(Vec::new))
}

fn has_fitting_wheel(
    problem: &Problem,
    name: &PackageName,
    version: &str,
    described: &VersionDescription,
) -> bool {
    let stem = name.as_str().replace('-', "_");
    let file = |tag: &str| WheelFilename::parse(&format!("{stem}-{version}-{tag}.whl"));
    let fits = |tag: &&str| file(tag).is_ok_and(|wheel| wheel.rank(problem.target.tags()).is_some());
    described.tags().iter().any(fits)
}

fn is_too_late(problem: &Problem, name: &PackageName, described: &VersionDescription) -> bool {
    let policy = &problem.policy;
    match (&policy.exclude_newer, &described.upload_time) {
        (None, _) => false,
        (Some(_), _) if policy.quarantine_exempt.contains(name) => false,
        (Some(cutoff), Some(time)) => time >= cutoff,
        (Some(_), None) => !policy.allow_undated,
    }
}

fn is_pinned(problem: &Problem, name: &PackageName, version: &Version) -> bool {
    let mut asked = problem
        .roots
        .iter()
        .flat_map(|root| &root.requirements)
        .map(|declared| &declared.requirement);
    asked.any(|requirement| {
        let applies = requirement
            .marker
            .as_ref()
            .is_none_or(|marker| marker.evaluate(problem.target.markers(), &[]));
        let mut exact = requirement
            .specifiers
            .iter()
            .filter(|specifier| specifier.is_exact());
        requirement.name == *name && applies && exact.any(|specifier| specifier.range().contains(version))
    })
}

/// What holds in the target's environment, each with the extra that it hangs on.
fn requirements(problem: &Problem, described: &VersionDescription) -> Result<Vec<Hanging>, Fault> {
    let mut all = Vec::new();
    let plain = described.requires.iter().map(|text| (None, text));
    let extras = described
        .extras
        .iter()
        .flat_map(|(extra, list)| list.iter().map(move |text| (Some(extra), text)));
    for (extra, text) in plain.chain(extras) {
        let requirement = Requirement::parse(text)?;
        let holds = |m: &hermes_pep::Marker| m.evaluate(problem.target.markers(), &[]);
        if requirement.marker.as_ref().is_none_or(holds) {
            all.push((extra.map(|name| ExtraName::parse(name)).transpose()?, requirement));
        }
    }
    Ok(all)
}
