//! Surfaces: the dependencies that a plugin root declares (contract C1 to C7).
//!
//! Only files directly below the root are read, nothing runs, and every fault of a root is found in
//! one run. A root with a fault has no surface at all: invalid input never makes a union smaller.

mod cargo;
mod fault;
mod hermes;
mod manifest;
pub(crate) mod pyproject;
pub(crate) mod requirements;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use hermes_pep::Specifiers;
use hermes_terms::{Code, Digest};

pub use fault::Fault;
pub use hermes::HermesRange;
pub use manifest::Manifest;

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
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    let project = pyproject::read(tree, &mut faults);
    let manifest = manifest::read(tree, &mut faults);
    cargo::read(tree, &mut faults);
    if let (Some(project), Some(manifest)) = (&project, &manifest) {
        warnings.extend(mismatch(&project.requirements, manifest));
    }
    faults.sort();
    let found = match (project, &manifest) {
        _ if !faults.is_empty() => Found::Invalid,
        (_, Some(manifest)) if manifest.is_external => Found::Nothing {
            reason: "python_runtime is external: the plugin keeps a runtime of its own",
        },
        (Some(project), _) => Found::Surface(Surface::new(
            Origin::Pyproject,
            project.requirements,
            project.requires_python,
        )),
        (None, Some(manifest)) if !manifest.requirements.is_empty() => Found::Surface(Surface::new(
            Origin::Manifest,
            manifest.requirements.clone(),
            None,
        )),
        (None, Some(_)) => Found::Nothing {
            reason: "the manifest declares no dependencies",
        },
        (None, None) => Found::Nothing {
            reason: "there is neither a [project] table nor a manifest",
        },
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

impl Surface {
    fn new(origin: Origin, requirements: Vec<RootRequirement>, requires_python: Option<Specifiers>) -> Self {
        let mut form = NormalForm::default();
        form.line(format_args!("{}", origin.as_str()));
        if let Some(python) = &requires_python {
            form.line(format_args!("python {python}"));
        }
        for declared in &requirements {
            form.line(format_args!("{}", declared.requirement));
        }
        let digest = form.digest();
        Self {
            origin,
            requirements,
            requires_python,
            digest,
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
    let joined = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>().join(", ");
    let message = format!(
        "{} lists [{}] and {} lists [{}]; {} counts",
        pyproject::FILE,
        joined(ours),
        manifest.file,
        joined(theirs),
        pyproject::FILE
    );
    Some(Fault::new(&manifest.file, Code::DeclarationMismatch, message))
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
                let at = error.utf8_error().valid_up_to();
                let message = format!("the file is not UTF-8 (byte {})", at + 1);
                faults.push(Fault::new(file, Code::DeclarationInvalid, message));
                None
            }
        },
        Err(fault) => {
            faults.push(Fault::read(file, fault));
            None
        }
    }
}
