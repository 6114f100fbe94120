//! Wheels made for tests, wrong ones too.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A METADATA file.
pub(super) fn metadata(name: &str, version: &str, requires: &[&str]) -> String {
    let mut text = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
    for requirement in requires {
        text.push_str("Requires-Dist: ");
        text.push_str(requirement);
        text.push('\n');
    }
    text + "\nA description.\nName: other\n"
}

/// A member of an archive.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
    pub(super) deflate: bool,
}

impl Part {
    pub(super) fn new(name: &str, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            content: content.into(),
            deflate: true,
        }
    }
}

/// An archive.
pub(super) fn zip(parts: &[Part]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for part in parts {
        let mut crc = Crc::new();
        crc.update(&part.content);
        let packed = if part.deflate {
            deflated(&part.content)
        } else {
            part.content.clone()
        };
        let mut common = Vec::new();
        for half in [20_u16, 0, if part.deflate { 8 } else { 0 }, 0, 0] {
            common.extend(half.to_le_bytes());
        }
        for word in [
            crc.sum(),
            u32::try_from(packed.len()).unwrap(),
            u32::try_from(part.content.len()).unwrap(),
        ] {
            common.extend(word.to_le_bytes());
        }
        common.extend(u16::try_from(part.name.len()).unwrap().to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        directory.extend(part.name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(part.name.as_bytes());
        bytes.extend(packed);
    }
    let (offset, count) = (
        u32::try_from(bytes.len()).unwrap(),
        u16::try_from(parts.len()).unwrap(),
    );
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    bytes.extend(offset.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Content that does not get smaller, so that a wheel is longer than the tail that is asked for.
pub(super) fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}

/// Archives that must be refused, with what is wrong with each.
pub(super) fn bad_archives() -> Vec<(&'static str, Vec<u8>)> {
    let own = || Part::new("a-1.0.dist-info/METADATA", metadata("a", "1.0", &[]));
    let named = |name: &str| zip(&[Part::new(name, metadata("a", "1.0", &[]))]);
    let plain = zip(&[own()]);
    let mut rows = vec![
        ("empty", Vec::new()),
        ("no archive", b"<html>hello</html>".to_vec()),
        ("cut at the end", plain[..plain.len() - 1].to_vec()),
        ("suffixed", [&plain[..], b"x"].concat()),
        ("prefixed", [b"#!/bin/sh\n", &plain[..]].concat()),
        ("no METADATA", named("a.py")),
        ("METADATA of another", named("b-1.0.dist-info/METADATA")),
        ("nested METADATA", named("x/a-1.0.dist-info/METADATA")),
        ("METADATA twice", zip(&[own(), own()])),
    ];
    rows.extend(patched(&plain));
    rows
}

/// A good archive with a few bytes changed.
fn patched(plain: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let place = |needle: &[u8]| {
        plain
            .windows(needle.len())
            .position(|part| part == needle)
            .unwrap()
    };
    let (entry, end) = (place(b"PK\x01\x02"), place(b"PK\x05\x06"));
    let patches: [(&str, usize, &[u8]); 14] = [
        ("encrypted", entry + 8, &[1]),
        ("unknown method", entry + 10, &[99]),
        ("wrong checksum", entry + 16, &[0; 4]),
        ("packed claims more", entry + 20, &100_000_u32.to_le_bytes()),
        ("claims less", entry + 24, &1_u32.to_le_bytes()),
        ("claims more", entry + 24, &1_000_000_u32.to_le_bytes()),
        ("claims far more", entry + 24, &[0xff; 4]),
        ("outside", entry + 42, &[0xff; 4]),
        ("local name differs", 30, b"b"),
        ("several disks", end + 4, &[1]),
        ("zip64", end + 8, &[0xff; 4]),
        ("more members", end + 8, &[2, 0, 2, 0]),
        ("no members", end + 8, &[0; 4]),
        ("longer directory", end + 12, &[0xfe]),
    ];
    let patch = |what: &'static str, at: usize, value: &[u8]| {
        let mut bytes = plain.to_vec();
        bytes[at..at + value.len()].copy_from_slice(value);
        (what, bytes)
    };
    let mut rows: Vec<_> = patches
        .into_iter()
        .map(|(what, at, value)| patch(what, at, value))
        .collect();
    let (what, mut twice) = patch("two end records", end + 20, &22_u16.to_le_bytes());
    twice.extend_from_slice(&plain[end..]);
    rows.push((what, twice));
    rows
}
