//! The JSON Schema of a receipt (draft 2020-12), made from the types.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::Receipt;

/// The schema of `hermes-pm/receipt/1`. Fields that it does not name are allowed: they are those of
/// later programs.
pub fn receipt() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Receipt>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("$id".into(), "urn:hermes-pm:receipt:1".into());
    }
    schema
}
