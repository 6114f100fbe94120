//! Judged by PyPA's `packaging`: every version, specifier, requirement and marker of the vectors
//! agrees, or stands on the list of differences with its reason. A listed one that agrees fails too.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hermes_pep::{ExtraName, Marker, MarkerEnvironment, MarkerVariable, Requirement, Specifiers, Version};
use serde_json::Value;

fn vectors(name: &str) -> Value {
    let shared = std::env::var_os("HERMES_PM_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = shared.join("vectors").join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("the vectors are needed at {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Compares what differs with the checked-in list.
fn judge(kind: &str, differing: &BTreeSet<String>) {
    let listed: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(include_str!("differences.json")).unwrap();
    let listed = listed.get(kind).cloned().unwrap_or_default();
    let unlisted: Vec<_> = differing
        .iter()
        .filter(|text| !listed.contains_key(*text))
        .collect();
    let healed: Vec<_> = listed.keys().filter(|text| !differing.contains(*text)).collect();
    assert!(
        unlisted.is_empty(),
        "{kind}: these differ from packaging: {unlisted:#?}"
    );
    assert!(
        healed.is_empty(),
        "{kind}: these agree now, take them off the list: {healed:#?}"
    );
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn versions_agree() {
    let all = vectors("versions.json");
    let mut differing = BTreeSet::new();
    for case in all["valid"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let agrees = Version::parse(text).is_ok_and(|version| {
            version.to_string() == case["normalized"].as_str().unwrap()
                && version.is_prerelease() == case["is_prerelease"].as_bool().unwrap()
        });
        if !agrees {
            differing.insert(text.to_owned());
        }
    }
    differing.extend(
        strings(&all["invalid"])
            .into_iter()
            .filter(|text| Version::parse(text).is_ok()),
    );
    judge("versions", &differing);
}

#[test]
fn versions_are_ordered_alike() {
    let all = vectors("versions.json");
    let sorted = strings(&all["sorted"]);
    let sorted: Vec<Version> = sorted
        .iter()
        .filter_map(|text| Version::parse(text).ok())
        .collect();
    assert!(sorted.len() > 50, "the vectors hold versions");
    for pair in sorted.windows(2) {
        assert!(pair[0] <= pair[1], "{} before {}", pair[0], pair[1]);
    }
    for group in all["equal_groups"].as_array().unwrap() {
        let group: Vec<Version> = strings(group)
            .iter()
            .filter_map(|text| Version::parse(text).ok())
            .collect();
        assert!(group.windows(2).all(|pair| pair[0] == pair[1]), "{group:?}");
    }
}

#[test]
fn specifiers_agree() {
    let all = vectors("specifiers.json");
    let candidates = strings(&all["candidates"]);
    let mut differing = BTreeSet::new();
    for case in all["specifiers"].as_array().unwrap() {
        let text = case["spec"].as_str().unwrap();
        let inside: BTreeSet<String> = strings(&case["contains"]).into_iter().collect();
        let Ok(specifiers) = Specifiers::parse(text) else {
            differing.insert(text.to_owned());
            continue;
        };
        let range = specifiers.range();
        for candidate in &candidates {
            let Ok(version) = Version::parse(candidate) else {
                continue;
            };
            if range.contains(&version) != inside.contains(candidate) {
                differing.insert(format!("{text} | {candidate}"));
            }
        }
    }
    differing.extend(
        strings(&all["invalid"])
            .into_iter()
            .filter(|text| Specifiers::parse(text).is_ok()),
    );
    judge("specifiers", &differing);
}

#[test]
fn requirements_agree() {
    let all = vectors("requirements.json");
    let mut differing = BTreeSet::new();
    for case in all["valid"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        if !Requirement::parse(text).is_ok_and(|parsed| same_requirement(&parsed, case)) {
            differing.insert(text.to_owned());
        }
    }
    differing.extend(
        strings(&all["invalid"])
            .into_iter()
            .filter(|text| Requirement::parse(text).is_ok()),
    );
    judge("requirements", &differing);
}

fn same_requirement(parsed: &Requirement, case: &Value) -> bool {
    let extras: Vec<String> = parsed.extras.iter().map(ToString::to_string).collect();
    let specifiers: BTreeSet<String> = parsed.specifiers.iter().map(ToString::to_string).collect();
    let wanted: BTreeSet<String> = strings(&case["specifier"]).into_iter().collect();
    parsed.name.as_str() == case["name"].as_str().unwrap()
        && extras == strings(&case["extras"])
        && specifiers == wanted
        && parsed.url.as_deref() == case["url"].as_str()
        && parsed.marker.as_ref().map(ToString::to_string).as_deref() == case["marker"].as_str()
        && Requirement::parse(&parsed.to_string()).as_ref() == Ok(parsed)
}

fn environments(all: &Value) -> BTreeMap<String, MarkerEnvironment> {
    let environment = |values: &Value| {
        MarkerEnvironment::new(
            MarkerVariable::ALL
                .map(|variable| (variable, values[variable.name()].as_str().unwrap().to_owned())),
        )
    };
    all["environments"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, values)| (name.clone(), environment(values)))
        .collect()
}

#[test]
fn markers_agree() {
    let all = vectors("markers.json");
    let environments = environments(&all);
    let mut differing = BTreeSet::new();
    for case in all["valid"].as_array().unwrap() {
        let text = case["marker"].as_str().unwrap();
        let Ok(marker) = Marker::parse(text) else {
            differing.insert(text.to_owned());
            continue;
        };
        assert_eq!(Marker::parse(&marker.to_string()).as_ref(), Ok(&marker), "{text}");
        for (key, wanted) in case["result"].as_object().unwrap() {
            let (environment, extra) = key.split_once('/').unwrap();
            let extras: Vec<ExtraName> = ExtraName::parse(extra).into_iter().collect();
            if Some(marker.evaluate(&environments[environment], &extras)) != wanted.as_bool() {
                differing.insert(format!("{text} | {key}"));
            }
        }
    }
    differing.extend(
        strings(&all["invalid"])
            .into_iter()
            .filter(|text| Marker::parse(text).is_ok()),
    );
    judge("markers", &differing);
}

/// The short way for interpreters says what the range says.
#[test]
fn releases_are_judged_as_by_the_range() {
    let all = vectors("specifiers.json");
    let releases = [
        "3.8.0", "3.11.0", "3.11.7", "3.12.1", "3.14.0", "1.0.0", "2.0.0", "1.1.0",
    ];
    for case in all["specifiers"].as_array().unwrap() {
        let Ok(specifiers) = Specifiers::parse(case["spec"].as_str().unwrap()) else {
            continue;
        };
        for release in releases {
            let version = Version::parse(release).unwrap();
            assert_eq!(
                specifiers.contains_release(&version),
                specifiers.range().contains(&version),
                "{specifiers} {release}"
            );
        }
    }
}
