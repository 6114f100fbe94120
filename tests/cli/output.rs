//! C34: standard output is data. With `--json` it is one JSON text and nothing else.

use hermes_pm_tests::Fault;

use crate::context;

#[test]
fn c34_every_command_answers_json() -> Result<(), Fault> {
    let context = context()?;
    context.member("one", &["proto"])?;
    context.member("bad", &["ghost"])?;
    context.enable(&["one"])?;
    let folder = context.path("home/plugins/one").display().to_string();
    let table: [(&[&str], i32); 14] = [
        (&["plan", "one"], 0),
        (&["plan", "bad"], 1),
        (&["plan", "bad", "--verbose"], 1),
        (&["check", &folder], 0),
        (&["union"], 0),
        (&["why", "proto"], 0),
        (&["explain"], 0),
        (&["doctor"], 0),
        (&["receipts", "list"], 0),
        (&["receipts", "show", "1"], 0),
        (&["receipts", "verify"], 0),
        (&["receipts", "schema"], 0),
        (&["receipts", "codes"], 0),
        (&["fly"], 2),
    ];
    for (arguments, exit) in table {
        let run = context.ask(&[arguments, &["--json"]].concat())?;
        assert_eq!(run.code, Some(exit), "{arguments:?}: {}", run.stderr);
        run.json()
            .map_err(|fault| fault.at(format_args!("{arguments:?}")))?;
        if !arguments.contains(&"--verbose") {
            assert_eq!(run.stderr, "", "{arguments:?}");
        }
    }
    Ok(())
}

/// What the receipts are is what their schema says.
#[test]
fn receipts_follow_their_schema() -> Result<(), Fault> {
    let context = context()?;
    context.member("one", &["proto"])?;
    context.member("bad", &["ghost"])?;
    context.member("wrong", &["ghost>"])?;
    let schema = context.run(&["receipts", "schema"])?.json()?;
    let validator = jsonschema::validator_for(&schema).map_err(|error| Fault::new(error.to_string()))?;
    for name in ["one", "bad", "wrong"] {
        let receipt = context.ask(&["plan", name, "--json"])?.json()?;
        let faults: Vec<String> = validator
            .iter_errors(&receipt)
            .map(|error| error.to_string())
            .collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
    }
    Ok(())
}

#[test]
fn manual_pages_and_completions_are_printed() -> Result<(), Fault> {
    let context = context()?;
    let table: [(&[&str], &str); 7] = [
        (&["man"], ".TH hermes-pm 1"),
        (&["man", "plan"], ".TH hermes-pm-plan 1"),
        (&["man", "receipts", "list"], ".TH hermes-pm-receipts-list 1"),
        (&["self", "man"], ".TH hermes-pm 1"),
        (&["completions", "bash"], "complete -F _hermes"),
        (&["completions", "zsh"], "#compdef hermes-pm"),
        (&["self", "completions", "fish"], "complete -c hermes-pm"),
    ];
    for (arguments, word) in table {
        let run = context.run(arguments)?;
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(run.stdout.contains(word), "{arguments:?}: {:.200}", run.stdout);
    }
    assert!(!context.path("home/pm").exists() && context.server().requests().is_empty());
    Ok(())
}

/// I01: what a plugin calls itself or requires cannot move the cursor or forge a line.
#[test]
fn i01_no_byte_of_a_plugin_reaches_the_terminal_as_it_is() -> Result<(), Fault> {
    let context = context()?;
    context.member(
        "evil",
        &["proto\u{1b}]0;x\u{7}", "pla\u{202e}in", "a\r\nadmitted: b"],
    )?;
    let run = context.ask(&["plan", "evil"])?;
    assert_eq!(run.code, Some(1));
    let hostile = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains(hostile), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("admitted")), "{text:?}");
    }
    let text = context.ask(&["plan", "evil", "--json"])?.stdout;
    assert!(!text.contains(hostile), "{text:?}");
    Ok(())
}
