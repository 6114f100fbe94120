//! A receipt for people: the verdict, why, the faults and the proof in numbered steps with the places
//! of the declarations, who takes part, what would have to go, what to do, and what would change.
//!
//! A pure function of the receipt and the look. All words come from the receipt and are cleaned.

use hermes_receipts::{
    ChangeRecord, ChangesRecord, Decision, FaultRecord, Premise, ProofStep, Receipt, Refusal, Remedy,
    WarningRecord,
};
use hermes_terms::{Outcome, Verdict};

use crate::cli::style::{Look, Tone};

/// Lines of one list of changes before it is cut; `--json` has all.
const MAX_LIST: usize = 40;

/// A receipt as text.
pub fn receipt(receipt: &Receipt, look: Look) -> String {
    Page {
        look,
        lines: Vec::new(),
    }
    .whole(receipt)
}

struct Page {
    look: Look,
    lines: Vec<String>,
}

impl Page {
    fn whole(mut self, receipt: &Receipt) -> String {
        self.head(receipt);
        if let Some(decision) = &receipt.decision {
            if let Some(refusal) = &decision.refusal {
                self.refusal(refusal, receipt.retry.as_deref());
            }
            self.changes(&decision.changes);
        }
        self.warnings(&receipt.warnings);
        self.foot(receipt);
        self.lines.join("\n") + "\n"
    }

    fn head(&mut self, receipt: &Receipt) {
        let verdict = receipt.decision.as_ref().map(|decision| decision.verdict);
        let (tone, word) = match (verdict, receipt.outcome) {
            (Some(verdict), _) => (tone_of(verdict), verdict.as_str()),
            (None, outcome) => outcome_word(outcome),
        };
        let painted = self.look.paint(tone, word);
        let rest = receipt.decision.as_ref().map(headline).unwrap_or_default();
        let head = if rest.is_empty() {
            painted
        } else {
            self.look.wrap(&format!("{painted}: "), &rest)
        };
        self.lines.push(head);
    }

    fn title(&mut self, text: &str) {
        let painted = self.look.paint(Tone::Strong, text);
        self.lines.extend([String::new(), painted]);
    }

    fn bullet(&mut self, sign: &str, text: &str) {
        let line = self.look.wrap(&format!("  {sign} "), text);
        self.lines.push(line);
    }

    fn refusal(&mut self, refusal: &Refusal, retry: Option<&str>) {
        if !refusal.faults.is_empty() {
            self.title("What is wrong");
            for fault in &refusal.faults {
                self.bullet("-", &fault_text(fault));
            }
        }
        if !refusal.proof.is_empty() {
            self.title("Why");
            for step in &refusal.proof {
                self.step(step);
            }
        }
        if !refusal.conflict.is_empty() {
            self.title("Who takes part");
            self.bullet("-", &refusal.conflict.join(", "));
        }
        if !refusal.removals.is_empty() {
            self.title("It would fit without");
            for set in &refusal.removals {
                self.bullet("-", &set.join(" and "));
            }
        }
        if !refusal.remedies.is_empty() {
            self.title("What to do");
            for remedy in &refusal.remedies {
                self.bullet("-", &remedy_text(remedy, retry));
            }
        }
        if refusal.cut > 0 {
            let text = format!("{} more parts were left out of this receipt", refusal.cut);
            self.bullet("…", &text);
        }
    }

    fn step(&mut self, step: &ProofStep) {
        let mark = format!("{:>3}. ", step.number);
        for (index, premise) in step.because.iter().enumerate() {
            let lead = if index == 0 {
                format!("{mark}because ")
            } else {
                "     and ".to_owned()
            };
            let line = self.look.wrap(&lead, &premise_text(premise));
            self.lines.push(line);
        }
        let lead = if step.because.is_empty() {
            mark
        } else {
            "     therefore ".to_owned()
        };
        let line = self.look.wrap(&lead, &step.therefore);
        self.lines.push(line);
    }

    fn changes(&mut self, changes: &ChangesRecord) {
        let moves = [
            ("+", &changes.added),
            ("-", &changes.removed),
            ("~", &changes.changed),
        ];
        if moves.iter().any(|(_, list)| !list.is_empty()) {
            self.title("What would change");
            for (sign, list) in moves {
                self.list(sign, list);
            }
        }
        let notes = [
            ("Moved away from core's lock", &changes.core_drift),
            (
                "Made older although others use it",
                &changes.collateral_downgrades,
            ),
        ];
        for (title, list) in notes.into_iter().filter(|(_, list)| !list.is_empty()) {
            self.title(title);
            self.list("!", list);
        }
    }

    fn list(&mut self, sign: &str, list: &[ChangeRecord]) {
        for change in list.iter().take(MAX_LIST) {
            self.bullet(sign, &change_text(change));
        }
        if list.len() > MAX_LIST {
            self.bullet(
                sign,
                &format!("and {} more (--json has all)", list.len() - MAX_LIST),
            );
        }
    }

    fn warnings(&mut self, warnings: &[WarningRecord]) {
        if warnings.is_empty() {
            return;
        }
        self.lines.push(String::new());
        for warning in warnings {
            let head = self.look.paint(Tone::Warn, "warning");
            let code = self.look.paint(Tone::Dim, &format!("[{}]", warning.code));
            let place = place_text(warning.file.as_deref(), warning.line);
            let line = self
                .look
                .wrap(&format!("{head}{code} "), &format!("{}{place}", warning.message));
            self.lines.push(line);
        }
    }

