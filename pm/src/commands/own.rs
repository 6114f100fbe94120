//! `completions` and `man`: made from the definition of the command line itself.

use clap::CommandFactory;
use hermes_terms::{Code, Exit};

use super::Context;
use crate::Error;
use crate::cli::Cli;
use crate::cli::command::{CompletionsArgs, ManArgs};

/// Prints a completion script.
pub(super) fn completions(args: &CompletionsArgs, context: &Context<'_>) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hermes-pm", &mut script);
    context.printer.raw(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints a manual page (roff).
pub(super) fn man(args: &ManArgs, context: &Context<'_>) -> Result<Exit, Error> {
    let page = page(&args.command)?;
    context.printer.raw(&page)?;
    Ok(Exit::Done)
}

fn page(path: &[String]) -> Result<String, Error> {
    let mut command = Cli::command();
    command.build();
    let mut name = String::from("hermes-pm");
    for part in path {
        let found = command.find_subcommand(part).cloned();
        command = found.ok_or_else(|| {
            Error::new(Code::UsageInvalid, format!("`{name}` has no command `{part}`"))
                .with_help("hermes-pm --help")
        })?;
        name = format!("{name}-{part}");
    }
    let mut page = Vec::new();
    let made = clap_mangen::Man::new(command)
        .title(name)
        .source(concat!("hermes-pm ", env!("CARGO_PKG_VERSION")))
        .render(&mut page);
    made.map_err(|error| Error::new(Code::Internal, format!("the page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let paths: [&[&str]; 4] = [&[], &["plan"], &["receipts"], &["receipts", "list"]];
        for path in paths {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            let page = page(&path).unwrap();
            let title = ["hermes-pm"]
                .into_iter()
                .chain(path.iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join("-");
            assert!(page.contains(&format!(".TH {title}")), "{title}: {page:.200}");
        }
        assert_eq!(page(&["fly".into()]).unwrap_err().exit, Exit::Usage);
    }
}
