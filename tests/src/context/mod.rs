//! The program as its callers meet it: a home in a temporary folder, an index on the loopback interface,
//! a closed environment, captured output.

mod listing;
mod run;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Fault;
use crate::fake_index::Universe;
use crate::server::Server;

pub use run::{Call, Run};

/// Everything that one test of the program needs.
#[derive(Debug)]
pub struct TestContext {
    folder: TempDir,
    binary: PathBuf,
    server: Server,
}

impl TestContext {
    /// A context around a program, with an index made from a description. In an integration test the
    /// program is `env!("CARGO_BIN_EXE_hermes-pm-under-test")`.
    pub fn new(binary: impl Into<PathBuf>, universe: &Universe) -> Result<Self, Fault> {
        Self::with_server(binary, Server::start(universe)?)
    }

    /// The same around an index that may misbehave.
    pub fn with_server(binary: impl Into<PathBuf>, server: Server) -> Result<Self, Fault> {
        let folder = tempfile::Builder::new().prefix("hermes-pm-test-").tempdir()?;
        let context = Self {
            folder,
            binary: binary.into(),
            server,
        };
        fs::create_dir(context.home())?;
        fs::create_dir(context.path("work"))?;
        Ok(context)
    }

    /// The index.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// A path in the temporary folder.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// The home; it exists.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, relative: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Result<PathBuf, Fault> {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Writes core as a folder `core` with these requirements.
    pub fn core(&self, version: &str, requires: &[&str]) -> Result<PathBuf, Fault> {
        let text = format!(
            "[project]\nname = \"hermes-agent\"\nversion = \"{version}\"\nrequires-python = \">=3.11\"\ndependencies = {requires:?}\n"
        );
        self.write("core/pyproject.toml", text)?;
        Ok(self.path("core"))
    }

    /// Writes a plugin root with a `plugin.yaml`; `at` is relative to the temporary folder.
    pub fn plugin(&self, at: &str, name: &str, requires: &[&str]) -> Result<PathBuf, Fault> {
        self.write(format!("{at}/plugin.yaml"), manifest(name, requires)?)?;
        Ok(self.path(at))
    }

    /// Writes a plugin into the home.
    pub fn member(&self, name: &str, requires: &[&str]) -> Result<PathBuf, Fault> {
        self.plugin(&format!("home/plugins/{name}"), name, requires)
    }

    /// Writes the configuration of the home: these plugins are enabled.
    pub fn enable(&self, names: &[&str]) -> Result<PathBuf, Fault> {
        let names = serde_json::to_string(names)?;
        self.write("home/config.yaml", format!("plugins:\n  enabled: {names}\n"))
    }

    /// A run whose surroundings are other than usual.
    pub fn call(&self) -> Call<'_> {
        Call::new(self)
    }

    /// Runs the program with nothing but these arguments.
    pub fn run(&self, arguments: &[&str]) -> Result<Run, Fault> {
        self.call().run(arguments)
    }

    /// Runs the program with these arguments, for the usual core, target and index.
    pub fn ask(&self, arguments: &[&str]) -> Result<Run, Fault> {
        self.call().ask(arguments)
    }

    /// Everything in the temporary folder but the cache and the receipts of the home.
    pub fn listing(&self) -> Result<BTreeMap<PathBuf, String>, Fault> {
        listing::listing(self.folder.path(), &["cache", "home/pm"])
    }

    /// Fails when anything but receipts and the cache was made, changed or taken away since a listing.
    pub fn unchanged_since(&self, before: &BTreeMap<PathBuf, String>) -> Result<(), Fault> {
        let now = self.listing()?;
        let other = now.iter().filter(|(path, what)| before.get(*path) != Some(what));
        let gone = before.keys().filter(|path| !now.contains_key(*path));
        let mut found: Vec<PathBuf> = other.map(|(path, _)| path).chain(gone).cloned().collect();
        if self.path("home/pm").is_dir() {
            let state = listing::listing(&self.path("home/pm"), &["receipts"])?;
            found.extend(state.into_keys().map(|path| Path::new("home/pm").join(path)));
        }
        if found.is_empty() {
            return Ok(());
        }
        Err(Fault::new(format_args!("something else was written: {found:?}")))
    }

    /// The texts of all files that the program wrote: receipts and cache.
    pub fn written(&self) -> Result<Vec<Vec<u8>>, Fault> {
        let mut texts = Vec::new();
        for folder in ["cache", "home/pm"].map(|name| self.path(name)) {
            if folder.is_dir() {
                for name in listing::listing(&folder, &[])?.keys() {
                    let path = folder.join(name);
                    if path.is_file() {
                        texts.push(fs::read(path)?);
                    }
                }
            }
        }
        Ok(texts)
    }

    /// A text in which what differs from run to run has a fixed form.
    pub fn filtered(&self, text: &str) -> String {
        let real = self.folder.path().canonicalize().unwrap_or_default();
        let mut text = text.replace(&self.server.authority(), "[INDEX]");
        for folder in [self.folder.path(), &real] {
            text = text.replace(&folder.display().to_string(), "[TEMP]");
        }
        text
    }
}

/// A manifest that declares requirements; JSON texts are YAML.
pub(crate) fn manifest(name: &str, requires: &[impl AsRef<str>]) -> Result<String, Fault> {
    let requires: Vec<&str> = requires.iter().map(AsRef::as_ref).collect();
    let (name, requires) = (serde_json::to_string(name)?, serde_json::to_string(&requires)?);
    Ok(format!(
        "name: {name}\nversion: 1.0.0\npip_dependencies: {requires}\n"
    ))
}
