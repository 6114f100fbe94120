//! The limit on the refusal part of a receipt. What is cut is counted.
//!
//! A refusal within the limit is left alone. Otherwise long texts are shortened, and every list gets
//! a share: lists keep their beginning, the proof keeps its end, where the conclusion stands.

use serde::Serialize;

use crate::redact::is_hostile;
use crate::{Refusal, json};

/// The most bytes that the refusal part of a receipt takes, as JSON on one line.
pub const REFUSAL_LIMIT: usize = 64 * 1024;

/// The most bytes of one sentence, when something has to be cut.
const TEXT: usize = 1024;

/// The most bytes of one name, path or range, when something has to be cut.
const NAME: usize = 256;

/// The most premises of one step, and plugins of one removal set, when something has to be cut.
const WIDTH: usize = 10;

/// The most bytes of each part; their sum leaves room for names and brackets.
const PROOF: usize = 28 * 1024;
const FAULTS: usize = 14 * 1024;
const CONFLICT: usize = 4 * 1024;
const REMOVALS: usize = 6 * 1024;
const REMEDIES: usize = 6 * 1024;

/// Brings a refusal within the limit.
pub(crate) fn refusal(mut refusal: Refusal) -> Refusal {
    if size(&refusal) <= REFUSAL_LIMIT {
        return refusal;
    }
    let mut cut = 0;
    shorten(&mut refusal, &mut cut);
    refusal.proof.reverse();
    keep(&mut refusal.proof, PROOF, &mut cut);
    refusal.proof.reverse();
    keep(&mut refusal.faults, FAULTS, &mut cut);
    keep(&mut refusal.conflict, CONFLICT, &mut cut);
    keep(&mut refusal.removals, REMOVALS, &mut cut);
    keep(&mut refusal.remedies, REMEDIES, &mut cut);
    refusal.cut = refusal.cut.saturating_add(cut);
    refusal
}

fn size(value: &impl Serialize) -> usize {
    json::to_line(value).map_or(usize::MAX, |line| line.len())
}

/// Keeps items from the front while they fit.
fn keep<T: Serialize>(items: &mut Vec<T>, limit: usize, cut: &mut u64) {
    let mut used = 0_usize;
    let fitting = items.iter().take_while(|item| {
        used = used.saturating_add(size(item).saturating_add(1));
        used <= limit
    });
    let fitting = fitting.count();
    truncate(items, fitting, cut);
}

fn truncate<T>(items: &mut Vec<T>, length: usize, cut: &mut u64) {
    let over = items.len().saturating_sub(length);
    *cut = cut.saturating_add(u64::try_from(over).unwrap_or(u64::MAX));
    items.truncate(length);
}

fn shorten(refusal: &mut Refusal, cut: &mut u64) {
    text(&mut refusal.summary, TEXT, cut);
    options([&mut refusal.plugin], NAME, cut);
    for fault in &mut refusal.faults {
        text(&mut fault.message, TEXT, cut);
        options([&mut fault.plugin, &mut fault.file], NAME, cut);
    }
    for step in &mut refusal.proof {
        text(&mut step.therefore, TEXT, cut);
        truncate(&mut step.because, WIDTH, cut);
        for premise in &mut step.because {
            text(&mut premise.text, TEXT, cut);
            let fields = [
                &mut premise.root,
                &mut premise.file,
                &mut premise.package,
                &mut premise.range,
            ];
            options(fields, NAME, cut);
        }
    }
    for name in &mut refusal.conflict {
        text(name, NAME, cut);
    }
    for set in &mut refusal.removals {
        truncate(set, WIDTH, cut);
        for name in set {
            text(name, NAME, cut);
        }
    }
    for remedy in &mut refusal.remedies {
        let names = [&mut remedy.plugin, &mut remedy.package, &mut remedy.to];
        options(names, NAME, cut);
        options([&mut remedy.command, &mut remedy.text], TEXT, cut);
    }
}

fn options<const N: usize>(fields: [&mut Option<String>; N], limit: usize, cut: &mut u64) {
    for field in fields.into_iter().flatten() {
        text(field, limit, cut);
    }
}

/// Shortens a text by the bytes it takes in JSON.
fn text(text: &mut String, limit: usize, cut: &mut u64) {
    let mut used = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        used += match c {
            '"' | '\\' => 2,
            c if is_hostile(c) => 6 * c.len_utf16(),
            c => c.len_utf8(),
        };
        (used > limit).then_some(at)
    });
    if let Some(end) = end {
        text.truncate(end);
        text.push('…');
        *cut = cut.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use hermes_terms::Code;

    use super::*;
    use crate::{FaultRecord, Premise, ProofStep, Remedy};

    fn huge(number: usize, filler: &str) -> Refusal {
        let premise = || Premise {
            text: filler.into(),
            kind: "requires".into(),
            ..Premise::default()
        };
        let step = |number| ProofStep {
            number,
            because: (0..12).map(|_| premise()).collect(),
            therefore: filler.into(),
        };
        let fault = FaultRecord {
            code: Code::DeclarationInvalid.into(),
            message: filler.into(),
            plugin: None,
            file: Some(filler.into()),
            line: None,
            column: None,
        };
        let remedy = Remedy {
            kind: "retry".into(),
            command: Some(filler.into()),
            ..Remedy::default()
        };
        Refusal {
            plugin: Some(filler.into()),
            faults: vec![fault; number],
            proof: (1..).take(number).map(step).collect(),
            conflict: vec![filler.into(); number],
            removals: vec![vec![filler.into(); 12]; number],
            remedies: vec![remedy; number],
            cut: 3,
            ..Refusal::new(Code::UnionConflict, filler)
        }
    }

    /// D11: whatever the size of the conflict, with the conclusion kept and the rest counted.
    #[test]
    fn no_refusal_is_larger_than_the_limit() {
        for filler in ["p", "plugin requires package", "\u{1}", "é", "\"\\", "\u{1f600}"] {
            for (repeat, number) in [(1, 200), (20, 100), (3000, 3)] {
                let capped = refusal(huge(number, &filler.repeat(repeat)));
                let size = size(&capped);
                assert!(size <= REFUSAL_LIMIT, "{filler:?} * {repeat}: {size}");
                assert!(capped.cut > 3);
                assert_eq!(
                    capped.proof.last().map(|step| step.number),
                    u32::try_from(number).ok()
                );
                assert!(!capped.conflict.is_empty() && !capped.removals.is_empty());
                assert_eq!(refusal(capped.clone()), capped);
            }
        }
    }

    #[test]
    fn a_refusal_within_the_limit_is_left_alone() {
        let small = huge(1, "x");
        assert_eq!(refusal(small.clone()), small);
    }
}
