//! What a plugin root declares, as tables: files in, the surface or the faults with their places out
//! (contract C1 to C7).

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use hermes_admission::surface::{Found, HermesRange};
use hermes_pep::Version;
use hermes_terms::Code;
use support::{MemoryTree, faults, listed, quoted, scanned, shared, strings, surface, texts, told};

fn judge(table: &str) {
    support::judge(table, |files| told(&scanned(files)));
}

#[test]
fn c02_which_declaration_counts() {
    judge(include_str!("tables/c02-counts.txt"));
}

#[test]
fn c02_a_disagreement_is_told_with_both_lists() {
    let told = |project: &str, manifest: &str| {
        let scan = scanned(&[("pyproject.toml", project), ("plugin.yaml", manifest)]);
        assert!(scan.faults.is_empty(), "{:?}", scan.faults);
        scan.warnings
    };
    let warnings = told(
        "[project]\ndependencies = ['a>=1', 'Z']",
        "name: x\npip_dependencies: [b]\npython_dependencies: [c<2]\n",
    );
    assert_eq!(faults(&warnings), "plugin.yaml:2:20 declaration.mismatch");
    for part in [
        "pyproject.toml lists [a>=1, z]",
        "plugin.yaml lists [b, c<2]",
        "pyproject.toml counts",
    ] {
        assert!(warnings[0].message.contains(part), "{}", warnings[0].message);
    }
    assert_eq!(
        told("[project]", "pip_dependencies: [b]")[0].code,
        Code::DeclarationMismatch
    );
    for (project, manifest) in [
        (
            "[project]\ndependencies = ['a>=1', 'b']",
            "pip_dependencies: [B, 'a >= 1']",
        ),
        ("[project]\ndependencies = ['a>=1', 'b']", "pip_dependencies: []"),
        ("[project]\ndependencies = ['a>=1', 'b']", "name: x"),
        ("[project]\ndependencies = []", "pip_dependencies: []"),
        ("[tool.x]", "pip_dependencies: [a]"),
    ] {
        assert_eq!(told(project, manifest), [], "{project} / {manifest}");
    }
}

/// Lists that do not count are no reason to refuse, but they are told.
#[test]
fn c02_faults_of_an_overruled_list_are_warnings() {
    let scan = scanned(&[
        ("pyproject.toml", "[project]\ndependencies = ['a']"),
        ("plugin.yaml", "pip_dependencies:\n- b^1\n"),
    ]);
    assert_eq!(told(&scan), "pyproject: a");
    assert_eq!(faults(&scan.warnings), "plugin.yaml:2:3 declaration.invalid");
}

/// The double refuses every name that is not directly below the root.
#[test]
fn c03_only_the_root_is_scanned() {
    judge(include_str!("tables/c03-root.txt"));
}

#[test]
fn c04_external_roots_are_sidecars() {
    judge(include_str!("tables/c04-external.txt"));
}

#[test]
fn c05_dynamic_dependencies_are_read_only_where_they_are_text() {
    judge(include_str!("tables/c05-dynamic.txt"));
}

#[test]
fn c05_addresses_poetry_and_requirements_on_hermes() {
    judge(include_str!("tables/c05-refused.txt"));
}

#[test]
fn c06_every_fault_in_one_run_with_its_place() {
    let scan = scanned(&[
        (
            "pyproject.toml",
            "[project]\nname = 'x'\nrequires-python = 'three'\ndependencies = [\n  'good>=1',\n  'b^1', 'ö^1', 'c^1',\n  3,\n  { x = 1 },\n  'd @ https://index.example/d.whl',\n]\n",
        ),
        (
            "plugin.yaml",
            "name: ../up\npython_runtime: [a]\nrequires_hermes: '~=1'\nrequires_plugins: [1]\nmanifest_version: 3\n",
        ),
        (
            "Cargo.toml",
            "[package]\nname = 'x'\n[package.metadata.hermes]\nkind = 'x'\n",
        ),
    ]);
    assert_eq!(scan.found, Found::Invalid);
    let want = "\
        Cargo.toml:3:1 declaration.unsupported\n\
        plugin.yaml:1:7 plugin.name\n\
        plugin.yaml:2:17 declaration.invalid\n\
        plugin.yaml:3:18 declaration.invalid\n\
        plugin.yaml:4:19 declaration.invalid\n\
        plugin.yaml:5:19 declaration.unsupported\n\
        pyproject.toml:3:19 declaration.invalid\n\
        pyproject.toml:6:3 declaration.invalid\n\
        pyproject.toml:6:10 declaration.invalid\n\
        pyproject.toml:6:17 declaration.invalid\n\
        pyproject.toml:7:3 declaration.invalid\n\
        pyproject.toml:8:3 declaration.invalid\n\
        pyproject.toml:9:3 declaration.direct-url";
    assert_eq!(faults(&scan.faults), want);
}

#[test]
fn c06_places_and_types() {
    judge(include_str!("tables/c06-places.txt"));
}

