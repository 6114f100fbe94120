//! Making folders and making their entries durable.

use std::io;
use std::path::Path;

use crate::sys;

/// Makes a folder and those above it; one that exists, or a link to one, is fine.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    // A relative path's topmost ancestor is the empty path, which stands for the working directory.
    let named = path.ancestors().filter(|folder| !folder.as_os_str().is_empty());
    let missing: Vec<&Path> = named.take_while(|folder| !folder.is_dir()).collect();
    for folder in missing.into_iter().rev() {
        match sys::make_folder(folder) {
            // Somebody else may have made it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            other => other?,
        }
    }
    Ok(())
}

/// Makes the entries of a folder (files made, renamed and removed in it) survive a power cut.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    sys::sync_folder(path)
}
