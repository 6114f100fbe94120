//! Declarations made to break a reader: each is refused, soon, with its code (reliability D04 to D10).

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use hermes_admission::ReadFaultKind;
use hermes_admission::surface::{Found, scan};
use hermes_terms::Code;
use support::{MemoryTree, faults, listed, quoted, refused, scanned, soon, told};

#[test]
fn d03_names_that_are_no_names() {
    for name in [
        ".",
        "..",
        "../up",
        "a/b",
        "",
        "-x",
        ".git",
        "\u{441}lick",
        "a\nb",
        "a\u{202e}b",
        "CON ",
        "x.",
    ] {
        for file in ["plugin.yaml", "plugin.json"] {
            let content = format!("{{\"name\":\n {}}}", quoted(name));
            refused(&format!("{name:?}"), file, content.as_bytes(), Code::PluginName);
        }
    }
    refused(
        "a long name",
        "plugin.json",
        format!("{{\"name\": \"{}\"}}", "a".repeat(65)).as_bytes(),
        Code::PluginName,
    );
    for value in ["1", "true", "[a]", "{a: b}", "1.5", "[]"] {
        let content = format!("name: {value}");
        refused(
            &content,
            "plugin.yaml",
            content.as_bytes(),
            Code::DeclarationInvalid,
        );
    }
}

/// Refused with this code in a list of either file.
fn refused_in_lists(what: &str, text: &str, code: Code) {
    let item = quoted(text);
    let manifest = format!("{{\"pip_dependencies\": [{item}]}}");
    refused(what, "plugin.json", manifest.as_bytes(), code);
    let project = format!("[project]\ndependencies = [{item}]");
    refused(what, "pyproject.toml", project.as_bytes(), code);
}

#[test]
fn d05_requirements_past_their_limits() {
    let deep = |n: usize| format!("a; {}os_name == 'x'{}", "(".repeat(n), ")".repeat(n));
    let terms = |n: usize| format!("a; {}", vec!["os_name == 'x'"; n].join(" or "));
    let extras: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    for (what, text) in [
        ("20,000 parentheses", deep(20_000)),
        ("100 parentheses", deep(100)),
        ("open parentheses only", format!("a; {}", "(".repeat(20_000))),
        ("250 terms", terms(250)),
        ("100 terms", terms(100)),
        ("200 extras", format!("a[{}]", extras.join(","))),
        ("200,000 extras", format!("a[{}]", "x,".repeat(200_000))),
        ("1,000 specifiers", format!("a{}", ["!=1"; 1000].join(","))),
        ("half a megabyte", format!("a>={}", "1".repeat(500_000))),
    ] {
        refused_in_lists(what, &text, Code::DeclarationLimits);
    }
}

#[test]
fn d05_requirements_that_are_none() {
    for text in [
        "6-]",
        "a\u{1b}[31m",
        "a\u{202e}b",
        "a\nb",
        "a>=\u{ff11}",
        "a\0",
        "(((",
        "a; (",
        "a[",
        "a ; ;",
    ] {
        refused_in_lists(&format!("{text:?}"), text, Code::DeclarationInvalid);
    }
}

#[test]
fn d05_a_thousand_requirements_and_no_more() {
    let names = |n: usize| (0..n).map(|n| format!("p{n}")).collect::<Vec<_>>();
    let list = |n: usize| listed(&names(n).iter().map(String::as_str).collect::<Vec<_>>());
    let project = |n| format!("[project]\ndependencies = {}", list(n));
    let manifest = |n| format!("pip_dependencies: {}", list(n));
    for (file, text) in [("pyproject.toml", project(1000)), ("plugin.yaml", manifest(1000))] {
        let scan = soon("1,000", &MemoryTree::of(&[(file, &text)]));
        assert_eq!(support::surface(&scan).requirements.len(), 1000, "{file}");
    }
    refused(
        "1,001",
        "pyproject.toml",
        project(1001).as_bytes(),
        Code::DeclarationLimits,
    );
    refused(
        "1,001",
        "plugin.yaml",
        manifest(1001).as_bytes(),
        Code::DeclarationLimits,
    );
    let both = format!("{}\npython_dependencies: [x]", manifest(1000));
    refused(
        "1,001 in both lists",
        "plugin.yaml",
        both.as_bytes(),
        Code::DeclarationLimits,
    );
    let scan = soon("a file of 50,000", &dynamic(&names(50_000).join("\n")));
    assert_eq!(faults(&scan.faults), "r.txt:1001:1 declaration.limits");
    let scan = soon("a file of 50,000 faults", &dynamic(&"^\n".repeat(50_000)));
    assert_eq!(scan.faults.len(), 1001);
}

