//! The list of codes: each is produced by the product, and each has a test that expects it.

use std::path::Path;

use hermes_pm_tests::Fault;
use hermes_terms::Code;

use crate::text::sources;

/// Where codes are defined, and where they are only sorted by exit code.
const NO_PRODUCER: [&str; 2] = ["receipts/terms/src/code.rs", "pm/src/cli/exit.rs"];

/// Where a file's own tests begin.
const TESTS_BEGIN: &str = "#[cfg(test)]\nmod ";

/// What of a file is product, and what is test.
fn divided<'t>(file: &Path, text: &'t str) -> (&'t str, &'t str) {
    let name = file.to_string_lossy();
    if name.starts_with("tests/") || name.contains("/tests/") || name.ends_with("tests.rs") {
        return ("", text);
    }
    let (product, judge) = text.split_once(TESTS_BEGIN).unwrap_or((text, ""));
    let is_producer = !NO_PRODUCER.iter().any(|other| file == Path::new(other));
    (if is_producer { product } else { "" }, judge)
}

/// Whether a text names a code: as the variant, or as a literal of its written form.
fn names(text: &str, code: Code) -> bool {
    let variant = format!("Code::{code:?}");
    let written = [format!("\"{code}\""), format!("[{code}]")];
    let mut at = text.match_indices(&variant).map(|(at, found)| at + found.len());
    let is_whole = |end: usize| {
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        !next.is_some_and(char::is_alphanumeric)
    };
    at.any(is_whole) || written.iter().any(|form| text.contains(form))
}

#[test]
fn every_code_is_produced_and_tested() -> Result<(), Fault> {
    let sources = sources()?;
    let parts: Vec<(&str, &str)> = sources.iter().map(|(file, text)| divided(file, text)).collect();
    let without = |which: fn(&(&str, &str)) -> String| {
        let texts: Vec<String> = parts.iter().map(which).collect();
        let missing = Code::ALL
            .iter()
            .filter(|code| !texts.iter().any(|text| names(text, **code)));
        missing.map(|code| code.as_str()).collect::<Vec<_>>()
    };
    let unproduced = without(|part| part.0.to_owned());
    let untested = without(|part| part.1.to_owned());
    assert!(unproduced.is_empty(), "nothing produces {unproduced:?}");
    assert!(untested.is_empty(), "no test expects {untested:?}");
    Ok(())
}
