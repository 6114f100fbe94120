//! Surfaces: the dependencies that a plugin root declares (contract C1 to C7).
//!
//! Only files directly below the root are read, nothing runs, and every fault of a root is found in
//! one run. A root with a fault has no surface at all: invalid input never makes a union smaller.

mod cargo;
pub(crate) mod exemptions;
mod fault;
mod hermes;
mod manifest;
pub(crate) mod pyproject;
pub(crate) mod requirements;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{FromUtf8Error, String, ToString};
use alloc::vec::Vec;

use hermes_pep::{PackageName, Specifiers};
use hermes_terms::{Code, Digest};

pub use fault::Fault;
pub use hermes::HermesRange;
pub use manifest::Manifest;

use crate::document;
use crate::normal::NormalForm;
use crate::problem::RootRequirement;
use crate::tree::SourceTree;

/// The largest declaration that is read, in bytes.
pub(crate) const MAX_FILE: usize = 1 << 20;

/// How much of `__init__.py` is looked at to tell the kind of a plugin, in bytes.
const MAX_INIT: usize = 8 << 10;

/// What a root declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surface {
    /// Where it is declared.
    pub origin: Origin,
    /// The requirements, in their order.
    pub requirements: Vec<RootRequirement>,
    /// The Python versions it runs on.
    pub requires_python: Option<Specifiers>,
    /// Packages that the plugin exempts from the quarantine, as far as a plugin may: required here
    /// with one exact version. The union leaves out what core's lock holds.
    pub quarantine_exempt: Vec<PackageName>,
    /// A digest of all this in normal form: formatting and comments do not change it.
    pub digest: Digest,
}

/// Where a surface is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `[project]` of `pyproject.toml`.
    Pyproject,
    /// The plugin's manifest.
    Manifest,
}

impl Origin {
    /// The word used in receipts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pyproject => "pyproject",
            Self::Manifest => "manifest",
        }
    }
}

/// What was found in a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A surface: the plugin is a member when it is active.
    Surface(Surface),
    /// Nothing: the plugin is sidecar-only.
    Nothing {
        /// Why, for people.
        reason: &'static str,
    },
    /// Faults: they stand in [`Scan::faults`].
    Invalid,
}

/// The scan of one root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// What was found.
    pub found: Found,
    /// What the manifest says, if there is one.
    pub manifest: Option<Manifest>,
    /// Whether the plugin is a memory provider, by its manifest or the text of its `__init__.py`.
    pub is_exclusive: bool,
    /// Everything that is wrong, in order of place.
    pub faults: Vec<Fault>,
    /// Everything worth saying.
    pub warnings: Vec<Fault>,
}

