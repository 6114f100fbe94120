//! Settings from the environment and from configuration files: package indexes (pip's and uv's files
//! included), caches, and the policy of a root. Everything knows where it comes from.

mod cutoff;
mod environment;
mod indexes;
mod ini;
mod pip;
mod places;
mod policy;
mod text;
mod url;
mod uv;

pub use cutoff::{Cutoff, CutoffError};
pub use environment::Environment;
pub use indexes::{ConfiguredIndexes, IndexNotConfigured, IndexSetting, Origin};
pub use places::{cache_dir, netrc};
pub use policy::{Pins, PolicyFile};
pub use url::IndexUrl;

use indexes::setting;

use std::path::PathBuf;

/// The system-wide configuration folders of the XDG base directory specification.
fn config_dirs(env: &Environment) -> Vec<PathBuf> {
    let stated = env.raw("XDG_CONFIG_DIRS").filter(|text| !text.is_empty());
    match stated {
        Some(text) => std::env::split_paths(text)
            .filter(|dir| dir.is_absolute())
            .collect(),
        None => vec![env.system("etc/xdg")],
    }
}
