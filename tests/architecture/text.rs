//! What can be read from the sources themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hermes_pm_tests::Fault;
use hermes_pm_tests::shared::workspace_root;

/// The longest source file.
const MAX_LINES: usize = 500;

/// The whole visible top level.
const TOP: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "admission",
    "catalog",
    "pm",
    "receipts",
    "tests",
];

/// What a build leaves behind.
const BUILT: &str = "target";

/// Every file below the workspace, relative to it; hidden folders and what builds leave behind aside.
fn files() -> Result<Vec<PathBuf>, Fault> {
    let root = workspace_root();
    let mut found = Vec::new();
    let mut waiting = vec![root.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let (path, kind) = entry
                .map_err(Fault::from)
                .and_then(|e| Ok((e.path(), e.file_type()?)))?;
            if kind.is_dir() && !is_left_out(&root, &path) {
                waiting.push(path);
            } else if kind.is_file() {
                found.push(path.strip_prefix(&root)?.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_left_out(root: &Path, folder: &Path) -> bool {
    *folder == root.join(BUILT) || *folder == root.join(".git")
}

fn read(file: &Path) -> Result<String, Fault> {
    let bytes = fs::read(workspace_root().join(file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn sources() -> Result<Vec<(PathBuf, String)>, Fault> {
    let rust = files()?
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    rust.map(|file| read(&file).map(|text| (file, text))).collect()
}

#[test]
fn the_top_level_is_as_asked() -> Result<(), Fault> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(workspace_root())? {
        found.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    found.retain(|name| !name.starts_with('.') && name != BUILT);
    assert_eq!(found, TOP.map(str::to_owned).into());
    Ok(())
}

#[test]
fn no_source_file_is_too_long() -> Result<(), Fault> {
    let long = sources()?
        .into_iter()
        .map(|(file, text)| (file, text.lines().count()));
    let long: Vec<_> = long.filter(|(_, lines)| *lines > MAX_LINES).collect();
    assert!(long.is_empty(), "longer than {MAX_LINES} lines: {long:?}");
    Ok(())
}

/// A move to other crates of uv touches the façade only.
#[test]
fn no_type_of_uv_is_seen_outside_of_the_facade() -> Result<(), Fault> {
    // Put together, so that this file does not hold them.
    let crates =
        ["normalize", "pep440", "platform_tags", "distribution_filename"].map(|name| format!("uv_{name}"));
    for (file, text) in sources()? {
        let is_facade = file.starts_with("admission/pep");
        for (at, line) in text.lines().enumerate() {
            let is_open = !is_facade || line.trim_start().starts_with("pub ");
            let seen = is_open && crates.iter().any(|name| line.contains(name.as_str()));
            assert!(!seen, "{}:{}: {line}", file.display(), at + 1);
        }
    }
    Ok(())
}

#[test]
fn admission_is_built_without_std() -> Result<(), Fault> {
    let root = read(Path::new("admission/src/lib.rs"))?;
    assert!(root.lines().any(|line| line == "#![no_std]"));
    for (file, text) in sources()?
        .iter()
        .filter(|(file, _)| file.starts_with("admission/src"))
    {
        assert!(
            !text.contains("extern crate std"),
            "{} brings std in",
            file.display()
        );
    }
    Ok(())
}

/// Only the folders that the architecture names may switch `unsafe` on.
#[test]
fn unsafe_stands_in_fsx_alone() -> Result<(), Fault> {
    let switch = ["allow(un", "safe_code)"].concat();
    for (file, text) in sources()? {
        assert!(
            !text.contains(&switch) || file.starts_with("pm/fsx"),
            "{}",
            file.display()
        );
    }
    Ok(())
}

/// Indexes are configured, never written down.
#[test]
fn no_registry_is_named() -> Result<(), Fault> {
    // Put together, so that this file does not hold them.
    let hosts = [
        ["py", "pi.org"],
        ["pythonhosted", ".org"],
        ["crates", ".io"],
        ["rust-lang", ".org/crates"],
    ];
    let hosts = hosts.map(|parts| parts.concat());
    // The lock file names the source of every crate: that is its format.
    for file in files()?
        .into_iter()
        .filter(|file| *file != Path::new("Cargo.lock"))
    {
        let text = read(&file)?.to_lowercase();
        for host in &hosts {
            assert!(!text.contains(host.as_str()), "{} names {host}", file.display());
        }
    }
    Ok(())
}

/// The one test command stands in the README alone; the script for all checks reads it from there.
#[test]
fn the_readme_gives_the_test_command() -> Result<(), Fault> {
    let readme = read(Path::new("README.md"))?;
    assert!(readme.contains("```sh\ncargo test --workspace\n```\n"));
    assert_eq!(
        readme
            .lines()
            .filter(|line| line.starts_with("cargo test "))
            .count(),
        1
    );
    let script = read(Path::new(".ci/run"))?;
    assert!(
        script.contains("README.md") && !script.contains("cargo test --"),
        "the script has a command of its own"
    );
    Ok(())
}
