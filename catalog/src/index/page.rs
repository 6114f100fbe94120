//! From what an index wrote of a file to an [`IndexFile`].

use std::collections::HashMap;
use std::sync::Arc;

use hermes_pep::{
    DistFilename, FileHash, IndexFile, IndexPage, PackageName, ProjectStatus, Specifiers, Yanked,
};
use url::Url;

use super::time::normalise_time;

/// A file as an index describes it, in either format.
#[derive(Debug, Default)]
pub(super) struct RawFile<'a> {
    /// The name of the file.
    pub(super) filename: &'a str,
    /// The address as written: absolute, or relative to the page.
    pub(super) href: &'a str,
    /// The sha256 digest.
    pub(super) sha256: Option<&'a str>,
    /// The size in bytes.
    pub(super) size: Option<u64>,
    /// `Requires-Python`.
    pub(super) requires_python: Option<&'a str>,
    /// The moment of upload.
    pub(super) upload_time: Option<&'a str>,
    /// Whether and why it was withdrawn.
    pub(super) yanked: Option<Yanked>,
    /// Whether metadata is served beside it.
    pub(super) has_metadata: bool,
}

/// Collects the files of a page. Files whose names or addresses cannot be read are passed over:
/// indexes hold such files from before the standards.
#[derive(Debug)]
pub(super) struct PageBuilder {
    name: PackageName,
    base: Url,
    pythons: Pythons,
    files: Vec<Arc<IndexFile>>,
}

impl PageBuilder {
    /// A page of `name` whose relative addresses start at `base`.
    pub(super) fn new(name: &PackageName, base: &Url) -> Self {
        Self {
            name: name.clone(),
            base: base.clone(),
            pythons: Pythons::default(),
            files: Vec::new(),
        }
    }

    pub(super) fn set_base(&mut self, base: Url) {
        self.base = base;
    }

    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    pub(super) fn push(&mut self, raw: RawFile<'_>) {
        let Ok(dist) = DistFilename::parse(raw.filename, &self.name) else {
            return;
        };
        let Some(url) = self.address(raw.href) else { return };
        self.files.push(Arc::new(IndexFile {
            filename: raw.filename.to_owned(),
            dist,
            url,
            sha256: raw.sha256.and_then(FileHash::parse),
            size: raw.size,
            requires_python: raw.requires_python.and_then(|text| self.pythons.read(text)),
            upload_time: raw.upload_time.and_then(normalise_time),
            yanked: raw.yanked,
            has_metadata: raw.has_metadata,
        }));
    }

    fn address(&self, href: &str) -> Option<String> {
        let mut url = self.base.join(href).ok()?;
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        Some(url.into())
    }

    pub(super) fn finish(self, status: ProjectStatus) -> IndexPage {
        IndexPage {
            name: self.name,
            status,
            files: self.files,
        }
    }
}

/// Reads `Requires-Python`; the files of a project share a few texts.
#[derive(Debug, Default)]
pub(super) struct Pythons(HashMap<String, Option<Specifiers>>);

impl Pythons {
    /// A text that cannot be read counts as absent.
    pub(super) fn read(&mut self, text: &str) -> Option<Specifiers> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let read = Specifiers::parse(text)
            .ok()
            .filter(|specifiers| !specifiers.is_empty());
        self.0.insert(text.to_owned(), read.clone());
        read
    }
}

/// Reads a project status (PEP 792); one that is not known says nothing.
pub(super) fn read_status(text: &str) -> ProjectStatus {
    match text {
        "archived" => ProjectStatus::Archived,
        "quarantined" => ProjectStatus::Quarantined,
        "deprecated" => ProjectStatus::Deprecated,
        _ => ProjectStatus::Active,
    }
}

/// The written form of a project status.
pub(super) const fn status_text(status: ProjectStatus) -> &'static str {
    match status {
        ProjectStatus::Active => "active",
        ProjectStatus::Archived => "archived",
        ProjectStatus::Quarantined => "quarantined",
        ProjectStatus::Deprecated => "deprecated",
    }
}

/// Whether a repository version (PEP 629) can be read: major version 1.
pub(super) fn is_known_version(text: &str) -> bool {
    text.split('.').next() == Some("1")
}