/// Scans a root.
pub fn scan(tree: &dyn SourceTree) -> Scan {
    let (mut faults, mut warnings, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let manifest = manifest::read(tree, &mut faults, &mut listed);
    let is_external = manifest.as_ref().is_some_and(|manifest| manifest.is_external);
    // The declarations of a sidecar are its own (C3, C4).
    let project = if is_external {
        None
    } else {
        pyproject::read(tree, &mut faults, &mut warnings)
    };
    cargo::read(tree, &mut faults);
    if let (Some(project), Some(manifest)) = (&project, &manifest) {
        warnings.extend(mismatch(&project.requirements, manifest));
        // The lists do not count, so what is wrong with them cannot make the union smaller.
        warnings.append(&mut listed);
    }
    if !is_external {
        faults.append(&mut listed);
    }
    faults.sort();
    warnings.sort();
    let found = if faults.is_empty() {
        found(project, manifest.as_ref())
    } else {
        Found::Invalid
    };
    let is_exclusive = is_exclusive(tree, manifest.as_ref());
    Scan {
        found,
        manifest,
        is_exclusive,
        faults,
        warnings,
    }
}

fn found(project: Option<pyproject::Declared>, manifest: Option<&Manifest>) -> Found {
    let reason = match (project, manifest) {
        (_, Some(manifest)) if manifest.is_external => {
            "python_runtime is external: the plugin keeps a runtime of its own"
        }
        (Some(project), _) => return Found::Surface(Surface::new(Origin::Pyproject, project)),
        (None, Some(manifest)) if !manifest.requirements.is_empty() => {
            let declared = pyproject::Declared {
                requirements: manifest.requirements.clone(),
                requires_python: None,
                exempt: Vec::new(),
            };
            return Found::Surface(Surface::new(Origin::Manifest, declared));
        }
        (None, Some(_)) => "the manifest declares no dependencies",
        (None, None) => "there is neither a [project] table nor a manifest",
    };
    Found::Nothing { reason }
}

impl Surface {
    fn new(origin: Origin, declared: pyproject::Declared) -> Self {
        let mut form = NormalForm::default();
        form.line(format_args!("{}", origin.as_str()));
        if let Some(python) = &declared.requires_python {
            form.line(format_args!("python {python}"));
        }
        for declared in &declared.requirements {
            form.line(format_args!("{}", declared.requirement));
        }
        for package in &declared.exempt {
            form.line(format_args!("exempt {package}"));
        }
        Self {
            origin,
            requirements: declared.requirements,
            requires_python: declared.requires_python,
            quarantine_exempt: declared.exempt,
            digest: form.digest(),
        }
    }
}

/// Both declarations exist and disagree: the pyproject wins, and the receipt says what the other says.
fn mismatch(project: &[RootRequirement], manifest: &Manifest) -> Option<Fault> {
    let set = |list: &[RootRequirement]| -> BTreeSet<String> {
        list.iter()
            .map(|declared| declared.requirement.to_string())
            .collect()
    };
    let (ours, theirs) = (set(project), set(&manifest.requirements));
    if manifest.requirements.is_empty() || ours == theirs {
        return None;
    }
    let message = format!(
        "{} lists [{}] and {} lists [{}]; {} counts",
        pyproject::FILE,
        joined(&ours),
        manifest.file,
        joined(&theirs),
        pyproject::FILE
    );
    let first = manifest.requirements.first();
    Some(Fault {
        line: first.map_or(0, |declared| declared.line),
        column: first.map_or(0, |declared| declared.column),
        ..Fault::new(&manifest.file, Code::DeclarationMismatch, message)
    })
}

/// The most entries of a list that a message shows.
const MAX_SHOWN: usize = 50;

fn joined(set: &BTreeSet<String>) -> String {
    let shown = set.iter().take(MAX_SHOWN).map(String::as_str);
    let joined = shown.collect::<Vec<_>>().join(", ");
    match set.len().saturating_sub(MAX_SHOWN) {
        0 => joined,
        more => format!("{joined} and {more} more"),
    }
}

fn is_exclusive(tree: &dyn SourceTree, manifest: Option<&Manifest>) -> bool {
    match manifest.and_then(|manifest| manifest.kind.as_deref()) {
        Some(kind) => kind == "exclusive",
        None => init_text(tree).is_some_and(|text| {
            let head = text.get(..MAX_INIT.min(text.len())).unwrap_or(&text);
            [b"register_memory_provider".as_slice(), b"MemoryProvider"]
                .iter()
                .any(|word| head.windows(word.len()).any(|window| window == *word))
        }),
    }
}

fn init_text(tree: &dyn SourceTree) -> Option<Vec<u8>> {
    tree.read("__init__.py", MAX_FILE).ok().flatten()
}

/// A file as text; `None` when it does not exist or is noted as faulty.
pub(crate) fn text(
    tree: &dyn SourceTree,
    file: &str,
    limit: usize,
    faults: &mut Vec<Fault>,
) -> Option<String> {
    match tree.read(file, limit) {
        Ok(None) => None,
        Ok(Some(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(error) => {
                faults.push(not_utf8(file, &error));
                None
            }
        },
        Err(fault) => {
            faults.push(Fault::read(file, fault));
            None
        }
    }
}

fn not_utf8(file: &str, error: &FromUtf8Error) -> Fault {
    let valid = error.as_bytes().get(..error.utf8_error().valid_up_to());
    let text = core::str::from_utf8(valid.unwrap_or_default()).unwrap_or_default();
    let (line, column) = document::end_of(text);
    Fault {
        line,
        column,
        ..Fault::new(file, Code::DeclarationInvalid, "the file is not UTF-8")
    }
}
