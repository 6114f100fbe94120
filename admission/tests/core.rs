//! Declarations of Hermes core, from each of their sources (contract C9).

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hermes_admission::ReadFaultKind;
use hermes_admission::core::{CoreDeclaration, ExcludeNewer, from_folder, from_metadata, from_pylock};
use hermes_pep::{CoreMetadata, ExtraName};
use serde_json::Value;
use support::{MemoryTree, faults, listed, quoted, shared, strings, texts};

const HEAD: &str = "[project]\nname = 'hermes-agent'\nversion = '0.21.3'\n";

fn folder(files: &[(&str, &str)]) -> Result<CoreDeclaration, String> {
    from_folder(&MemoryTree::of(files)).map_err(|found| faults(&found))
}

fn core(rest: &str) -> CoreDeclaration {
    folder(&[("pyproject.toml", &format!("{HEAD}{rest}"))]).unwrap()
}

fn extras(names: &[&str]) -> Vec<ExtraName> {
    names.iter().map(|name| ExtraName::parse(name).unwrap()).collect()
}

fn roots(core: &CoreDeclaration, names: &[&str]) -> String {
    match core.roots(&extras(names), false) {
        Ok(roots) => texts(&roots).join(", "),
        Err(error) => error.to_string(),
    }
}

/// What is required with the lock made hard.
fn pinned(core: &CoreDeclaration, names: &[&str]) -> String {
    texts(&core.roots(&extras(names), true).unwrap()).join(", ")
}

fn locked(core: &CoreDeclaration) -> String {
    let one = core
        .locked
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    one.collect::<Vec<_>>().join(", ")
}

/// The text of a declaration with the facts of the corpus.
fn project(facts: &Value) -> String {
    let mut text = format!(
        "[project]\nname = {}\nversion = {}\nrequires-python = {}\ndependencies = {}\n[project.optional-dependencies]\n",
        facts["name"],
        facts["version"],
        facts["requires_python"],
        listed(&strings(&facts["dependencies"]))
    );
    for (extra, list) in facts["optional_dependencies"].as_object().unwrap() {
        let _ = writeln!(text, "{} = {}", quoted(extra), listed(&strings(list)));
    }
    let _ = writeln!(
        text,
        "[tool.uv]\nexclude-newer = {}",
        facts["tool_uv"]["exclude_newer"]
    );
    let _ = writeln!(text, "[tool.uv.exclude-newer-package]");
    for name in strings(&facts["tool_uv"]["exclude_newer_package"]["false"]) {
        let _ = writeln!(text, "{name} = false");
    }
    for (name, moment) in facts["tool_uv"]["exclude_newer_package"]["timestamps"]
        .as_object()
        .unwrap()
    {
        let _ = writeln!(text, "{name} = {moment}");
    }
    text
}

#[test]
fn c09_a_real_core() {
    let facts = shared("corpus/core-0.21.3.json");
    let core = folder(&[("pyproject.toml", &project(&facts))]).unwrap();
    assert_eq!(core.version.to_string(), "0.21.3");
    assert_eq!(core.requires_python.as_ref().unwrap().to_string(), "<3.15,>=3.14");
    assert_eq!(core.exclude_newer, Some(ExcludeNewer::Days(14)));
    let exempt = strings(&facts["tool_uv"]["exclude_newer_package"]["false"]);
    assert_eq!(core.quarantine_exempt.len(), exempt.len());
    // Nobody enabled an extra: nothing of them binds. Addresses stay; their markers switch them off.
    assert_eq!(
        texts(&core.roots(&[], false).unwrap()),
        strings(&facts["dependencies"])
    );
    assert_eq!(
        core.extras.len(),
        facts["optional_dependencies"].as_object().unwrap().len()
    );
    for (extra, list) in facts["optional_dependencies"].as_object().unwrap() {
        let roots = core.roots(&extras(&[extra]), false).unwrap();
        let added: BTreeSet<&str> = texts(&roots[core.requirements.len()..]).into_iter().collect();
        assert_eq!(added, followed(&facts, list), "{extra}");
    }
}

