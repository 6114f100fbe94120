//! An interpreter is a program of somebody else: what it says is checked before it is believed.

use std::os::unix::fs::PermissionsExt;

use hermes_pm_tests::Fault;
use serde_json::json;

use crate::context;

#[test]
fn an_interpreter_that_does_not_describe_itself_is_named() -> Result<(), Fault> {
    let context = context()?;
    let core = context.path("core").display().to_string();
    let url = context.server().url();
    let own = context.path("python").display().to_string();
    let table = [
        ("junk", "echo junk".to_owned()),
        ("nothing", "true".to_owned()),
        ("a failure", "echo broken >&2; exit 3".to_owned()),
        ("endless", "yes".to_owned()),
        ("binary", "head -c 1000 /dev/urandom".to_owned()),
        // It names itself as it should, and describes itself as an empty object.
        (
            "empty",
            format!("case \"$*\" in *executable*) printf '{own}';; *) echo '{{}}';; esac"),
        ),
    ];
    for (what, script) in table {
        let path = context.write("python", format!("#!/bin/sh\n{script}\n"))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        let arguments = ["union", "--core", &core, "--index", &url, "--python", &own];
        let before = context.listing()?;
        let text = context.run(&arguments)?;
        let json = context.run(&[&arguments[..], &["--json"]].concat())?;
        context.unchanged_since(&before)?;
        assert_eq!(
            (json.code, json.at("/error/code")?),
            (Some(4), json!("target.invalid")),
            "{what}"
        );
        assert!(text.stderr.contains("[TEMP]/python"), "{what}: {}", text.stderr);
        assert!(text.stderr.contains("--python PATH"), "{what}: {}", text.stderr);
        assert_eq!(text.stdout, "", "{what}");
    }
    Ok(())
}
