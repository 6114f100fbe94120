//! The command line as one text for a POSIX shell.

use std::ffi::OsString;

/// The command with its arguments, each quoted where a shell needs it. What is no text is shown as far
/// as it is one.
pub(super) fn command(arguments: &[OsString]) -> String {
    let words = arguments
        .iter()
        .skip(1)
        .map(|word| quoted(&word.to_string_lossy()));
    std::iter::once("hermes-pm".to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/.-_=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["x", "plan", "/a b", "it's", "--core=hermes-agent==0.19.0", ""];
        let told = command(&words.map(OsString::from));
        assert_eq!(
            told,
            r"hermes-pm plan '/a b' 'it'\''s' --core=hermes-agent==0.19.0 ''"
        );
    }
}
