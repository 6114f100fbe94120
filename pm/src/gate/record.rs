//! The answer as a decision of a receipt. Pure: the same question and answer give the same record,
//! and no path of a home is in it.

use std::collections::BTreeMap;

use hermes_admission::{Change, Changes, Judgement, Policy, Premise, Refusal, RootRequirement};
use hermes_pep::{MarkerVariable, Target};
use hermes_receipts as receipt;
use hermes_terms::{Code, Digest, Verdict};

use super::Question;
use super::question::Party;

/// What became of a question: the decision part of a receipt.
pub fn decision(question: &Question, indexes: &[String], judged: Judged) -> receipt::Decision {
    let mut inputs = inputs(question, indexes, judged.facts);
    // The digest of harmless values cannot fail; a receipt seals again when it is written.
    let _ = inputs.seal();
    receipt::Decision {
        inputs,
        verdict: judged.verdict,
        refusal: judged.refusal,
        resolution: judged.resolution,
        changes: judged.changes,
    }
}

/// The parts of a decision that are not its inputs.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    refusal: Option<receipt::Refusal>,
    resolution: Vec<receipt::ResolvedRecord>,
    changes: receipt::ChangesRecord,
    facts: Digest,
}

impl Judged {
    /// Without asking the resolver: the declaration, or a policy, decides.
    pub fn unasked(verdict: Verdict, refusal: Option<receipt::Refusal>) -> Self {
        Self {
            verdict,
            refusal,
            resolution: Vec::new(),
            changes: receipt::ChangesRecord::default(),
            facts: Digest::of(b""),
        }
    }

    /// What the resolver said.
    pub fn by_resolver(judgement: &Judgement, changes: &Changes, candidate: Option<&str>) -> Self {
        match judgement {
            Judgement::Admitted(resolution) => Self {
                verdict: Verdict::Admitted,
                refusal: None,
                resolution: resolution
                    .packages
                    .iter()
                    .map(|(name, package)| resolved(name.as_str(), package))
                    .collect(),
                changes: changes_record(changes),
                facts: resolution.facts.digest(),
            },
            Judgement::Refused(refusal) => Self {
                facts: refusal.facts.digest(),
                ..Self::unasked(refusal.verdict, Some(refused(refusal, candidate)))
            },
            Judgement::Undecided(stop) => {
                let mut refusal = receipt::Refusal::new(stop.code, stop.message.clone());
                refusal.remedies.push(retry_remedy());
                Self::unasked(Verdict::Undecided, Some(refusal))
            }
        }
    }
}

/// The remedy that every refusal has. The command itself stands in the receipt beside the decision: it
/// holds paths and options, and the same question asked from elsewhere has the same decision.
pub fn retry_remedy() -> receipt::Remedy {
    receipt::Remedy {
        kind: "retry".into(),
        text: Some("ask again when the cause is gone".into()),
        ..receipt::Remedy::default()
    }
}

fn inputs(question: &Question, indexes: &[String], facts: Digest) -> receipt::Inputs {
    let parties = question.members.iter().chain(&question.candidate);
    let locked = question.core.locked.iter();
    let preferences: Vec<String> = locked
        .map(|(name, version)| format!("{name}=={version}\n"))
        .collect();
    receipt::Inputs {
        core: core_record(question),
        members: parties.map(member).collect(),
        candidate: question.asked.clone(),
        policy: policy(question),
        preferences: Digest::of(preferences.concat().as_bytes()),
        indexes: indexes
            .iter()
            .map(|url| receipt::IndexRecord { url: url.clone() })
            .collect(),
        target: target(&question.target),
        index_facts: facts,
        exclude_newer: question.policy.exclude_newer.clone(),
        digest: None,
    }
}

fn core_record(question: &Question) -> receipt::CoreRecord {
    let core = &question.core;
    receipt::CoreRecord {
        name: core.name.to_string(),
        version: core.version.to_string(),
        source: question.core_source.clone(),
        requires_python: core.requires_python.as_ref().map(ToString::to_string),
        extras: question.core_extras.clone(),
        requirements: texts(&question.core_requirements),
        sha256: core.digest(),
    }
}

fn member(party: &Party) -> receipt::MemberRecord {
    receipt::MemberRecord {
        plugin: party.id.clone(),
        home: party.home.clone(),
        origin: party.surface.origin.as_str().into(),
        requires_python: party.surface.requires_python.as_ref().map(ToString::to_string),
        requirements: texts(&party.surface.requirements),
        sha256: party.surface.digest.clone(),
    }
}

fn texts(list: &[RootRequirement]) -> Vec<String> {
    list.iter()
        .map(|declared| declared.requirement.to_string())
        .collect()
}

fn policy(question: &Question) -> receipt::PolicyRecord {
    let policy = question.policy_in_force();
    receipt::PolicyRecord {
        pins: if question.pins_locked {
            "locked"
        } else {
            "declared"
        }
        .into(),
        prereleases: policy.prereleases,
        build: false,
        allow_undated: policy.allow_undated,
        quarantine_exempt: exempt(&policy),
        max_steps: policy.max_steps,
    }
}

