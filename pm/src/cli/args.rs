//! The command line as types. A command file parses nothing: it gets these and makes one call.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, ValueEnum};

use super::command::Command;
use crate::settings::{Cutoff, Pins};

/// The package manager and dependency gate for plugins of the Hermes Agent.
///
/// Decides, before anything is changed, whether plugins' declared dependencies fit together with
/// Hermes' own, and writes a receipt of every answer.
#[derive(Debug, Parser)]
#[command(
    name = "hermes-pm",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
#[command(after_help = EXIT_CODES)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done or nothing to do, 1 refused, 2 wrong usage, \
    3 undecided (index, network, deadline), 4 the machine (disk, permissions), 5 busy, 6 consent needed, \
    70 a bug, 130 interrupted.";

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
pub struct Global {
    /// Where to look, and what is in force.
    #[command(flatten)]
    pub place: PlaceOptions,
    /// How to answer.
    #[command(flatten)]
    pub output: OutputOptions,
    /// What the environment is for.
    #[command(flatten)]
    pub target: TargetOptions,
    /// What may be chosen.
    #[command(flatten)]
    pub choice: ChoiceOptions,
}

/// Where to look.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Home and core")]
pub struct PlaceOptions {
    /// The home (else `HERMES_HOME`, else the platform's default)
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// A profile of the home; `default` is the home itself
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Hermes core: a folder, `hermes-agent==VERSION`, or a pylock.toml
    #[arg(long, global = true, value_name = "SOURCE")]
    pub core: Option<String>,
    /// An extra of core that is in use; may be given several times
    #[arg(long, global = true, value_name = "EXTRA", value_delimiter = ',')]
    pub core_extra: Vec<String>,
}

/// How to answer.
#[derive(Debug, Clone, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// Answer as JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but the answer
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(long, short, global = true, action = ArgAction::SetTrue)]
    pub verbose: bool,
    /// Show no progress
    #[arg(long, global = true)]
    pub no_progress: bool,
    /// Colours (`NO_COLOR` is honoured)
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Answer every question with yes
    #[arg(long, short, global = true)]
    pub yes: bool,
}

/// What the environment is for.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Target")]
pub struct TargetOptions {
    /// The interpreter (else the newest on the path that core allows)
    #[arg(long, global = true, value_name = "PATH", conflicts_with_all = ["python_version", "platform"])]
    pub python: Option<PathBuf>,
    /// A Python version, for a target without an interpreter
    #[arg(long, global = true, value_name = "VERSION")]
    pub python_version: Option<String>,
    /// A platform, such as `x86_64-manylinux_2_28` (with --python-version)
    #[arg(long, global = true, value_name = "PLATFORM", requires = "python_version")]
    pub platform: Option<String>,
}

/// What may be chosen.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Index and policy")]
pub struct ChoiceOptions {
    /// A package index; may be given several times, the first that knows a name has it
    #[arg(long, global = true, value_name = "URL")]
    pub index: Vec<String>,
    /// Ask no index: use what is cached
    #[arg(long, global = true, conflicts_with = "refresh")]
    pub offline: bool,
    /// Ask again for everything that is cached
    #[arg(long, global = true)]
    pub refresh: bool,
    /// Give up (undecided) after so many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub deadline: Option<u32>,
    /// Leave out what was uploaded later: a date, or `14 days`
    #[arg(long, global = true, value_name = "DATE", value_parser = Cutoff::parse)]
    pub exclude_newer: Option<Cutoff>,
    /// Whether the versions of core's lock are preferred or bind: `declared` or `locked`
    #[arg(long, global = true, value_name = "HOW", value_parser = pins)]
    pub pins: Option<Pins>,
    /// Allow pre-releases everywhere
    #[arg(long, global = true)]
    pub pre: bool,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

fn pins(text: &str) -> Result<Pins, &'static str> {
    Pins::parse(text).ok_or("expected `declared` or `locked`")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_may_stand_anywhere() {
        for line in [
            "hermes-pm --json union --index https://i.example",
            "hermes-pm union --json --index https://i.example",
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert!(
                cli.global.output.json && cli.global.choice.index.len() == 1,
                "{line}"
            );
        }
    }

    #[test]
    fn wrong_usage_is_told_apart() {
        let table = [
            ("hermes-pm", ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand),
            ("hermes-pm fly", ErrorKind::InvalidSubcommand),
            ("hermes-pm plan", ErrorKind::MissingRequiredArgument),
            ("hermes-pm union --quiet --verbose", ErrorKind::ArgumentConflict),
            ("hermes-pm union --offline --refresh", ErrorKind::ArgumentConflict),
            (
                "hermes-pm union --python p --python-version 3.12",
                ErrorKind::ArgumentConflict,
            ),
            (
                "hermes-pm union --platform x86_64-linux",
                ErrorKind::MissingRequiredArgument,
            ),
            ("hermes-pm union --deadline 0", ErrorKind::ValueValidation),
            ("hermes-pm union --exclude-newer soon", ErrorKind::ValueValidation),
            ("hermes-pm union --pins hard", ErrorKind::ValueValidation),
            ("hermes-pm union --color blue", ErrorKind::InvalidValue),
            ("hermes-pm --version", ErrorKind::DisplayVersion),
            ("hermes-pm receipts --help", ErrorKind::DisplayHelp),
        ];
        for (line, kind) in table {
            assert_eq!(
                Cli::try_parse_from(line.split(' ')).unwrap_err().kind(),
                kind,
                "{line}"
            );
        }
    }
}
