//! Markers where the standard leaves room: what is refused rather than guessed, and what extras mean.

#![allow(missing_docs, clippy::unwrap_used)]

use hermes_pep::{ExtraName, Marker, MarkerEnvironment, MarkerVariable, Platform, Requirement, Version};

fn environment(python: &str) -> MarkerEnvironment {
    let platform = Platform::parse("x86_64-manylinux_2_28").unwrap();
    MarkerEnvironment::cpython(&Version::parse(python).unwrap(), &platform)
}

fn holds(marker: &str, python: &str, extras: &[&str]) -> bool {
    let extras: Vec<ExtraName> = extras
        .iter()
        .map(|name| ExtraName::parse(name).unwrap())
        .collect();
    Marker::parse(marker)
        .unwrap()
        .evaluate(&environment(python), &extras)
}

#[test]
fn a_comparison_without_meaning_is_refused() {
    for text in [
        "os_name ~= '1.0'",
        "os_name === 'posix'",
        "'posix' === os_name",
        "python_version ~= 'x'",
        "extra ~= '1.0'",
        "extra === 'x'",
        "'a' == 'a'",
        "os_name == sys_platform",
        "extra == os_name",
        r"platform_version == 'a\x'",
        "os_name == 'a\nb'",
        "os_name\n== 'a'",
        "'x' in extras",
    ] {
        let error = Marker::parse(text).unwrap_err();
        assert!(!error.is_limit, "{text}");
        assert!(
            Requirement::parse(&format!("a; {text}")).is_err(),
            "a requirement must not lose a marker: {text}"
        );
    }
}

#[test]
fn extras_are_a_set_and_none_is_the_empty_text() {
    let cases: [(&str, &[&str], bool); 10] = [
        ("extra == 'X.y'", &["x-y", "z"], true),
        ("extra != 'x'", &["x", "z"], false),
        ("extra != 'x'", &[], true),
        ("extra == ''", &[], true),
        ("extra == ''", &["x"], false),
        ("'x' == extra", &["x"], true),
        ("extra in 'my_x other'", &["my-x"], true),
        ("extra not in 'my_x other'", &["my-x", "z"], false),
        ("'x' in extra", &["xyz"], true),
        ("extra == 'a' and extra == 'b'", &["a", "b"], true),
    ];
    for (text, extras, wanted) in cases {
        assert_eq!(holds(text, "3.11.0", extras), wanted, "{text} {extras:?}");
    }
}

#[test]
fn a_candidate_of_python_comes_before_its_release() {
    for (text, wanted) in [
        ("python_version >= '3.15'", true),
        ("python_full_version >= '3.15'", false),
        ("python_full_version >= '3.15.0rc1'", true),
        ("python_full_version < '3.15'", false),
        ("python_full_version == '3.15.*'", true),
        ("implementation_version === '3.15.0rc2'", true),
        ("'3.15.0rc2' <= python_full_version", true),
    ] {
        assert_eq!(holds(text, "3.15.0rc2", &[]), wanted, "{text}");
    }
}

#[test]
fn an_interpreter_between_releases_has_a_version() {
    let value = "3.13.0+".to_owned();
    let built = MarkerEnvironment::new([(MarkerVariable::PythonFullVersion, value)]);
    let marker = Marker::parse("python_full_version >= '3.13'").unwrap();
    assert!(marker.evaluate(&built, &[]));
}

#[test]
fn what_a_marker_looks_at() {
    let marker = Marker::parse("os_name == 'nt' and ('X_y' == extra or '3' < python_version)").unwrap();
    let variables: Vec<_> = marker.variables().into_iter().collect();
    assert_eq!(variables, [MarkerVariable::OsName, MarkerVariable::PythonVersion]);
    let extras: Vec<String> = marker.extras().iter().map(ToString::to_string).collect();
    assert_eq!(extras, ["x-y"]);
}
