//! The union for people: who takes part with what, and the packages that follow. A pure function; all
//! words come from the decision and are cleaned.

use hermes_receipts::{Decision, MemberRecord};

use crate::cli::style::{Look, Tone, clean};

/// A resolved union as text.
pub fn union(decision: &Decision, look: Look) -> String {
    let inputs = &decision.inputs;
    let core = format!(
        "{} {} ({})",
        inputs.core.name, inputs.core.version, inputs.core.source
    );
    let mut lines = vec![look.paint(Tone::Strong, "Who takes part")];
    lines.push(party(&core, &inputs.core.requirements, look));
    lines.extend(
        inputs
            .members
            .iter()
            .map(|member| party(&name(member), &member.requirements, look)),
    );
    let count = decision.resolution.len();
    lines.extend([
        String::new(),
        look.paint(Tone::Strong, &format!("{count} packages")),
    ]);
    for package in &decision.resolution {
        let by = package.requested_by.join(", ");
        lines.push(look.wrap(
            "  ",
            &clean(&format!("{} {} (for {by})", package.name, package.version)),
        ));
    }
    lines.join("\n") + "\n"
}

fn name(member: &MemberRecord) -> String {
    match member.home.as_str() {
        "" => member.plugin.clone(),
        home => format!("{} (profile {home})", member.plugin),
    }
}

fn party(name: &str, requirements: &[String], look: Look) -> String {
    look.wrap("  ", &clean(&format!("{name}: {}", requirements.join(", "))))
}
