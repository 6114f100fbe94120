//! A command's failure, ready to be shown: what, where, and what to do about it.

use hermes_terms::{Code, Exit};
use serde_json::{Value, json};

use crate::cli::exit;
use crate::cli::style::{Look, Tone};
use crate::fault::{Fault, Faults, Place};
use crate::settings::IndexNotConfigured;
use crate::target::TargetFault;

/// A failure of a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Why, for machines.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// Where, if in a file.
    pub place: Option<Box<Place>>,
    /// What to do about it.
    pub help: Option<String>,
    /// How the program ends.
    pub exit: Exit,
    /// Further faults that were found in the same run.
    pub also: Vec<Fault>,
}

impl Error {
    /// A failure; the exit code follows from the code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let exit = exit::of_code(code);
        Self {
            code,
            message: message.into(),
            place: None,
            help: None,
            exit,
            also: Vec::new(),
        }
    }

    /// The same with a place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A failure to write an answer.
    pub fn of_output(error: &std::io::Error) -> Self {
        let code = match error.kind() {
            std::io::ErrorKind::StorageFull => Code::DiskFull,
            _ => Code::DiskDenied,
        };
        Self::new(code, format!("the answer cannot be written: {error}"))
    }

    /// For people.
    pub fn text(&self, look: Look) -> String {
        let mut out = line(look, self.code, self.place.as_deref(), &self.message);
        for fault in &self.also {
            out.push_str(&line(look, fault.code, Some(&fault.place), &fault.message));
        }
        if let Some(help) = &self.help {
            out.push_str(&look.wrap(&format!("{}: ", look.paint(Tone::Strong, "help")), help));
            out.push('\n');
        }
        out
    }

    /// For programs: `{"error": {…}}`.
    pub fn json(&self) -> Value {
        let mut error = part(self.code, &self.message, self.place.as_deref());
        if let (Some(map), Some(help)) = (error.as_object_mut(), &self.help) {
            map.insert("help".into(), help.as_str().into());
        }
        if let Some(map) = error.as_object_mut() {
            map.insert("exit".into(), self.exit.code().into());
            if !self.also.is_empty() {
                let also = self
                    .also
                    .iter()
                    .map(|fault| part(fault.code, &fault.message, Some(&fault.place)));
                map.insert("also".into(), also.collect());
            }
        }
        json!({ "error": error })
    }
}

fn line(look: Look, code: Code, place: Option<&Place>, message: &str) -> String {
    let head = format!("{}[{}]: ", look.paint(Tone::Bad, "error"), code);
    let text = match place {
        Some(place) => format!("{place}: {message}"),
        None => message.to_owned(),
    };
    head + &crate::cli::style::clean(&text) + "\n"
}

fn part(code: Code, message: &str, place: Option<&Place>) -> Value {
    let mut value = json!({ "code": code, "message": message });
    if let (Some(map), Some(place)) = (value.as_object_mut(), place) {
        map.insert("file".into(), place.file.display().to_string().into());
        if place.line > 0 {
            map.insert("line".into(), place.line.into());
            map.insert("column".into(), place.column.into());
        }
    }
    value
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::new(fault.code, fault.message).at(fault.place)
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        let mut all = faults.into_all().into_iter();
        let Some(first) = all.next() else {
            return Self::new(Code::Internal, "a list of faults was empty");
        };
        Self {
            also: all.collect(),
            ..first.into()
        }
    }
}

impl From<TargetFault> for Error {
    fn from(fault: TargetFault) -> Self {
        let help = "give --python PATH, or state a target with --python-version and --platform";
        Self::new(fault.code(), fault.to_string()).with_help(help)
    }
}

impl From<IndexNotConfigured> for Error {
    fn from(fault: IndexNotConfigured) -> Self {
        Self::new(Code::IndexNotConfigured, fault.to_string()).with_help(IndexNotConfigured::HELP)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn an_answer_that_cannot_be_written_is_the_machines_fault() {
        use std::io::{Error as IoError, ErrorKind};
        for (kind, code) in [
            (ErrorKind::StorageFull, Code::DiskFull),
            (ErrorKind::PermissionDenied, Code::DiskDenied),
        ] {
            let error = Error::of_output(&IoError::from(kind));
            assert_eq!((error.code, error.exit), (code, Exit::Machine));
        }
    }

    #[test]
    fn failures_are_shown_with_place_and_help() {
        let fault = |line, message: &str| Fault {
            code: Code::ConfigInvalid,
            place: Place {
                file: "/h/config.yaml".into(),
                line,
                column: 3,
            },
            message: message.into(),
        };
        let faults = Faults::none_in(vec![fault(2, "first\u{1b}[2J"), fault(5, "second")]).unwrap_err();
        let error = Error::from(faults).with_help("mend it");
        insta::assert_snapshot!(error.text(Look::default()), @r"
        error[config.invalid]: /h/config.yaml:2:3: first\u{1b}[2J
        error[config.invalid]: /h/config.yaml:5:3: second
        help: mend it
        ");
        insta::assert_snapshot!(error.json(), @r#"{"error":{"code":"config.invalid","message":"first\u001b[2J","file":"/h/config.yaml","line":2,"column":3,"help":"mend it","exit":1,"also":[{"code":"config.invalid","message":"second","file":"/h/config.yaml","line":5,"column":3}]}}"#);
        let whole = Error::new(Code::HomeInvalid, "no").at(Place::file(Path::new("/h")));
        assert_eq!(
            (whole.exit, whole.text(Look::default())),
            (Exit::Usage, "error[home.invalid]: /h: no\n".into())
        );
    }
}
