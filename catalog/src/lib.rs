//! Obtains: package indexes, archives, caches, plugin sources.
