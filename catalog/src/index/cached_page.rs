//! The cached form of a page: what [`IndexPage`] holds and no more, as tuples, because a page may
//! have thousands of files and is read again in every run.

use std::sync::Arc;

use hermes_pep::{DistFilename, FileHash, IndexFile, IndexPage, PackageName, Specifiers, Yanked};
use serde::{Deserialize, Serialize};

use super::page::{read_status, status_text};

/// A page: its status, the distinct `Requires-Python` texts, and its files.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    #[serde(borrow)]
    status: &'a str,
    pythons: Vec<String>,
    #[serde(borrow)]
    files: Vec<StoredFile<'a>>,
}

/// A file: name; address, up to the name if it ends with it; sha256; size; which `Requires-Python`,
/// counted from 1; upload time; the reason if yanked (empty: none given); whether metadata is served.
#[derive(Serialize, Deserialize)]
struct StoredFile<'a>(
    &'a str,
    &'a str,
    Option<&'a str>,
    Option<u64>,
    usize,
    Option<&'a str>,
    Option<String>,
    bool,
);

/// The written form of a page.
pub(super) fn write(page: &IndexPage) -> Option<Vec<u8>> {
    let mut pythons: Vec<String> = Vec::new();
    let mut files = Vec::with_capacity(page.files.len());
    for file in &page.files {
        let python = file
            .requires_python
            .as_ref()
            .map_or(0, |specifiers| place(&mut pythons, specifiers));
        let stem = file
            .url
            .strip_suffix(file.filename.as_str())
            .filter(|stem| stem.ends_with('/'));
        let yanked = file
            .yanked
            .as_ref()
            .map(|yanked| yanked.reason.clone().unwrap_or_default());
        files.push(StoredFile(
            &file.filename,
            stem.unwrap_or(&file.url),
            file.sha256.as_ref().map(FileHash::as_str),
            file.size,
            python,
            file.upload_time.as_deref(),
            yanked,
            file.has_metadata,
        ));
    }
    serde_json::to_vec(&Stored {
        status: status_text(page.status),
        pythons,
        files,
    })
    .ok()
}

fn place(pythons: &mut Vec<String>, specifiers: &Specifiers) -> usize {
    let text = specifiers.to_string();
    if let Some(at) = pythons.iter().position(|known| *known == text) {
        return at + 1;
    }
    pythons.push(text);
    pythons.len()
}

/// Reads the written form of a page; `None` when it is damaged.
pub(super) fn read(bytes: &[u8], name: &PackageName) -> Option<IndexPage> {
    let stored: Stored<'_> = serde_json::from_slice(bytes).ok()?;
    let pythons: Vec<Specifiers> = stored
        .pythons
        .iter()
        .map(|text| Specifiers::parse(text).ok())
        .collect::<Option<_>>()?;
    let files = stored
        .files
        .into_iter()
        .map(|file| read_file(file, name, &pythons));
    Some(IndexPage {
        name: name.clone(),
        status: read_status(stored.status),
        files: files.collect::<Option<_>>()?,
    })
}

fn read_file(stored: StoredFile<'_>, name: &PackageName, pythons: &[Specifiers]) -> Option<Arc<IndexFile>> {
    let StoredFile(filename, address, sha256, size, python, upload_time, yanked, has_metadata) = stored;
    // Only a stem ends with a slash: the name of a file does not.
    let url = if address.ends_with('/') {
        [address, filename].concat()
    } else {
        address.to_owned()
    };
    let requires_python = match python.checked_sub(1) {
        Some(at) => Some(pythons.get(at)?.clone()),
        None => None,
    };
    Some(Arc::new(IndexFile {
        filename: filename.to_owned(),
        dist: DistFilename::parse(filename, name).ok()?,
        url,
        sha256: sha256.and_then(FileHash::parse),
        size,
        requires_python,
        upload_time: upload_time.map(str::to_owned),
        yanked: yanked.map(|reason| Yanked {
            reason: Some(reason).filter(|r| !r.is_empty()),
        }),
        has_metadata,
    }))
}

#[cfg(test)]
mod tests {
    use hermes_pep::ProjectStatus;

    use super::*;

    #[test]
    fn a_page_survives_the_cache() {
        let name = PackageName::parse("a").unwrap();
        let file = |filename: &str, url: &str, full: bool| {
            Arc::new(IndexFile {
                filename: filename.to_owned(),
                dist: DistFilename::parse(filename, &name).unwrap(),
                url: url.to_owned(),
                sha256: FileHash::parse(&"ab".repeat(32)).filter(|_| full),
                size: full.then_some(9),
                requires_python: Specifiers::parse(">=3.8,<4").ok().filter(|_| full),
                upload_time: full.then(|| "2024-01-02T03:04:05.000000Z".to_owned()),
                yanked: full.then(|| Yanked {
                    reason: Some("\"quoted\"\n".to_owned()),
                }),
                has_metadata: full,
            })
        };
        let files = vec![
            file(
                "a-1.0-py3-none-any.whl",
                "https://files.example/x/a-1.0-py3-none-any.whl",
                true,
            ),
            file("a-2.0.tar.gz", "https://files.example/x/a-2.0.tar.gz?k=1", false),
            file("a-3.0.tar.gz", "https://files.example/get/", false),
        ];
        let page = IndexPage {
            name: name.clone(),
            status: ProjectStatus::Deprecated,
            files,
        };
        let bytes = write(&page).unwrap();
        let mut want = page;
        // An address that ends with a slash without the name is the one thing not kept as it was.
        want.files.pop();
        let mut got = read(&bytes, &name).unwrap();
        got.files.pop();
        assert_eq!(got, want);
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end], &name).is_none(), "{end}");
        }
    }
}
