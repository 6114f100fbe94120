//! Which plugin roots are active in which home (contract C8, C27): names of the configuration become
//! folders. Whether a root has a surface is for the scan to say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hermes_terms::{Code, PluginKey, PluginName};

use super::{Config, LiveHome};
use crate::fault::Notice;

/// A live home with its configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeView {
    /// The home.
    pub home: LiveHome,
    /// What it selects.
    pub config: Config,
}

/// Where plugins may lie outside homes.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder of Hermes core, for bundled plugins.
    pub core: Option<PathBuf>,
    /// The folder with a project's `.hermes/plugins`; only given when project plugins are allowed.
    pub project: Option<PathBuf>,
}

/// Why a root is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// `plugins.enabled`.
    Enabled,
    /// `memory.provider`.
    Provider,
    /// `context.engine`.
    Engine,
}

/// A plugin root that is active in a home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveRoot {
    /// The plugin, as the configuration names it.
    pub key: PluginKey,
    /// Empty for the root home, otherwise the profile's name.
    pub home_label: String,
    /// The folder, as it was reached.
    pub path: PathBuf,
    /// Why it is active.
    pub why: Why,
}

/// The active roots of all homes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members {
    /// The roots: homes in order, each in the user's order, then provider and engine. A folder that
    /// several homes reach counts once, for the first.
    pub roots: Vec<ActiveRoot>,
    /// What was selected and is not there.
    pub warnings: Vec<Notice>,
}

/// The active roots of these homes.
pub fn active(homes: &[HomeView], places: &Places) -> Members {
    let mut members = Members::default();
    let mut seen = BTreeMap::new();
    for view in homes {
        for root in of_home(view, places, &mut members.warnings) {
            let real = root.path.canonicalize().unwrap_or_else(|_| root.path.clone());
            match seen.get(&real) {
                None => {
                    seen.insert(real, members.roots.len());
                    members.roots.push(root);
                }
                // Enabled and the provider as well: the provider's rules are the ones that bind.
                Some(&index) => strengthen(members.roots.get_mut(index), &root),
            }
        }
    }
    members
}

fn strengthen(known: Option<&mut ActiveRoot>, again: &ActiveRoot) {
    if let Some(known) = known {
        known.why = known.why.max(again.why);
    }
}

fn of_home(view: &HomeView, places: &Places, warnings: &mut Vec<Notice>) -> Vec<ActiveRoot> {
    let config = &view.config;
    let mut roots = Vec::new();
    let mut push = |key: PluginKey, path: Option<PathBuf>, why: Why| {
        let home_label = view.home.label.clone();
        match path {
            Some(path) => roots.push(ActiveRoot {
                key,
                home_label,
                path,
                why,
            }),
            // An engine without a folder may be registered by a plugin of another name.
            None if why == Why::Engine => {}
            None => warnings.push(absent(&key, view, why)),
        }
    };
    for key in &config.enabled {
        if !config.disabled.iter().any(|entry| key.is_meant_by(entry)) {
            push(key.clone(), general(key, &view.home.path, places), Why::Enabled);
        }
    }
    if let Some(name) = &config.provider {
        push(
            PluginKey::plain(name.clone()),
            provider(name, &view.home.path, places),
            Why::Provider,
        );
    }
    if let Some(name) = &config.engine {
        push(
            PluginKey::plain(name.clone()),
            engine(name, &view.home.path, places),
            Why::Engine,
        );
    }
    roots
}

/// General plugins: later wins, so the user's before the bundled one.
fn general(key: &PluginKey, home: &Path, places: &Places) -> Option<PathBuf> {
    let relative = match key.category() {
        None => PathBuf::from(key.name().as_str()),
        Some(category) => Path::new(category.as_str()).join(key.name().as_str()),
    };
    let bundled = places
        .core
        .as_ref()
        .map(|core| core.join("plugins").join(&relative));
    first_there([Some(home.join("plugins").join(&relative)), bundled])
}

/// Memory providers: first wins (C27): bundled, user, project.
fn provider(name: &PluginName, home: &Path, places: &Places) -> Option<PathBuf> {
    let name = name.as_str();
    first_there([
        places
            .core
            .as_ref()
            .map(|core| core.join("plugins/memory").join(name)),
        Some(home.join("plugins").join(name)),
        places
            .project
            .as_ref()
            .map(|project| project.join(".hermes/plugins").join(name)),
    ])
}

/// Context engines: the user's before the bundled one.
fn engine(name: &PluginName, home: &Path, places: &Places) -> Option<PathBuf> {
    let name = name.as_str();
    let bundled = places
        .core
        .as_ref()
        .map(|core| core.join("plugins/context_engine").join(name));
    first_there([Some(home.join("plugins").join(name)), bundled])
}

/// The first that is there. One that cannot be looked at counts as there: the scan names the obstacle,
/// and the union does not shrink in silence (C6).
fn first_there(paths: impl IntoIterator<Item = Option<PathBuf>>) -> Option<PathBuf> {
    paths
        .into_iter()
        .flatten()
        .find(|path| match std::fs::metadata(path) {
            Ok(meta) => meta.is_dir(),
            Err(error) => !matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ),
        })
}

fn absent(key: &PluginKey, view: &HomeView, why: Why) -> Notice {
    let setting = if why == Why::Provider {
        "memory.provider"
    } else {
        "plugins.enabled"
    };
    let home = if view.home.label.is_empty() {
        String::new()
    } else {
        format!(" of profile `{}`", view.home.label)
    };
    let message =
        format!("`{key}` is named by `{setting}`{home} but has no folder; it is no member of the union");
    Notice {
        code: Code::PluginAbsent,
        message,
    }
}

/// Warns of external memory providers among the enabled plugins beside the active one, by home (C28).
/// The flag says whether the scan found a root to be a memory provider (kind `exclusive`).
pub fn second_providers<'a>(roots: impl IntoIterator<Item = (&'a ActiveRoot, bool)>) -> Vec<Notice> {
    let mut by_home: BTreeMap<&str, Vec<&ActiveRoot>> = BTreeMap::new();
    for (root, is_exclusive) in roots {
        if is_exclusive || root.why == Why::Provider {
            by_home.entry(&root.home_label).or_default().push(root);
        }
    }
    by_home
        .into_values()
        .filter_map(|found| second_of(&found))
        .collect()
}

fn second_of(found: &[&ActiveRoot]) -> Option<Notice> {
    let used = found
        .iter()
        .find(|root| root.why == Why::Provider)
        .or(found.first())?;
    let others: Vec<String> = found
        .iter()
        .filter(|root| root.key != used.key)
        .map(|root| format!("`{}`", root.key))
        .collect();
    if others.is_empty() {
        return None;
    }
    let message = format!(
        "{} {} enabled beside the memory provider `{}`; Hermes uses one at a time",
        others.join(", "),
        if others.len() == 1 { "is" } else { "are" },
        used.key
    );
    Some(Notice {
        code: Code::ProviderSecond,
        message,
    })
}

#[cfg(test)]
#[path = "members_tests.rs"]
mod tests;
