//! One question to the gate, from the roots of the homes to a decision.

use std::path::Path;
use std::sync::Arc;

use hermes_admission::Judgement;
use hermes_admission::Resolution;
use hermes_receipts::{Decision, FaultRecord, Refusal, WarningRecord};
use hermes_terms::{Code, Verdict};

use super::Prepared;
use crate::Error;
use crate::commands::Context;
use crate::gate::gather::{self, Asking, Gathered};
use crate::gate::{Answer, Candidate, CatalogIndex, Judged, Party, Question, answer, decision, retry_remedy};
use crate::home::{HomeView, Places};

/// What was asked, and what came of it.
pub(in crate::commands) struct Asked {
    pub(in crate::commands) decision: Decision,
    pub(in crate::commands) warnings: Vec<WarningRecord>,
    /// The resolution with who requires whom, when there is one.
    pub(in crate::commands) resolution: Option<Resolution>,
}

/// Asks whether a candidate fits beside the members of these homes.
pub(in crate::commands) fn ask(
    context: &Context<'_>,
    prepared: &Prepared,
    homes: &[HomeView],
    asking: &Asking<'_>,
) -> Result<Asked, Error> {
    let gathered = gathered(context, prepared, homes, Some(asking));
    let (candidate, warnings) = gather::candidate(asking.path, asking.id, &prepared.core.version);
    let mut all = gathered.warnings.clone();
    all.extend(warnings);
    let (party, settled) = settle(candidate, asking);
    let question = Question {
        asked: Some(asking.id.to_owned()),
        ..question(prepared, gathered.members, party)?
    };
    let settled = settled.or_else(|| blocked(&gathered.faults));
    conclude(context, prepared, &question, settled, all)
}

/// Asks for the union of core and members as it is.
pub(in crate::commands) fn union(
    context: &Context<'_>,
    prepared: &Prepared,
    homes: &[HomeView],
) -> Result<Asked, Error> {
    let gathered = gathered(context, prepared, homes, None);
    let question = question(prepared, gathered.members, None)?;
    let settled = blocked(&gathered.faults);
    conclude(context, prepared, &question, settled, gathered.warnings)
}

fn gathered(
    context: &Context<'_>,
    prepared: &Prepared,
    homes: &[HomeView],
    except: Option<&Asking<'_>>,
) -> Gathered {
    let places = Places {
        core: prepared.source.folder().map(Path::to_owned),
        ..context.places()
    };
    gather::members(homes, &places, &prepared.core.version, except)
}

fn question(prepared: &Prepared, members: Vec<Party>, candidate: Option<Party>) -> Result<Question, Error> {
    let requirements = prepared.core.roots(&prepared.extras, prepared.pins_locked);
    Ok(Question {
        core: prepared.core.clone(),
        core_source: prepared.source.to_string(),
        core_requirements: requirements.map_err(|error| Error::new(Code::CoreInvalid, error.to_string()))?,
        core_extras: prepared.extras.iter().map(ToString::to_string).collect(),
        pins_locked: prepared.pins_locked,
        members,
        asked: None,
        candidate,
        target: Arc::clone(&prepared.target),
        policy: prepared.policy.clone(),
    })
}

/// What the candidate's own declaration decides, without asking the resolver.
fn settle(candidate: Candidate, asking: &Asking<'_>) -> (Option<Party>, Option<Judged>) {
    let refused = |verdict, mut refusal: Refusal| {
        refusal.plugin = Some(asking.id.to_owned());
        refusal.remedies.push(retry_remedy());
        (None, Some(Judged::unasked(verdict, Some(refusal))))
    };
    match candidate {
        Candidate::Party(party) => (Some(party), None),
        Candidate::NoSurface(_) => (None, Some(Judged::unasked(Verdict::NoSurface, None))),
        Candidate::Invalid(faults) => refused(
            Verdict::Invalid,
            of_faults(faults, "the plugin's declaration is wrong"),
        ),
        Candidate::OtherHermes(range) => {
            let summary = format!("the plugin asks for Hermes {range}");
            refused(
                Verdict::Blocked,
                Refusal::new(Code::PluginRequiresHermes, summary),
            )
        }
    }
}