    fn foot(&mut self, receipt: &Receipt) {
        if receipt.restart_required {
            let line = "A running Hermes must restart to use this.".to_owned();
            self.lines.extend([String::new(), line]);
        }
        let mut parts = Vec::new();
        if receipt.sequence > 0 {
            parts.push(format!("receipt {} ({})", receipt.sequence, receipt.id.short()));
        }
        parts.push(receipt.operation.as_str().to_owned());
        parts.extend(
            receipt
                .target
                .as_ref()
                .map(|target| format!("Python {} on {}", target.python, target.platform)),
        );
        parts.push(receipt.finished_at.to_string());
        let line = self.look.paint(Tone::Dim, &parts.join(", "));
        self.lines.extend([String::new(), line]);
    }
}

const fn tone_of(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Admitted | Verdict::NoSurface => Tone::Good,
        Verdict::Undecided => Tone::Warn,
        Verdict::Unsatisfiable | Verdict::Invalid | Verdict::Blocked => Tone::Bad,
    }
}

const fn outcome_word(outcome: Outcome) -> (Tone, &'static str) {
    match outcome {
        Outcome::Done => (Tone::Good, "done"),
        Outcome::Refused => (Tone::Bad, "refused"),
        Outcome::Failed => (Tone::Bad, "failed"),
        Outcome::Interrupted => (Tone::Warn, "interrupted"),
    }
}

fn headline(decision: &Decision) -> String {
    match (&decision.refusal, decision.verdict) {
        (Some(refusal), _) => {
            let plugin = refusal
                .plugin
                .as_ref()
                .filter(|name| !refusal.summary.contains(name.as_str()));
            let plugin = plugin.map(|name| format!("{name}: ")).unwrap_or_default();
            format!("{plugin}{} [{}]", refusal.summary, refusal.code)
        }
        (None, Verdict::NoSurface) => {
            "it declares nothing for Hermes' environment, so there is nothing to admit".to_owned()
        }
        (None, _) if !decision.resolution.is_empty() => packages(decision),
        (None, _) => String::new(),
    }
}

fn packages(decision: &Decision) -> String {
    let total = decision.resolution.len();
    let noun = if total == 1 { "package" } else { "packages" };
    let changes = &decision.changes;
    let counts = (changes.added.len(), changes.changed.len(), changes.removed.len());
    format!(
        "{total} {noun} ({} added, {} changed, {} removed)",
        counts.0, counts.1, counts.2
    )
}

fn place_text(file: Option<&str>, line: Option<u32>) -> String {
    match (file, line) {
        (Some(file), Some(line)) if line > 0 => format!(" ({file}:{line})"),
        (Some(file), _) => format!(" ({file})"),
        _ => String::new(),
    }
}

fn fault_text(fault: &FaultRecord) -> String {
    let plugin = fault
        .plugin
        .as_ref()
        .map(|plugin| format!("{plugin}: "))
        .unwrap_or_default();
    let mut place = fault.file.clone().unwrap_or_default();
    for number in [fault.line, fault.column]
        .into_iter()
        .map_while(|number| number.filter(|n| *n > 0))
    {
        place = format!("{place}:{number}");
    }
    let place = if place.is_empty() {
        place
    } else {
        format!("{place}: ")
    };
    format!("{plugin}{place}{} [{}]", fault.message, fault.code)
}

fn premise_text(premise: &Premise) -> String {
    let place = place_text(premise.file.as_deref(), premise.line);
    let step = premise
        .step
        .map(|step| format!("step {step}"))
        .filter(|step| !premise.text.contains(step));
    let step = step.map(|step| format!(" ({step})")).unwrap_or_default();
    format!("{}{place}{step}", premise.text)
}

/// What a remedy says; the command of a retry stands beside the decision.
fn remedy_text(remedy: &Remedy, retry: Option<&str>) -> String {
    let retry = retry.filter(|_| remedy.kind == "retry");
    let command = remedy.command.as_deref().or(retry);
    let command_text = command.map(|command| format!(": {command}")).unwrap_or_default();
    if let Some(text) = &remedy.text {
        return format!("{text}{command_text}");
    }
    let mut text = remedy.kind.clone();
    let subject = remedy.plugin.as_ref().or(remedy.package.as_ref());
    for part in [subject.cloned(), remedy.to.as_ref().map(|to| format!("to {to}"))]
        .into_iter()
        .flatten()
    {
        text = format!("{text} {part}");
    }
    text + &command_text
}

fn change_text(change: &ChangeRecord) -> String {
    let versions = match (&change.from, &change.to) {
        (Some(from), Some(to)) => format!("{from} -> {to}"),
        (Some(only), None) | (None, Some(only)) => only.clone(),
        (None, None) => String::new(),
    };
    let by = if change.requested_by.is_empty() {
        String::new()
    } else {
        format!(" (for {})", change.requested_by.join(", "))
    };
    format!("{} {versions}{by}", change.name)
}

#[cfg(test)]
#[path = "receipt_tests.rs"]
mod tests;
