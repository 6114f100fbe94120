//! Homes, profiles, configuration and the plugin roots they select (contract C8, C27, C30). Reads
//! only; everything that cannot be read is a fault with its file.

mod config;
mod locate;
mod members;
mod profiles;
mod tree;

pub use config::{BUILT_IN_ENGINE, Config, MAX_CONFIG};
pub use locate::{Located, ResolvedFrom, locate};
pub use members::{ActiveRoot, HomeView, Members, Places, Why, active, second_providers};
pub use profiles::{LiveHome, ProfileName, live_homes};
pub use tree::DirTree;

use std::path::Path;

use crate::fault::{Fault, Faults};

/// The live homes below a root with their configurations; every fault of every home in one run.
pub fn read_homes(root: &Path) -> Result<Vec<HomeView>, Faults> {
    let mut views = Vec::new();
    let mut faults: Vec<Fault> = Vec::new();
    for home in live_homes(root)? {
        match Config::read(&home.path) {
            Ok(config) => views.push(HomeView { home, config }),
            Err(found) => faults.extend(found.into_all()),
        }
    }
    Faults::none_in(faults)?;
    Ok(views)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C06: every broken configuration is named in one run, and none of them shrinks the union.
    #[test]
    fn c06_all_broken_configurations_are_named() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            let home = dir.path().join("profiles").join(name);
            std::fs::create_dir_all(&home).unwrap();
            let text = if name == "b" {
                "plugins: {}\n"
            } else {
                "plugins: 1\n"
            };
            std::fs::write(home.join("config.yaml"), text).unwrap();
        }
        let found = read_homes(dir.path()).unwrap_err();
        let files: Vec<bool> = found
            .all()
            .iter()
            .zip(["a", "c"])
            .map(|(fault, name)| fault.place.file.ends_with(format!("{name}/config.yaml")))
            .collect();
        assert_eq!(files, [true, true]);
    }
}