fn dynamic(requirements: &str) -> MemoryTree {
    MemoryTree::of(&[
        (
            "pyproject.toml",
            "[project]\ndynamic = ['dependencies']\n[tool.setuptools.dynamic]\ndependencies = {file = ['r.txt']}",
        ),
        ("r.txt", requirements),
    ])
}

#[test]
fn d06_toml_bombs() {
    let dotted = vec!["a"; 50_000].join(".");
    for (what, text) in [
        ("20,000 brackets", format!("x={}", "[".repeat(20_000))),
        (
            "100,000 closed brackets",
            format!("x={}{}", "[".repeat(100_000), "]".repeat(100_000)),
        ),
        ("a dotted key", format!("{dotted}=1")),
        ("a dotted table", format!("[{dotted}]")),
        ("a dotted list of tables", format!("[[{dotted}]]")),
        ("20,000 inline tables", format!("x={}", "{a=".repeat(20_000))),
        (
            "20,000 closed inline tables",
            format!("x={}1{}", "{a=".repeat(20_000), "}".repeat(20_000)),
        ),
        ("200,000 signs", format!("x={}", "-".repeat(200_000))),
        (
            "1,000 levels of tables",
            (0..1000).fold(String::new(), |mut text, n| {
                let _ = writeln!(text, "[{}]", vec!["a"; n + 1].join("."));
                text
            }),
        ),
        ("a key twice", "a = 1\na = 2\n".to_owned()),
        ("a table twice", "[project]\n[project]\n".to_owned()),
        (
            "a list grown later",
            "[project]\ndependencies = ['a']\n[[project.dependencies]]\n".to_owned(),
        ),
        ("an open text", "a = 'x".to_owned()),
        ("a control character", "a = 'x\u{1}'".to_owned()),
        ("a lone carriage return", "a = 1\rb = 2".to_owned()),
    ] {
        refused(what, "pyproject.toml", text.as_bytes(), Code::TomlInvalid);
    }
}

/// What is large and flat is read, and soon.
#[test]
fn d06_large_and_flat_is_read() {
    let keys: String = (0..40_000).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "k{n} = {n}");
        text
    });
    let list = format!("x = [{}]", "1,".repeat(400_000));
    for text in [keys, list] {
        let tree = MemoryTree::of(&[("pyproject.toml", &text)]);
        let start = Instant::now();
        assert_eq!(told(&scan(&tree)), "nothing");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    }
}