#[test]
fn c07_a_rust_part_counts_only_when_it_opts_in() {
    judge(include_str!("tables/c07-cargo.txt"));
}

/// Judged by `packaging`: what it refuses is refused, where it stands.
#[test]
fn c06_every_invalid_requirement_of_the_vectors_is_placed() {
    let vectors = shared("vectors/requirements.json");
    for text in strings(&vectors["invalid"]) {
        let item = quoted(text);
        for (file, content, place) in [
            (
                "plugin.yaml",
                format!("pip_dependencies:\n  - ok\n  - {item}\n"),
                (3, 5),
            ),
            (
                "plugin.json",
                format!("{{\"pip_dependencies\":\n[\"ok\", {item}]}}"),
                (2, 8),
            ),
            (
                "pyproject.toml",
                format!("[project]\ndependencies = [\n  'ok', {item},\n]\n"),
                (3, 9),
            ),
        ] {
            let scan = scanned(&[(file, &content)]);
            assert_eq!(scan.found, Found::Invalid, "{text:?}");
            let want = format!("{file}:{}:{} declaration.invalid", place.0, place.1);
            assert_eq!(faults(&scan.faults), want, "{text:?}");
        }
    }
    for valid in vectors["valid"].as_array().unwrap() {
        let text = valid["text"].as_str().unwrap();
        let content = format!("pip_dependencies:\n  - {}\n", quoted(text));
        let told = told(&scanned(&[("plugin.yaml", &content)]));
        let want = if valid["url"].is_null() {
            format!("manifest: {}", text.trim())
        } else {
            "plugin.yaml:2:5 declaration.direct-url".to_owned()
        };
        assert_eq!(told, want, "{text:?}");
    }
}

/// The same requirements, whichever file declares them; the origin tells the two apart.
#[test]
fn c02_real_plugins_read_the_same_from_every_file() {
    let corpus = shared("corpus/real-plugins.json");
    for plugin in corpus["plugins"].as_array().unwrap() {
        let list = listed(&strings(&plugin["dependencies"]));
        let python = plugin["requires_python"].as_str().unwrap();
        let project = format!(
            "[project]\nrequires-python = {}\ndependencies = {list}\n",
            quoted(python)
        );
        let project = scanned(&[("pyproject.toml", &project)]);
        let by_project = surface(&project);
        assert_eq!(texts(&by_project.requirements), strings(&plugin["dependencies"]));
        assert!(by_project.requires_python.is_some());
        for (file, content) in [
            ("plugin.yaml", format!("pip_dependencies: {list}\n")),
            ("plugin.json", format!("{{\"python_dependencies\": {list}}}")),
        ] {
            let manifest = scanned(&[(file, &content)]);
            if by_project.requirements.is_empty() {
                assert_eq!(told(&manifest), "nothing", "{}", plugin["name"]);
                continue;
            }
            let by_manifest = surface(&manifest);
            let plain = |at: &hermes_admission::RootRequirement| (at.text.clone(), at.requirement.clone());
            assert!(
                by_project
                    .requirements
                    .iter()
                    .map(plain)
                    .eq(by_manifest.requirements.iter().map(plain)),
                "{}",
                plugin["name"]
            );
            assert_ne!(by_project.origin, by_manifest.origin);
            assert_ne!(by_project.digest, by_manifest.digest);
        }
    }
}

/// Formatting and comments leave the digest alone; what is declared does not.
#[test]
fn c10_the_digest_is_of_what_is_declared() {
    let digest = |text: &str| surface(&scanned(&[("pyproject.toml", text)])).digest.clone();
    let one = digest("[project]\nrequires-python = '>=3.11'\ndependencies = ['a>=1,<2', 'b']\n");
    let same = "# x\n[project]\nversion = '2'\ndependencies = [\n  'A >= 1, < 2', # y\n  'b',\n]\nrequires-python = '>= 3.11'\n";
    assert_eq!(one, digest(same));
    for other in [
        "[project]\ndependencies = ['a>=1,<2', 'b']\n",
        "[project]\nrequires-python = '>=3.12'\ndependencies = ['a>=1,<2', 'b']\n",
        "[project]\nrequires-python = '>=3.11'\ndependencies = ['a>=1,<3', 'b']\n",
        "[project]\nrequires-python = '>=3.11'\ndependencies = ['a>=1,<2']\n",
    ] {
        assert_ne!(one, digest(other), "{other}");
    }
}

