//! A receipt for people: the verdict, why, the proof in numbered steps with the places of the
//! declarations, who takes part, what would have to go, what to do, and what would change.
//!
//! A pure function of the receipt and the look. All words come from the receipt and are cleaned.

use serde_json::Value;

use super::view::{Change, Changes, Decision, Premise, Refusal, Remedy, Step, View};
use crate::cli::style::{Look, Tone};

/// Lines of one list of changes before it is cut; `--json` has all.
const MAX_LIST: usize = 40;

/// A receipt (in its JSON form) as text. What is not a receipt at all is said so.
pub fn receipt(value: &Value, look: Look) -> String {
    match serde_json::from_value::<View>(value.clone()) {
        Ok(view) => Page {
            look,
            lines: Vec::new(),
        }
        .whole(&view),
        Err(error) => format!(
            "{}\n",
            look.wrap("", &format!("this receipt cannot be shown: {error}"))
        ),
    }
}

struct Page {
    look: Look,
    lines: Vec<String>,
}

impl Page {
    fn whole(mut self, view: &View) -> String {
        self.head(view);
        if let Some(decision) = &view.decision {
            if let Some(refusal) = &decision.refusal {
                self.refusal(refusal);
            }
            if let Some(changes) = &decision.changes {
                self.changes(changes);
            }
        }
        self.warnings(view);
        self.foot(view);
        self.lines.join("\n") + "\n"
    }

    fn head(&mut self, view: &View) {
        let verdict = view
            .decision
            .as_ref()
            .map_or("", |decision| decision.verdict.as_str());
        let (tone, word) = match verdict {
            "admitted" | "no-surface" => (Tone::Good, verdict),
            "undecided" => (Tone::Warn, verdict),
            "" if view.outcome == "done" => (Tone::Good, "done"),
            "" => (Tone::Bad, view.outcome.as_str()),
            _ => (Tone::Bad, verdict),
        };
        let painted = self.look.paint(tone, word);
        let rest = view
            .decision
            .as_ref()
            .map(|decision| headline(decision, verdict))
            .unwrap_or_default();
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

    fn refusal(&mut self, refusal: &Refusal) {
        if !refusal.proof.is_empty() {
            self.title("Why");
            for (index, step) in refusal.proof.iter().enumerate() {
                self.step(step, index + 1);
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
                self.bullet("-", &remedy_text(remedy));
            }
        }
    }

    fn step(&mut self, step: &Step, position: usize) {
        let number = step
            .number
            .map_or_else(|| position.to_string(), |number| number.to_string());
        let mark = format!("{number:>3}. ");
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

    fn changes(&mut self, changes: &Changes) {
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

    fn list(&mut self, sign: &str, list: &[Change]) {
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

    fn warnings(&mut self, view: &View) {
        if view.warnings.is_empty() {
            return;
        }
        self.lines.push(String::new());
        for warning in &view.warnings {
            let head = self.look.paint(Tone::Warn, "warning");
            let code = self.look.paint(Tone::Dim, &format!("[{}]", warning.code));
            let line = self.look.wrap(&format!("{head}{code} "), &warning.message);
            self.lines.push(line);
        }
    }

    fn foot(&mut self, view: &View) {
        if view.restart_required == Some(true) {
            self.lines.extend([
                String::new(),
                "A running Hermes must restart to use this.".to_owned(),
            ]);
        }
        let mut parts = Vec::new();
        if let (Some(sequence), Some(id)) = (view.sequence, &view.id) {
            let short: String = id.trim_start_matches("sha256:").chars().take(8).collect();
            parts.push(format!("receipt {sequence} ({short})"));
        }
        parts.extend((!view.operation.is_empty()).then(|| view.operation.clone()));
        parts.extend(
            view.target
                .as_ref()
                .map(|target| format!("Python {} on {}", target.python, target.platform)),
        );
        parts.extend(view.finished_at.clone());
        if !parts.is_empty() {
            let line = self.look.paint(Tone::Dim, &parts.join(", "));
            self.lines.extend([String::new(), line]);
        }
    }
}

fn headline(decision: &Decision, verdict: &str) -> String {
    match (&decision.refusal, verdict) {
        (Some(refusal), _) => {
            let plugin = refusal
                .plugin
                .as_ref()
                .filter(|name| !refusal.summary.contains(name.as_str()));
            let plugin = plugin.map(|name| format!("{name}: ")).unwrap_or_default();
            format!("{plugin}{} [{}]", refusal.summary, refusal.code)
        }
        (None, "no-surface") => "nothing is declared, so there is nothing to admit".to_owned(),
        (None, _) if !decision.resolution.is_empty() => packages(decision),
        (None, _) => String::new(),
    }
}

fn packages(decision: &Decision) -> String {
    let total = decision
        .resolution
        .iter()
        .filter(|package| !package.name.is_empty())
        .count();
    let noun = if total == 1 { "package" } else { "packages" };
    match &decision.changes {
        Some(changes) => {
            let counts = (changes.added.len(), changes.changed.len(), changes.removed.len());
            format!(
                "{total} {noun} ({} added, {} changed, {} removed)",
                counts.0, counts.1, counts.2
            )
        }
        None => format!("{total} {noun}"),
    }
}

fn premise_text(premise: &Premise) -> String {
    match premise {
        Premise::Plain(text) => text.clone(),
        Premise::Full(full) => {
            let place = match (&full.file, full.line) {
                (Some(file), Some(line)) if line > 0 => format!(" ({file}:{line})"),
                (Some(file), _) => format!(" ({file})"),
                _ => String::new(),
            };
            let step = full
                .step
                .map(|step| format!(" (step {step})"))
                .filter(|text| !full.text.contains(text.trim()));
            format!("{}{place}{}", full.text, step.unwrap_or_default())
        }
    }
}

fn remedy_text(remedy: &Remedy) -> String {
    if let Some(text) = &remedy.text {
        let command = remedy
            .command
            .as_ref()
            .map(|command| format!(": {command}"))
            .unwrap_or_default();
        return format!("{text}{command}");
    }
    let mut text = remedy.kind.clone();
    let subject = remedy.plugin.as_ref().or(remedy.package.as_ref());
    for part in [subject.cloned(), remedy.to.as_ref().map(|to| format!("to {to}"))]
        .into_iter()
        .flatten()
    {
        text = format!("{text} {part}");
    }
    match &remedy.command {
        Some(command) => format!("{text}: {command}"),
        None => text,
    }
}

fn change_text(change: &Change) -> String {
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
