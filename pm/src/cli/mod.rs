//! The command line: arguments, the two streams, exit codes, and the outermost frame that turns
//! everything that can happen into one of them.

pub mod args;
pub mod command;
pub mod exit;
pub mod style;

mod again;
mod printer;
mod progress;

pub use args::{Cli, Global};
pub use command::Command;
pub use printer::Printer;
pub use progress::Progress;

use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use clap::Parser;
use clap::error::ErrorKind;
use hermes_terms::{Code, Exit};

use crate::commands::{self, Context};
use crate::{Environment, Error};
use args::OutputOptions;

/// Runs the program with these arguments and says how it ended.
pub fn run(arguments: &[OsString], env: &Environment) -> Exit {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|at| format!(" at {}:{}", at.file(), at.line()))
            .unwrap_or_default();
        let said = info.payload();
        let words = said
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| said.downcast_ref::<String>().map(String::as_str));
        let words = style::clean(words.unwrap_or("no message")).into_owned();
        printer::say(&format!("hermes-pm: a bug{place}: {words}\n"));
    }));
    panic::catch_unwind(AssertUnwindSafe(|| guarded(arguments, env))).unwrap_or(Exit::Bug)
}

fn guarded(arguments: &[OsString], env: &Environment) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return not_run(&error, arguments, env),
    };
    let printer = Printer::new(&cli.global.output, env);
    let context = Context {
        env,
        global: &cli.global,
        printer: &printer,
        again: &again::command(arguments),
        started: Instant::now(),
    };
    commands::run(&cli.command, &context).unwrap_or_else(|error| {
        printer.fail(&error);
        error.exit
    })
}

/// Help and the version are answers; everything else that the parser says is wrong usage.
fn not_run(error: &clap::Error, arguments: &[OsString], env: &Environment) -> Exit {
    let json = arguments
        .iter()
        .take_while(|text| *text != "--")
        .any(|text| text == "--json");
    let printer = Printer::new(
        &OutputOptions {
            json,
            ..OutputOptions::default()
        },
        env,
    );
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = if printer.look().color {
                text.ansi().to_string()
            } else {
                text.to_string()
            };
            return printer.raw(&text).map_or(Exit::Machine, |()| Exit::Done);
        }
        _ => {}
    }
    if json {
        let first = text
            .to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned();
        printer.fail(&Error::new(Code::UsageInvalid, first).with_help("hermes-pm --help"));
    } else {
        // The parser quotes arguments; they are the caller's own, but may hold anything.
        printer::say(&format!("{}\n", style::clean_lines(&text.to_string())));
    }
    Exit::Usage
}
