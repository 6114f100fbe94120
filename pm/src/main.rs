//! The binary: reads the process's arguments and environment once, and hands both on as values.

use std::process::ExitCode;

use hermes_pm::{Environment, cli};

fn main() -> ExitCode {
    let env = Environment::of_process();
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(cli::run(&arguments, &env).code())
}
