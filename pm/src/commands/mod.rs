//! The commands: each makes one library call and prints what comes of it.

mod context;
mod decide;
mod doctor;
mod explain;
mod own;
mod plan;
mod receipts;
mod union;

pub use context::Context;

use hermes_terms::Exit;

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
        Command::Plan(args) => plan::plan(&args.source, context),
        Command::Check(args) => plan::check(&args.path, context),
        Command::Union => union::union(context),
        Command::Why(args) => union::why(&args.package, context),
        Command::Explain(args) => explain::run(args.receipt.as_deref(), context),
        Command::Receipts(command) => receipts::run(command, context),
    }
}
