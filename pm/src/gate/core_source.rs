//! Where core's declaration comes from: a folder, a `pylock.toml`, or a published version.

use std::fmt;
use std::path::{Path, PathBuf};

use hermes_admission::core::{self, CORE_PACKAGE, CoreDeclaration};
use hermes_admission::surface;
use hermes_catalog::index::{IndexError, Indexes, MetadataError};
use hermes_pep::{DistFilename, IndexPage, PackageName, Version};
use hermes_terms::Code;

use crate::fault::{Fault, Faults, Place};
use crate::home::DirTree;
use crate::{Environment, Error, files};

/// The largest lock file that is read, in bytes.
const MAX_LOCK: usize = 16 << 20;

/// A core, before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoreSource {
    /// A source tree.
    Folder(PathBuf),
    /// A lock file (PEP 751).
    Lock(PathBuf),
    /// A version of the package index.
    Published(Version),
}

impl CoreSource {
    /// Reads `--core`. A path that exists is always a path.
    pub fn parse(text: &str, env: &Environment) -> Result<Self, Error> {
        let path = env.absolute(text.as_ref());
        if path.is_dir() {
            return Ok(Self::Folder(path));
        }
        if path.exists() {
            return Ok(Self::Lock(path));
        }
        let published = text
            .strip_prefix(CORE_PACKAGE)
            .and_then(|rest| rest.trim().strip_prefix("=="));
        if let Some(Ok(version)) = published.map(Version::parse) {
            return Ok(Self::Published(version));
        }
        let message = format!(
            "`{}` is neither a path that exists nor `{CORE_PACKAGE}==VERSION`",
            text.escape_debug()
        );
        Err(Error::new(Code::CoreNotFound, message))
    }

    /// The Hermes that is installed: `HERMES_INSTALL_ROOT`, else the tree that `hermes` on the path
    /// lies in.
    pub fn installed(env: &Environment) -> Option<Self> {
        let stated = env.path("HERMES_INSTALL_ROOT");
        let found = stated
            .into_iter()
            .chain(env.search_path().into_iter().filter_map(|folder| {
                let program = folder.join("hermes").canonicalize().ok()?;
                program
                    .ancestors()
                    .skip(1)
                    .take(5)
                    .find(|above| is_core(above))
                    .map(Path::to_owned)
            }));
        found.filter(|folder| is_core(folder)).map(Self::Folder).next()
    }

    /// The folder, if core is one: bundled plugins lie in it.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::Lock(_) | Self::Published(_) => None,
        }
    }

    /// Whether reading it needs an index.
    pub const fn needs_index(&self) -> bool {
        matches!(self, Self::Published(_))
    }

    /// Reads the declaration.
    pub fn load(&self, indexes: &Indexes) -> Result<CoreDeclaration, Error> {
        match self {
            Self::Folder(path) => core::from_folder(&DirTree::new(path)).map_err(|found| faults(path, found)),
            Self::Lock(path) => from_lock(path),
            Self::Published(version) => published(version, indexes),
        }
    }
}

impl fmt::Display for CoreSource {
    /// Without the path: a decision does not depend on where a folder lies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(_) => f.write_str("folder"),
            Self::Lock(_) => f.write_str("pylock.toml"),
            Self::Published(version) => write!(f, "{CORE_PACKAGE}=={version}"),
        }
    }
}

fn is_core(folder: &Path) -> bool {
    core::from_folder(&DirTree::new(folder)).is_ok()
}

fn faults(folder: &Path, found: Vec<surface::Fault>) -> Error {
    let all = found.into_iter().map(|fault| Fault {
        code: fault.code,
        place: Place {
            file: folder.join(&fault.file),
            line: fault.line,
            column: fault.column,
        },
        message: fault.message,
    });
    match Faults::none_in(all.collect()) {
        Err(faults) => faults.into(),
        Ok(()) => Error::new(Code::CoreInvalid, "core's declaration cannot be read"),
    }
}

fn from_lock(path: &Path) -> Result<CoreDeclaration, Error> {
    let place = || Place::file(path);
    let bytes = files::read(path, MAX_LOCK)
        .map_err(|fault| Error::new(Code::CoreInvalid, fault.message).at(place()))?
        .unwrap_or_default();
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::new(Code::CoreInvalid, "the file is not UTF-8").at(place()))?;
    core::from_pylock(&text).map_err(|found| faults(path.parent().unwrap_or(path), found))
}

fn published(version: &Version, indexes: &Indexes) -> Result<CoreDeclaration, Error> {
    let name =
        PackageName::parse(CORE_PACKAGE).map_err(|error| Error::new(Code::Internal, error.to_string()))?;
    let page = indexes.page(&name).map_err(index_error)?;
    let page =
        page.ok_or_else(|| Error::new(Code::CoreNotFound, format!("no index knows {CORE_PACKAGE}")))?;
    let file = wheel_of(&page, version).ok_or_else(|| {
        let message = format!("{CORE_PACKAGE} has no wheel of version {version}");
        Error::new(Code::CoreNotFound, message).with_help(newest(&page))
    })?;
    let metadata = indexes.metadata(&name, &file).map_err(|error| match error {
        MetadataError::Index(error) => index_error(error),
        MetadataError::Unusable { code, message } => Error::new(code, message),
    })?;
    Ok(core::from_metadata(&metadata))
}

fn index_error(error: IndexError) -> Error {
    Error::new(error.code, error.message)
}

fn wheel_of(page: &IndexPage, version: &Version) -> Option<std::sync::Arc<hermes_pep::IndexFile>> {
    let is_wheel = |file: &hermes_pep::IndexFile| matches!(file.dist, DistFilename::Wheel(_));
    page.files
        .iter()
        .find(|file| is_wheel(file) && file.version() == version)
        .cloned()
}

fn newest(page: &IndexPage) -> String {
    let newest = page.files.iter().map(|file| file.version()).max();
    newest.map_or_else(String::new, |version| {
        format!("the newest that the index has is {version}")
    })
}