/// What an extra requires, its references to other extras followed.
fn followed<'f>(facts: &'f Value, list: &'f Value) -> BTreeSet<&'f str> {
    let mut all = BTreeSet::new();
    let mut waiting = strings(list);
    while let Some(text) = waiting.pop() {
        match text
            .strip_prefix("hermes-agent[")
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(extra) => waiting.extend(strings(&facts["optional_dependencies"][extra])),
            None => drop(all.insert(text)),
        }
    }
    all
}

#[test]
fn c09_extras_are_followed() {
    let core = core(
        "dependencies = ['a']\n[project.optional-dependencies]\n\
         one = ['b', 'hermes-agent[two]']\ntwo = ['c', 'hermes_agent[ONE,three]']\nThree_X = ['e']\nthree = ['d']\n\
         all = ['Hermes.Agent[one]']\nbroken = ['hermes-agent[gone]']\nempty = []\n",
    );
    for (names, want) in [
        (&[][..], "a"),
        (&["one"], "a, b, c, d"),
        (&["two"], "a, c, b, d"),
        (&["three", "one"], "a, d, b, c"),
        (&["one", "one", "ONE"], "a, b, c, d"),
        (&["all"], "a, b, c, d"),
        (&["empty"], "a"),
        (&["three-x"], "a, e"),
        (&["four"], "Hermes core 0.21.3 has no extra `four`"),
        (&["broken"], "Hermes core 0.21.3 has no extra `gone`"),
    ] {
        let got = roots(&core, names);
        let parts = |text: &str| text.split(", ").map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(parts(&got), parts(want), "{names:?}: {got}");
    }
}

/// What an extra requires of another under a condition holds under that condition only.
#[test]
fn c09_a_reference_under_a_condition_stays_one() {
    let core = core(
        "[project.optional-dependencies]\none = [\"hermes-agent[two]; os_name == 'nt'\"]\ntwo = ['c']\n\
         other = ['hermes-agent[two]<0.21']\n",
    );
    assert_eq!(roots(&core, &["one"]), "hermes-agent[two]; os_name == 'nt'");
    assert_eq!(roots(&core, &["other"]), "hermes-agent[two]<0.21");
}

#[test]
fn c06_faults_of_a_core() {
    support::judge(include_str!("tables/c06-core.txt"), |files| match folder(files) {
        Ok(core) => format!("{} {}", core.name, core.version),
        Err(faults) => faults,
    });
    let tree = MemoryTree::of(&[("pyproject.toml", HEAD)]).failing("uv.lock", ReadFaultKind::Unreadable);
    assert_eq!(
        faults(&from_folder(&tree).unwrap_err()),
        "uv.lock:0:0 plugin.unreadable"
    );
}

