//! What would change: one resolution against another, and against core's lock.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use hermes_pep::{PackageName, Version};

use crate::solve::Resolution;

/// The difference between two resolutions, each list in order of name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Packages that come.
    pub added: Vec<Change>,
    /// Packages that go.
    pub removed: Vec<Change>,
    /// Packages that stay at another version.
    pub changed: Vec<Change>,
    /// Packages at another version than in core's lock.
    pub core_drift: Vec<Change>,
    /// Packages that others already used and that become older.
    pub collateral_downgrades: Vec<Change>,
}

/// One package that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The package.
    pub name: PackageName,
    /// The version before.
    pub from: Option<Version>,
    /// The version after.
    pub to: Option<Version>,
    /// Who asks for it afterwards.
    pub requested_by: Vec<String>,
}

impl Changes {
    /// Compares. `before` is the union without the candidate.
    pub fn between(before: &Resolution, after: &Resolution, locked: &BTreeMap<PackageName, Version>) -> Self {
        let mut changes = Self {
            core_drift: drift(after, locked),
            ..Self::default()
        };
        for (name, package) in &after.packages {
            let from = before.packages.get(name).map(|old| old.version.clone());
            if from.as_ref() == Some(&package.version) {
                continue;
            }
            let change = Change {
                name: name.clone(),
                from,
                to: Some(package.version.clone()),
                requested_by: package.requested_by.clone(),
            };
            match &change.from {
                None => changes.added.push(change),
                Some(from) => {
                    if *from > package.version {
                        changes.collateral_downgrades.push(change.clone());
                    }
                    changes.changed.push(change);
                }
            }
        }
        changes.removed = removed(before, after);
        changes
    }
}

fn removed(before: &Resolution, after: &Resolution) -> Vec<Change> {
    let gone = before
        .packages
        .iter()
        .filter(|(name, _)| !after.packages.contains_key(*name));
    gone.map(|(name, old)| Change {
        name: name.clone(),
        from: Some(old.version.clone()),
        to: None,
        requested_by: Vec::new(),
    })
    .collect()
}

fn drift(after: &Resolution, locked: &BTreeMap<PackageName, Version>) -> Vec<Change> {
    let moved = after.packages.iter().filter_map(|(name, package)| {
        let lock = locked.get(name)?;
        (*lock != package.version).then(|| Change {
            name: name.clone(),
            from: Some(lock.clone()),
            to: Some(package.version.clone()),
            requested_by: package.requested_by.clone(),
        })
    });
    moved.collect()
}
