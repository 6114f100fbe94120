//! What an index holds, as a description, and the files that follow from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hermes_catalog::index::normalise_time;
use hermes_pep::{DistFilename, FileHash, IndexFile, PackageName, ProjectStatus, Specifiers, Yanked};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::Fault;

/// An index as a description.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Universe {
    /// The projects by name.
    #[serde(default)]
    pub packages: BTreeMap<String, PackageDescription>,
}

/// One project.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageDescription {
    /// `active`, `archived`, `quarantined` or `deprecated` (PEP 792); absent means active.
    #[serde(default)]
    pub status: Option<String>,
    /// The releases by version.
    #[serde(default)]
    pub versions: BTreeMap<String, VersionDescription>,
}

/// One release.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VersionDescription {
    /// Requirements (PEP 508).
    pub requires: Vec<String>,
    /// What each extra adds.
    pub extras: BTreeMap<String, Vec<String>>,
    /// `Requires-Python`.
    pub requires_python: Option<String>,
    /// Whether there is a source distribution.
    pub sdist: bool,
    /// Whether there are wheels.
    pub wheel: bool,
    /// A wheel for each of these tags.
    pub wheel_tags: Vec<String>,
    /// Whether the release was withdrawn.
    pub yanked: bool,
    /// When it was uploaded (RFC 3339, UTC).
    pub upload_time: Option<String>,
    /// The metadata of its wheels, instead of what follows from the rest.
    pub metadata: Option<String>,
}

impl Default for VersionDescription {
    fn default() -> Self {
        Self {
            requires: Vec::new(),
            extras: BTreeMap::new(),
            requires_python: None,
            sdist: true,
            wheel: true,
            wheel_tags: Vec::new(),
            yanked: false,
            upload_time: None,
            metadata: None,
        }
    }
}

/// A file with the metadata that is served beside it.
#[derive(Debug, Clone)]
pub struct DescribedFile {
    /// The file.
    pub file: IndexFile,
    /// The text of METADATA; none for a source distribution.
    pub metadata: Option<String>,
}

impl PackageDescription {
    /// The status of the project.
    pub fn status(&self) -> Result<ProjectStatus, Fault> {
        match self.status.as_deref() {
            None | Some("active") => Ok(ProjectStatus::Active),
            Some("archived") => Ok(ProjectStatus::Archived),
            Some("quarantined") => Ok(ProjectStatus::Quarantined),
            Some("deprecated") => Ok(ProjectStatus::Deprecated),
            Some(other) => Err(Fault::new(format_args!("`{other}` is no status of a project"))),
        }
    }

    /// The files whose names can be read, by version and then by name.
    pub fn files(&self, name: &PackageName) -> Result<Vec<DescribedFile>, Fault> {
        let mut files = Vec::new();
        for (version, described) in &self.versions {
            for filename in described.filenames(name, version) {
                let Ok(dist) = DistFilename::parse(&filename, name) else {
                    continue;
                };
                files.push(described.file(name, version, filename, dist)?);
            }
        }
        Ok(files)
    }
}

impl VersionDescription {
    /// The tags of the wheels.
    pub fn tags(&self) -> Vec<&str> {
        match (self.wheel, self.wheel_tags.is_empty()) {
            (false, _) => Vec::new(),
            (true, true) => vec!["py3-none-any"],
            (true, false) => self.wheel_tags.iter().map(String::as_str).collect(),
        }
    }

    fn filenames(&self, name: &PackageName, version: &str) -> Vec<String> {
        let stem = name.as_str().replace('-', "_");
        let wheels = self
            .tags()
            .into_iter()
            .map(|tag| format!("{stem}-{version}-{tag}.whl"));
        let sdist = self.sdist.then(|| format!("{stem}-{version}.tar.gz"));
        wheels.chain(sdist).collect()
    }

    fn file(
        &self,
        name: &PackageName,
        version: &str,
        filename: String,
        dist: DistFilename,
    ) -> Result<DescribedFile, Fault> {
        let is_wheel = matches!(dist, DistFilename::Wheel(_));
        let metadata = is_wheel.then(|| self.metadata_text(name, version));
        let file = IndexFile {
            url: format!("http://index.example/files/{filename}"),
            sha256: FileHash::parse(&sha256(&filename)),
            size: u64::try_from(filename.len()).ok(),
            requires_python: self
                .requires_python
                .as_deref()
                .map(Specifiers::parse)
                .transpose()?,
            upload_time: self.upload_time.as_deref().and_then(normalise_time),
            yanked: self.yanked.then(Yanked::default),
            has_metadata: is_wheel,
            filename,
            dist,
        };
        Ok(DescribedFile { file, metadata })
    }

    /// The text of METADATA (PEP 566).
    pub fn metadata_text(&self, name: &PackageName, version: &str) -> String {
        if let Some(given) = &self.metadata {
            return given.clone();
        }
        let mut text = format!("Metadata-Version: 2.2\nName: {name}\nVersion: {version}\n");
        if let Some(python) = &self.requires_python {
            put(&mut text, "Requires-Python", python);
        }
        for requirement in &self.requires {
            put(&mut text, "Requires-Dist", requirement);
        }
        for (extra, requirements) in &self.extras {
            put(&mut text, "Provides-Extra", extra);
            for requirement in requirements {
                put(&mut text, "Requires-Dist", &for_extra(requirement, extra));
            }
        }
        text
    }
}

fn put(text: &mut String, header: &str, value: &str) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{header}: {value}");
}

/// A requirement that holds for an extra only, as METADATA writes it.
fn for_extra(requirement: &str, extra: &str) -> String {
    match requirement.split_once(';') {
        Some((plain, marker)) => format!("{plain}; ({}) and extra == \"{extra}\"", marker.trim()),
        None => format!("{requirement} ; extra == \"{extra}\""),
    }
}

/// The sha256 digest of a text in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    sha256_of(text.as_bytes())
}

/// The sha256 digest of bytes in hexadecimal.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
