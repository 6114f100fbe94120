//! D01, D03: names that would leave a folder, hide, or look like another.

use hermes_pm_tests::Fault;
use serde_json::json;

use crate::{asked, codes, context};

/// D03: names of plugins: as an argument, as a folder, in a manifest, in the configuration.
#[test]
fn d03_hostile_names_of_plugins_are_refused() -> Result<(), Fault> {
    for name in [
        "..",
        ".git",
        "\u{441}lick",
        "a\u{200b}b",
        "ａ",
        "a b",
        "a\nb",
        ".",
    ] {
        let context = context()?;
        // What exists is a path, and these two always exist.
        if name != "." && name != ".." {
            let (text, json) = asked(&context, &["plan", name])?;
            assert_eq!(
                (json.code, json.at("/error/code")?),
                (Some(1), json!("plugin.name")),
                "{name:?}"
            );
            assert!(text.stderr.contains("help: "), "{name:?}: {}", text.stderr);
            let folder = context.path(format!("roots/{name}"));
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join("__init__.py"), "")?;
            let (text, json) = asked(&context, &["check", &folder.display().to_string()])?;
            assert_eq!(
                (json.code, json.at("/error/code")?),
                (Some(1), json!("plugin.name")),
                "{name:?}"
            );
            assert!(text.stderr.contains("/roots/"), "{name:?}: {}", text.stderr);
        }
        context.plugin("home/plugins/bad", name, &["plain"])?;
        let (text, json) = asked(&context, &["plan", "bad"])?;
        assert_eq!(
            (json.code, codes(&json)?),
            (Some(1), vec!["plugin.name".to_owned()]),
            "{name:?}"
        );
        assert!(
            text.stdout.contains("plugin.yaml:1:"),
            "{name:?}: {}",
            text.stdout
        );
        context.enable(&["bad", name])?;
        let (text, json) = asked(&context, &["union"])?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(1), json!("plugin.name")),
            "{name:?}"
        );
        assert_eq!(json.at("/error/line")?, 2, "{name:?}");
        assert!(
            text.stderr.contains("config.yaml:2:"),
            "{name:?}: {}",
            text.stderr
        );
    }
    Ok(())
}

/// D01: names of packages that look like others are no names.
#[test]
fn d01_names_of_packages_that_look_like_others_are_refused() -> Result<(), Fault> {
    let context = context()?;
    let names = [
        "pla\u{200b}in",
        "pl\u{430}in",
        "ｐlain",
        "plain-",
        "_",
        "pl\u{e4}in",
    ];
    context.member("bad", &names)?;
    let (_, json) = asked(&context, &["plan", "bad"])?;
    assert_eq!(json.code, Some(1));
    assert_eq!(codes(&json)?, ["declaration.invalid"; 6]);
    assert!(context.server().requests().is_empty());
    Ok(())
}
