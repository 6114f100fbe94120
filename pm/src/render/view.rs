//! A receipt as the renderer sees it: only what is shown, everything optional, words as they are. A
//! receipt of a newer program (other codes, further fields) is shown as far as it is understood.

use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct View {
    pub(super) sequence: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) operation: String,
    pub(super) outcome: String,
    pub(super) finished_at: Option<String>,
    pub(super) target: Option<Target>,
    pub(super) decision: Option<Decision>,
    pub(super) restart_required: Option<bool>,
    pub(super) warnings: Vec<Warning>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Target {
    pub(super) python: String,
    pub(super) platform: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Decision {
    pub(super) verdict: String,
    pub(super) refusal: Option<Refusal>,
    pub(super) resolution: Vec<Package>,
    pub(super) changes: Option<Changes>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Refusal {
    pub(super) code: String,
    pub(super) plugin: Option<String>,
    pub(super) summary: String,
    pub(super) proof: Vec<Step>,
    pub(super) conflict: Vec<String>,
    pub(super) removals: Vec<Vec<String>>,
    pub(super) remedies: Vec<Remedy>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Step {
    pub(super) number: Option<u64>,
    pub(super) because: Vec<Premise>,
    pub(super) therefore: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Premise {
    Plain(String),
    Full(FullPremise),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FullPremise {
    pub(super) text: String,
    pub(super) file: Option<String>,
    pub(super) line: Option<u64>,
    pub(super) step: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Remedy {
    pub(super) kind: String,
    pub(super) plugin: Option<String>,
    pub(super) package: Option<String>,
    pub(super) to: Option<String>,
    pub(super) command: Option<String>,
    pub(super) text: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Package {
    pub(super) name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Changes {
    pub(super) added: Vec<Change>,
    pub(super) removed: Vec<Change>,
    pub(super) changed: Vec<Change>,
    pub(super) core_drift: Vec<Change>,
    pub(super) collateral_downgrades: Vec<Change>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Change {
    pub(super) name: String,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) requested_by: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Warning {
    pub(super) code: String,
    pub(super) message: String,
}
