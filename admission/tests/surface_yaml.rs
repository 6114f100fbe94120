//! YAML made to break a reader, or to be understood differently by another one (reliability D07, D09).

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use std::fmt::Write as _;

use hermes_admission::surface::Found;
use hermes_terms::Code;
use support::{MemoryTree, refused, scanned, soon, told};

fn laughs() -> String {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..12 {
        let item = format!("*a{}", n - 1);
        let _ = writeln!(text, "a{n}: &a{n} {}", listed_bare(&[item.as_str(); 10]));
    }
    text + "pip_dependencies: *a11\n"
}

fn listed_bare(items: &[&str]) -> String {
    format!("[{}]", items.join(", "))
}

#[test]
fn d07_yaml_bombs() {
    let maps = (1..12).fold("a0: &a0 {k: v}\n".to_owned(), |mut text, n| {
        let before = n - 1;
        let _ = writeln!(
            text,
            "a{n}: &a{n} {{a: *a{before}, b: *a{before}, c: *a{before}, d: *a{before}, e: *a{before}}}"
        );
        text
    });
    let merged = (1..24).fold("a0: &a0 {k: v}\n".to_owned(), |mut text, n| {
        let before = n - 1;
        let _ = writeln!(text, "a{n}: &a{n} {{<<: [*a{before}, *a{before}], k{n}: v}}");
        text
    });
    for (what, text) in [
        ("a billion laughs", laughs()),
        ("a billion mappings", maps),
        ("100,000 brackets", "[".repeat(100_000)),
        (
            "100,000 closed brackets",
            format!("x: {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        ),
        ("100,000 braces", "{a: ".repeat(100_000)),
        ("65 levels", format!("x: {}{}", "[".repeat(65), "]".repeat(65))),
        ("21 levels", format!("x: {}{}", "[".repeat(21), "]".repeat(21))),
        (
            "21 levels of mappings",
            format!("x: {}{}", "{a: ".repeat(21), "}".repeat(21)),
        ),
        ("100,000 dashes", "- ".repeat(100_000)),
        ("30,000 items", format!("x: [{}]", "1,".repeat(30_000))),
        ("merges of merges", merged),
    ] {
        refused(what, "plugin.yaml", text.as_bytes(), Code::YamlLimits);
    }
    let levels = (1..1000).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "{}a:", " ".repeat(n));
        text
    });
    refused(
        "1,000 levels of blocks",
        "plugin.yaml",
        levels.as_bytes(),
        Code::YamlLimits,
    );
}

#[test]
fn d07_what_yaml_readers_understand_differently() {
    for (what, text) in [
        ("an alias of itself", "a: &a [*a]\npip_dependencies: *a\n"),
        ("an unknown alias", "pip_dependencies: *b\n"),
        ("a key twice", "pip_dependencies: [a]\npip_dependencies: []\n"),
        ("an unread key twice", "x: {y: 1, y: 2}\n"),
        ("a key that is a list", "? [a]\n: b\n"),
        ("two documents", "a: 1\n---\nb: 2\n"),
        ("a tab", "a:\n\t- b\n"),
        ("a control character", "a: \"\u{1}\"\n"),
        ("a lone quote", "a: 'b\n"),
    ] {
        let scan = soon(what, &MemoryTree::of(&[("plugin.yaml", text)]));
        assert_eq!(scan.found, Found::Invalid, "{what}");
        assert_eq!(scan.faults.len(), 1, "{what}");
        let fault = &scan.faults[0];
        let known = [Code::YamlInvalid, Code::YamlLimits].contains(&fault.code);
        assert!(known && fault.line > 0 && fault.column > 0, "{what}: {fault:?}");
    }
}

#[test]
fn d07_tags() {
    for text in [
        "pip_dependencies: !!python/object/apply:os.system [id]\n",
        "pip_dependencies: !x [a]\n",
        "pip_dependencies: [!x a]\n",
        "pip_dependencies: [!<tag:x.example,2000:y> a]\n",
        "x: !y {a: b}\n",
        "!x name: y\n",
        "!x\nname: y\n",
        "%TAG !e! tag:e.example,2000:\n---\nx: !e!z 1\n",
        "name: !include other.yaml\n",
        "pip_dependencies: [!!binary Zm9v]\n",
        "pip_dependencies: !!set {a}\n",
        "pip_dependencies: !!omap [a: 1]\n",
    ] {
        refused(text, "plugin.yaml", text.as_bytes(), Code::YamlTag);
    }
}

/// A plain scalar that another reader takes for something else is a text here, or refused.
#[test]
fn d09_yaml_types() {
    for (scalar, version) in [
        ("1.10", Some("1.10")),
        ("1.0", Some("1.0")),
        ("'1.10'", Some("1.10")),
        ("2026-01-01", Some("2026-01-01")),
        ("0o17", Some("0o17")),
        ("1_000", Some("1_000")),
        ("1e3", Some("1e3")),
        ("0x10", Some("0x10")),
        ("007", Some("007")),
        ("1.2.3", Some("1.2.3")),
        ("12:30:45", Some("12:30:45")),
        ("~", None),
        ("null", None),
        ("", None),
        ("no", None),
        ("on", None),
        ("true", None),
    ] {
        let scan = scanned(&[("plugin.yaml", &format!("version: {scalar}\n"))]);
        assert_eq!(scan.faults, [], "{scalar}");
        assert_eq!(scan.manifest.unwrap().version.as_deref(), version, "{scalar}");
    }
    for scalar in [
        "1.10", "no", "on", "yes", "true", "~", "1", ".inf", ".nan", "-1", "1e3", "0x10", "[]", "{}",
    ] {
        let scan = scanned(&[("plugin.yaml", &format!("pip_dependencies:\n- {scalar}\n"))]);
        assert_eq!(told(&scan), "plugin.yaml:2:3 declaration.invalid", "{scalar}");
    }
    for scalar in ["'no'", "\"on\"", "none-such", "nox", "onnx"] {
        let scan = scanned(&[("plugin.yaml", &format!("pip_dependencies:\n- {scalar}\n"))]);
        assert_eq!(
            told(&scan),
            format!("manifest: {}", scalar.trim_matches(['\'', '"']))
        );
    }
}

/// An alias says what its anchor says, and is placed where that stands.
#[test]
fn d09_anchors_and_merges() {
    let scan = scanned(&[("plugin.yaml", "all: &all\n- a\n- b^1\npip_dependencies: *all\n")]);
    assert_eq!(told(&scan), "plugin.yaml:3:3 declaration.invalid");
    let scan = scanned(&[("plugin.yaml", "base: &base\n  pip_dependencies: [a]\n<<: *base\n")]);
    assert_eq!(told(&scan), "manifest: a");
}
