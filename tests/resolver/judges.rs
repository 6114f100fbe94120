//! The judges themselves: each kind of damage is seen, and small problems with known answers are judged
//! rightly.

use hermes_admission::{Problem, Resolution, Solution, solve};
use hermes_pep::{PackageName, Version};
use hermes_pm_tests::fake_index::{FakeIndex, Universe};
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::{Fault, checker, oracle, problem};

const UNIVERSE: &str = r#"
[packages.a.versions."1.0"]
requires = ["b[x]>=1", "c; sys_platform == 'win32'"]
[packages.a.versions."2.0"]
requires = ["b<1"]
[packages.b.versions."1.0"]
extras = { x = ["c"] }
[packages.b.versions."1.1"]
requires_python = "<3.12"
extras = { x = ["c"] }
[packages.b.versions."1.2"]
wheel_tags = ["py3-none-win_amd64"]
[packages.b.versions."1.3"]
yanked = true
[packages.b.versions."1.4"]
upload_time = "2026-06-01T00:00:00Z"
[packages.b.versions."1.5"]
wheel = false
[packages.c.versions."1.0"]
[packages.d.versions."1.0"]
"#;

fn universe() -> Result<Universe, Fault> {
    let mut universe: Universe = toml::from_str(UNIVERSE)?;
    let releases = universe
        .packages
        .values_mut()
        .flat_map(|package| package.versions.values_mut());
    for release in releases.filter(|release| release.upload_time.is_none()) {
        release.upload_time = Some("2026-01-01T00:00:00Z".to_owned());
    }
    Ok(universe)
}

fn question(requires: &[&str]) -> Result<Problem, Fault> {
    let requires: Vec<String> = requires.iter().map(|text| (*text).to_owned()).collect();
    let root = problem::root("core", &requires, None)?;
    let mut problem = problem::plain(vec![root], problem::target("3.12", "x86_64-linux")?);
    problem.policy.exclude_newer = Some("2026-06-01T00:00:00Z".to_owned());
    Ok(problem)
}

fn resolved(problem: &Problem, index: &FakeIndex) -> Result<Resolution, Fault> {
    match solve(problem, &index.aimed(&problem.target)) {
        Solution::Resolved(resolution) => Ok(resolution),
        other => Err(Fault::new(format_args!("{other:?}"))),
    }
}

/// Moves a package to another version with its first file.
fn moved(resolution: &mut Resolution, index: &FakeIndex, name: &str, version: &str) -> Result<(), Fault> {
    let (name, version) = (PackageName::parse(name)?, Version::parse(version)?);
    let page = index.page(&name)?.ok_or_else(|| Fault::new("no page"))?;
    let file = page
        .files
        .iter()
        .find(|file| *file.version() == version)
        .ok_or_else(|| Fault::new("no file"))?;
    let package = resolution
        .packages
        .get_mut(&name)
        .ok_or_else(|| Fault::new("not chosen"))?;
    package.version = version;
    package.file = file.clone();
    Ok(())
}

#[test]
fn the_checker_sees_each_kind_of_damage() -> Result<(), Fault> {
    let index = FakeIndex::new(&universe()?)?;
    let problem = question(&["a"])?;
    let sound = resolved(&problem, &index)?;
    assert_eq!(checker::check(&problem, &index, &sound), Vec::<String>::new());
    let names: Vec<&str> = sound.packages.keys().map(PackageName::as_str).collect();
    assert_eq!(names, ["a", "b", "c"]);

    let table = [
        ("1.1", "requires Python"),
        ("1.2", "does not fit the target"),
        ("1.3", "is withdrawn"),
        ("1.4", "is newer than the cutoff"),
        ("1.5", "would have to be built"),
    ];
    for (version, expected) in table {
        let mut damaged = sound.clone();
        moved(&mut damaged, &index, "b", version)?;
        let wrong = checker::check(&problem, &index, &damaged).join("\n");
        // A source distribution has no metadata to read; that it is one is seen by its absence.
        let seen = wrong.contains(expected) || (version == "1.5" && wrong.contains("has no metadata"));
        assert!(seen, "{version}: {wrong}");
    }

    let mut damaged = sound.clone();
    moved(&mut damaged, &index, "a", "2.0")?;
    assert!(
        checker::check(&problem, &index, &damaged)
            .join("\n")
            .contains("a requires b<1, and 1.0 is chosen")
    );

    let mut damaged = sound.clone();
    damaged.packages.remove(&PackageName::parse("c")?);
    assert!(
        checker::check(&problem, &index, &damaged)
            .join("\n")
            .contains("c is not there")
    );

    let mut damaged = sound.clone();
    let more = resolved(&question(&["d"])?, &index)?;
    damaged.packages.extend(more.packages);
    assert_eq!(
        checker::check(&problem, &index, &damaged),
        ["d is chosen and nobody asks for it"]
    );

    let mut damaged = sound;
    damaged
        .packages
        .values_mut()
        .for_each(|package| package.extras.clear());
    assert!(
        checker::check(&problem, &index, &damaged)
            .join("\n")
            .contains("the extras")
    );
    Ok(())
}

#[test]
fn the_oracle_knows_the_small_cases() -> Result<(), Fault> {
    let universe = universe()?;
    let table: [(&[&str], bool); 11] = [
        (&["a"], true),
        (&["a==2.0"], false),
        (&["a", "c>1"], false),
        (&["b>1"], false),
        (&["b==1.3"], true),
        (&["b>=1.3"], false),
        (&["b[x]", "d"], true),
        (&["nowhere"], false),
        (&["nowhere; python_version < '3'"], true),
        (&["b==1.4"], false),
        (&["b==1.0", "b==1.3"], false),
    ];
    for (requires, expected) in table {
        assert_eq!(
            oracle::is_satisfiable(&question(requires)?, &universe)?,
            expected,
            "{requires:?}"
        );
    }
    Ok(())
}
