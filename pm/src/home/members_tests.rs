//! Which folders the names of configurations lead to.

use std::fs;

use super::*;

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn with(folders: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in folders {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        Self { dir }
    }

    fn view(&self, label: &str, config: &str) -> HomeView {
        let root = self.dir.path().join("h");
        let path = if label.is_empty() {
            root
        } else {
            root.join("profiles").join(label)
        };
        let config = Config::parse(&path.join("config.yaml"), Some(config.as_bytes().to_vec())).unwrap();
        HomeView {
            home: LiveHome {
                label: label.into(),
                path,
            },
            config,
        }
    }

    fn places(&self) -> Places {
        Places {
            core: Some(self.dir.path().join("core")),
            project: None,
        }
    }

    fn shown(&self, members: &Members) -> Vec<String> {
        let line = |root: &ActiveRoot| {
            let path = root
                .path
                .strip_prefix(self.dir.path())
                .unwrap()
                .display()
                .to_string();
            format!("{}|{}|{path}|{:?}", root.home_label, root.key, root.why)
        };
        members.roots.iter().map(line).collect()
    }
}

/// C08: the user's order, disabled wins (also by last component), user over bundled, absent is told.
#[test]
fn c08_enabled_minus_disabled_in_the_users_order() {
    let world = World::with(&[
        "h/plugins/zeta",
        "h/plugins/alpha",
        "h/plugins/image/flux",
        "core/plugins/alpha",
        "core/plugins/bundled",
    ]);
    let config = "plugins:\n  enabled: [zeta, gone, bundled, alpha, image/flux]\n  disabled: [flux]\n";
    let members = active(&[world.view("", config)], &world.places());
    assert_eq!(
        world.shown(&members),
        [
            "|zeta|h/plugins/zeta|Enabled",
            "|bundled|core/plugins/bundled|Enabled",
            "|alpha|h/plugins/alpha|Enabled"
        ]
    );
    assert_eq!(members.warnings.len(), 1);
    assert_eq!(members.warnings[0].code, Code::PluginAbsent);
    assert!(members.warnings[0].message.contains("`gone`"));
}

/// C27: bundled, then user, then project, and the project only where it is allowed.
#[test]
fn c27_providers_are_first_wins() {
    let all = ["core/plugins/memory/m", "h/plugins/m", "p/.hermes/plugins/m"];
    for first in 0..3 {
        let world = World::with(&all[first..]);
        let project = Some(world.dir.path().join("p"));
        let view = world.view("", "memory: {provider: m}");
        let members = active(
            std::slice::from_ref(&view),
            &Places {
                project,
                ..world.places()
            },
        );
        assert_eq!(world.shown(&members), [format!("|m|{}|Provider", all[first])]);
        if first == 2 {
            let without = active(&[view], &world.places());
            assert_eq!((without.roots.len(), without.warnings.len()), (0, 1));
        }
    }
}

#[test]
fn an_engine_counts_when_it_has_a_root() {
    let world = World::with(&["h/plugins/lcm"]);
    let members = active(&[world.view("", "context: {engine: lcm}")], &world.places());
    assert_eq!(world.shown(&members), ["|lcm|h/plugins/lcm|Engine"]);
    let none = active(&[world.view("", "context: {engine: other}")], &world.places());
    assert_eq!(none, Members::default());
}

/// Homes whose plugins are the same folder behind a link count once.
#[cfg(unix)]
#[test]
fn c08_a_folder_that_two_homes_reach_counts_once() {
    let world = World::with(&["h/plugins/a", "h/plugins/b", "h/profiles/work"]);
    let root = world.dir.path().join("h");
    std::os::unix::fs::symlink(root.join("plugins"), root.join("profiles/work/plugins")).unwrap();
    let homes = [
        world.view("", "plugins: {enabled: [a]}"),
        world.view("work", "plugins: {enabled: [a, b]}\nmemory: {provider: a}"),
    ];
    let members = active(&homes, &world.places());
    assert_eq!(
        world.shown(&members),
        [
            "|a|h/plugins/a|Provider",
            "work|b|h/profiles/work/plugins/b|Enabled"
        ]
    );
}

/// C28: one external provider at a time, by home.
#[test]
fn c28_a_second_provider_is_told() {
    let root = |key: &str, home: &str, why| ActiveRoot {
        key: PluginKey::parse(key).unwrap(),
        home_label: home.into(),
        path: PathBuf::new(),
        why,
    };
    let (a, b, c) = (
        root("a", "", Why::Provider),
        root("b", "", Why::Enabled),
        root("c", "work", Why::Enabled),
    );
    assert!(second_providers([(&a, true), (&b, false), (&c, true)]).is_empty());
    let found = second_providers([(&b, true), (&a, true), (&c, true)]);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "`b` is enabled beside the memory provider `a`; Hermes uses one at a time"
    );
}
