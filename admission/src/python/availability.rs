//! Whether a version can be used, and if not, why: data that ends up in the proof.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use hermes_pep::Specifiers;
use hermes_terms::Code;

/// What keeps a version from being used. The order is from the least to the gravest obstacle: of
/// several files of one version the least is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// Only a source distribution would do.
    NeedsBuild,
    /// Uploaded after the cutoff, or without a date.
    TooNew,
    /// Withdrawn by its author.
    Yanked,
    /// It does not run on the target's Python.
    RequiresPython(Specifiers),
    /// No file fits the target.
    NoWheel,
    /// The index holds the whole project back.
    ProjectQuarantined,
}

impl Obstacle {
    /// How grave the obstacle is.
    pub(crate) fn weight(&self) -> u8 {
        match self {
            Self::NeedsBuild => 0,
            Self::TooNew => 1,
            Self::Yanked => 2,
            Self::RequiresPython(_) => 3,
            Self::NoWheel => 4,
            Self::ProjectQuarantined => 5,
        }
    }

    /// The code of the obstacle.
    pub const fn code(&self) -> Code {
        match self {
            Self::NeedsBuild => Code::BuildRequired,
            Self::TooNew => Code::PolicyQuarantine,
            Self::Yanked => Code::PolicyYanked,
            Self::RequiresPython(_) => Code::UnionRequiresPython,
            Self::NoWheel => Code::UnionNoWheel,
            Self::ProjectQuarantined => Code::IndexQuarantined,
        }
    }

    /// What the obstacle means, as the rest of a sentence about one or many versions.
    pub fn phrase(&self, many: bool) -> String {
        let (has, is, needs) = if many {
            ("have", "are", "need")
        } else {
            ("has", "is", "needs")
        };
        match self {
            Self::NeedsBuild => {
                format!("{has} no wheel for the target and would have to be built from source")
            }
            Self::TooNew => format!("{is} newer than the cutoff allows"),
            Self::Yanked => format!("{is} withdrawn (yanked)"),
            Self::RequiresPython(range) => format!("{needs} Python {range}"),
            Self::NoWheel => format!("{has} no file for the target"),
            Self::ProjectQuarantined => format!("{is} held back by the index"),
        }
    }
}

/// A version whose metadata rules it out; the message stands in the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unavailable {
    /// Why, for machines.
    pub(crate) code: Code,
    /// Why, for people.
    pub(crate) message: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Unavailable {
    pub(crate) fn new(code: Code, message: impl fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
        }
    }
}
