//! The commands: each makes one library call and prints what comes of it.

mod context;
mod doctor;
mod own;
mod receipts;

pub use context::Context;

use hermes_terms::{Code, Exit};

use crate::Error;
use crate::cli::command::{Command, OwnCommand};

/// Runs a command.
pub fn run(command: &Command, context: &Context<'_>) -> Result<Exit, Error> {
    match command {
        Command::Doctor => doctor::run(context),
        Command::Completions(args) | Command::Own(OwnCommand::Completions(args)) => {
            own::completions(args, context)
        }
        Command::Man(args) | Command::Own(OwnCommand::Man(args)) => own::man(args, context),
        Command::Plan(_) | Command::Check(_) | Command::Union | Command::Why(_) | Command::Explain(_) => {
            not_wired()
        }
        Command::Receipts(command) => receipts::run(command, context),
    }
}

fn not_wired() -> Result<Exit, Error> {
    Err(Error::new(Code::Internal, "this command is not wired yet"))
}
