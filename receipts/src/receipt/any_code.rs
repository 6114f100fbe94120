//! A code as it stands in a receipt: one of ours, or one that a newer program has added.

use std::borrow::Cow;
use std::fmt;

use hermes_terms::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A stable reason. Codes may be added under the same schema, so a reader takes unknown ones as they
/// are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyCode {
    /// A code of this program.
    Known(Code),
    /// A code that this program does not know.
    Other(String),
}

impl AnyCode {
    /// The written form.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(code) => code.as_str(),
            Self::Other(text) => text,
        }
    }
}

impl From<Code> for AnyCode {
    fn from(code: Code) -> Self {
        Self::Known(code)
    }
}

impl fmt::Display for AnyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<Code> for AnyCode {
    fn eq(&self, other: &Code) -> bool {
        matches!(self, Self::Known(code) if code == other)
    }
}

impl Serialize for AnyCode {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for AnyCode {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Ok(Code::parse(&text).map_or(Self::Other(text), Self::Known))
    }
}

impl JsonSchema for AnyCode {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        schemars::json_schema!({
            "description": "A stable reason, `family.name`. Codes may be added; the examples are those known.",
            "type": "string",
            "pattern": "^[a-z0-9-]+(\\.[a-z0-9-]+)?$",
            "examples": known,
        })
    }
}
