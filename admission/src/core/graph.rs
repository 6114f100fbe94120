//! Which locked packages an environment needs, by the edges of `uv.lock`: a lock covers every extra
//! and every platform, and what nobody enabled binds nothing (contract C9).

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::{ExtraName, Marker, PackageName, Reduced};

use crate::problem::RootRequirement;

/// A package, or one of its extras.
type Key = (PackageName, Option<ExtraName>);

/// The most conditions that are followed for one package; beyond them its version stays preferred.
const MAX_CONDITIONS: usize = 8;

/// What the packages of a lock need.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Graph(BTreeMap<Key, Vec<Edge>>);

/// One need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: PackageName,
    pub(super) extras: Vec<ExtraName>,
    /// When it holds; empty means always.
    pub(super) condition: String,
}

/// Under which conditions a package is needed; empty means always.
pub(super) type Conditions = BTreeSet<String>;

impl Graph {
    pub(super) fn add(&mut self, from: Key, edges: Vec<Edge>) {
        self.0.entry(from).or_default().extend(edges);
    }

    /// Every package that these requirements lead to. Bounded: a package is visited once for each of
    /// its conditions.
    pub(super) fn needed(&self, roots: &[RootRequirement]) -> BTreeMap<PackageName, Conditions> {
        let mut met: BTreeMap<Key, Conditions> = BTreeMap::new();
        // The shortest ways first: they have the weakest conditions.
        let mut waiting: VecDeque<Edge> = roots.iter().map(edge).collect();
        while let Some(Edge {
            to,
            extras,
            condition,
        }) = waiting.pop_front()
        {
            let wanted = extras.into_iter().map(Some).chain([None]);
            for key in wanted.map(|extra| (to.clone(), extra)) {
                let known = met.entry(key.clone()).or_default();
                if is_settled(known) || !known.insert(condition.clone()) {
                    continue;
                }
                let edges = self.0.get(&key).map(Vec::as_slice).unwrap_or_default();
                let open = edges.iter().filter(|edge| edge.is_open(&met));
                waiting.extend(open.filter_map(|edge| edge.under(&condition)));
            }
        }
        let mut needed: BTreeMap<PackageName, Conditions> = BTreeMap::new();
        for ((name, _), conditions) in met {
            needed.entry(name).or_default().extend(conditions);
        }
        needed
    }
}

/// Whether further conditions say nothing, or are too many.
fn is_settled(known: &Conditions) -> bool {
    known.contains("") || known.len() >= MAX_CONDITIONS
}

impl Edge {
    /// Whether a further visit could say something of where it leads.
    fn is_open(&self, met: &BTreeMap<Key, Conditions>) -> bool {
        let wanted = self.extras.iter().cloned().map(Some).chain([None]);
        wanted
            .map(|extra| met.get(&(self.to.clone(), extra)))
            .any(|known| known.is_none_or(|known| !is_settled(known)))
    }

    /// The edge under one more condition; `None` when both together are more than a marker may say.
    fn under(&self, outer: &str) -> Option<Self> {
        let condition = match (outer, self.condition.as_str()) {
            (one, "") | ("", one) => one.to_string(),
            (outer, inner) if outer == inner => outer.to_string(),
            (outer, inner) => Marker::parse(&format!("({outer}) and ({inner})"))
                .ok()?
                .to_string(),
        };
        Some(Self {
            condition,
            ..self.clone()
        })
    }
}

fn edge(declared: &RootRequirement) -> Edge {
    let requirement = &declared.requirement;
    Edge {
        to: requirement.name.clone(),
        extras: requirement.extras.clone(),
        condition: requirement
            .marker
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
    }
}

/// The condition that a marker of a lock states, extras left out; `None` when it never holds.
pub(super) fn condition(marker: &Marker) -> Option<String> {
    match marker.reduce(&[]) {
        Reduced::Always => Some(String::new()),
        Reduced::Never => None,
        Reduced::Marker(marker) => Some(marker.to_string()),
    }
}
