//! Compatibility tags of a target (PEP 425, 600, 656) and the platforms they are made for.

use std::fmt;

use uv_distribution_filename::WheelFilename;
use uv_platform_tags::{
    Arch, Os, Platform as Inner, TagCompatibility, TagPriority, Tags as InnerTags, TagsOptions,
};

/// A platform or implementation for which no tags can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no wheel tags are known for {0}")]
pub struct TagsError(String);

/// An operating system with the version that binary compatibility depends on, and an architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    text: String,
    inner: Inner,
}

impl Platform {
    /// Reads `x86_64-manylinux_2_28`, `aarch64-musllinux_1_2`, `arm64-macos_14_0`, `x86_64-windows`,
    /// `x86_64-linux` (which means `manylinux_2_28`) or the target triple `x86_64-unknown-linux-gnu`.
    pub fn parse(text: &str) -> Result<Self, TagsError> {
        let fault = || {
            TagsError(format!(
                "platform `{}`; write x86_64-manylinux_2_28, aarch64-musllinux_1_2, arm64-macos_14_0, \
                 x86_64-windows, or a target triple",
                text.escape_debug()
            ))
        };
        let (arch, os) = text.split_once('-').ok_or_else(fault)?;
        let arch: Arch = arch.parse().map_err(|_| fault())?;
        let os = parse_os(os).ok_or_else(fault)?;
        Ok(Self {
            text: text.to_owned(),
            inner: Inner::new(os, arch),
        })
    }

    /// `os_name`, `sys_platform` and `platform_system` of the marker environment (PEP 508).
    pub fn marker_names(&self) -> (&'static str, &'static str, &'static str) {
        match self.inner.os() {
            Os::Windows => ("nt", "win32", "Windows"),
            Os::Macos { .. } => ("posix", "darwin", "Darwin"),
            _ => ("posix", "linux", "Linux"),
        }
    }

    /// `platform_machine` of the marker environment, as the system itself would say it.
    pub fn machine(&self) -> String {
        match (self.inner.os(), self.inner.arch()) {
            (Os::Macos { .. }, Arch::Aarch64) => "arm64".into(),
            (Os::Windows, Arch::X86_64) => "AMD64".into(),
            (Os::Windows, Arch::Aarch64) => "ARM64".into(),
            (_, arch) => arch.to_string(),
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_os(text: &str) -> Option<Os> {
    match text {
        "windows" | "pc-windows-msvc" => return Some(Os::Windows),
        // The baseline that current wheels are built for: glibc 2.28.
        "linux" | "unknown-linux-gnu" => return Some(Os::Manylinux { major: 2, minor: 28 }),
        "unknown-linux-musl" => return Some(Os::Musllinux { major: 1, minor: 2 }),
        "macos" | "apple-darwin" => return Some(Os::Macos { major: 14, minor: 0 }),
        _ => {}
    }
    let mut parts = text.split('_');
    let (family, major, minor) = (
        parts.next()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    match (family, parts.next()) {
        ("manylinux", None) => Some(Os::Manylinux { major, minor }),
        ("musllinux", None) => Some(Os::Musllinux { major, minor }),
        ("macos", None) => Some(Os::Macos { major, minor }),
        _ => None,
    }
}

/// The wheel tags that a target supports, best first. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tags(InnerTags);

impl Tags {
    /// The tags of an implementation (`cpython`, `pypy`) at `python` (major, minor) on a platform.
    pub fn new(platform: &Platform, python: (u8, u8), implementation: &str) -> Result<Self, TagsError> {
        let options = TagsOptions {
            manylinux_compatible: true,
            ..TagsOptions::default()
        };
        InnerTags::from_env(platform.inner.clone(), python, implementation, python, options)
            .map(Self)
            .map_err(|_| {
                TagsError(format!(
                    "{implementation} {}.{} on {platform}",
                    python.0, python.1
                ))
            })
    }

    pub(crate) fn rank(&self, wheel: &WheelFilename) -> Option<TagRank> {
        match wheel.compatibility(&self.0) {
            TagCompatibility::Compatible(priority) => Some(TagRank(priority)),
            TagCompatibility::Incompatible(_) => None,
        }
    }
}

/// How good a tag is for a target; the greater, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TagRank(TagPriority);
