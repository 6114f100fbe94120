//! Surfaces: the dependencies that a plugin root declares (contract C1 to C7).
