//! Tables of configurations and what is read from them.

use super::*;

fn parse(bytes: &[u8]) -> Result<Config, Faults> {
    Config::parse(Path::new("config.yaml"), Some(bytes.to_vec()))
}

fn shown(keys: &[PluginKey]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

fn faults(bytes: &[u8]) -> Vec<String> {
    let found = parse(bytes).unwrap_err();
    found
        .all()
        .iter()
        .map(|fault| format!("{} {}", fault.code, fault.place))
        .collect()
}

#[test]
fn everything_that_is_selected_is_read() {
    let text = "# mine\nplugins:\n  enabled: [zeta, image/flux, zeta]\n  disabled:\n    - old\nmemory:\n  provider: honcho\n\
                context: {engine: lcm}\nsecurity:\n  allow_lazy_installs: no\nother: {x: 1.5}\n";
    let config = parse(text.as_bytes()).unwrap();
    assert_eq!(shown(&config.enabled), ["zeta", "image/flux"]);
    assert_eq!(shown(&config.disabled), ["old"]);
    assert_eq!(config.provider.unwrap().as_str(), "honcho");
    assert_eq!(config.engine.unwrap().as_str(), "lcm");
    assert!(!config.allow_lazy_installs);
    assert_eq!(config.bytes.unwrap(), text.as_bytes());
}

#[test]
fn absent_and_empty_select_nothing() {
    let table: [Option<&[u8]>; 9] = [
        None,
        Some(b""),
        Some(b"# words\r\n"),
        Some(b"\xef\xbb\xbf"),
        Some(b"{}"),
        Some(b"plugins:\nmemory:\n"),
        Some(b"plugins: {enabled: , disabled: []}"),
        Some(b"memory: {provider: ''}\ncontext: {engine: compressor}"),
        Some(b"memory: {provider: ~}"),
    ];
    for bytes in table {
        let config = Config::parse(Path::new("c"), bytes.map(<[u8]>::to_vec)).unwrap();
        assert!(
            config.enabled.is_empty() && config.disabled.is_empty(),
            "{bytes:?}"
        );
        assert_eq!(
            (config.provider, config.engine, config.allow_lazy_installs),
            (None, None, true),
            "{bytes:?}"
        );
    }
}

#[test]
fn byte_order_mark_line_ends_and_anchors_are_read() {
    let table: [&[u8]; 3] = [
        b"\xef\xbb\xbfplugins:\n  enabled: [a, b]\n",
        b"plugins:\r\n  enabled:\r\n    - a\r\n    - b\r\n",
        b"all: &all [a, b]\nplugins:\n  enabled: *all\n",
    ];
    for bytes in table {
        assert_eq!(
            shown(&parse(bytes).unwrap().enabled),
            ["a", "b"],
            "{}",
            bytes.escape_ascii()
        );
    }
}

/// D09: what looks like a name but is a number, a boolean or a list is a fault with its line; all are
/// told in one run.
#[test]
fn d09_wrong_types_are_told_by_line() {
    let table: [(&[u8], &[&str]); 10] = [
        (
            b"plugins:\n  enabled:\n    - a\n    - 1.10\n    - on\n  disabled: x\nmemory:\n  provider: [p]\n",
            &[
                "config.invalid config.yaml:4:7",
                "config.invalid config.yaml:5:7",
                "config.invalid config.yaml:6:13",
                "config.invalid config.yaml:8:13",
            ],
        ),
        (b"- a\n", &["config.invalid config.yaml:1:1"]),
        (b"just words\n", &["config.invalid config.yaml:1:1"]),
        (b"plugins: [a]\n", &["config.invalid config.yaml:1:10"]),
        (
            b"plugins: {enabled: [[a]]}\n",
            &["config.invalid config.yaml:1:21"],
        ),
        (b"plugins: {enabled: [~]}\n", &["config.invalid config.yaml:1:21"]),
        (
            b"plugins: {enabled: ['../up', .]}\n",
            &["plugin.name config.yaml:1:21", "plugin.name config.yaml:1:30"],
        ),
        (
            b"security: {allow_lazy_installs: 'no'}\n",
            &["config.invalid config.yaml:1:33"],
        ),
        (b"memory: {provider: a/b}\n", &["plugin.name config.yaml:1:20"]),
        (b"a: 1\nb: \xff\n", &["config.invalid config.yaml:2:4"]),
    ];
    for (bytes, expected) in table {
        assert_eq!(faults(bytes), expected, "{}", bytes.escape_ascii());
    }
}

/// D07: bombs and tags end as one fault.
#[test]
fn d07_hostile_yaml_is_refused() {
    let table: [Vec<u8>; 4] = [
        b"plugins: !!python/object/apply:os.system [x]\n".to_vec(),
        b"plugins: {enabled: !mine [a]}\n".to_vec(),
        "[".repeat(100_000).into_bytes(),
        b"plugins: {}\nplugins: {}\n".to_vec(),
    ];
    for bytes in table {
        let found = parse(&bytes).unwrap_err();
        assert_eq!(found.all().len(), 1);
        assert_eq!(found.all()[0].code, Code::ConfigInvalid);
    }
}

/// D10: a FIFO does not block, a large file is not read.
#[cfg(unix)]
#[test]
fn d10_special_and_large_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.yaml");
    assert!(Config::read(dir.path()).unwrap().bytes.is_none());
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&file)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        Config::read(dir.path()).unwrap_err().all()[0].code,
        Code::ConfigInvalid
    );
    std::fs::remove_file(&file).unwrap();
    std::fs::File::create(&file).unwrap().set_len(50 << 20).unwrap();
    assert!(
        Config::read(dir.path())
            .unwrap_err()
            .to_string()
            .contains("larger")
    );
}