/// A broken active root blocks every change (contract C6).
fn blocked(faults: &[FaultRecord]) -> Option<Judged> {
    if faults.is_empty() {
        return None;
    }
    let mut refusal = of_faults(faults.to_vec(), "an active plugin's declaration cannot be read");
    refusal.remedies.push(retry_remedy());
    Some(Judged::unasked(Verdict::Blocked, Some(refusal)))
}

fn of_faults(faults: Vec<FaultRecord>, summary: &str) -> Refusal {
    let code = faults
        .first()
        .map_or_else(|| Code::DeclarationInvalid.into(), |fault| fault.code.clone());
    Refusal {
        faults,
        ..Refusal::new(code, summary)
    }
}

fn conclude(
    context: &Context<'_>,
    prepared: &Prepared,
    question: &Question,
    settled: Option<Judged>,
    warnings: Vec<WarningRecord>,
) -> Result<Asked, Error> {
    let record = |judged| decision(question, &prepared.index_urls, judged);
    if let Some(judged) = settled {
        return Ok(Asked {
            decision: record(judged),
            warnings,
            resolution: None,
        });
    }
    let answer = resolve(context, prepared, question)?;
    let candidate = question.candidate.as_ref().map(|party| party.id.as_str());
    let judged = Judged::by_resolver(&answer.judgement, &answer.changes, candidate);
    let decision = record(judged);
    let warnings = warnings.into_iter().chain(moves(&decision)).collect();
    let resolution = match answer.judgement {
        Judgement::Admitted(resolution) => Some(resolution),
        Judgement::Refused(_) | Judgement::Undecided(_) => None,
    };
    Ok(Asked {
        decision,
        warnings,
        resolution,
    })
}

fn resolve(context: &Context<'_>, prepared: &Prepared, question: &Question) -> Result<Answer, Error> {
    let index = CatalogIndex::new(&prepared.indexes, prepared.deadline);
    let progress = context.printer.progress("resolving the union");
    let found = answer(question, &index);
    drop(progress);
    let statistics = prepared.indexes.statistics();
    context.printer.detail(&format!(
        "{} requests, {} answers from the cache, {} bytes",
        statistics.requests, statistics.cache_hits, statistics.bytes
    ));
    let found = found.ok_or_else(|| Error::new(Code::Internal, "the search ended without an answer"))?;
    let effort = match &found.judgement {
        Judgement::Admitted(resolution) => Some(resolution.effort),
        Judgement::Refused(refusal) => Some(refusal.effort),
        Judgement::Undecided(_) => None,
    };
    if let Some(effort) = effort {
        let limit = question.policy.step_limit();
        context
            .printer
            .detail(&format!("{effort}, of {limit} steps allowed"));
    }
    Ok(found)
}

/// What is consented to with the plugin itself.
fn moves(decision: &Decision) -> Vec<WarningRecord> {
    let changes = &decision.changes;
    let told = |code, what: &str, list: &[hermes_receipts::ChangeRecord]| {
        (!list.is_empty()).then(|| {
            let names = list.iter().map(|change| {
                let version = |version: &Option<String>| version.clone().unwrap_or_default();
                format!(
                    "{} {} → {}",
                    change.name,
                    version(&change.from),
                    version(&change.to)
                )
            });
            gather::plain(code, format!("{what}: {}", names.collect::<Vec<_>>().join(", ")))
        })
    };
    let drift = told(
        Code::PluginCoreDrift,
        "versions differ from core's lock",
        &changes.core_drift,
    );
    let lower = told(
        Code::PluginCollateralDowngrade,
        "packages of others become older",
        &changes.collateral_downgrades,
    );
    drift.into_iter().chain(lower).collect()
}
