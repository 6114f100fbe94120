//! File names of wheels (PEP 427, PEP 491) and source distributions (PEP 625).

use std::str::FromStr;
use std::sync::Arc;

use uv_distribution_filename::{DistExtension, SourceDistFilename, WheelFilename as Inner};

use crate::tags::TagRank;
use crate::{PackageName, Tags, Version};

/// A file name is neither a wheel's nor a source distribution's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not the name of a wheel or a source distribution")]
pub struct FilenameError {
    shown: String,
}

impl FilenameError {
    fn new(text: &str) -> Self {
        Self {
            shown: text.chars().take(120).flat_map(char::escape_debug).collect(),
        }
    }
}

/// The name of a wheel, with the tags it claims. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelFilename {
    inner: Arc<Inner>,
    version: Version,
}

impl WheelFilename {
    /// Reads the name of a wheel.
    pub fn parse(text: &str) -> Result<Self, FilenameError> {
        if text.len() > 512 {
            return Err(FilenameError::new(text));
        }
        let inner = Inner::from_str(text).map_err(|_| FilenameError::new(text))?;
        Ok(Self {
            version: Version(inner.version.clone()),
            inner: Arc::new(inner),
        })
    }

    /// The distribution's normalised name.
    pub fn name(&self) -> &str {
        self.inner.name.as_ref()
    }

    /// The distribution's version.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// How well the wheel fits; `None` means that it does not.
    pub fn rank(&self, tags: &Tags) -> Option<TagRank> {
        tags.rank(&self.inner)
    }

    /// The build number and its suffix (PEP 427); wheels without one sort first.
    pub fn build(&self) -> (u64, String) {
        let text = self
            .inner
            .build_tag()
            .map(ToString::to_string)
            .unwrap_or_default();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text.split_at(digits);
        (number.parse().unwrap_or(0), rest.to_owned())
    }
}

/// What a file of an index is, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DistFilename {
    /// A built distribution.
    Wheel(WheelFilename),
    /// A source distribution of this version.
    Sdist(Version),
}

impl DistFilename {
    /// Reads the name of a file that belongs to `package`.
    pub fn parse(text: &str, package: &PackageName) -> Result<Self, FilenameError> {
        if text
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extension == "whl")
        {
            let wheel = WheelFilename::parse(text)?;
            return if wheel.name() == package.as_str() {
                Ok(Self::Wheel(wheel))
            } else {
                Err(FilenameError::new(text))
            };
        }
        let fault = || FilenameError::new(text);
        let extension = DistExtension::from_path(text).map_err(|_| fault())?;
        let DistExtension::Source(extension) = extension else {
            return Err(fault());
        };
        let name = uv_normalize::PackageName::from_str(package.as_str()).map_err(|_| fault())?;
        let sdist = SourceDistFilename::parse(text, extension, &name).map_err(|_| fault())?;
        Ok(Self::Sdist(Version(sdist.version)))
    }

    /// The version of the distribution.
    pub fn version(&self) -> &Version {
        match self {
            Self::Wheel(wheel) => wheel.version(),
            Self::Sdist(version) => version,
        }
    }
}