#[test]
fn the_manifest_is_read() {
    let scan = scanned(&[(
        "plugin.yml",
        "name: Mem_0.x-y\nversion: 1.10\ndescription: what\nkind: platform\nrequires_hermes: 0.19\nrequires_plugins: [a, b]\nmanifest_version: 2\n",
    )]);
    assert_eq!(scan.faults, []);
    let manifest = scan.manifest.unwrap();
    assert_eq!(manifest.file, "plugin.yml");
    assert_eq!(manifest.name.as_deref(), Some("Mem_0.x-y"));
    assert_eq!(manifest.version.as_deref(), Some("1.10"), "D09");
    assert_eq!(manifest.description.as_deref(), Some("what"));
    assert_eq!(manifest.kind.as_deref(), Some("platform"));
    assert_eq!(manifest.requires_hermes.unwrap().to_string(), "0.19");
    assert_eq!(manifest.requires_plugins, ["a", "b"]);
}

#[test]
fn c08_requires_hermes() {
    for (text, inside, outside) in [
        ("", "0.1 9", ""),
        ("0.19.0", "0.19 0.19.1 1", "0.18.9"),
        (">=0.19.0, <1", "0.19.0 0.99", "0.18 1 1.0.1"),
        (" >= 0.19 ,<= 0.21.3 ", "0.19 0.21.3", "0.21.4"),
        ("==0.19.0", "0.19.0 0.19", "0.19.1"),
        ("!=0.20.0", "0.19.0 0.20.1", "0.20.0"),
        (">0.19,<0.21", "0.20", "0.19 0.21"),
    ] {
        let range = HermesRange::parse(text).unwrap_or_else(|| panic!("{text}"));
        let contains = |version: &str| range.contains(&Version::parse(version).unwrap());
        for version in inside.split_whitespace() {
            assert!(contains(version), "{version} in {text:?}");
        }
        for version in outside.split_whitespace() {
            assert!(!contains(version), "{version} in {text:?}");
        }
    }
    for text in [
        "~=1.0",
        "===1",
        "=>1",
        "=1",
        "^1",
        ">=1.0.*",
        ">=1,",
        ",",
        ">=",
        "1.0a1",
        "v1",
        "1..2",
        ".1",
        "1.",
        ">=1 <2",
        ">=\u{661}",
        "<=>1",
        ">= =1",
        "1!2",
        "1+2",
        "*",
        "latest",
    ] {
        assert_eq!(HermesRange::parse(text), None, "{text:?}");
        let manifest = format!("name: x\nrequires_hermes: {}\n", quoted(text));
        let scan = scanned(&[("plugin.yaml", &manifest)]);
        assert_eq!(told(&scan), "plugin.yaml:2:18 declaration.invalid", "{text:?}");
    }
    for value in ["[1]", "true", "{a: 1}"] {
        let scan = scanned(&[("plugin.yaml", &format!("requires_hermes: {value}"))]);
        assert_eq!(told(&scan), "plugin.yaml:1:18 declaration.invalid", "{value}");
    }
}

/// `kind` decides; without it the text of `__init__.py` does, its first 8 KiB.
#[test]
fn c27_memory_providers_are_told_by_text() {
    let late = format!("{}class X(MemoryProvider): ...", " ".repeat(8 << 10));
    let early = format!("from x import MemoryProvider\n{}", " ".repeat(1 << 19));
    for (manifest, init, want) in [
        ("kind: exclusive", None, true),
        ("kind: platform", Some("class X(MemoryProvider): ..."), false),
        ("name: x", Some("class X(MemoryProvider): ..."), true),
        ("name: x", Some("ctx.register_memory_provider(p)"), true),
        ("name: x", Some("ctx.register_tool(t)"), false),
        ("name: x", Some(""), false),
        ("name: x", None, false),
        ("kind:", Some("MemoryProvider"), true),
        ("name: x", Some(&late), false),
        ("name: x", Some(&early), true),
    ] {
        let tree = MemoryTree::of(&[("plugin.yaml", manifest)]);
        let tree = init
            .iter()
            .fold(tree, |tree, text| tree.with("__init__.py", *text));
        let got = hermes_admission::surface::scan(&tree).is_exclusive;
        let shown: String = init.unwrap_or("none").chars().take(40).collect();
        assert_eq!(got, want, "{manifest} / {shown}");
    }
    let bare = MemoryTree::default().with("__init__.py", b"\xff\xfe MemoryProvider".as_slice());
    assert!(
        hermes_admission::surface::scan(&bare).is_exclusive,
        "without a manifest, whatever the encoding"
    );
}

/// A plugin exempts from the quarantine only what it requires itself with one exact version.
#[test]
fn c10_exemptions_from_the_quarantine() {
    let scan = scanned(&[(
        "pyproject.toml",
        "[project]\ndependencies = ['A==1.0', 'b>=1', 'c==2']\n[tool.uv.exclude-newer-package]\na = false\nb = false\nc = '2026-01-01'\nd = false\n",
    )]);
    let exempt: Vec<String> = surface(&scan)
        .quarantine_exempt
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(exempt, ["a"]);
    let want = "\
        pyproject.toml:5:5 policy.quarantine\n\
        pyproject.toml:6:5 policy.quarantine\n\
        pyproject.toml:7:5 policy.quarantine";
    assert_eq!(faults(&scan.warnings), want);
}
