//! What an environment is resolved for.

use crate::{MarkerEnvironment, Platform, Tags, TagsError, Version, VersionError};

/// A target cannot be stated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No wheel tags exist for it.
    #[error(transparent)]
    Tags(#[from] TagsError),
    /// The Python version cannot be read.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// A Python version needs at least two release numbers.
    #[error("`{0}` is not a Python version; give at least major and minor, such as 3.12")]
    Python(String),
}

/// An interpreter version, a platform, the marker values and the wheel tags that follow from them.
#[derive(Debug, Clone)]
pub struct Target {
    python: Version,
    platform: String,
    markers: MarkerEnvironment,
    tags: Tags,
}

impl Target {
    /// A target stated by hand: CPython at `python` (`3.12` means `3.12.0`) on `platform`.
    pub fn stated(python: &str, platform: &Platform) -> Result<Self, TargetError> {
        let mut python = Version::parse(python)?;
        if python.release().len() == 2 {
            python = Version::parse(&format!("{python}.0"))?;
        }
        let markers = MarkerEnvironment::cpython(&python, platform);
        Self::new(&python, platform, markers)
    }

    /// A target that an interpreter described itself.
    pub fn new(
        python: &Version,
        platform: &Platform,
        markers: MarkerEnvironment,
    ) -> Result<Self, TargetError> {
        let release = python.release();
        let (Some(major), Some(minor)) = (small(release.first()), small(release.get(1))) else {
            return Err(TargetError::Python(python.to_string()));
        };
        let tags = Tags::new(platform, (major, minor), markers.implementation_name())?;
        Ok(Self {
            python: python.clone(),
            platform: platform.to_string(),
            markers,
            tags,
        })
    }

    /// The full version of the interpreter.
    pub fn python(&self) -> &Version {
        &self.python
    }

    /// The platform, as it was stated.
    pub fn platform(&self) -> &str {
        &self.platform
    }

    /// The values that markers are evaluated with.
    pub fn markers(&self) -> &MarkerEnvironment {
        &self.markers
    }

    /// The wheel tags that fit, best first.
    pub fn tags(&self) -> &Tags {
        &self.tags
    }
}

fn small(number: Option<&u64>) -> Option<u8> {
    number.and_then(|n| u8::try_from(*n).ok())
}
