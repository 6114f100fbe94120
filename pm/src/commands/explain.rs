//! `explain`: a receipt of the ledger, told for people.

use hermes_receipts::{Ledger, Receipt, Selector};
use hermes_terms::{Code, Exit};

use super::Context;
use super::plan::show;
use crate::Error;

pub(super) fn run(wanted: Option<&str>, context: &Context<'_>) -> Result<Exit, Error> {
    show(context, &find(wanted, context)?)?;
    Ok(Exit::Done)
}

/// The receipt that a person means; the newest when nothing is said.
pub(super) fn find(wanted: Option<&str>, context: &Context<'_>) -> Result<Receipt, Error> {
    let selector = Selector::parse(wanted.unwrap_or("last"))
        .map_err(|error| Error::new(Code::UsageInvalid, error.to_string()))?;
    let located = context.located()?;
    Ledger::open(&located.root).find(&selector).map_err(|error| {
        Error::new(error.code(), error.to_string()).with_help("`hermes-pm receipts list` shows what is there")
    })
}
