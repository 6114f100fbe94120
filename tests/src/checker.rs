//! Judges a resolution against the index, independently of how it was found: every requirement of every
//! root and every chosen package is met, every file may be used, and nothing is superfluous.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hermes_admission::{Problem, Resolution, ResolvedPackage};
use hermes_pep::{
    CoreMetadata, DistFilename, ExtraName, IndexFile, Marker, PackageName, ProjectStatus, Requirement,
    Version,
};

use crate::raw_index::RawIndex;

/// What was chosen of one package.
#[derive(Debug, Clone)]
pub struct Pick {
    /// The version.
    pub version: Version,
    /// The name of the file.
    pub filename: String,
}

/// Everything that is wrong with a resolution; nothing when it is valid.
pub fn check(problem: &Problem, index: &dyn RawIndex, resolution: &Resolution) -> Vec<String> {
    let picks = resolution.packages.iter().map(|(name, package)| {
        let pick = Pick {
            version: package.version.clone(),
            filename: package.file.filename.clone(),
        };
        (name.clone(), pick)
    });
    let picks: BTreeMap<PackageName, Pick> = picks.collect();
    let (reached, mut wrong) = Check {
        problem,
        index,
        picks: &picks,
        wrong: Vec::new(),
    }
    .run();
    for (name, package) in &resolution.packages {
        wrong.extend(wrong_extras(name, package, reached.get(name)));
    }
    wrong
}

/// The same for names, versions and file names, as a receipt has them.
pub fn check_picks(
    problem: &Problem,
    index: &dyn RawIndex,
    picks: &BTreeMap<PackageName, Pick>,
) -> Vec<String> {
    Check {
        problem,
        index,
        picks,
        wrong: Vec::new(),
    }
    .run()
    .1
}

/// Packages that are asked for, with the extras.
type Reached = BTreeMap<PackageName, BTreeSet<ExtraName>>;

fn wrong_extras(
    name: &PackageName,
    package: &ResolvedPackage,
    reached: Option<&BTreeSet<ExtraName>>,
) -> Option<String> {
    let asked = reached.cloned().unwrap_or_default();
    (asked != package.extras).then(|| {
        format!(
            "{name}: the extras {asked:?} are asked for, {:?} are told",
            package.extras
        )
    })
}

struct Check<'a> {
    problem: &'a Problem,
    index: &'a dyn RawIndex,
    picks: &'a BTreeMap<PackageName, Pick>,
    wrong: Vec<String>,
}

