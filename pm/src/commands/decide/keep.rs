//! The receipt of a decision: in the ledger where the home exists and can be written, else only shown.

use std::time::SystemTime;

use hermes_receipts::{
    Draft, HomeRecord, Ledger, LedgerError, Moment, Operation, Receipt, Secrets, ToolRecord,
};
use hermes_terms::{Code, Outcome, Verdict};

use super::{Asked, Prepared};
use crate::Error;
use crate::commands::Context;
use crate::gate::{self, gather};
use crate::home::Located;

/// A receipt of what was asked, before it has a place in a ledger.
pub(in crate::commands) fn receipt(
    context: &Context<'_>,
    prepared: &Prepared,
    asked: &Asked,
    (operation, started): (Operation, SystemTime),
) -> Draft {
    let tool = ToolRecord {
        name: "hermes-pm".into(),
        version: env!("CARGO_PKG_VERSION").into(),
    };
    let mut draft = Draft::new(operation, tool, Moment::of_clock(started));
    draft.finished_at = Moment::of_clock(SystemTime::now());
    draft.outcome = match asked.decision.verdict {
        Verdict::Admitted | Verdict::NoSurface => Outcome::Done,
        Verdict::Unsatisfiable | Verdict::Invalid | Verdict::Blocked => Outcome::Refused,
        Verdict::Undecided => Outcome::Failed,
    };
    draft.retry = asked.decision.refusal.as_ref().map(|_| context.again.to_owned());
    draft.target = Some(gate::target(&prepared.target));
    draft.decision = Some(asked.decision.clone());
    draft.warnings = prepared.notices.iter().map(gather::warning).collect();
    draft.warnings.extend(asked.warnings.iter().cloned());
    if let Ok(taken) = SystemTime::now().duration_since(started) {
        draft.timings_ms.insert(
            "total".into(),
            u64::try_from(taken.as_millis()).unwrap_or(u64::MAX),
        );
    }
    draft
}

/// Keeps a receipt. Without a home nothing is made; a ledger that cannot be written is said and is no
/// reason to withhold the answer. A busy ledger is not waited for long.
pub(in crate::commands) fn keep(located: Option<&Located>, mut draft: Draft) -> Result<Receipt, Error> {
    let internal =
        |error: hermes_receipts::canonical::CanonicalError| Error::new(Code::Internal, error.to_string());
    let Some(located) = located else {
        return draft.detached(&Secrets::default()).map_err(internal);
    };
    let profile = located.profile.as_ref().map(ToString::to_string);
    draft.home = Some(HomeRecord::new(
        &located.root,
        profile.as_deref(),
        located.resolved_from.as_str(),
    ));
    if !located.root.is_dir() {
        return draft.detached(&Secrets::default()).map_err(internal);
    }
    match Ledger::open(&located.root).append(draft.clone()) {
        Ok(receipt) => Ok(receipt),
        Err(LedgerError::Canonical(error)) => Err(internal(error)),
        Err(error) => {
            let message = format!("the receipt was not kept: {error}");
            draft.warnings.push(gather::plain(error.code(), message));
            draft.detached(&Secrets::default()).map_err(internal)
        }
    }
}
