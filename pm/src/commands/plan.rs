//! `plan`: what admission would do; `check`: the same for one plugin and a core, without a home.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hermes_admission::surface;
use hermes_receipts::{Operation, Receipt};
use hermes_terms::{Code, Exit, PluginKey, PluginName, PluginNameError};

use super::Context;
use super::decide::{ask, keep, prepare, receipt};
use crate::Error;
use crate::cli::exit;
use crate::fault::Place;
use crate::gate::gather::Asking;
use crate::home::{self, DirTree, HomeView, Located};
use crate::render;

/// A plugin root that was asked about.
struct Source {
    path: PathBuf,
    id: String,
}

pub(super) fn plan(source: &str, context: &Context<'_>) -> Result<Exit, Error> {
    let located = context.located()?;
    let homes = home::read_homes(&located.root)?;
    let found = find(source, context, &located)?;
    run(context, Some(&located), &homes, (&found, Operation::Plan))
}

pub(super) fn check(path: &Path, context: &Context<'_>) -> Result<Exit, Error> {
    let found = of_folder(&context.env.absolute(path))?;
    run(context, None, &[], (&found, Operation::Check))
}

fn run(
    context: &Context<'_>,
    located: Option<&Located>,
    homes: &[HomeView],
    (source, operation): (&Source, Operation),
) -> Result<Exit, Error> {
    let started = SystemTime::now();
    let prepared = prepare(context, located)?;
    let asked = ask(
        context,
        &prepared,
        homes,
        &Asking {
            path: &source.path,
            id: &source.id,
            home: located
                .and_then(|located| located.profile.as_ref())
                .map_or("", |profile| profile.as_str()),
        },
    )?;
    let draft = receipt(context, &prepared, &asked, (operation, started));
    let receipt = keep(located, draft)?;
    show(context, &receipt)?;
    Ok(exit::of_verdict(asked.decision.verdict))
}

/// Prints a receipt, as JSON or for people.
pub(super) fn show(context: &Context<'_>, receipt: &Receipt) -> Result<(), Error> {
    context
        .printer
        .answer(receipt, |look| render::receipt(receipt, look))
}

/// A path that exists is always a path; otherwise the name of a plugin that lies in the home.
fn find(source: &str, context: &Context<'_>, located: &Located) -> Result<Source, Error> {
    let path = context.env.absolute(source.as_ref());
    if path.symlink_metadata().is_ok() {
        return of_folder(&path);
    }
    let key = PluginKey::parse(source).map_err(|error| not_a_name(source, &error))?;
    let folder = located.home().join("plugins").join(key.to_string());
    if is_folder(&folder)? {
        return Ok(Source {
            path: folder,
            id: key.to_string(),
        });
    }
    let message = format!(
        "there is no folder `{}`, and no plugin of that name in {}",
        source.escape_debug(),
        located.home().display()
    );
    Err(Error::new(Code::PluginNotFound, message))
}

/// What cannot be a name is a path that is not there, or an address, which is not read yet.
fn not_a_name(source: &str, error: &PluginNameError) -> Error {
    let help = "give a folder, or the name of a plugin of this home";
    if source.contains(['/', '\\']) {
        let message = format!("there is no folder `{}`", source.escape_debug());
        return Error::new(Code::PluginNotFound, message).with_help(help);
    }
    Error::new(Code::PluginName, error.to_string()).with_help(help)
}

/// Whether there is a folder. One that cannot be looked at is not an absent one.
fn is_folder(path: &Path) -> Result<bool, Error> {
    match std::fs::metadata(path) {
        Ok(meta) => Ok(meta.is_dir()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
        Err(error) => {
            let message = format!("the folder cannot be read: {error}");
            Err(Error::new(Code::PluginUnreadable, message).at(Place::file(path)))
        }
    }
}

/// Files that make a folder a plugin.
const MARKS: [&str; 5] = [
    "plugin.yaml",
    "plugin.yml",
    "plugin.json",
    "pyproject.toml",
    "__init__.py",
];

fn is_plugin(path: &Path) -> bool {
    MARKS
        .iter()
        .any(|mark| path.join(mark).symlink_metadata().is_ok())
}

/// A root by its folder: its id is the manifest's name, else the folder's.
fn of_folder(path: &Path) -> Result<Source, Error> {
    if !is_folder(path)? {
        let message = "a plugin is a folder, and this is none";
        return Err(Error::new(Code::PluginNotFound, message).at(Place::file(path)));
    }
    let scan = surface::scan(&DirTree::new(path));
    if scan.manifest.is_none() && scan.faults.is_empty() && !is_plugin(path) {
        let message = format!("this is no plugin: it has none of {}", MARKS.join(", "));
        return Err(Error::new(Code::PluginNotFound, message).at(Place::file(path)));
    }
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let id = scan.manifest.and_then(|manifest| manifest.name).unwrap_or(folder);
    PluginName::parse(&id)
        .map_err(|error| Error::new(Code::PluginName, error.to_string()).at(Place::file(path)))?;
    Ok(Source {
        path: path.to_owned(),
        id,
    })
}
