//! Where answers and talk go: answers to standard output, everything else to standard error. A reader
//! that stops reading ends the answer quietly.

use std::io::{self, ErrorKind, IsTerminal, Write};

use serde::Serialize;

use super::args::{ColorChoice, OutputOptions};
use super::progress::Progress;
use super::style::{self, Look, Tone};
use crate::fault::Notice;
use crate::{Environment, Error};

/// How much is said beside the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Volume {
    Quiet,
    Normal,
    Verbose,
}

impl Volume {
    const fn of(options: &OutputOptions) -> Self {
        match (options.quiet, options.verbose) {
            (true, _) => Self::Quiet,
            (_, true) => Self::Verbose,
            _ => Self::Normal,
        }
    }
}

/// The two streams and how they are used.
#[derive(Debug)]
pub struct Printer {
    json: bool,
    volume: Volume,
    progress: bool,
    out: Look,
    talk: Look,
}

impl Printer {
    /// A printer as the options and the environment ask for.
    pub fn new(options: &OutputOptions, env: &Environment) -> Self {
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let width = env
            .text("COLUMNS")
            .and_then(|text| text.parse().ok())
            .unwrap_or(100);
        let look = |is_terminal| Look {
            color: color(options.color, is_terminal, env),
            width: usize::clamp(width, 40, 120),
        };
        let progress =
            err && !options.no_progress && !options.quiet && !options.json && env.text("CI").is_none();
        Self {
            json: options.json,
            volume: Volume::of(options),
            progress,
            out: look(out),
            talk: look(err),
        }
    }

    /// Whether answers are JSON.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// How answers for people look.
    pub fn look(&self) -> Look {
        self.out
    }

    /// Answers: as JSON, or as the text that `text` makes (clean already).
    pub fn answer<T: Serialize>(&self, value: &T, text: impl FnOnce(Look) -> String) -> Result<(), Error> {
        if self.json {
            self.json(value)
        } else {
            self.raw(&text(self.out))
        }
    }

    /// Answers with JSON.
    pub fn json<T: Serialize>(&self, value: &T) -> Result<(), Error> {
        let text = hermes_receipts::json::to_text(value).map_err(|error| {
            Error::new(
                hermes_terms::Code::Internal,
                format!("the answer is no JSON: {error}"),
            )
        })?;
        self.raw(&text)
    }

    /// Answers with a text as it is, ended by a line end.
    pub fn raw(&self, text: &str) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let written = out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(end.as_bytes()))
            .and_then(|()| out.flush());
        match written {
            // Whoever read has enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other.map_err(|error| Error::of_output(&error)),
        }
    }

    /// Says something worth knowing.
    pub fn note(&self, text: &str) {
        if self.volume >= Volume::Normal && !self.json {
            say(&format!("{}\n", style::clean(text)));
        }
    }

    /// Says something for those who want to know more.
    pub fn detail(&self, text: &str) {
        if self.volume >= Volume::Verbose && !self.json {
            say(&format!("{}\n", self.talk.paint(Tone::Dim, text)));
        }
    }

    /// Warns; beside JSON as well, because that is on the other stream.
    pub fn warn(&self, notice: &Notice) {
        if self.volume >= Volume::Normal {
            let head = self.talk.paint(Tone::Warn, "warning");
            say(&format!(
                "{head}[{}]: {}\n",
                notice.code,
                style::clean(&notice.message)
            ));
        }
    }

    /// Shows a failure: JSON on standard output where JSON is asked for, else words on standard error.
    pub fn fail(&self, error: &Error) {
        if self.json && self.json(&error.json()).is_ok() {
            return;
        }
        say(&error.text(self.talk));
    }

    /// Shows that work goes on, if anybody looks.
    pub fn progress(&self, what: &'static str) -> Progress {
        Progress::start(self.progress, what)
    }
}

fn color(choice: ColorChoice, is_terminal: bool, env: &Environment) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            is_terminal && env.text("NO_COLOR").is_none() && env.text("TERM") != Some("dumb")
        }
    }
}

/// Writes to standard error; there is nowhere to tell that it cannot be written to.
pub(super) fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_choice_terminal_and_environment() {
        let env =
            |pairs: &[(&str, &str)]| Environment::stated(pairs.iter().copied(), "/".as_ref(), "/".as_ref());
        let (plain, no, dumb) = (env(&[]), env(&[("NO_COLOR", "1")]), env(&[("TERM", "dumb")]));
        assert!(color(ColorChoice::Auto, true, &plain));
        assert!(!color(ColorChoice::Auto, false, &plain));
        assert!(!color(ColorChoice::Auto, true, &no) && !color(ColorChoice::Auto, true, &dumb));
        assert!(color(ColorChoice::Always, false, &no) && !color(ColorChoice::Never, true, &plain));
    }
}
