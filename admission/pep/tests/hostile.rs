//! Texts made to break parsers (D05, D12, D13): refused, quickly, without a panic.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use hermes_pep::{
    CoreMetadata, ExtraName, Marker, PackageName, Requirement, RequirementErrorKind, Specifiers, Version,
};
use proptest::prelude::*;

/// Each takes well under a millisecond; the rest is room for a busy machine.
const AT_ONCE: Duration = Duration::from_millis(250);

#[test]
fn d05_limits_come_before_parsing() {
    let parens = format!("a; {}os_name == 'x'{}", "(".repeat(20_000), ")".repeat(20_000));
    let deep = format!("a; {}os_name == 'x'{}", "(".repeat(200), ")".repeat(200));
    let wide = format!("a; {}", vec!["os_name == 'x'"; 250].join(" or "));
    let extras = format!("a[{}]", vec!["x"; 200].join(","));
    let specifiers = format!("a{}", vec![">1"; 100].join(","));
    let long = format!("a{}", " ".repeat(1 << 20));
    for text in [&parens, &deep, &wide, &extras, &specifiers, &long] {
        let start = Instant::now();
        let error = Requirement::parse(text).unwrap_err();
        assert_eq!(error.kind, RequirementErrorKind::Limit, "{error}");
        assert!(start.elapsed() < AT_ONCE);
    }
}

#[test]
fn d12_long_runs_are_refused_at_once() {
    for sign in ["a", "-", ".", ",", " ", "(", "1", "=", "é"] {
        let text = sign.repeat(1 << 20);
        let start = Instant::now();
        assert!(Requirement::parse(&text).is_err() && Marker::parse(&text).is_err());
        assert!(Version::parse(&text).is_err() && Specifiers::parse(&text).is_err());
        assert!(PackageName::parse(&text).is_err() && ExtraName::parse(&text).is_err());
        assert!(start.elapsed() < AT_ONCE, "{sign}");
    }
}

#[test]
fn d05_a_text_that_made_another_parser_panic_is_refused() {
    assert!(Requirement::parse("6-]").is_err());
}

#[test]
fn d13_odd_versions() {
    for (text, normal) in [
        ("1!0", "1!0"),
        ("1.0+local", "1.0+local"),
        ("v1", "1"),
        ("1.0.post-1", "1.0.post1"),
    ] {
        assert_eq!(
            Version::parse(text).map(|version| version.to_string()).as_deref(),
            Ok(normal)
        );
    }
    let digits = "1".repeat(10_000);
    for text in [digits.as_str(), "\u{ff11}.\u{ff10}", "\u{663}.1"] {
        assert!(Version::parse(text).is_err(), "{}", text.len());
    }
}

#[test]
fn identity_is_of_texts() {
    let fits = |specifier: &str, version: &str| {
        let range = Specifiers::parse(specifier).unwrap().range();
        range.contains(&Version::parse(version).unwrap())
    };
    assert!(fits("===1.0", "1.0") && fits("===1.0RC1", "1.0rc1"));
    assert!(!fits("===1.0", "1.0+local") && !fits("===v1.0", "1.0") && !fits("===nightly", "1.0"));
    assert_eq!(Specifiers::parse("===nightly").unwrap().exact(), None);
    assert_eq!(
        Requirement::parse("a=== nightly").unwrap().to_string(),
        "a===nightly"
    );
}

#[test]
fn a_fault_says_where_it_is() {
    for (text, offset) in [
        ("foo>=", 3),
        ("foo; nonsense == 'x'", 5),
        ("foo >=1;; os_name=='nt'", 8),
        ("foo[a b]", 4),
    ] {
        assert_eq!(Requirement::parse(text).unwrap_err().offset, offset, "{text}");
    }
}

#[test]
fn metadata_is_read_strictly_where_it_matters() {
    let good = "Metadata-Version: 2.1\r\nName: Foo.Bar\r\nVersion: 1.0\r\nRequires-Dist: a (>=1)\r\nRequires-Dist: b;\r\n  extra == 'X_y'\r\nProvides-Extra: X_y\r\nRequires-Python: >=3.8\r\n\r\nName: again\r\n";
    let read = CoreMetadata::parse(good).unwrap();
    assert_eq!(
        (read.name.as_str(), read.requires.len(), read.is_static),
        ("foo-bar", 2, false)
    );
    assert_eq!(read.requires[1].to_string(), "b; extra == \"x-y\"");
    assert_eq!(read.extras, [ExtraName::parse("x-y").unwrap()]);
    for bad in [
        "",
        "Name: a\nName: b\nVersion: 1\n",
        "Name: a\n",
        "Name: a\nVersion: x\n",
        "junk\n",
        "Name: a\nVersion: 1\nRequires-Dist: !\n",
    ] {
        assert!(CoreMetadata::parse(bad).is_err(), "{bad:?}");
    }
    let marked = "\u{feff}Metadata-Version: 2.2\nName: a\nVersion: 1\nRequires-Python: >=x\n";
    let read = CoreMetadata::parse(marked).unwrap();
    assert_eq!((read.requires_python, read.is_static), (None, true));
    let error = CoreMetadata::parse("Name: a\nVersion: 1\nRequires-Dist: b\nRequires-Dist: !\n").unwrap_err();
    assert_eq!(error.line, 4);
    let large = "a".repeat(CoreMetadata::MAX_LENGTH + 1);
    assert!(CoreMetadata::parse(&large).is_err());
    let dynamic = "Metadata-Version: 2.4\nName: a\nVersion: 1\nDynamic: Requires-Dist\n";
    assert!(!CoreMetadata::parse(dynamic).unwrap().is_static);
}

proptest! {
    #[test]
    fn nothing_panics(text in ".{0,200}") {
        let _ = (Requirement::parse(&text), Marker::parse(&text), Version::parse(&text), Specifiers::parse(&text));
        let _ = (PackageName::parse(&text), CoreMetadata::parse(&text));
    }

    #[test]
    fn nothing_panics_on_what_looks_like_a_requirement(text in r#"[a-z6][a-z\-\[\]]{0,4}[ (>=<~!,.*0-9a-z\])]{0,20}[;@]? ?[a-z_ ().'"=<>]{0,40}"#) {
        if let Ok(parsed) = Requirement::parse(&text) {
            let again = Requirement::parse(&parsed.to_string());
            prop_assert_eq!(again, Ok(parsed));
        }
    }

    #[test]
    fn a_marker_means_the_same_after_printing(
        tests in proptest::collection::vec(("(os_name|sys_platform|python_version)", "(==|!=|<|>=)", "[0-9a-z.]{1,4}"), 1..6),
        joints in proptest::collection::vec(("(and|or)", any::<bool>()), 5),
    ) {
        let mut text = String::new();
        let mut open = 0;
        for (i, (name, op, value)) in tests.iter().enumerate() {
            if i > 0 {
                write!(text, " {} ", joints[i - 1].0).unwrap();
                if joints[i - 1].1 {
                    text.push('(');
                    open += 1;
                }
            }
            write!(text, "{name} {op} '{value}'").unwrap();
        }
        text.push_str(&")".repeat(open));
        let marker = Marker::parse(&text).unwrap();
        prop_assert_eq!(Marker::parse(&marker.to_string()).unwrap(), marker);
    }
}
