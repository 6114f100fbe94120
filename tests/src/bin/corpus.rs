//! Plans every real plugin of the corpus and prints the table against the recorded answers.
//!
//! `cargo build --release && cargo run --release -p hermes-pm-tests --bin corpus -- [OPTIONS OF plan]`

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    match hermes_pm_tests::corpus::run(&arguments, &mut out) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            // Nothing is left to tell it to when standard error is closed too.
            let _ = writeln!(io::stderr(), "{fault}");
            ExitCode::from(4)
        }
    }
}