impl Check<'_> {
    fn run(mut self) -> (Reached, Vec<String>) {
        let mut waiting: Vec<(String, Requirement)> = Vec::new();
        let python = self.problem.target.python().release_only();
        for root in &self.problem.roots {
            if root
                .requires_python
                .as_ref()
                .is_some_and(|range| !range.range().contains(&python))
            {
                self.wrong
                    .push(format!("{} does not run on Python {python}", root.id));
            }
            let asked = root
                .requirements
                .iter()
                .map(|declared| declared.requirement.clone());
            waiting.extend(
                asked
                    .filter(|r| self.holds(r, None))
                    .map(|r| (root.id.clone(), r)),
            );
        }
        let mut reached: BTreeMap<PackageName, BTreeSet<Option<ExtraName>>> = BTreeMap::new();
        while let Some((by, requirement)) = waiting.pop() {
            if !self.is_met(&by, &requirement) {
                continue;
            }
            for extra in requirement.extras.iter().cloned().map(Some).chain([None]) {
                let name = &requirement.name;
                if reached.entry(name.clone()).or_default().insert(extra.clone()) {
                    let by = extra
                        .as_ref()
                        .map_or_else(|| name.to_string(), |extra| format!("{name}[{extra}]"));
                    waiting.extend(
                        self.requires(name, extra.as_ref())
                            .into_iter()
                            .map(|r| (by.clone(), r)),
                    );
                }
            }
        }
        for name in self.picks.keys().filter(|name| !reached.contains_key(*name)) {
            self.wrong
                .push(format!("{name} is chosen and nobody asks for it"));
        }
        let extras = reached
            .into_iter()
            .map(|(name, all)| (name, all.into_iter().flatten().collect()));
        (extras.collect(), self.wrong)
    }

    /// Whether the chosen version is one that is required.
    fn is_met(&mut self, by: &str, requirement: &Requirement) -> bool {
        let name = &requirement.name;
        let provided = self.problem.provided.get(name).map(|provided| &provided.version);
        let Some(version) = provided.or_else(|| self.picks.get(name).map(|pick| &pick.version)) else {
            self.wrong
                .push(format!("{by} requires {requirement}, and {name} is not there"));
            return false;
        };
        if requirement.url.is_some() {
            self.wrong
                .push(format!("{by} requires {requirement} from an address"));
        }
        if !requirement.specifiers.range().contains(version) {
            self.wrong
                .push(format!("{by} requires {requirement}, and {version} is chosen"));
        }
        true
    }

    /// What a chosen package requires, or what one of its extras adds.
    fn requires(&mut self, name: &PackageName, extra: Option<&ExtraName>) -> Vec<Requirement> {
        let requires = match (self.problem.provided.get(name), extra) {
            (Some(provided), Some(extra)) => provided.extras.get(extra).cloned().unwrap_or_default(),
            (Some(_), None) => Vec::new(),
            (None, _) => match self.read(name, extra.is_none()) {
                Ok(metadata) => metadata.requires.clone(),
                Err(message) => {
                    self.wrong.push(format!("{name}: {message}"));
                    Vec::new()
                }
            },
        };
        requires
            .into_iter()
            .filter(|requirement| self.holds(requirement, extra))
            .collect()
    }

    fn holds(&self, requirement: &Requirement, extra: Option<&ExtraName>) -> bool {
        let extras: Vec<ExtraName> = extra.cloned().into_iter().collect();
        let test = |marker: &Marker| marker.evaluate(self.problem.target.markers(), &extras);
        requirement.marker.as_ref().is_none_or(test)
    }

    /// The metadata of what was chosen, after a look at the file the first time.
    fn read(&mut self, name: &PackageName, first: bool) -> Result<Arc<CoreMetadata>, String> {
        let pick = self.picks.get(name).ok_or("it is not chosen")?;
        let page = self
            .index
            .page(name)
            .map_err(|fault| fault.to_string())?
            .ok_or("the index does not know it")?;
        if page.status == ProjectStatus::Quarantined {
            self.wrong.push(format!("{name} is held back by the index"));
        }
        let file = page.files.iter().find(|file| file.filename == pick.filename);
        let file = file.ok_or_else(|| format!("{} is not on its page", pick.filename))?;
        let metadata = self
            .index
            .metadata(name, file)
            .map_err(|fault| fault.to_string())?;
        if first {
            let wrong = self.wrong_file(name, pick, file, &metadata);
            self.wrong.extend(
                wrong
                    .into_iter()
                    .map(|what| format!("{name}: {} {what}", file.filename)),
            );
        }
        Ok(metadata)
    }

    /// The reasons why a file may not be used.
    fn wrong_file(
        &self,
        name: &PackageName,
        pick: &Pick,
        file: &IndexFile,
        metadata: &CoreMetadata,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        if *file.version() != pick.version || metadata.version != pick.version || metadata.name != *name {
            wrong.push(format!("is not version {} of the package", pick.version));
        }
        let tags = self.problem.target.tags();
        match &file.dist {
            DistFilename::Wheel(wheel) if wheel.rank(tags).is_some() => {}
            DistFilename::Wheel(_) => wrong.push("does not fit the target".to_owned()),
            DistFilename::Sdist(_) => wrong.push("would have to be built".to_owned()),
        }
        let python = self.problem.target.python().release_only();
        for range in [&file.requires_python, &metadata.requires_python]
            .into_iter()
            .flatten()
        {
            if !range.range().contains(&python) {
                wrong.push(format!("requires Python {range}"));
            }
        }
        if file.yanked.is_some() && !self.is_pinned(name, &pick.version) {
            wrong.push("is withdrawn and no root pins it".to_owned());
        }
        if self.is_too_new(name, file) {
            wrong.push("is newer than the cutoff".to_owned());
        }
        wrong
    }

    fn is_pinned(&self, name: &PackageName, version: &Version) -> bool {
        let mut declared = self.problem.roots.iter().flat_map(|root| &root.requirements);
        declared.any(|declared| {
            let requirement = &declared.requirement;
            let markers = self.problem.target.markers();
            let applies = requirement
                .marker
                .as_ref()
                .is_none_or(|marker| marker.evaluate(markers, &[]));
            let mut exact = requirement
                .specifiers
                .iter()
                .filter(|specifier| specifier.is_exact());
            requirement.name == *name && applies && exact.any(|specifier| specifier.range().contains(version))
        })
    }

    fn is_too_new(&self, name: &PackageName, file: &IndexFile) -> bool {
        let policy = &self.problem.policy;
        let Some(cutoff) = policy
            .exclude_newer
            .as_ref()
            .filter(|_| !policy.quarantine_exempt.contains(name))
        else {
            return false;
        };
        file.upload_time.as_ref().map_or(!policy.allow_undated, |time| {
            // `Z` sorts after the dot of a fraction.
            time.trim_end_matches('Z') >= cutoff.trim_end_matches('Z')
        })
    }
}
