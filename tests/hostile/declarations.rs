//! D05 to D10: declarations of plugins that are hostile, broken or no files at all. As a candidate each is
//! invalid; as an active plugin it blocks everybody else and is named (C6).

use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::Command;

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::TestContext;
use hermes_pm_tests::shared::shared;
use serde_json::{Value, json};

use crate::{asked, codes, context};

/// The plugin `bad` is refused with this code for this file, alone and as an active plugin.
fn refused(context: &TestContext, what: &str, file: &str, code: &str) -> Result<(), Fault> {
    let at = |fault: Fault| fault.at(what);
    context.enable(&[])?;
    let (text, json) = asked(context, &["plan", "bad"]).map_err(at)?;
    assert_eq!(json.at("/decision/verdict").map_err(at)?, "invalid", "{what}");
    assert_eq!(json.code, Some(1), "{what}");
    assert_eq!(codes(&json)?.first().map(String::as_str), Some(code), "{what}");
    assert_eq!(json.at("/decision/refusal/faults/0/file")?, file, "{what}");
    assert!(
        text.stdout.contains(file) && text.stdout.contains(code),
        "{what}: {}",
        text.stdout
    );
    assert!(json.at("/sequence")?.as_u64() > Some(0), "{what}: a receipt");
    context.enable(&["bad"])?;
    let (text, json) = asked(context, &["plan", "good"]).map_err(at)?;
    assert_eq!(
        (json.code, json.at("/decision/verdict")?),
        (Some(1), json!("blocked")),
        "{what}"
    );
    assert_eq!(json.at("/decision/refusal/faults/0/plugin")?, "bad", "{what}");
    assert!(text.stdout.contains("bad: "), "{what}: {}", text.stdout);
    assert!(context.server().requests().is_empty(), "{what}");
    Ok(())
}

fn root() -> Result<TestContext, Fault> {
    let context = context()?;
    context.member("good", &["plain"])?;
    std::fs::create_dir_all(context.path("home/plugins/bad"))?;
    Ok(context)
}

fn file(name: &str, text: impl AsRef<[u8]>, code: &str) -> Result<(), Fault> {
    let context = root()?;
    let text = text.as_ref();
    context.write(format!("home/plugins/bad/{name}"), text)?;
    let shown: String = String::from_utf8_lossy(text).chars().take(60).collect();
    refused(&context, &format!("{name}: {shown}"), name, code)
}

/// D10: what is no small regular file is named, at once; opening it would block or never end.
#[test]
fn d10_special_and_endless_files_are_named() -> Result<(), Fault> {
    type Make = fn(&std::path::Path) -> std::io::Result<()>;
    let fifo: Make = |path| Command::new("mkfifo").arg(path).status().map(drop);
    let big: Make = |path| File::create(path)?.set_len(50 << 20);
    let folder: Make = |path| std::fs::create_dir(path);
    let zero: Make = |path| symlink("/dev/zero", path);
    let round: Make = |path| symlink(path, path);
    for name in ["pyproject.toml", "plugin.yaml", "plugin.json"] {
        let table = [
            ("a FIFO", fifo, "plugin.unreadable"),
            ("50 MB", big, "declaration.limits"),
            ("a folder", folder, "plugin.unreadable"),
            ("endless", zero, "plugin.unreadable"),
            ("a link to itself", round, "plugin.unreadable"),
        ];
        for (what, make, code) in table {
            let context = root()?;
            make(&context.path("home/plugins/bad").join(name))?;
            refused(&context, &format!("{name} is {what}"), name, code)?;
        }
    }
    Ok(())
}

/// C6: a root that cannot be read is named; it is neither absent nor empty.
#[test]
fn c06_a_root_that_cannot_be_read_is_named() -> Result<(), Fault> {
    let context = context()?;
    context.member("good", &["plain"])?;
    let root = context.path("home/plugins/bad");
    symlink(&root, &root)?;
    let (text, json) = asked(&context, &["plan", "bad"])?;
    assert_eq!(
        (json.code, json.at("/error/code")?),
        (Some(1), json!("plugin.unreadable"))
    );
    assert!(text.stderr.contains("home/plugins/bad: "), "{}", text.stderr);
    context.enable(&["bad"])?;
    for arguments in [&["plan", "good"][..], &["union"]] {
        let (text, json) = asked(&context, arguments)?;
        assert_eq!(
            (json.code, json.at("/decision/verdict")?),
            (Some(1), json!("blocked"))
        );
        assert_eq!(json.at("/decision/refusal/code")?, "plugin.unreadable");
        assert!(text.stdout.contains("bad: "), "{}", text.stdout);
    }
    Ok(())
}

/// The same with the system's own refusal. Who runs the tests as root may read everything.
#[test]
fn c06_a_root_that_the_system_forbids_is_named() -> Result<(), Fault> {
    use std::os::unix::fs::PermissionsExt;
    let context = context()?;
    context.member("good", &["plain"])?;
    context.member("bad", &["plain"])?;
    let root = context.path("home/plugins/bad");
    let set = |mode| std::fs::set_permissions(&root, std::fs::Permissions::from_mode(mode));
    set(0o000)?;
    let is_forbidden = std::fs::read_dir(&root).is_err();
    context.enable(&["bad"])?;
    let run = context.ask(&["plan", "good", "--json"]);
    set(0o755)?;
    let run = run?;
    if is_forbidden {
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(1), json!("blocked"))
        );
        assert_eq!(run.at("/decision/refusal/code")?, "plugin.unreadable");
    }
    Ok(())
}