/// Exempt packages by name, exempt versions as `name==version`.
fn exempt(policy: &Policy) -> Vec<String> {
    let names = policy.quarantine_exempt.iter().map(ToString::to_string);
    let pins = policy.exempt_pins.iter();
    let pins =
        pins.flat_map(|(name, versions)| versions.iter().map(move |version| format!("{name}=={version}")));
    names.chain(pins).collect()
}

/// A target as receipts write it.
pub fn target(target: &Target) -> receipt::TargetRecord {
    let markers = target.markers();
    let values: BTreeMap<String, String> = MarkerVariable::ALL
        .iter()
        .map(|v| (v.name().to_owned(), markers.get(*v).to_owned()))
        .collect();
    receipt::TargetRecord {
        python: target.python().to_string(),
        implementation: markers.implementation_name().to_owned(),
        platform: target.platform().to_owned(),
        markers: values,
    }
}

fn resolved(name: &str, package: &hermes_admission::ResolvedPackage) -> receipt::ResolvedRecord {
    let file = &package.file;
    let hash = file
        .sha256
        .as_ref()
        .map(|hash| format!("sha256:{}", hash.as_str()));
    receipt::ResolvedRecord {
        name: name.to_owned(),
        version: package.version.to_string(),
        filename: file.filename.clone(),
        url: file.url.clone(),
        sha256: hash.and_then(|hash| Digest::parse(&hash).ok()),
        size: file.size,
        requested_by: package.requested_by.clone(),
    }
}

fn changes_record(changes: &Changes) -> receipt::ChangesRecord {
    let list = |list: &[Change]| list.iter().map(change).collect();
    receipt::ChangesRecord {
        added: list(&changes.added),
        removed: list(&changes.removed),
        changed: list(&changes.changed),
        core_drift: list(&changes.core_drift),
        collateral_downgrades: list(&changes.collateral_downgrades),
    }
}

fn change(change: &Change) -> receipt::ChangeRecord {
    receipt::ChangeRecord {
        name: change.name.to_string(),
        from: change.from.as_ref().map(ToString::to_string),
        to: change.to.as_ref().map(ToString::to_string),
        requested_by: change.requested_by.clone(),
    }
}

fn refused(refusal: &Refusal, candidate: Option<&str>) -> receipt::Refusal {
    let step = |step: &hermes_admission::Step| receipt::ProofStep {
        number: step.number,
        because: step.because.iter().map(premise).collect(),
        therefore: step.therefore.clone(),
    };
    receipt::Refusal {
        // Blamed only when it takes part.
        plugin: candidate
            .filter(|id| refusal.conflict.iter().any(|party| party == id))
            .map(str::to_owned),
        proof: refusal.proof.steps.iter().map(step).collect(),
        conflict: refusal.conflict.clone(),
        removals: refusal.removals.clone(),
        remedies: remedies(refusal),
        cut: u64::try_from(refusal.proof.cut).unwrap_or(u64::MAX),
        ..receipt::Refusal::new(refusal.code, refusal.summary.clone())
    }
}

fn premise(premise: &Premise) -> receipt::Premise {
    receipt::Premise {
        text: premise.text.clone(),
        kind: premise.kind.into(),
        root: premise.root.clone(),
        file: premise.file.clone(),
        line: premise.line.and_then(|line| u32::try_from(line).ok()),
        package: premise.package.clone(),
        range: premise.range.clone(),
        step: premise.step,
    }
}

fn remedies(refusal: &Refusal) -> Vec<receipt::Remedy> {
    let mut remedies: Vec<receipt::Remedy> = refusal.removals.iter().map(|gone| removal(gone)).collect();
    remedies.extend(allowance(refusal));
    remedies.push(retry_remedy());
    remedies
}

fn removal(gone: &[String]) -> receipt::Remedy {
    receipt::Remedy {
        kind: "remove".into(),
        plugin: Some(gone.join(", ")),
        text: Some(format!("it fits without {}", gone.join(" and "))),
        ..receipt::Remedy::default()
    }
}

/// The most packages that one text names.
const MAX_NAMES: usize = 5;

/// What a policy would have to let in, all of it in one remedy.
fn allowance(refusal: &Refusal) -> Option<receipt::Remedy> {
    let names: Vec<&str> = refusal
        .held_back
        .iter()
        .take(MAX_NAMES)
        .map(hermes_pep::PackageName::as_str)
        .collect();
    let more = refusal.held_back.len().saturating_sub(names.len());
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let names = names.join(", ") + &more;
    let (kind, text) = match refusal.code {
        Code::BuildRequired => (
            "allow-build",
            "only a source archive would do, and source builds are not supported yet",
        ),
        Code::PolicyQuarantine => (
            "wait",
            "wait, give a later --exclude-newer, or exempt it in pm/policy.toml",
        ),
        Code::PolicyYanked => ("pin", "a withdrawn release would have to be pinned exactly"),
        _ => return None,
    };
    Some(receipt::Remedy {
        kind: kind.into(),
        package: Some(names.clone()),
        text: Some(format!("{names}: {text}")),
        ..receipt::Remedy::default()
    })
}
