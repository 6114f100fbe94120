//! Core, target, indexes and policy: everything that is known before any plugin is looked at.

use std::sync::Arc;
use std::time::Instant;

use hermes_admission::Policy;
use hermes_admission::core::{CoreDeclaration, ExcludeNewer};
use hermes_catalog::index::{Indexes, normalise_time};
use hermes_pep::{ExtraName, Target};
use hermes_terms::Code;

use crate::Error;
use crate::commands::Context;
use crate::fault::Notice;
use crate::gate::CoreSource;
use crate::home::Located;
use crate::settings::{Cutoff, IndexSetting, Pins, PolicyFile};
use crate::target::{Chosen, Interpreter};

/// What a decision is asked with.
pub(in crate::commands) struct Prepared {
    pub(in crate::commands) source: CoreSource,
    pub(in crate::commands) core: CoreDeclaration,
    pub(in crate::commands) extras: Vec<ExtraName>,
    pub(in crate::commands) pins_locked: bool,
    pub(in crate::commands) target: Arc<Target>,
    pub(in crate::commands) indexes: Indexes,
    /// The addresses of the indexes, without credentials.
    pub(in crate::commands) index_urls: Vec<String>,
    pub(in crate::commands) policy: Policy,
    pub(in crate::commands) deadline: Option<Instant>,
    pub(in crate::commands) notices: Vec<Notice>,
}

/// Prepares. `located` gives the policy of a root; a check without a home has none.
pub(in crate::commands) fn prepare(
    context: &Context<'_>,
    located: Option<&Located>,
) -> Result<Prepared, Error> {
    let source = core_source(context)?;
    let file = located
        .map(|located| PolicyFile::read(&located.root))
        .transpose()?
        .unwrap_or_default();
    let prober = context.prober();
    let first = prober.choose(&context.wanted_target(), None)?;
    let (list, mut notices) = context.indexes(first.interpreter.as_ref())?;
    notices.extend(without_effect(&file));
    let mut client = Client {
        context,
        list,
        target: Arc::new(first.target.clone()),
        cutoff: None,
    };
    let indexes = client.open()?;
    let core = source.load(&indexes)?;
    let chosen = fitting(context, first, &core)?;
    client.target = Arc::new(chosen.target);
    client.cutoff = cutoff(context, &file, &core)?;
    Ok(Prepared {
        extras: extras(context)?,
        pins_locked: context.global.choice.pins.or(file.pins) == Some(Pins::Locked),
        target: Arc::clone(&client.target),
        indexes: client.open()?,
        index_urls: client.list.iter().map(|index| index.url.to_string()).collect(),
        policy: policy(context, &file, client.cutoff.clone()),
        deadline: context.client_settings(&client.list)?.deadline,
        notices,
        source,
        core,
    })
}

/// A rule that is read and has no effect yet.
fn without_effect(file: &PolicyFile) -> Option<Notice> {
    file.build.then(|| Notice {
        code: Code::ConfigIgnored,
        message: "`build` in pm/policy.toml has no effect: source builds are not supported yet".into(),
    })
}

/// What an index client is made of.
struct Client<'c> {
    context: &'c Context<'c>,
    list: Vec<IndexSetting>,
    target: Arc<Target>,
    cutoff: Option<String>,
}

impl Client<'_> {
    fn open(&self) -> Result<Indexes, Error> {
        let mut settings = self.context.client_settings(&self.list)?;
        settings.exclude_newer.clone_from(&self.cutoff);
        Ok(Indexes::new(settings, Arc::clone(&self.target)))
    }
}

fn core_source(context: &Context<'_>) -> Result<CoreSource, Error> {
    match &context.global.place.core {
        Some(text) => CoreSource::parse(text, context.env),
        None => CoreSource::installed(context.env).ok_or_else(|| {
            Error::new(
                Code::CoreNotFound,
                "no Hermes core was given, and none is installed here",
            )
            .with_help("give --core FOLDER, --core hermes-agent==VERSION, or set HERMES_INSTALL_ROOT")
        }),
    }
}

/// The interpreter again, when core does not run on the one that was found first.
fn fitting(context: &Context<'_>, first: Chosen, core: &CoreDeclaration) -> Result<Chosen, Error> {
    let wanted = context.wanted_target();
    let is_stated = wanted.python.is_some() || wanted.python_version.is_some();
    let allowed = core.requires_python.as_ref();
    let fits = allowed.is_none_or(|range| range.range().contains(&first.target.python().release_only()));
    if is_stated || fits {
        return Ok(first);
    }
    let found: Interpreter = context.prober().find(None, allowed)?;
    Ok(Chosen {
        target: found.target.clone(),
        interpreter: Some(found),
    })
}

/// The end of the window: the command line's, else the root's policy, else core's own.
fn cutoff(context: &Context<'_>, file: &PolicyFile, core: &CoreDeclaration) -> Result<Option<String>, Error> {
    let stated = context.global.choice.exclude_newer.or(file.exclude_newer);
    let cutoff = match (stated, &core.exclude_newer) {
        (Some(cutoff), _) => cutoff,
        (None, None) => return Ok(None),
        (None, Some(ExcludeNewer::Days(days))) => Cutoff::Days(u16::try_from(*days).unwrap_or(u16::MAX)),
        (None, Some(ExcludeNewer::Date(text))) => {
            Cutoff::parse(text).map_err(|error| Error::new(Code::CoreInvalid, error.to_string()))?
        }
    };
    Ok(normalise_time(&cutoff.resolve(jiff::Timestamp::now())))
}

fn extras(context: &Context<'_>) -> Result<Vec<ExtraName>, Error> {
    let parse = |text: &String| {
        ExtraName::parse(text).map_err(|error| Error::new(Code::NameInvalid, error.to_string()))
    };
    context.global.place.core_extra.iter().map(parse).collect()
}

fn policy(context: &Context<'_>, file: &PolicyFile, exclude_newer: Option<String>) -> Policy {
    Policy {
        exclude_newer,
        allow_undated: file.allow_undated,
        quarantine_exempt: file.exempt.clone(),
        prereleases: file.prereleases || context.global.choice.pre,
        ..Policy::default()
    }
}
