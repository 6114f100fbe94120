//! Reads what takes part: scans the active roots of every live home, and the candidate.

use std::path::Path;

use hermes_admission::surface::{self, Found, Scan, Surface};
use hermes_pep::Version;
use hermes_receipts::{FaultRecord, WarningRecord};
use hermes_terms::Code;

use super::question::Party;
use crate::fault::Notice;
use crate::home::{ActiveRoot, DirTree, HomeView, Places, active, second_providers};

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// Active plugins with a surface, in the order of the user.
    pub members: Vec<Party>,
    /// What is wrong with active roots: each of it blocks every change.
    pub faults: Vec<FaultRecord>,
    /// What is worth saying.
    pub warnings: Vec<WarningRecord>,
}

/// The candidate that is asked about. It stands for, or would replace, the member in the same folder and
/// the one of the same key in the same home.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking<'a> {
    /// The candidate's folder.
    pub(crate) path: &'a Path,
    /// The candidate's key.
    pub(crate) id: &'a str,
    /// The home: empty for the root, otherwise the profile.
    pub(crate) home: &'a str,
}

impl Asking<'_> {
    fn replaces(self, root: &ActiveRoot) -> bool {
        let same_key = root.home_label == self.home && root.key.to_string() == self.id;
        same_key || same_place(self.path, &root.path)
    }
}

/// What was found of the candidate.
#[derive(Debug, Clone)]
pub enum Candidate {
    /// It declares something.
    Party(Party),
    /// It declares nothing: the reason.
    NoSurface(&'static str),
    /// Its declaration is wrong.
    Invalid(Vec<FaultRecord>),
    /// It asks for another Hermes: the range.
    OtherHermes(String),
}

/// Scans the active roots. `except` is what the candidate would replace.
pub(crate) fn members(
    homes: &[HomeView],
    places: &Places,
    core: &Version,
    except: Option<&Asking<'_>>,
) -> Gathered {
    let found = active(homes, places);
    let mut gathered = Gathered {
        warnings: found.warnings.iter().map(warning).collect(),
        ..Gathered::default()
    };
    let mut exclusive = Vec::new();
    for root in &found.roots {
        if except.is_some_and(|candidate| candidate.replaces(root)) {
            continue;
        }
        let scan = surface::scan(&DirTree::new(&root.path));
        exclusive.push((root, scan.is_exclusive));
        gathered.take(root, &scan, core, &found.roots);
    }
    gathered
        .warnings
        .extend(second_providers(exclusive).iter().map(warning));
    gathered
}

/// Scans the candidate.
pub(crate) fn candidate(path: &Path, id: &str, core: &Version) -> (Candidate, Vec<WarningRecord>) {
    let scan = surface::scan(&DirTree::new(path));
    let warnings = scan.warnings.iter().map(|fault| warning_of(fault, id)).collect();
    let candidate = match (&scan.found, unmet(&scan, core)) {
        (Found::Invalid, _) => {
            Candidate::Invalid(scan.faults.iter().map(|fault| record(fault, id)).collect())
        }
        (_, Some(range)) => Candidate::OtherHermes(range),
        (Found::Nothing { reason }, None) => Candidate::NoSurface(reason),
        (Found::Surface(surface), None) => Candidate::Party(party(id, "", surface)),
    };
    (candidate, warnings)
}

impl Gathered {
    fn take(&mut self, root: &ActiveRoot, scan: &Scan, core: &Version, all: &[ActiveRoot]) {
        let id = identity(root, all);
        self.warnings
            .extend(scan.warnings.iter().map(|fault| warning_of(fault, &id)));
        if let Some(range) = unmet(scan, core) {
            let message = format!("`{id}` asks for Hermes {range}, and this is {core}; it sits out");
            self.warnings.push(WarningRecord {
                plugin: Some(id),
                ..plain(Code::PluginRequiresHermes, message)
            });
            return;
        }
        match &scan.found {
            Found::Surface(surface) => self.members.push(party(&id, &root.home_label, surface)),
            Found::Nothing { .. } => {}
            Found::Invalid => self
                .faults
                .extend(scan.faults.iter().map(|fault| record(fault, &id))),
        }
    }
}

/// The key, and the home as well when another home has a root of the same key.
fn identity(root: &ActiveRoot, all: &[ActiveRoot]) -> String {
    let twin = all
        .iter()
        .any(|other| other.key == root.key && other.home_label != root.home_label);
    match (twin, root.home_label.as_str()) {
        (false, _) | (true, "") => root.key.to_string(),
        (true, home) => format!("{}@{home}", root.key),
    }
}

fn unmet(scan: &Scan, core: &Version) -> Option<String> {
    let range = scan.manifest.as_ref()?.requires_hermes.as_ref()?;
    (!range.contains(core)).then(|| range.to_string())
}

fn party(id: &str, home: &str, surface: &Surface) -> Party {
    Party {
        id: id.to_owned(),
        home: home.to_owned(),
        surface: surface.clone(),
    }
}

fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

fn small(number: usize) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| *number > 0)
}

fn record(fault: &surface::Fault, id: &str) -> FaultRecord {
    FaultRecord {
        code: fault.code.into(),
        message: fault.message.clone(),
        plugin: Some(id.to_owned()),
        file: Some(fault.file.clone()),
        line: small(fault.line),
        column: small(fault.column),
    }
}

fn warning_of(fault: &surface::Fault, id: &str) -> WarningRecord {
    WarningRecord {
        plugin: Some(id.to_owned()),
        file: Some(fault.file.clone()),
        line: small(fault.line),
        ..plain(fault.code, fault.message.clone())
    }
}

/// A warning of something that is worth saying.
pub(crate) fn warning(notice: &Notice) -> WarningRecord {
    plain(notice.code, notice.message.clone())
}

/// A warning without a place.
pub(crate) fn plain(code: Code, message: String) -> WarningRecord {
    WarningRecord {
        code: code.into(),
        message,
        plugin: None,
        file: None,
        line: None,
    }
}
