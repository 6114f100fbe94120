//! The dependency star: who may depend on whom, and on what from outside.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use hermes_pm_tests::Fault;
use hermes_pm_tests::shared::workspace_root;

/// Every crate of the workspace with all crates of the workspace that it may depend on.
const STAR: [(&str, &[&str]); 8] = [
    ("hermes-pep", &[]),
    ("hermes-terms", &[]),
    ("hermes-fsx", &[]),
    ("hermes-admission", &["hermes-pep", "hermes-terms"]),
    ("hermes-catalog", &["hermes-pep", "hermes-terms", "hermes-fsx"]),
    ("hermes-receipts", &["hermes-terms", "hermes-fsx"]),
    (
        "hermes-pm",
        &[
            "hermes-pep",
            "hermes-terms",
            "hermes-fsx",
            "hermes-admission",
            "hermes-catalog",
            "hermes-receipts",
        ],
    ),
    (
        "hermes-pm-tests",
        &[
            "hermes-pep",
            "hermes-terms",
            "hermes-fsx",
            "hermes-admission",
            "hermes-catalog",
            "hermes-receipts",
            "hermes-pm",
        ],
    ),
];

/// The only crate that knows the leaf crates of uv.
const FACADE: &str = "hermes-pep";

/// Crates that a pure decision has no use for: files, network, clock, environment, processes.
const ACTING: [&str; 9] = [
    "tokio",
    "reqwest",
    "rustls",
    "rustix",
    "tempfile",
    "fs_extra",
    "jiff",
    "clap",
    "hermes-fsx",
];

fn metadata() -> Result<Metadata, Fault> {
    let mut command = MetadataCommand::new();
    command
        .manifest_path(workspace_root().join("Cargo.toml"))
        .no_deps();
    Ok(command.other_options(vec!["--offline".to_owned()]).exec()?)
}

fn names(package: &Package) -> BTreeSet<&str> {
    package
        .dependencies
        .iter()
        .map(|dependency| dependency.name.as_str())
        .collect()
}

#[test]
fn edges_are_those_of_the_star() -> Result<(), Fault> {
    let metadata = metadata()?;
    let allowed: BTreeMap<&str, &[&str]> = STAR.into();
    let found: BTreeSet<&str> = metadata
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(
        found,
        allowed.keys().copied().collect(),
        "the crates of the workspace"
    );
    for package in &metadata.packages {
        let may = allowed[package.name.as_str()];
        for edge in names(package)
            .into_iter()
            .filter(|name| allowed.contains_key(name))
        {
            assert!(may.contains(&edge), "{} may not depend on {edge}", package.name);
        }
    }
    Ok(())
}

#[test]
fn only_the_facade_depends_on_uv() -> Result<(), Fault> {
    for package in metadata()?
        .packages
        .iter()
        .filter(|package| package.name.as_str() != FACADE)
    {
        let uv: Vec<&str> = names(package)
            .into_iter()
            .filter(|name| name.starts_with("uv-"))
            .collect();
        assert!(uv.is_empty(), "{} depends on {uv:?}", package.name);
    }
    Ok(())
}

#[test]
fn admission_depends_on_nothing_that_acts() -> Result<(), Fault> {
    let metadata = metadata()?;
    for package in metadata
        .packages
        .iter()
        .filter(|package| package.name.as_str() == "hermes-admission")
    {
        let acting: Vec<&str> = names(package)
            .into_iter()
            .filter(|name| ACTING.contains(name))
            .collect();
        assert!(acting.is_empty(), "admission depends on {acting:?}");
    }
    Ok(())
}

/// Versions and options of outside crates stand in one place, and every crate obeys the workspace's lints.
#[test]
fn manifests_inherit_from_the_workspace() -> Result<(), Fault> {
    for package in &metadata()?.packages {
        let manifest: toml::Table = toml::from_str(&std::fs::read_to_string(&package.manifest_path)?)?;
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(
            lints.and_then(toml::Value::as_bool),
            Some(true),
            "{} sets lints of its own",
            package.name
        );
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(entries) = manifest.get(section).and_then(toml::Value::as_table) else {
                continue;
            };
            for (name, entry) in entries {
                let inherits = entry.get("workspace").and_then(toml::Value::as_bool) == Some(true);
                assert!(
                    inherits,
                    "{}: {name} does not come from the workspace",
                    package.name
                );
            }
        }
    }
    Ok(())
}
