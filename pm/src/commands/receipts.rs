//! `receipts`: the record of what was decided.

use hermes_terms::{Code, Exit};
use serde_json::{Value, json};

use super::Context;
use crate::Error;
use crate::cli::command::ReceiptsCommand;
use crate::cli::style::{Look, Tone};

/// Runs one of the subcommands.
pub(super) fn run(command: &ReceiptsCommand, context: &Context<'_>) -> Result<Exit, Error> {
    match command {
        ReceiptsCommand::Codes => codes(context),
        ReceiptsCommand::Schema => {
            context.printer.json(&hermes_receipts::schema::receipt())?;
            Ok(Exit::Done)
        }
        ReceiptsCommand::List(_) | ReceiptsCommand::Show(_) | ReceiptsCommand::Verify => super::not_wired(),
    }
}

fn codes(context: &Context<'_>) -> Result<Exit, Error> {
    let list: Vec<Value> = Code::ALL
        .iter()
        .map(|code| json!({ "code": code.as_str(), "about": code.about() }))
        .collect();
    context.printer.answer(&list, codes_text)?;
    Ok(Exit::Done)
}

fn codes_text(look: Look) -> String {
    let widest = Code::ALL
        .iter()
        .map(|code| code.as_str().len())
        .max()
        .unwrap_or(0);
    let line = |code: &Code| {
        let name = look.paint(Tone::Code, &format!("{:<widest$}", code.as_str()));
        look.wrap(&format!("{name}  "), code.about()) + "\n"
    };
    Code::ALL.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_told() {
        let text = codes_text(Look::default());
        for code in Code::ALL {
            assert!(
                text.contains(&format!("{code} ")) && !code.about().is_empty(),
                "{code}"
            );
        }
    }
}
