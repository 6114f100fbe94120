//! Which of several settings is in force.

use super::*;

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn with(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { dir }
    }

    fn read(&self, variables: &[(&str, &str)], stated: &[&str]) -> Result<ConfiguredIndexes, Faults> {
        let at = |name: &str| self.dir.path().join(name).into_os_string();
        let mut all = vec![("HOME".into(), at("home"))];
        for (name, value) in variables {
            let value = value.strip_prefix('@').map_or_else(|| (*value).into(), at);
            all.push((std::ffi::OsString::from(name), value));
        }
        let env = Environment::stated(all, &self.dir.path().join("work"), self.dir.path());
        let stated: Vec<String> = stated.iter().map(ToString::to_string).collect();
        ConfiguredIndexes::read(&stated, &env, Some(&self.dir.path().join("venv")))
    }

    fn shown(&self, variables: &[(&str, &str)], stated: &[&str]) -> Vec<String> {
        let default = || Some(("https://default.example/".to_owned(), DefaultIndexOrigin::Pip));
        let list = self.read(variables, stated).unwrap().complete(default).unwrap();
        let root = format!("{}/", self.dir.path().display());
        let host = |url: &IndexUrl| url.to_string().replace("https://", "").replace(".example/", "");
        list.iter()
            .map(|index| format!("{} {}", host(&index.url), index.origin).replace(&root, ""))
            .collect()
    }
}

const PIP: &str = "[global]\nindex-url = https://g.example/\nextra-index-url =\n  https://g1.example/\n  https://g2.example/\n";
const UV: &str = "[[index]]\nname = 'x'\nurl = 'https://u.example/'\n\n[[index]]\nurl = 'https://d.example/'\ndefault = true\n";

type File = (&'static str, &'static str);

const USER: File = ("home/.config/pip/pip.conf", PIP);
const SYSTEM: File = ("etc/pip.conf", "[install]\nindex-url = https://i.example/\n");
const SITE: File = ("venv/pip.conf", "[global]\nextra-index-url: https://s.example/\n");
const OWN: File = ("own.conf", "[global]\nindex_url = https://o.example/\n");
const UV_USER: File = ("home/.config/uv/uv.toml", UV);
const UV_SYSTEM: File = (
    "etc/uv/uv.toml",
    "index-url = 'https://l.example/'\nextra-index-url = ['https://e.example/']\n",
);
const DEFAULT: &str = "default the default of the interpreter's pip";

/// Files, variables, and the indexes that follow.
type Row = (
    &'static [File],
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

fn judge(table: &[Row]) {
    for (files, variables, expected) in table {
        assert_eq!(
            World::with(files).shown(variables, &[]),
            *expected,
            "{files:?} {variables:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn settings_of_pip_are_ranked_as_pip_ranks_them() {
    let all = [
        "g1 home/.config/pip/pip.conf:3 (extra-index-url)",
        "g2 home/.config/pip/pip.conf:3 (extra-index-url)",
        "g home/.config/pip/pip.conf:2 (index-url)",
    ];
    assert_eq!(World::with(&[USER]).shown(&[], &[]), all);
    judge(&[
        (&[], &[], &[DEFAULT]),
        (
            &[USER, SYSTEM, SITE],
            &[],
            &[
                "s venv/pip.conf:2 (extra-index-url)",
                "i etc/pip.conf:2 (index-url)",
            ],
        ),
        (
            &[USER, OWN],
            &[("PIP_CONFIG_FILE", "@own.conf")],
            &["o own.conf:2 (index-url)"],
        ),
        (&[USER, SYSTEM], &[("PIP_CONFIG_FILE", "/dev/null")], &[DEFAULT]),
        (
            &[],
            &[("PIP_INDEX_URL", "  "), ("UV_INDEX_URL", "https://no.example/")],
            &[DEFAULT],
        ),
    ]);
}

#[cfg(target_os = "linux")]
#[test]
fn variables_come_before_files_and_the_command_line_alone() {
    judge(&[
        (
            &[USER, UV_USER],
            &[
                ("PIP_INDEX_URL", "https://v.example/"),
                ("PIP_EXTRA_INDEX_URL", "https://w.example/ https://v.example/"),
            ],
            &[
                "w PIP_EXTRA_INDEX_URL",
                "v PIP_EXTRA_INDEX_URL",
                "u home/.config/uv/uv.toml:3 (index)",
            ],
        ),
        (
            &[UV_USER],
            &[],
            &[
                "u home/.config/uv/uv.toml:3 (index)",
                "d home/.config/uv/uv.toml:6 (index)",
            ],
        ),
        (
            &[UV_SYSTEM],
            &[],
            &[
                "e etc/uv/uv.toml:2 (extra-index-url)",
                "l etc/uv/uv.toml:1 (index-url)",
            ],
        ),
    ]);
    let stated = World::with(&[USER, UV_USER]).shown(&[], &["https://a.example/", "https://b.example/"]);
    assert_eq!(stated, ["a --index", "b --index"]);
}

#[cfg(target_os = "linux")]
#[test]
fn broken_settings_are_all_told_without_their_secrets() {
    let world = World::with(&[
        (
            "home/.config/pip/pip.conf",
            "[global]\nindex-url = ftp://user:hush@x\nextra-index-url = hush\n",
        ),
        (
            "home/.config/uv/uv.toml",
            "index-url = 3\nextra-index-url = ['hush:x']\n[[index]]\nname = 'x'\n",
        ),
        ("etc/pip.conf", "junk\n"),
    ]);
    let variables = [("PIP_INDEX_URL", "hush")];
    let found = world.read(&variables, &[]).unwrap_err();
    let root = format!("{}/", world.dir.path().display());
    let text = found.to_string().replace(&root, "");
    let heads: Vec<&str> = text
        .lines()
        .map(|line| line.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        heads,
        [
            "PIP_INDEX_URL",
            "etc/pip.conf:1:1",
            "home/.config/pip/pip.conf:2",
            "home/.config/pip/pip.conf:3",
            "home/.config/uv/uv.toml:3:1",
            "home/.config/uv/uv.toml:2",
            "home/.config/uv/uv.toml:1:13",
        ]
    );
    assert!(!text.contains("hush"), "{text}");
}

#[test]
fn files_of_the_working_directory_and_special_entries_are_told_and_ignored() {
    let world = World::with(&[
        ("work/pip.conf", PIP),
        ("work/uv.toml", "index-url = 'https://evil.example/'\n"),
        (
            "home/.config/uv/uv.toml",
            "[[index]]\nurl = './flat'\nformat = 'flat'\n[[index]]\nurl = 'https://x.example/'\nexplicit = true\n",
        ),
    ]);
    let found = world.read(&[], &[]).unwrap();
    assert!(
        found
            .notices
            .iter()
            .all(|notice| notice.code == Code::ConfigIgnored)
    );
    assert_eq!(found.notices.len(), 4, "{:?}", found.notices);
    assert_eq!(found.complete(|| None), Err(IndexNotConfigured));
}
