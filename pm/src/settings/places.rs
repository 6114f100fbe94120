//! Where caches and credentials lie.

use std::path::PathBuf;

use crate::Environment;

/// The folder of the caches: `HERMES_PM_CACHE`, else `hermes-pm` in the user's XDG cache folder;
/// `None` when neither is known.
pub fn cache_dir(env: &Environment) -> Option<PathBuf> {
    let usual = || {
        env.xdg("XDG_CACHE_HOME", ".cache")
            .map(|folder| folder.join("hermes-pm"))
    };
    env.path("HERMES_PM_CACHE").or_else(usual)
}

/// The user's netrc, if there is one.
pub fn netrc(env: &Environment) -> Option<PathBuf> {
    let path = env
        .user_home()?
        .join(if cfg!(windows) { "_netrc" } else { ".netrc" });
    path.is_file().then_some(path)
}
