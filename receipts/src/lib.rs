//! Records: receipt types, canonical JSON, the chained ledger, schema, redaction.