fn laughs() -> String {
    let level = |level: usize| {
        let item = level
            .checked_sub(1)
            .map_or("x".to_owned(), |below| format!("*a{below}"));
        format!("a{level}: &a{level} [{}]\n", [item.as_str(); 9].join(", "))
    };
    (0..12).map(level).collect::<Vec<_>>().concat()
}

/// D07: bombs, nesting, tags, duplicates.
#[test]
fn d07_yaml_bombs_are_refused() -> Result<(), Fault> {
    file("plugin.yaml", laughs(), "yaml.limits")?;
    file(
        "plugin.yaml",
        format!("a: {}", "[".repeat(100_000)),
        "yaml.limits",
    )?;
    file("plugin.yaml", "a: &a [*a]\n", "yaml.invalid")?;
    file("plugin.yaml", "a: 1\na: 2\n", "yaml.invalid")?;
    file(
        "plugin.yaml",
        "a: !!python/object/apply:os.system [x]\n",
        "yaml.tag",
    )?;
    file("plugin.yaml", "name: x\n---\nname: y\n", "yaml.invalid")?;
    file("plugin.yml", "name: [x\n", "yaml.invalid")?;
    file("plugin.yaml", [0xff, 0xfe, b'a'], "declaration.invalid")
}

/// D06, D08: the other two languages.
#[test]
fn d06_nested_toml_and_json_are_refused() -> Result<(), Fault> {
    file(
        "pyproject.toml",
        format!("x = {}", "[".repeat(20_000)),
        "toml.invalid",
    )?;
    file(
        "pyproject.toml",
        format!("x = {}", "{a=".repeat(20_000)),
        "toml.invalid",
    )?;
    file("pyproject.toml", "a.".repeat(50_000) + "b = 1", "toml.invalid")?;
    file(
        "pyproject.toml",
        "[project]\nname = \"x\"\nname = \"y\"\n",
        "toml.invalid",
    )?;
    file("plugin.json", "[".repeat(200_000), "json.invalid")?;
    file(
        "plugin.json",
        "{\"name\": \"a\", \"name\": \"b\"}",
        "json.invalid",
    )?;
    file("plugin.json", "{\"name\": \"a\"", "json.invalid")
}

/// D05: requirements that take parsers down.
#[test]
fn d05_requirements_without_measure_are_refused() -> Result<(), Fault> {
    let table = [
        format!("plain; {}os_name=='a'{}", "(".repeat(20_000), ")".repeat(20_000)),
        format!("plain; {}", vec!["os_name=='a'"; 250].join(" or ")),
        format!("plain{}", vec![">=1"; 100_000].join(",")),
        format!("plain[{}]", vec!["x"; 200_000].join(",")),
    ];
    for requirement in &table {
        let context = root()?;
        context.member("bad", &[requirement])?;
        refused(
            &context,
            &format!("{requirement:.60}"),
            "plugin.yaml",
            "declaration.limits",
        )?;
    }
    file(
        "plugin.yaml",
        format!(
            "name: bad\npip_dependencies: [{}]\n",
            vec!["a"; 10_000].join(", ")
        ),
        "declaration.limits",
    )
}

/// C6: every string that is no requirement is found, all of them in one run, each at its own place.
#[test]
fn c06_all_invalid_requirements_are_found_in_one_run() -> Result<(), Fault> {
    let vectors: Value = serde_json::from_slice(&std::fs::read(shared("vectors/requirements.json")?)?)?;
    let texts = vectors
        .get("invalid")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
    assert!(texts.len() >= 30);
    let context = root()?;
    context.member("bad", &[&["plain>=1"], &texts[..]].concat())?;
    refused(&context, "all", "plugin.yaml", "declaration.invalid")?;
    let run = context.ask(&["plan", "bad", "--json"])?;
    let faults = run.at("/decision/refusal/faults")?;
    let mut columns: Vec<_> = faults
        .as_array()
        .into_iter()
        .flatten()
        .map(|fault| {
            (
                fault.get("line").cloned(),
                fault.get("column").and_then(Value::as_u64),
            )
        })
        .collect();
    columns.sort_by_key(|place| place.1);
    columns.dedup();
    assert_eq!(columns.len(), texts.len(), "a fault for each: {faults:#}");
    for text in texts {
        context.member("bad", &[text])?;
        let run = context.ask(&["plan", "bad", "--json"])?;
        assert_eq!(
            (run.code, run.at("/decision/verdict")?),
            (Some(1), json!("invalid")),
            "{text:?}"
        );
        let code = codes(&run)?.concat();
        assert!(
            ["declaration.invalid", "declaration.direct-url"].contains(&code.as_str()),
            "{text:?}: {code}"
        );
    }
    Ok(())
}

/// D09: a manifest whose values are of other types is no manifest without dependencies.
#[test]
fn d09_wrong_types_are_faults() -> Result<(), Fault> {
    file(
        "plugin.yaml",
        "name: bad\npip_dependencies: plain\n",
        "declaration.invalid",
    )?;
    file(
        "plugin.yaml",
        "name: bad\npip_dependencies: [1.10]\n",
        "declaration.invalid",
    )?;
    file(
        "plugin.yaml",
        "name: bad\npip_dependencies: {plain: 1}\n",
        "declaration.invalid",
    )?;
    file("plugin.yaml", "- name: bad\n", "declaration.invalid")?;
    file("pyproject.toml", "project = 1\n", "declaration.invalid")?;
    file(
        "pyproject.toml",
        "[project]\nname = \"bad\"\ndependencies = \"plain\"\n",
        "declaration.invalid",
    )
}
