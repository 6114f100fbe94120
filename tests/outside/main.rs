//! Suites that others wrote, with a checked-in list of differences.

#![allow(missing_docs)]

mod uv_scenarios;
