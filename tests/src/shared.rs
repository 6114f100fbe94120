//! The folder of shared data: contract, vectors, corpus, outside suites. It is read in place.

use std::env;
use std::path::{Path, PathBuf};

use crate::Fault;

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// A file or folder of the shared data: `HERMES_PM_SHARED`, else `../shared` beside the workspace.
/// Missing data is a failure that says so, never a test that passes silently.
pub fn shared(relative: &str) -> Result<PathBuf, Fault> {
    let folder =
        env::var_os("HERMES_PM_SHARED").map_or_else(|| workspace_root().join("../shared"), PathBuf::from);
    let path = folder.join(relative);
    if path.exists() {
        return Ok(path);
    }
    Err(Fault::new(format_args!(
        "the shared data is needed at {} (set HERMES_PM_SHARED to its folder)",
        path.display()
    )))
}
