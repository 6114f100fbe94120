//! The package index that is used when none is configured. Its address stands nowhere in the source:
//! it is what the interpreter's own pip would use, or what was given when the program was built.

use super::{Interpreter, Prober};

/// Given when the program was built; comes before what pip says.
const BUILT_IN: Option<&str> = option_env!("HERMES_PM_DEFAULT_INDEX");

/// Where a default index comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultIndexOrigin {
    /// Set when the program was built.
    Build,
    /// The interpreter's pip.
    Pip,
}

/// The default index. With a target stated by hand there is no interpreter of its own; any on the
/// search path serves.
pub fn default_index(
    interpreter: Option<&Interpreter>,
    prober: &Prober<'_>,
) -> Option<(String, DefaultIndexOrigin)> {
    if let Some(url) = BUILT_IN.map(str::trim).filter(|url| !url.is_empty()) {
        return Some((url.to_owned(), DefaultIndexOrigin::Build));
    }
    let url = match interpreter {
        Some(interpreter) => interpreter.facts.default_index.clone(),
        None => prober
            .find(None, None)
            .ok()
            .and_then(|found| found.facts.default_index),
    };
    url.map(|url| (url, DefaultIndexOrigin::Pip))
}
