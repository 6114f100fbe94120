//! The commands: each makes one library call and prints what comes of it.

mod doctor;
mod own;
mod receipts;

use hermes_terms::{Code, Exit};

use crate::cli::command::{Command, OwnCommand};
use crate::cli::{Global, Printer};
use crate::home::{self, Located};
use crate::settings;
use crate::target::{ProbeCache, Prober, Wanted};
use crate::{Environment, Error};

/// What every command has at hand.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The environment.
    pub env: &'a Environment,
    /// The options of every command.
    pub global: &'a Global,
    /// The streams.
    pub printer: &'a Printer,
}

impl<'a> Context<'a> {
    /// The home that is meant.
    pub fn located(&self) -> Result<Located, Error> {
        let place = &self.global.place;
        Ok(home::locate(
            place.home.as_deref(),
            place.profile.as_deref(),
            self.env,
        )?)
    }

    /// The target that was asked for.
    pub fn wanted_target(&self) -> Wanted {
        let options = &self.global.target;
        Wanted {
            python: options.python.clone(),
            python_version: options.python_version.clone(),
            platform: options.platform.clone(),
        }
    }

    /// How interpreters are asked.
    pub fn prober(&self) -> Prober<'a> {
        let folder = settings::cache_dir(self.env).map(|cache| cache.join("target"));
        Prober::new(
            self.env,
            ProbeCache {
                folder,
                refresh: self.global.choice.refresh,
            },
        )
    }
}

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
