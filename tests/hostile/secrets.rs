//! C35, E03: credentials of an index are sent to it, and seen nowhere else: on every path, good or bad.

use hermes_pm_tests::Fault;
use hermes_pm_tests::context::{Run, TestContext};
use hermes_pm_tests::fake_index::Universe;
use hermes_pm_tests::server::{Answer, Server};

use crate::BINARY;

const USER: &str = "somebody";

/// A password that needs percent signs in an address.
const SECRET: &str = "hunter2%2Fhunter3";

/// Its forms: as written, decoded, in base64 (`somebody:hunter2/hunter3`), and parts of it.
const FORMS: [&str; 4] = [
    "hunter2",
    "hunter3",
    "aHVudGVy",
    "c29tZWJvZHk6aHVudGVyMi9odW50ZXIz",
];

fn unseen(context: &TestContext, run: &Run, what: &str) -> Result<(), Fault> {
    let written = context.written()?;
    let texts = written.iter().map(|bytes| String::from_utf8_lossy(bytes));
    for text in texts.chain([run.stdout.as_str().into(), run.stderr.as_str().into()]) {
        for form in FORMS {
            if text.contains(form) {
                return Err(Fault::new(format_args!("{form} in {text}")).at(what));
            }
        }
    }
    Ok(())
}

fn with_secret(url: &str) -> String {
    url.replacen("://", &format!("://{USER}:{SECRET}@"), 1)
}

#[test]
fn c35_a_password_is_seen_nowhere() -> Result<(), Fault> {
    let universe: Universe =
        toml::from_str("[packages.plain.versions.\"1.0\"]\n[packages.other.versions.\"1.0\"]\n")?;
    let whole = |status, text: &str| Answer::Whole(status, "text/html", text.as_bytes().to_vec());
    let answers = [
        ("good", None),
        ("unauthorized", Some(whole(401, "no"))),
        ("broken", Some(whole(500, "no"))),
        ("absent", Some(whole(404, "no"))),
        ("login", Some(whole(200, "<html>"))),
        ("cut", Some(Answer::Cut(900, b"{".to_vec()))),
    ];
    for (what, answer) in answers {
        let instead = answer.into_iter().map(|answer| ("/simple/plain/", answer));
        let context = TestContext::with_server(BINARY, Server::start_with(&universe, instead)?)?;
        let core = context.core("0.19.0", &["other"])?.display().to_string();
        context.member("new", &["plain"])?;
        let url = with_secret(&context.server().url());
        let usual = ["--core", &core, "--python-version", "3.12", "--verbose"];
        for command in [
            &["plan", "new"][..],
            &["plan", "new", "--json"],
            &["union"],
            &["doctor", "--json"],
            &["why", "other"],
        ] {
            let given = context.run(&[command, &usual, &["--index", &url]].concat())?;
            unseen(&context, &given, &format!("{what}, {command:?}"))?;
            let variable = context
                .call()
                .env("PIP_INDEX_URL", &url)
                .run(&[command, &usual].concat())?;
            unseen(&context, &variable, &format!("{what}, {command:?}, variable"))?;
            assert_eq!(given.code, variable.code, "{what}, {command:?}");
        }
        context.write(
            "user/.config/pip/pip.conf",
            format!("[global]\nindex-url = {url}\n"),
        )?;
        let file = context.run(&[&["plan", "new", "--json"], &usual[..]].concat())?;
        unseen(&context, &file, &format!("{what}, file"))?;
        let shown = context.run(&["receipts", "show", "--json"])?;
        unseen(&context, &shown, &format!("{what}, receipt"))?;
        assert!(
            shown.stdout.contains("[INDEX]/simple/"),
            "{what}: {}",
            shown.stdout
        );
    }
    Ok(())
}

/// Addresses that cannot be used are not repeated.
#[test]
fn c35_an_address_that_cannot_be_used_is_not_repeated() -> Result<(), Fault> {
    let context = TestContext::new(BINARY, &Universe::default())?;
    let core = context.core("0.19.0", &["plain"])?.display().to_string();
    let addresses = [
        "ftp://h.example/",
        "http://h.example:99999/",
        "http://h.example/?token=x",
        "https://h .example/",
        "://h.example/",
    ];
    for address in addresses {
        let url = with_secret(address);
        for command in [&["union"][..], &["union", "--json"], &["doctor"]] {
            let run = context.run(
                &[
                    command,
                    &["--core", &core, "--python-version", "3.12", "--index", &url],
                ]
                .concat(),
            )?;
            assert_eq!(run.code, Some(1), "{address}: {}", run.stderr);
            unseen(&context, &run, address)?;
            let text = run.stdout + &run.stderr;
            assert!(text.contains("config.invalid"), "{address}: {text}");
        }
    }
    Ok(())
}
