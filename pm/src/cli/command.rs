//! The commands of the command line.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What admission of a plugin would do; changes nothing
    Plan(PlanArgs),
    /// Whether a plugin fits a core, and nothing else (for plugin authors' CI)
    Check(CheckArgs),
    /// The requirements of core and of every active plugin, and whether they fit together
    Union,
    /// Who requires a package, and why it has its version
    Why(WhyArgs),
    /// The last answer (or a receipt's) in words
    Explain(ExplainArgs),
    /// The record of what was decided
    #[command(subcommand)]
    Receipts(ReceiptsCommand),
    /// Which home, interpreter, index and settings are in use
    Doctor,
    /// What concerns this program itself
    #[command(name = "self", subcommand)]
    Own(OwnCommand),
    /// A completion script for a shell
    Completions(CompletionsArgs),
    /// The manual page
    Man(ManArgs),
}

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The plugin: a folder, or the name of one that lies in the home
    #[arg(value_name = "SOURCE|NAME")]
    pub source: String,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The plugin's folder
    pub path: PathBuf,
}

/// Arguments of `why`.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// The package
    pub package: String,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The receipt: its number, or the start of its id (else the newest)
    pub receipt: Option<String>,
}

/// What to do with receipts.
#[derive(Debug, Subcommand)]
pub enum ReceiptsCommand {
    /// All receipts, the oldest first
    List(ListArgs),
    /// One receipt
    Show(ExplainArgs),
    /// Whether the chain of receipts is whole
    Verify,
    /// The JSON Schema of receipts
    Schema,
    /// Every code, and what it means
    Codes,
}

/// Arguments of `receipts list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only the newest so many
    #[arg(long, value_name = "NUMBER")]
    pub last: Option<usize>,
}

/// What concerns the program itself.
#[derive(Debug, Subcommand)]
pub enum OwnCommand {
    /// A completion script for a shell
    Completions(CompletionsArgs),
    /// The manual page
    Man(ManArgs),
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The page of a command, such as `plan` or `receipts list`
    pub command: Vec<String>,
}
