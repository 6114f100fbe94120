//! Python packaging standards as types: names (PEP 503/508), versions and ranges (PEP 440),
//! requirements and markers (PEP 508), tags and file names (PEP 425/427/625), core metadata
//! (PEP 566/643) and index pages (PEP 503/691/700).
//!
//! This crate is the façade over the leaf crates of uv: none of their types appears in a public
//! signature, so a move to other versions, or to code of our own, touches this crate only.

mod facts;
mod filename;
mod marker;
mod metadata;
mod name;
mod page;
mod range;
mod requirement;
mod specifier;
mod tags;
mod target;
mod version;

pub use facts::{Dependencies, Offer, Release, Releases};
pub use filename::{DistFilename, FilenameError, WheelFilename};
pub use marker::{Marker, MarkerEnvironment, MarkerError, MarkerVariable, Reduced};
pub use metadata::{CoreMetadata, MetadataError};
pub use name::{ExtraName, NameError, PackageName};
pub use page::{FileHash, IndexFile, IndexPage, ProjectStatus, Yanked};
pub use range::{pinned, show_range};
pub use requirement::{Requirement, RequirementError, RequirementErrorKind};
pub use specifier::{Specifier, SpecifierError, Specifiers};
pub use tags::{Platform, TagRank, Tags, TagsError};
pub use target::{Target, TargetError};
pub use version::{Version, VersionError};

/// A set of versions, as the solver understands it.
pub type VersionRange = version_ranges::Ranges<Version>;
