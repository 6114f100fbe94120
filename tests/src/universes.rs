//! Small random problems from a seed: few packages, few versions, and everything that makes resolving
//! hard (extras, markers, pre-releases, epochs, withdrawn and late releases, wrong Pythons, missing
//! packages, missing wheels, broken metadata, packages that require themselves).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hermes_admission::{Preference, Problem, Provided};
use hermes_pep::{ExtraName, PackageName, Requirement, Version};

use crate::dice::Dice;
use crate::fake_index::{PackageDescription, Universe, VersionDescription};
use crate::{Fault, problem};

const PACKAGES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
/// Packages that are required and exist nowhere.
const MISSING: [&str; 1] = ["nowhere"];
const VERSIONS: [&str; 8] = [
    "1.0",
    "1.1",
    "1.5.post1",
    "2.0b1",
    "2.0",
    "2.0+local",
    "3.0",
    "1!0.5",
];
const EXTRAS: [&str; 2] = ["x", "y"];
const SPECIFIERS: [&str; 16] = [
    "", "", "", "", "", "", ">=1.0", ">=1.1", "<2", "!=1.1", "==2.0", "~=1.0", ">=2.0b1", ">1.5", "==1.*",
    "<3,>=1.5",
];
const MARKERS: [&str; 5] = [
    "sys_platform == \"linux\"",
    "sys_platform == \"win32\"",
    "python_version >= \"3.12\"",
    "python_full_version < \"3.12\" or os_name == \"nt\"",
    "platform_machine in \"x86_64 aarch64\"",
];
const PYTHONS: [&str; 4] = [">=3.9", ">=3.12", "<3.12", "!=3.11.*"];
const TAGS: [&str; 5] = [
    "cp311-cp311-manylinux_2_17_x86_64",
    "cp312-cp312-manylinux_2_17_x86_64",
    "cp39-abi3-manylinux_2_17_x86_64",
    "py3-none-win_amd64",
    "py2.py3-none-any",
];
const TIMES: [&str; 3] = [
    "2026-01-01T00:00:00Z",
    "2026-06-01T00:00:00Z",
    "2026-09-01T00:00:00Z",
];
/// A cutoff that falls on one of the times.
const CUTOFF: &str = "2026-06-01T00:00:00Z";

/// A random problem with its index.
#[derive(Debug, Clone)]
pub struct RandomCase {
    /// The index.
    pub universe: Universe,
    /// The question.
    pub problem: Problem,
}

impl RandomCase {
    /// The case in words, for whoever has to find out what went wrong.
    pub fn show(&self) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        for root in &self.problem.roots {
            let declared: Vec<&str> = root
                .requirements
                .iter()
                .map(|declared| declared.text.as_str())
                .collect();
            let _ = writeln!(
                text,
                "{}: {declared:?} python {:?}",
                root.id, root.requires_python
            );
        }
        let _ = writeln!(text, "{:?}\n{:?}", self.problem.policy, self.problem.provided);
        for (name, package) in &self.universe.packages {
            for (version, described) in &package.versions {
                let _ = writeln!(text, "{name} {version} {:?}: {described:?}", package.status);
            }
        }
        text
    }
}

/// The problem of a seed.
pub fn random(seed: u64) -> Result<RandomCase, Fault> {
    let mut dice = Dice::new(seed);
    let many = 1 + dice.below(PACKAGES.len());
    let names = PACKAGES.get(..many).unwrap_or_default();
    let mut packages = BTreeMap::new();
    for name in names {
        packages.insert((*name).to_owned(), package(&mut dice, names));
    }
    let universe = Universe { packages };
    let problem = question(&mut dice, names)?;
    Ok(RandomCase { universe, problem })
}

fn package(dice: &mut Dice, names: &[&str]) -> PackageDescription {
    let mut versions = BTreeMap::new();
    for _ in 0..(1 + dice.below(4)).min(dice.below(40)) {
        versions.insert(dice.pick(&VERSIONS).to_owned(), version(dice, names));
    }
    PackageDescription {
        status: dice.chance(1).then(|| "quarantined".to_owned()),
        versions,
    }
}

