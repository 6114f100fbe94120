//! `union`: core and every active plugin, resolved; `why`: the ways that lead to one package.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::SystemTime;

use hermes_admission::Resolution;
use hermes_pep::PackageName;
use hermes_receipts::{Operation, Receipt};
use hermes_terms::{Code, Exit};
use serde::Serialize;

use super::Context;
use super::decide::{Asked, Prepared, keep, prepare, receipt, union as ask_union};
use super::plan::show;
use crate::Error;
use crate::cli::exit;
use crate::cli::style::{Look, Tone, clean};
use crate::home;
use crate::render;

/// The most ways that are told.
const MAX_WAYS: usize = 20;

pub(super) fn union(context: &Context<'_>) -> Result<Exit, Error> {
    let (_, asked, receipt) = resolved(context)?;
    match &receipt.decision {
        Some(decision) if asked.resolution.is_some() => {
            let page = |look| render::union(decision, look);
            context.printer.answer(&receipt, page)?;
        }
        _ => show(context, &receipt)?,
    }
    Ok(exit::of_verdict(asked.decision.verdict))
}

/// Why a package is there.
#[derive(Debug, Serialize)]
struct Why {
    package: String,
    version: String,
    requested_by: Vec<String>,
    /// Chains of requesters, from core or a plugin down to the package, the shortest first.
    ways: Vec<Vec<String>>,
}

pub(super) fn why(package: &str, context: &Context<'_>) -> Result<Exit, Error> {
    let name =
        PackageName::parse(package).map_err(|error| Error::new(Code::NameInvalid, error.to_string()))?;
    let (prepared, asked, receipt) = resolved(context)?;
    let Some(resolution) = &asked.resolution else {
        show(context, &receipt)?;
        return Ok(exit::of_verdict(asked.decision.verdict));
    };
    let found = resolution.packages.get(&name).ok_or_else(|| {
        Error::new(
            Code::UnionNoSuchPackage,
            format!("{name} is not in the union: nobody requires it"),
        )
    })?;
    for notice in &prepared.notices {
        context.printer.warn(notice);
    }
    let why = Why {
        package: name.to_string(),
        version: found.version.to_string(),
        requested_by: found.requested_by.clone(),
        ways: ways(resolution, &name),
    };
    context.printer.answer(&why, |look| text(&why, look))?;
    Ok(Exit::Done)
}

fn resolved(context: &Context<'_>) -> Result<(Prepared, Asked, Receipt), Error> {
    let started = SystemTime::now();
    let located = context.located()?;
    let homes = home::read_homes(&located.root)?;
    let prepared = prepare(context, Some(&located))?;
    let asked = ask_union(context, &prepared, &homes)?;
    let draft = receipt(
        context,
        &prepared,
        &asked,
        (Operation::Other("union".into()), started),
    );
    // A question about what is there is no event: its receipt is shown and not kept.
    let receipt = keep(None, draft)?;
    Ok((prepared, asked, receipt))
}

/// Chains from a root to the package, found backwards and breadth first, each package once a chain.
fn ways(resolution: &Resolution, package: &PackageName) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([vec![format!("package:{package}")]]);
    let mut expanded: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(chain) = waiting.pop_front() {
        let Some(first) = chain.first().cloned() else {
            continue;
        };
        let Some(name) = first.strip_prefix("package:") else {
            found.push(chain);
            if found.len() == MAX_WAYS {
                break;
            }
            continue;
        };
        // A package in the middle is followed a few times: enough to see every kind of way.
        let times = expanded.entry(first.clone()).or_default();
        *times += 1;
        if *times > 3 {
            continue;
        }
        let seen: BTreeSet<&String> = chain.iter().collect();
        let by = resolution
            .packages
            .get(name)
            .map(|package| package.requested_by.as_slice())
            .unwrap_or_default();
        for requester in by.iter().filter(|requester| !seen.contains(requester)) {
            waiting.push_back(
                std::iter::once(requester.clone())
                    .chain(chain.iter().cloned())
                    .collect(),
            );
        }
    }
    found
}

fn text(why: &Why, look: Look) -> String {
    let head = look.paint(Tone::Strong, &format!("{} {}", why.package, why.version));
    let line = |way: &Vec<String>| {
        let plain = way
            .iter()
            .map(|step| step.strip_prefix("package:").unwrap_or(step));
        format!("  {}", clean(&plain.collect::<Vec<_>>().join(" → ")))
    };
    let lines: Vec<String> = [head].into_iter().chain(why.ways.iter().map(line)).collect();
    lines.join("\n") + "\n"
}
