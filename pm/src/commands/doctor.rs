//! `doctor`: which home, interpreter, index and settings are in use, and what is wrong with them.
//! It goes on after every obstacle and tells all of them.

use hermes_terms::Exit;
use serde::Serialize;
use serde_json::Value;

use super::Context;
use crate::Error;
use crate::cli::style::{Look, Tone, clean};
use crate::fault::Notice;
use crate::home::{self, Located, Members, Why};
use crate::settings::{self, IndexSetting, PolicyFile};
use crate::target::Interpreter;

/// What is in use.
#[derive(Debug, Default, Serialize)]
struct Report {
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    home: Option<HomeReport>,
    members: Vec<MemberReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetReport>,
    indexes: Vec<IndexReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    netrc: Option<String>,
    policy: PolicyReport,
    warnings: Vec<Warning>,
    problems: Vec<Value>,
    #[serde(skip)]
    errors: Vec<Error>,
}

#[derive(Debug, Serialize)]
struct HomeReport {
    root: String,
    profile: Option<String>,
    resolved_from: &'static str,
    exists: bool,
}

#[derive(Debug, Serialize)]
struct MemberReport {
    plugin: String,
    home: String,
    path: String,
    why: &'static str,
}

#[derive(Debug, Serialize)]
struct TargetReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    interpreter: Option<String>,
    python: String,
    platform: String,
}

#[derive(Debug, Serialize)]
struct IndexReport {
    url: String,
    origin: String,
}

#[derive(Debug, Default, Serialize)]
struct PolicyReport {
    file: Option<String>,
    exclude_newer: Option<String>,
    build: bool,
    prereleases: bool,
    exempt: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Warning {
    code: &'static str,
    message: String,
}

/// Looks, tells, and ends with a refusal when something stands in the way.
pub(super) fn run(context: &Context<'_>) -> Result<Exit, Error> {
    let report = look(context);
    context.printer.answer(&report, |look| text(&report, look))?;
    Ok(report.errors.first().map_or(Exit::Done, |error| error.exit))
}

fn look(context: &Context<'_>) -> Report {
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        ..Report::default()
    };
    match context.located() {
        Ok(located) => look_at_home(&located, context, &mut report),
        Err(error) => report.blame(error),
    }
    let interpreter = look_at_target(context, &mut report);
    look_at_indexes(interpreter.as_ref(), context, &mut report);
    report.cache = settings::cache_dir(context.env).map(|path| path.display().to_string());
    report.netrc = settings::netrc(context.env).map(|path| path.display().to_string());
    report
}

fn look_at_home(located: &Located, context: &Context<'_>, report: &mut Report) {
    report.home = Some(HomeReport {
        root: located.root.display().to_string(),
        profile: located.profile.as_ref().map(ToString::to_string),
        resolved_from: located.resolved_from.as_str(),
        exists: located.root.is_dir(),
    });
    match home::read_homes(&located.root) {
        Ok(views) => report.take_members(home::active(&views, &context.places())),
        Err(faults) => report.blame(faults.into()),
    }
    match PolicyFile::read(&located.root) {
        Ok(policy) => report.policy = policy_report(&policy, located),
        Err(faults) => report.blame(faults.into()),
    }
}

fn policy_report(policy: &PolicyFile, located: &Located) -> PolicyReport {
    let file = PolicyFile::path(&located.root);
    PolicyReport {
        file: file.exists().then(|| file.display().to_string()),
        exclude_newer: policy
            .exclude_newer
            .map(|cutoff| cutoff.resolve(jiff::Timestamp::now())),
        build: policy.build,
        prereleases: policy.prereleases,
        exempt: policy.exempt.iter().map(ToString::to_string).collect(),
    }
}

fn look_at_target(context: &Context<'_>, report: &mut Report) -> Option<Interpreter> {
    match context.prober().choose(&context.wanted_target(), None) {
        Ok(chosen) => {
            report.target = Some(target_report(&chosen.target, chosen.interpreter.as_ref()));
            chosen.interpreter
        }
        Err(fault) => {
            report.blame(fault.into());
            None
        }
    }
}

fn target_report(target: &hermes_pep::Target, found: Option<&Interpreter>) -> TargetReport {
    TargetReport {
        interpreter: found.map(|found| found.path.display().to_string()),
        python: target.python().to_string(),
        platform: target.platform().to_owned(),
    }
}

fn look_at_indexes(interpreter: Option<&Interpreter>, context: &Context<'_>, report: &mut Report) {
    match context.indexes(interpreter) {
        Ok((list, notices)) => {
            let shown = |index: &IndexSetting| IndexReport {
                url: index.url.to_string(),
                origin: index.origin.to_string(),
            };
            report.indexes = list.iter().map(shown).collect();
            report.warnings.extend(notices.iter().map(warning));
        }
        Err(error) => report.blame(error),
    }
}

fn warning(notice: &Notice) -> Warning {
    Warning {
        code: notice.code.as_str(),
        message: notice.message.clone(),
    }
}

impl Report {
    fn blame(&mut self, error: Error) {
        self.problems.extend(error.json().get("error").cloned());
        self.errors.push(error);
    }

    fn take_members(&mut self, members: Members) {
        self.warnings.extend(members.warnings.iter().map(warning));
        self.members = members
            .roots
            .into_iter()
            .map(|root| MemberReport {
                plugin: root.key.to_string(),
                home: root.home_label,
                path: root.path.display().to_string(),
                why: match root.why {
                    Why::Enabled => "enabled",
                    Why::Provider => "memory provider",
                    Why::Engine => "context engine",
                },
            })
            .collect();
    }
}

fn text(report: &Report, look: Look) -> String {
    let mut lines = Vec::new();
    let mut row = |name: &str, value: &str| {
        let name = look.paint(Tone::Strong, &format!("{name:<9}"));
        lines.push(format!("{name} {}", clean(value)));
    };
    row("version", report.version);
    if let Some(home) = &report.home {
        let profile = home
            .profile
            .as_ref()
            .map(|name| format!(", profile {name}"))
            .unwrap_or_default();
        let absent = if home.exists { "" } else { ", does not exist" };
        row(
            "home",
            &format!("{} (from {}{profile}{absent})", home.root, home.resolved_from),
        );
    }
    for member in &report.members {
        let home = if member.home.is_empty() {
            String::new()
        } else {
            format!(", profile {}", member.home)
        };
        row(
            "plugin",
            &format!("{} ({}{home}): {}", member.plugin, member.why, member.path),
        );
    }
    if let Some(target) = &report.target {
        let interpreter = target.interpreter.as_deref().unwrap_or("stated by hand");
        row(
            "python",
            &format!("{} on {} ({interpreter})", target.python, target.platform),
        );
    }
    for index in &report.indexes {
        row("index", &format!("{} ({})", index.url, index.origin));
    }
    row("cache", report.cache.as_deref().unwrap_or("none"));
    row("netrc", report.netrc.as_deref().unwrap_or("none"));
    row("policy", report.policy.file.as_deref().unwrap_or("defaults"));
    for warning in &report.warnings {
        lines.push(format!(
            "{}[{}]: {}",
            look.paint(Tone::Warn, "warning"),
            warning.code,
            clean(&warning.message)
        ));
    }
    let problems: String = report.errors.iter().map(|error| error.text(look)).collect();
    lines.join("\n") + "\n" + &problems
}