#[test]
fn d08_json() {
    for (what, text) in [
        ("200,000 brackets", "[".repeat(200_000)),
        (
            "200,000 closed brackets",
            format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)),
        ),
        (
            "100 levels",
            format!("{{\"x\": {}{}}}", "[".repeat(100), "]".repeat(100)),
        ),
        ("200,000 braces", "{\"a\":".repeat(200_000)),
        (
            "a key twice",
            r#"{"pip_dependencies": ["a"], "pip_dependencies": []}"#.to_owned(),
        ),
        (
            "a key twice, spelt differently",
            r#"{"pip_dependencies": ["a"], "pip_dependencie\u0073": []}"#.to_owned(),
        ),
        (
            "an unread key twice",
            r#"{"x": {"sha256": "a", "sha256": "b"}}"#.to_owned(),
        ),
        ("a lone surrogate", r#"{"x": "\ud800"}"#.to_owned()),
        (
            "surrogates in the wrong order",
            r#"{"x": "\udc00\ud800"}"#.to_owned(),
        ),
        ("no number", r#"{"x": NaN}"#.to_owned()),
        ("infinity", r#"{"x": -Infinity}"#.to_owned()),
        ("a hexadecimal number", r#"{"x": 0x1}"#.to_owned()),
        ("a leading zero", r#"{"x": 01}"#.to_owned()),
        ("a comment", "{/* x */}".to_owned()),
        ("a trailing comma", r#"{"x": [1,]}"#.to_owned()),
        ("single quotes", "{'x': 1}".to_owned()),
        ("a second value", "{} {}".to_owned()),
        ("half a value", r#"{"x": "#.to_owned()),
        ("a raw line break in a text", "{\"x\": \"a\nb\"}".to_owned()),
        ("a zero byte", "{}\0".to_owned()),
        ("two marks", "\u{feff}\u{feff}{}".to_owned()),
    ] {
        refused(what, "plugin.json", text.as_bytes(), Code::JsonInvalid);
    }
    for (number, want) in [
        ("1e400", "1e400"),
        ("-0", "-0"),
        ("1.10", "1.10"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
    ] {
        let scan = scanned(&[("plugin.json", &format!("\u{feff}{{\"version\": {number}}}"))]);
        assert_eq!(scan.manifest.unwrap().version.as_deref(), Some(want));
        let scan = scanned(&[("plugin.json", &format!("{{\"pip_dependencies\": [{number}]}}"))]);
        assert_eq!(
            faults(&scan.faults),
            "plugin.json:1:23 declaration.invalid",
            "{number}"
        );
    }
    // An empty JSON file is no JSON, other than an empty YAML file.
    refused("an empty file", "plugin.json", b" ", Code::JsonInvalid);
}

const DECLARATIONS: [&str; 4] = ["pyproject.toml", "plugin.yaml", "plugin.yml", "plugin.json"];

#[test]
fn d10_files_that_cannot_be_read_are_named() {
    for file in DECLARATIONS {
        for (kind, code) in [
            (ReadFaultKind::NotAFile, Code::PluginUnreadable),
            (ReadFaultKind::Unreadable, Code::PluginUnreadable),
            (ReadFaultKind::TooLarge, Code::DeclarationLimits),
        ] {
            let scan = scan(&MemoryTree::of(&[("plugin.json", "{}")]).failing(file, kind));
            assert_eq!(scan.found, Found::Invalid, "{file} {kind:?}");
            assert_eq!(faults(&scan.faults), format!("{file}:0:0 {code}"));
        }
    }
    let tree = DECLARATIONS.iter().fold(MemoryTree::default(), |tree, file| {
        tree.failing(file, ReadFaultKind::NotAFile)
    });
    let want = "plugin.yaml:0:0 plugin.unreadable\npyproject.toml:0:0 plugin.unreadable";
    assert_eq!(faults(&scan(&tree).faults), want);
    // A requirement file that cannot be read makes the list no shorter.
    let tree = dynamic("").failing("r.txt", ReadFaultKind::NotAFile);
    assert_eq!(faults(&scan(&tree).faults), "r.txt:0:0 plugin.unreadable");
}

#[test]
fn d10_sizes() {
    let padded = |content: &str, size: usize| format!("{content}\n{}", "#".repeat(size - content.len() - 1));
    for (file, content) in [
        ("pyproject.toml", "[project]"),
        ("plugin.yaml", "pip_dependencies: []"),
    ] {
        let fits = MemoryTree::of(&[(file, &padded(content, 1 << 20))]);
        assert_eq!(soon(file, &fits).faults, [], "{file}");
        let large = MemoryTree::of(&[(file, &padded(content, (1 << 20) + 1))]);
        assert_eq!(
            faults(&soon(file, &large).faults),
            format!("{file}:0:0 declaration.limits")
        );
    }
}

#[test]
fn d10_encodings() {
    for file in DECLARATIONS {
        for (what, bytes) in [
            ("latin-1", b"# caf\xe9\n".as_slice()),
            ("UTF-16", b"\xff\xfen\0a\0m\0e\0"),
            ("a lone byte", b"\n\n  \x80"),
            ("an overlong byte", b"\xc0\x80"),
            ("a surrogate", b"\xed\xa0\x80"),
            ("a cut character", b"a\xe2\x82"),
        ] {
            refused(what, file, bytes, Code::DeclarationInvalid);
        }
    }
    let scan = scan(&MemoryTree::default().with("plugin.yaml", b"name: x\n# caf\xe9\n".as_slice()));
    assert_eq!(told(&scan), "plugin.yaml:2:6 declaration.invalid");
    for (file, text) in [
        ("plugin.yaml", "\u{feff}pip_dependencies: [a]"),
        ("plugin.yaml", "\u{feff}pip_dependencies:\r\n- a\r\n"),
        ("plugin.json", "\u{feff}{\"pip_dependencies\":\r\n[\"a\"]}"),
    ] {
        assert_eq!(told(&scanned(&[(file, text)])), "manifest: a", "{text:?}");
    }
    let project = "\u{feff}[project]\r\ndependencies = ['a']\r\n";
    assert_eq!(told(&scanned(&[("pyproject.toml", project)])), "pyproject: a");
}

#[test]
fn d10_names_of_requirement_files() {
    for name in [
        "",
        ".",
        "..",
        "../r",
        "/r",
        "a/r",
        "a\\r",
        "C:r",
        "r:s",
        "*",
        "r?",
        "a\0",
        "a\t",
        "\u{202e}r",
        "é",
        "a b",
    ] {
        let text = format!(
            "[project]\ndynamic = ['dependencies']\n[tool.setuptools.dynamic]\ndependencies = {{file = {}}}",
            quoted(name)
        );
        refused(
            &format!("{name:?}"),
            "pyproject.toml",
            text.as_bytes(),
            Code::DeclarationDynamic,
        );
    }
}

const SEEDS: [(&str, &str); 4] = [
    (
        "pyproject.toml",
        "[project]\nrequires-python = '>=3.11'\ndynamic = ['dependencies']\n[tool.setuptools.dynamic]\ndependencies = {file = ['plugin.yml']}\n[tool.uv.exclude-newer-package]\na = false\n",
    ),
    (
        "pyproject.toml",
        "[project]\ndependencies = [\"a[x]>=1,<2; os_name == 'nt'\", 'b @ https://index.example/b']\n",
    ),
    (
        "plugin.yaml",
        "name: x\nbase: &b [a>=1, \"é\"]\npip_dependencies: *b\n<<: {python_dependencies: [c]}\nrequires_hermes: '>=0.19, <1'\n",
    ),
    (
        "plugin.json",
        "{\"name\": \"x\", \"pip_dependencies\": [\"a\\u00e9\", 1e4, null], \"x\": {\"y\": [[], {}]}}",
    ),
];

proptest::proptest! {
    /// Whatever the bytes, a scan ends with an answer: a surface without faults, or faults with places
    /// inside the file.
    #[test]
    fn d10_damaged_files_get_an_answer(
        seed in 0_usize..SEEDS.len(),
        damage in proptest::collection::vec((0_usize..400, proptest::prelude::any::<u8>(), 0_u8..3), 0..6),
    ) {
        let (file, text) = SEEDS[seed];
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte, how) in damage {
            let at = at % bytes.len().max(1);
            match how {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                _ => bytes.truncate(at),
            }
        }
        let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
        let scan = scan(&MemoryTree::default().with(file, bytes));
        assert_eq!(scan.faults.is_empty(), scan.found != Found::Invalid);
        for fault in &scan.faults {
            assert!(fault.file != file || (1..=lines + 1).contains(&fault.line), "{fault:?}");
            assert!(!fault.message.chars().any(char::is_control), "{fault:?}");
        }
    }
}
