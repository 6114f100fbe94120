//! How text looks on a terminal, and what may not reach one: names and messages come from plugins and
//! indexes, so control characters and what turns text around are shown as escapes.

use std::borrow::Cow;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use hermes_receipts::redact::is_hostile;

/// Colours and width for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours are used.
    pub color: bool,
    /// Columns that lines are wrapped to.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A good end.
    Good,
    /// A bad end.
    Bad,
    /// Something to look at.
    Warn,
    /// A heading.
    Strong,
    /// Less important.
    Dim,
    /// A name, a version, a command.
    Code,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Warn => AnsiColor::Yellow.on_default().bold(),
            Self::Strong => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Code => AnsiColor::Cyan.on_default(),
        }
    }
}

impl Look {
    /// A piece of text, cleaned and coloured.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        let text = clean(text);
        if !self.color {
            return text.into_owned();
        }
        let style = tone.style();
        format!("{style}{text}{style:#}")
    }

    /// Text, cleaned and wrapped at blanks. The first line starts with `first`, the others are
    /// indented as far. A word that is too long stands alone.
    pub fn wrap(self, first: &str, text: &str) -> String {
        let indent = shown_width(first);
        let room = self.width.saturating_sub(indent).max(20);
        let text = clean(text);
        let mut out = String::from(first);
        let mut used = 0;
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let length = word.chars().count();
            if used > 0 && used + 1 + length > room {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
                used = 0;
            } else if used > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += length;
        }
        out
    }
}

/// Columns of a text, escape sequences for colours left out.
fn shown_width(text: &str) -> usize {
    let mut width = 0;
    let mut in_escape = false;
    for c in text.chars() {
        match (in_escape, c) {
            (false, '\u{1b}') => in_escape = true,
            (true, 'm') => in_escape = false,
            (true, _) => {}
            (false, _) => width += 1,
        }
    }
    width
}

/// Text that is safe on a terminal: on one line, every control, direction or invisible character
/// written as `\u{…}`.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push(' '),
            c if is_hostile(c) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same for a text of several lines.
pub fn clean_lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I01: nothing that a plugin writes moves the cursor, sets a title or turns text around.
    #[test]
    fn i01_terminal_tricks_are_shown_not_done() {
        let table = [
            ("plain é 漢", "plain é 漢"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("a\u{9b}2Jb", "a\\u{9b}2Jb"),
            ("a\r\nb\tc", "a\\u{d}\\nb c"),
            ("\u{202e}txt\u{2066}", "\\u{202e}txt\\u{2066}"),
            ("a\u{200d}b\u{7f}", "a\\u{200d}b\\u{7f}"),
        ];
        for (text, expected) in table {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_are_wrapped_below_their_start() {
        let look = Look {
            color: false,
            width: 30,
        };
        assert_eq!(
            look.wrap("  1. ", "one two three four five six seven"),
            "  1. one two three four five\n     six seven"
        );
        assert_eq!(look.wrap("", &"x".repeat(50)), "x".repeat(50));
        let colored = Look {
            color: true,
            width: 30,
        };
        let first = colored.paint(Tone::Bad, "12345");
        assert!(
            colored
                .wrap(&first, "aaaaaaaaaa bbbbbbbbbbbbbbb")
                .ends_with("aaaaaaaaaa\n     bbbbbbbbbbbbbbb")
        );
    }
}
