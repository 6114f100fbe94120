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

fn shapes() -> Vec<Shape> {
    let none = |_: usize| Vec::new();
    vec![
        shape(
            "each version needs another that does not exist",
            vec![
                ("ladder", package(5_000, |at| vec![format!("other=={at}.5")])),
                ("other", package(3, none)),
            ],
            &["ladder"],
            (false, 5_100),
        ),
        shape(
            "each version needs one of a partner that fits nobody else",
            vec![
                ("left", package(600, |at| vec![format!("middle=={at}.0")])),
                (
                    "right",
                    package(600, |at| vec![format!("middle=={}.0", at + 600)]),
                ),
                ("middle", package(1_200, none)),
            ],
            &["left", "right"],
            (false, 2_000),
        ),
        shape(
            "only the oldest version of one of two fits",
            vec![
                (
                    "client",
                    package(1_000, |at| {
                        vec![if at == 0 {
                            "wire<1".into()
                        } else {
                            "wire>=1".into()
                        }]
                    }),
                ),
                ("server", package(1_000, |_| vec!["wire<1".into()])),
                ("wire", package(2, none)),
            ],
            &["client", "server"],
            (true, 1_100),
        ),
        shape(
            "two that move in step, pinned apart by a third",
            vec![
                (
                    "front",
                    package(500, |at| vec![format!("back>={at}.0,<{}.0", at + 1)]),
                ),
                (
                    "back",
                    package(500, |at| {
                        vec![if at < 10 {
                            "base<1".into()
                        } else {
                            "base>=1".into()
                        }]
                    }),
                ),
                ("base", package(2, none)),
            ],
            &["front", "base<1"],
            (true, 1_100),
        ),
        diamonds(),
    ]
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
