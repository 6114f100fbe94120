//! D11: what shapes that are hard for a resolver cost, in steps. Steps are the same on every machine.

use std::collections::BTreeMap;

use hermes_admission::{Effort, Judgement, decide};
use hermes_pm_tests::fake_index::{FakeIndex, PackageDescription, Universe, VersionDescription};
use hermes_pm_tests::raw_index::RawIndex;
use hermes_pm_tests::{Fault, problem};

/// A package with so many versions, and what each of them requires.
fn package(versions: usize, requires: impl Fn(usize) -> Vec<String>) -> PackageDescription {
    let version = |at: usize| {
        let description = VersionDescription {
            requires: requires(at),
            sdist: false,
            ..VersionDescription::default()
        };
        (format!("{at}.0"), description)
    };
    PackageDescription {
        status: None,
        versions: (0..versions).map(version).collect(),
    }
}

/// A shape: its packages, what core requires, whether that can be met, and the most steps.
struct Shape {
    name: &'static str,
    packages: Vec<(String, PackageDescription)>,
    requires: Vec<String>,
    fits: bool,
    most: u64,
}

fn shape(
    name: &'static str,
    packages: Vec<(&str, PackageDescription)>,
    requires: &[&str],
    (fits, most): (bool, u64),
) -> Shape {
    Shape {
        name,
        packages: packages
            .into_iter()
            .map(|(name, what)| (name.to_owned(), what))
            .collect(),
        requires: requires.iter().map(|text| (*text).to_owned()).collect(),
        fits,
        most,
    }
}

fn none(_: usize) -> Vec<String> {
    Vec::new()
}

fn shapes() -> Vec<Shape> {
    vec![missing(), apart(), oldest(), in_step(), diamonds()]
}

fn missing() -> Shape {
    let ladder = package(5_000, |at| vec![format!("other=={at}.5")]);
    let packages = vec![("ladder", ladder), ("other", package(3, none))];
    let name = "each version needs another that does not exist";
    shape(name, packages, &["ladder"], (false, 5_100))
}

fn apart() -> Shape {
    let packages = vec![
        ("left", package(600, |at| vec![format!("middle=={at}.0")])),
        (
            "right",
            package(600, |at| vec![format!("middle=={}.0", at + 600)]),
        ),
        ("middle", package(1_200, none)),
    ];
    let name = "each version needs one of a partner that fits nobody else";
    shape(name, packages, &["left", "right"], (false, 1_300))
}

/// The newest thousand of one package need what the other forbids: wrong backtracking tries them all
/// with each version of the other.
fn oldest() -> Shape {
    let wire = |at: usize| if at == 0 { "wire<1" } else { "wire>=1" };
    let packages = vec![
        ("client", package(1_000, |at| vec![wire(at).to_owned()])),
        ("server", package(1_000, |_| vec!["wire<1".to_owned()])),
        ("wire", package(2, none)),
    ];
    let name = "only the oldest version of one of two fits";
    shape(name, packages, &["client", "server"], (true, 1_100))
}

fn in_step() -> Shape {
    let base = |at: usize| if at < 10 { "base<1" } else { "base>=1" };
    let packages = vec![
        (
            "front",
            package(500, |at| vec![format!("back>={at}.0,<{}.0", at + 1)]),
        ),
        ("back", package(500, |at| vec![base(at).to_owned()])),
        ("base", package(2, none)),
    ];
    let name = "two that move in step, held back by a third";
    shape(name, packages, &["front", "base<1"], (true, 1_100))
}

/// Forty packages in four layers, each of which requires all of the next layer.
fn diamonds() -> Shape {
    let mut packages = Vec::new();
    for layer in 0..4_usize {
        for at in 0..10_usize {
            let next = move |version: usize| match layer {
                3 => Vec::new(),
                _ => (0..10)
                    .map(|other| format!("p{}-{other}>={}.0", layer + 1, version / 2))
                    .collect(),
            };
            packages.push((format!("p{layer}-{at}"), package(20, next)));
        }
    }
    Shape {
        name: "wide diamonds",
        packages,
        requires: (0..10).map(|at| format!("p0-{at}")).collect(),
        fits: true,
        most: 60,
    }
}

fn solve(shape: &Shape) -> Result<(bool, Effort), Fault> {
    let universe = Universe {
        packages: shape.packages.iter().cloned().collect::<BTreeMap<_, _>>(),
    };
    let root = problem::root("core", &shape.requires, None)?;
    let asked = problem::plain(vec![root], problem::target("3.12", "x86_64-linux")?);
    match decide(&asked, None, &FakeIndex::new(&universe)?.aimed(&asked.target)) {
        Judgement::Admitted(resolution) => Ok((true, resolution.effort)),
        Judgement::Refused(refusal) => Ok((false, refusal.effort)),
        Judgement::Undecided(stop) => Err(Fault::new(format_args!("{}: {stop}", shape.name))),
    }
}

#[test]
fn d11_hard_shapes_take_few_steps() -> Result<(), Fault> {
    let mut wrong = Vec::new();
    for shape in shapes() {
        let (fits, effort) = solve(&shape)?;
        if fits != shape.fits || effort.steps > shape.most {
            wrong.push(format!("{}: fits {fits}, {effort}", shape.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
