//! `receipts`: the record of what was decided.

use hermes_receipts::{Ledger, LedgerError, Receipt};
use hermes_terms::{Code, Exit, Outcome, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::Context;
use crate::Error;
use crate::cli::command::ReceiptsCommand;
use crate::cli::style::{Look, Tone, clean};
use crate::fault::Notice;

/// Runs one of the subcommands.
pub(super) fn run(command: &ReceiptsCommand, context: &Context<'_>) -> Result<Exit, Error> {
    match command {
        ReceiptsCommand::Codes => codes(context),
        ReceiptsCommand::Schema => {
            context.printer.json(&hermes_receipts::schema::receipt())?;
            Ok(Exit::Done)
        }
        ReceiptsCommand::List(args) => list(args.last, context),
        ReceiptsCommand::Show(args) => {
            super::plan::show(context, &super::explain::find(args.receipt.as_deref(), context)?)?;
            Ok(Exit::Done)
        }
        ReceiptsCommand::Verify => verify(context),
    }
}

fn ledger(context: &Context<'_>) -> Result<Ledger, Error> {
    Ok(Ledger::open(&context.located()?.root))
}

fn failed(error: &LedgerError) -> Error {
    Error::new(error.code(), error.to_string())
}

/// One line of the list.
#[derive(Debug, Serialize)]
struct Entry {
    sequence: u64,
    id: String,
    operation: String,
    outcome: Outcome,
    verdict: Option<Verdict>,
    code: Option<String>,
    plugin: Option<String>,
    finished_at: String,
}

impl Entry {
    fn of(receipt: &Receipt) -> Self {
        let decision = receipt.decision.as_ref();
        let refusal = decision.and_then(|decision| decision.refusal.as_ref());
        Self {
            sequence: receipt.sequence,
            id: receipt.id.to_string(),
            operation: receipt.operation.to_string(),
            outcome: receipt.outcome,
            verdict: decision.map(|decision| decision.verdict),
            code: refusal.map(|refusal| refusal.code.as_str().to_owned()),
            plugin: decision.and_then(|decision| decision.inputs.candidate.clone()),
            finished_at: receipt.finished_at.to_string(),
        }
    }
}

fn list(last: Option<usize>, context: &Context<'_>) -> Result<Exit, Error> {
    let ledger = ledger(context)?;
    let listing = ledger.list().map_err(|error| failed(&error))?;
    for corrupt in &listing.foreign {
        context.printer.warn(&Notice {
            code: corrupt.code(),
            message: corrupt.to_string(),
        });
    }
    let (mut entries, mut damaged) = (Vec::new(), Vec::new());
    for read in ledger
        .newest(last.unwrap_or(usize::MAX))
        .map_err(|error| failed(&error))?
    {
        match read {
            Ok(receipt) => entries.push(Entry::of(&receipt)),
            Err(corrupt) => damaged.push(corrupt),
        }
    }
    // The ledger gives the newest first, and a list that grows is read from its start.
    entries.reverse();
    for corrupt in &damaged {
        context.printer.warn(&Notice {
            code: corrupt.code(),
            message: corrupt.to_string(),
        });
    }
    context
        .printer
        .answer(&entries, |look| list_text(&entries, look))?;
    Ok(Exit::Done)
}

fn list_text(entries: &[Entry], look: Look) -> String {
    let line = |entry: &Entry| {
        let number = look.paint(Tone::Strong, &format!("{:>4}", entry.sequence));
        let verdict = entry.verdict.map_or("-", Verdict::as_str);
        let tail = [entry.plugin.as_deref(), entry.code.as_deref()];
        let tail: Vec<_> = tail.into_iter().flatten().collect();
        let short = entry.id.get(7..15).unwrap_or_default();
        clean(&format!(
            "{number} {short} {} {:<8} {verdict:<13} {}",
            entry.finished_at,
            entry.operation,
            tail.join(" ")
        ))
        .into_owned()
            + "\n"
    };
    entries.iter().map(line).collect()
}

fn verify(context: &Context<'_>) -> Result<Exit, Error> {
    let found = ledger(context)?.verify().map_err(|error| failed(&error))?;
    context.printer.answer(&found, |_| {
        let mut lines = vec![format!("{} receipts intact", found.intact)];
        lines.extend(found.faults.iter().map(|fault| {
            let (file, message) = (clean(&fault.file), clean(&fault.message));
            format!("{file}: [{}] {message}", fault.code)
        }));
        lines.join("\n") + "\n"
    })?;
    Ok(if found.is_sound() {
        Exit::Done
    } else {
        Exit::Refused
    })
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
