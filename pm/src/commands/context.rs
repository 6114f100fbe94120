//! What every command has at hand, and the questions that most of them begin with.

use std::time::{Duration, Instant};

use hermes_catalog::index::{IndexLocation, IndexSettings};
use hermes_terms::Code;

use crate::cli::{Global, Printer};
use crate::fault::Notice;
use crate::home::{self, Located, Places};
use crate::settings::{self, ConfiguredIndexes, IndexSetting};
use crate::target::{self, Interpreter, ProbeCache, Prober, Wanted};
use crate::{Environment, Error};

/// What every command has at hand.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The environment.
    pub env: &'a Environment,
    /// The options of every command.
    pub global: &'a Global,
    /// The streams.
    pub printer: &'a Printer,
    /// The command as it was given, for a shell: what asks the same question again.
    pub again: &'a str,
    /// When the command began: a deadline counts from here.
    pub started: Instant,
}

impl<'a> Context<'a> {
    /// The home that is meant.
    pub fn located(&self) -> Result<Located, Error> {
        let place = &self.global.place;
        Ok(home::locate(
            place.home.as_deref(),
            place.profile.as_deref(),
            self.env,
        )?)
    }

    /// Where plugins may lie outside homes. Bundled ones lie in a core folder; a core of another kind
    /// has none that could be looked at.
    pub fn places(&self) -> Places {
        let core = self
            .global
            .place
            .core
            .as_deref()
            .map(|core| self.env.absolute(core.as_ref()));
        let project = self
            .env
            .flag("HERMES_ENABLE_PROJECT_PLUGINS")
            .then(|| self.env.current_dir().to_owned());
        Places {
            core: core.filter(|path| path.is_dir()),
            project,
        }
    }

    /// The target that was asked for.
    pub fn wanted_target(&self) -> Wanted {
        let options = &self.global.target;
        Wanted {
            python: options.python.clone(),
            python_version: options.python_version.clone(),
            platform: options.platform.clone(),
        }
    }

    /// How interpreters are asked.
    pub fn prober(&self) -> Prober<'a> {
        let folder = settings::cache_dir(self.env).map(|cache| cache.join("target"));
        Prober::new(
            self.env,
            ProbeCache {
                folder,
                refresh: self.global.choice.refresh,
            },
        )
    }

    /// The indexes in the order they are asked, with where each was configured, and what was found
    /// and is not used.
    pub fn indexes(
        &self,
        interpreter: Option<&Interpreter>,
    ) -> Result<(Vec<IndexSetting>, Vec<Notice>), Error> {
        let prefix = interpreter.map(|found| found.facts.prefix.as_path());
        let mut configured = ConfiguredIndexes::read(&self.global.choice.index, self.env, prefix)?;
        let notices = std::mem::take(&mut configured.notices);
        let list = configured.complete(|| target::default_index(interpreter, &self.prober()))?;
        Ok((list, notices))
    }

    /// The settings of the index client for these indexes; the time that is allowed starts now.
    pub fn client_settings(&self, indexes: &[IndexSetting]) -> Result<IndexSettings, Error> {
        let choice = &self.global.choice;
        let locations: Result<Vec<IndexLocation>, _> = indexes
            .iter()
            .map(|index| IndexLocation::parse(index.url.expose()))
            .collect();
        Ok(IndexSettings {
            indexes: locations.map_err(|error| Error::new(Code::ConfigInvalid, error.to_string()))?,
            cache: settings::cache_dir(self.env).map(|cache| cache.join("index")),
            offline: choice.offline,
            refresh: choice.refresh,
            deadline: choice
                .deadline
                .map(|seconds| self.started + Duration::from_secs(seconds.into())),
            netrc: settings::netrc(self.env),
            ..IndexSettings::default()
        })
    }
}
