//! Test context, fake indexes, oracles, outside suites, corpus runner.
