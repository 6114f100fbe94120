//! The program itself, built where the integration tests of this crate can find it.

use std::process::ExitCode;

use hermes_pm::{Environment, cli};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(cli::run(&arguments, &Environment::of_process()).code())
}
