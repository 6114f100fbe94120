//! A hard lock binds a package under the conditions of every way that leads to it, and nowhere else
//! (contract C9).

#![allow(missing_docs, clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use std::fmt::Write as _;

use hermes_admission::core::from_folder;
use support::{MemoryTree, texts};

/// What core requires with its lock made hard; the lock has these packages, each with its needs.
fn pinned(dependencies: &str, packages: &[(&str, &str)]) -> Vec<String> {
    let project =
        format!("[project]\nname = 'hermes-agent'\nversion = '0.21.3'\ndependencies = {dependencies}\n");
    let mut lock = String::from("version = 1\n");
    for (name, needs) in packages {
        writeln!(
            lock,
            "[[package]]\nname = '{name}'\nversion = '1'\ndependencies = [{needs}]"
        )
        .unwrap();
    }
    let core = from_folder(&MemoryTree::of(&[
        ("pyproject.toml", &project),
        ("uv.lock", &lock),
    ]))
    .unwrap();
    let roots = core.roots(&[], true).unwrap();
    texts(&roots[core.requirements.len()..])
        .into_iter()
        .map(str::to_owned)
        .collect()
}

const WINDOWS: &str = "marker = \"sys_platform == 'win32'\"";
const OLD: &str = "marker = \"python_full_version < '3.12'\"";

#[test]
fn c09_conditions_add_up_along_a_way() {
    let (b, c) = (
        format!("{{name = 'b', {WINDOWS}}}"),
        format!("{{name = 'c', {OLD}}}"),
    );
    let seen = pinned("['a']", &[("a", &b), ("b", &c), ("c", "")]);
    let both = "c==1; sys_platform == \"win32\" and python_full_version < \"3.12\"";
    assert_eq!(seen, ["a==1", "b==1; sys_platform == \"win32\"", both]);
    // The condition of core's own requirement counts as well; the same one is said once.
    let seen = pinned("[\"a; sys_platform == 'win32'\"]", &[("a", &b), ("b", "")]);
    assert_eq!(
        seen,
        [
            "a==1; sys_platform == \"win32\"",
            "b==1; sys_platform == \"win32\""
        ]
    );
}

#[test]
fn c09_several_ways_are_several_conditions() {
    let (on_windows, on_old) = (
        format!("{{name = 'c', {WINDOWS}}}"),
        format!("{{name = 'c', {OLD}}}"),
    );
    let seen = pinned("['a', 'b']", &[("a", &on_windows), ("b", &on_old), ("c", "")]);
    let either = [
        "c==1; python_full_version < \"3.12\"",
        "c==1; sys_platform == \"win32\"",
    ];
    assert_eq!(seen[2..], either);
    // A way without a condition is enough for all.
    let seen = pinned(
        "['a', 'b']",
        &[("a", &on_windows), ("b", "{name = 'c'}"), ("c", "")],
    );
    assert_eq!(seen[2..], ["c==1"]);
}

/// Cycles, and locks in which conditions multiply, end; what is not followed is not forced.
#[test]
fn c09_the_walk_is_bounded() {
    let (next, other) = ("{name = 'a'}, {name = 'b'}", "{name = 'b'}, {name = 'a'}");
    assert_eq!(pinned("['a']", &[("a", next), ("b", other)]), ["a==1", "b==1"]);
    let names: Vec<String> = (0..40).map(|n| format!("p{n}")).collect();
    let all: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(n, name)| format!("{{name = '{name}', marker = \"python_full_version < '3.{n}'\"}}"))
        .collect();
    let all = all.join(", ");
    let packages: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), all.as_str())).collect();
    let seen = pinned("['p0']", &packages);
    assert!(seen.len() <= 40 * 8, "{}", seen.len());
}
