//! Hermes core: its declared requirements, extras and locked versions (contract C9).
