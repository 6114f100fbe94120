//! The index client against servers of its own: what they may do right, and what they may do wrong.

mod cached;
mod metadata;
mod pages;
mod secrets;
mod server;
mod wheel;

use std::sync::Arc;

use hermes_pep::{PackageName, Platform, Target};
use hermes_terms::Code;

use super::{IndexLocation, IndexSettings, Indexes, MetadataError};

fn name(text: &str) -> PackageName {
    PackageName::parse(text).unwrap()
}

fn target() -> Arc<Target> {
    let platform = Platform::parse("x86_64-manylinux_2_28").unwrap();
    Arc::new(Target::stated("3.11", &platform).unwrap())
}

fn settings(indexes: &[&str]) -> IndexSettings {
    let indexes = indexes
        .iter()
        .map(|text| IndexLocation::parse(text).unwrap())
        .collect();
    IndexSettings {
        indexes,
        retries: 1,
        ..IndexSettings::default()
    }
}

fn client(indexes: &[&str]) -> Indexes {
    Indexes::new(settings(indexes), target())
}

/// A page in JSON with these `(file name, address, more JSON members)`.
fn page(project: &str, files: &[(&str, &str, &str)]) -> String {
    let mut list = Vec::new();
    for (filename, url, more) in files {
        list.push(format!(r#"{{"filename":"{filename}","url":"{url}"{more}}}"#));
    }
    let list = list.join(",");
    format!(r#"{{"meta":{{"api-version":"1.1"}},"name":"{project}","files":[{list}]}}"#)
}

fn code_of(error: &MetadataError) -> Code {
    match error {
        MetadataError::Unusable { code, .. } => *code,
        MetadataError::Index(error) => error.code,
    }
}
