//! Python packaging standards as types: versions, ranges, requirements, markers, tags, file names, metadata, index pages.
