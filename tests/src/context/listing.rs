//! A picture of folders, to see afterwards that nothing in them has changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Fault;
use crate::fake_index::sha256_of;

/// Larger files are known by their size and time.
const MAX_READ: u64 = 4 << 20;

/// Every entry below a folder with what it is: links by where they lead, files by their bytes (digest)
/// and time of change, special files by their kind. Paths that start with one of `except` are left out.
pub(super) fn listing(root: &Path, except: &[&str]) -> Result<BTreeMap<PathBuf, String>, Fault> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| Fault::from(error).at(folder.display()))? {
            let path = entry?.path();
            let relative = path.strip_prefix(root)?.to_path_buf();
            if except.iter().any(|prefix| relative.starts_with(prefix)) {
                continue;
            }
            let meta = path.symlink_metadata()?;
            if meta.is_dir() {
                waiting.push(path.clone());
            }
            found.insert(relative, described(&path, &meta)?);
        }
    }
    Ok(found)
}

fn described(path: &Path, meta: &fs::Metadata) -> Result<String, Fault> {
    if meta.is_symlink() {
        return Ok(format!("link to {}", fs::read_link(path)?.display()));
    }
    if meta.is_file() && meta.len() > MAX_READ {
        return Ok(format!("file of {} bytes of {:?}", meta.len(), meta.modified()?));
    }
    if meta.is_file() {
        let digest = sha256_of(&fs::read(path)?);
        return Ok(format!("file {digest} of {:?}", meta.modified()?));
    }
    Ok(format!("{:?}", meta.file_type()))
}