fn version(dice: &mut Dice, names: &[&str]) -> VersionDescription {
    let requires = (0..dice.below(3)).map(|_| requirement(dice, names)).collect();
    let mut extras = BTreeMap::new();
    if dice.chance(30) {
        let list = (0..dice.below(3)).map(|_| requirement(dice, names)).collect();
        extras.insert(dice.pick(&EXTRAS).to_owned(), list);
    }
    let tags = if dice.chance(8) {
        vec![dice.pick(&TAGS).to_owned()]
    } else {
        Vec::new()
    };
    VersionDescription {
        requires,
        extras,
        requires_python: dice.chance(6).then(|| dice.pick(&PYTHONS).to_owned()),
        sdist: dice.chance(50),
        wheel: !dice.chance(4),
        wheel_tags: tags,
        yanked: dice.chance(5),
        upload_time: dice.chance(90).then(|| dice.pick(&TIMES).to_owned()),
        metadata: dice.chance(1).then(|| "this is no metadata\n".to_owned()),
    }
}

fn requirement(dice: &mut Dice, names: &[&str]) -> String {
    let name = if dice.chance(1) {
        dice.pick(&MISSING)
    } else {
        dice.pick(names)
    };
    let extras = match dice.below(10) {
        0 => "[x]",
        1 => "[y]",
        2 => "[x,y]",
        _ => "",
    };
    if dice.below(200) == 0 {
        return format!("{name} @ http://files.example/{name}-1.0.tar.gz");
    }
    let marker = if dice.chance(15) {
        format!("; {}", dice.pick(&MARKERS))
    } else {
        String::new()
    };
    format!("{name}{extras}{}{marker}", dice.pick(&SPECIFIERS))
}

/// A requirement of a root: it may pin, and never names an address (scanning refuses those).
fn declared(dice: &mut Dice, names: &[&str]) -> String {
    if dice.chance(10) {
        return format!("{}=={}", dice.pick(names), dice.pick(&VERSIONS));
    }
    loop {
        let text = requirement(dice, names);
        if !text.contains('@') {
            return text;
        }
    }
}

fn question(dice: &mut Dice, names: &[&str]) -> Result<Problem, Fault> {
    let mut roots = Vec::new();
    for id in ["core", "first", "second"].iter().take(1 + dice.below(3)) {
        let requires: Vec<String> = (0..=dice.below(2)).map(|_| declared(dice, names)).collect();
        let python = dice.chance(2).then(|| dice.pick(&PYTHONS));
        roots.push(problem::root(id, &requires, python)?);
    }
    let mut problem = problem::plain(
        roots,
        problem::target(dice.pick(&["3.11", "3.12"]), "x86_64-linux")?,
    );
    if dice.chance(15) {
        problem.policy.exclude_newer = Some(CUTOFF.to_owned());
        problem.policy.allow_undated = dice.chance(50);
        if dice.chance(30) {
            problem
                .policy
                .quarantine_exempt
                .insert(PackageName::parse(dice.pick(names))?);
        }
    }
    problem.policy.prereleases = dice.chance(10);
    if dice.chance(20) {
        let versions = [(
            PackageName::parse(dice.pick(names))?,
            Version::parse(dice.pick(&VERSIONS))?,
        )];
        problem.preferences.push(Preference {
            origin: "core-lock",
            versions: versions.into(),
        });
    }
    if dice.chance(15) {
        problem
            .provided
            .insert(PackageName::parse(dice.pick(names))?, provided(dice, names)?);
    }
    Ok(problem)
}

fn provided(dice: &mut Dice, names: &[&str]) -> Result<Provided, Fault> {
    let mut extras = BTreeMap::new();
    if dice.chance(60) {
        let requirement = Requirement::parse(&declared(dice, names))?;
        extras.insert(ExtraName::parse(dice.pick(&EXTRAS))?, vec![requirement]);
    }
    Ok(Provided {
        version: Version::parse(dice.pick(&VERSIONS))?,
        extras,
    })
}