#[test]
fn c10_the_quarantine_of_core() {
    use ExcludeNewer::{Date, Days};
    for (text, want) in [
        ("14 days", Some(Days(14))),
        ("1 day", Some(Days(1))),
        ("14days", Some(Days(14))),
        ("2 weeks", Some(Days(14))),
        ("P14D", Some(Days(14))),
        ("2026-11-20", Some(Date("2026-11-20".into()))),
        ("2026-11-20T00:00:00Z", Some(Date("2026-11-20T00:00:00Z".into()))),
        ("-3 days", None),
        ("99999999999 days", None),
        ("99999999999 weeks", None),
        ("days", None),
        ("14", None),
        ("", None),
        ("2026-11", None),
        ("20261120", None),
        ("\u{661}4 days", None),
    ] {
        assert_eq!(ExcludeNewer::parse(text), want, "{text:?}");
    }
    let quarantine = |value: &str| core(&format!("[tool.uv]\nexclude-newer = {value}\n")).exclude_newer;
    assert_eq!(quarantine("'7 days'"), Some(Days(7)));
    assert_eq!(quarantine("'2026-11-20'"), Some(Date("2026-11-20".into())));
    assert_eq!(
        quarantine("2026-11-20"),
        Some(Date("2026-11-20".into())),
        "a date of TOML"
    );
    assert_eq!(core("[tool.uv]\n").exclude_newer, None);
    assert_eq!(
        core("[tool.uv]\nexclude-newer-package = { b = false, A = false, c = '2026-01-01' }\n")
            .quarantine_exempt
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
}

const LOCK: &str = r#"
version = 1
[[package]]
name = "hermes-agent"
version = "0.21.3"
source = { editable = "." }
dependencies = [{ name = "a" }]
[[package]]
name = "A"
version = "1.0"
source = { registry = "https://index.example/simple" }
dependencies = [
  { name = "b", marker = "os_name == 'nt'" },
  { name = "twice", version = "1", marker = "os_name == 'nt'" },
  { name = "twice", version = "2", marker = "os_name != 'nt'" },
  { name = "c", extra = ["x"] },
]
[[package]]
name = "b"
version = "2.0"
[[package]]
name = "c"
version = "3.0"
[package.optional-dependencies]
x = [{ name = "d" }, { name = "a" }]
[[package]]
name = "d"
version = "4.0"
[[package]]
name = "twice"
version = "1"
[[package]]
name = "twice"
version = "2"
[[package]]
name = "unused"
version = "5.0"
[[package]]
name = "git"
version = "6.0"
source = { git = "https://git.example/x" }
[[package]]
name = "workspace-member"
source = { virtual = "member" }
"#;

#[test]
fn c09_the_lock_is_preferred_or_hard() {
    let project =
        format!("{HEAD}dependencies = ['a>=1']\n[project.optional-dependencies]\nu = ['unused', 'twice']\n");
    let core = folder(&[("pyproject.toml", &project), ("uv.lock", LOCK)]).unwrap();
    assert_eq!(locked(&core), "a 1.0, b 2.0, c 3.0, d 4.0, unused 5.0");
    assert_eq!(roots(&core, &[]), "a>=1");
    // What nobody enabled binds nothing, and what is needed under a condition is bound under it.
    assert_eq!(
        pinned(&core, &[]),
        "a>=1, a==1.0, b==2.0; os_name == \"nt\", c==3.0, d==4.0"
    );
    assert_eq!(
        pinned(&core, &["u"]),
        "a>=1, unused, twice, a==1.0, b==2.0; os_name == \"nt\", c==3.0, d==4.0, unused==5.0"
    );
    let without = folder(&[("pyproject.toml", &project)]).unwrap();
    assert_eq!(locked(&without), "");
    assert_eq!(pinned(&without, &[]), "a>=1");
    assert_ne!(core.digest(), without.digest());
}

#[test]
fn c09_a_published_core() {
    let metadata = CoreMetadata::parse(
        "Metadata-Version: 2.4\nName: hermes-agent\nVersion: 0.19.0\nRequires-Python: >=3.11,<3.14\n\
         Requires-Dist: a==1\n\
         Requires-Dist: b==2; sys_platform == \"win32\"\n\
         Requires-Dist: c==3; extra == \"one\"\n\
         Requires-Dist: d==4; (os_name == \"nt\" or os_name == \"x\") and extra == \"one\"\n\
         Requires-Dist: e==5; extra == \"one\" or extra == \"two\"\n\
         Requires-Dist: hermes-agent[one]; extra == \"all\"\n\
         Requires-Dist: f==6; extra == \"one\" or os_name == \"nt\"\n\
         Provides-Extra: one\nProvides-Extra: two\nProvides-Extra: all\nProvides-Extra: none\n",
    )
    .unwrap();
    let core = from_metadata(&metadata);
    assert_eq!(core.version.to_string(), "0.19.0");
    assert_eq!(core.requires_python.as_ref().unwrap().to_string(), "<3.14,>=3.11");
    let always = "a==1, b==2; sys_platform == \"win32\", f==6; os_name == \"nt\"";
    assert_eq!(roots(&core, &[]), always);
    assert_eq!(roots(&core, &["none"]), always);
    assert_eq!(roots(&core, &["two"]), format!("{always}, e==5"));
    let one = format!("{always}, c==3, d==4; os_name == \"nt\" or os_name == \"x\", e==5, f==6");
    assert_eq!(roots(&core, &["one"]), one);
    assert_eq!(roots(&core, &["all"]), one);
    assert_eq!(roots(&core, &["gone"]), "Hermes core 0.19.0 has no extra `gone`");
}

#[test]
fn c32_a_core_from_a_pylock() {
    let text = "lock-version = '1.0'\nrequires-python = '>=3.14'\ncreated-by = 'x'\n\
        [[packages]]\nname = 'hermes-agent'\nversion = '0.21.3'\n\
        [[packages]]\nname = 'B'\nversion = '2.0'\n\
        [[packages]]\nname = 'a'\nversion = '1.0'\n";
    let core = from_pylock(text).unwrap();
    assert_eq!(core.version.to_string(), "0.21.3");
    assert_eq!(core.requires_python.as_ref().unwrap().to_string(), ">=3.14");
    assert_eq!(locked(&core), "a 1.0, b 2.0");
    assert_eq!(roots(&core, &[]), "b==2.0, a==1.0");
    for (what, text, want) in [
        ("syntax", "x", "pylock.toml:1:2 toml.invalid"),
        (
            "another format",
            "lock-version = '2.0'\n[[packages]]\nname = 'hermes-agent'\nversion = '1'",
            "pylock.toml:1:16 core.invalid",
        ),
        (
            "no core",
            "lock-version = '1.0'\n[[packages]]\nname = 'a'\nversion = '1'",
            "pylock.toml:0:0 core.invalid",
        ),
        (
            "a core without a version",
            "lock-version = '1.0'\n[[packages]]\nname = 'hermes-agent'",
            "pylock.toml:0:0 core.invalid",
        ),
        (
            "an entry without a name",
            "lock-version = '1.0'\n[[packages]]\nname = 'hermes-agent'\nversion = '1'\n[[packages]]\nversion = '1'",
            "pylock.toml:5:1 core.invalid",
        ),
        (
            "a Python",
            "lock-version = '1.0'\nrequires-python = 'x'\n[[packages]]\nname = 'hermes-agent'\nversion = '1'",
            "pylock.toml:2:19 core.invalid",
        ),
    ] {
        assert_eq!(faults(&from_pylock(text).unwrap_err()), want, "{what}");
    }
}

/// A package that is locked for some environments is required there, and nowhere else.
#[test]
fn c32_a_pylock_with_markers() {
    let text = "lock-version = '1.0'\n\
        [[packages]]\nname = 'hermes-agent'\nversion = '0.21.3'\n\
        [[packages]]\nname = 'w'\nversion = '1.0'\nmarker = \"sys_platform == 'win32'\"\n\
        [[packages]]\nname = 'two'\nversion = '1'\nmarker = \"os_name == 'nt'\"\n\
        [[packages]]\nname = 'two'\nversion = '2'\nmarker = \"os_name != 'nt'\"\n";
    let core = from_pylock(text).unwrap();
    assert_eq!(
        roots(&core, &[]),
        "w==1.0; sys_platform == \"win32\", two==1; os_name == \"nt\", two==2; os_name != \"nt\""
    );
    assert_eq!(locked(&core), "w 1.0", "two versions are no preference");
}

/// The digest follows what is declared, not how.
#[test]
fn c10_the_digest_of_a_core() {
    let one = core("dependencies = ['a>=1,<2']\n[project.optional-dependencies]\nx = ['b']\n").digest();
    let same =
        core("readme = 'R'\noptional-dependencies = { X = ['B'] } # c\ndependencies = ['A >= 1, < 2']\n");
    assert_eq!(one, same.digest());
    for other in [
        "dependencies = ['a>=1,<3']\n[project.optional-dependencies]\nx = ['b']\n",
        "dependencies = ['a>=1,<2']\n[project.optional-dependencies]\ny = ['b']\n",
        "dependencies = ['a>=1,<2', 'b']\n",
    ] {
        assert_ne!(one, core(other).digest(), "{other}");
    }
}
