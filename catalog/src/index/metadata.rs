//! From the bytes of a METADATA file to core metadata that belongs to its file.

use hermes_pep::{CoreMetadata, IndexFile, PackageName};
use hermes_terms::Code;

use super::fault::MetadataError;

/// The largest METADATA that is read, in bytes.
pub(super) const MAX_METADATA: u64 = 10 << 20;

/// The headers of a METADATA file (an RFC 822 message): everything before the first empty line.
/// The rest is a description, often large. Old files are not always UTF-8.
pub(super) fn headers(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            break;
        }
        end += line.len();
    }
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

/// Whether headers look like metadata at all; servers like to answer 200 to anything.
pub(super) fn is_plausible(headers: &str) -> bool {
    headers.lines().any(|line| {
        line.get(..17)
            .is_some_and(|key| key.eq_ignore_ascii_case("Metadata-Version:"))
    })
}

/// Reads headers and checks that they name the package and version of the file.
pub(super) fn read(
    headers: &str,
    name: &PackageName,
    file: &IndexFile,
) -> Result<CoreMetadata, MetadataError> {
    let metadata = CoreMetadata::parse(headers).map_err(|error| {
        let message = format!("the metadata of {} cannot be read: {error}", file.filename);
        MetadataError::unusable(Code::MetadataParse, message)
    })?;
    if metadata.name != *name || metadata.version != *file.version() {
        let message = format!(
            "the metadata of {} names {} {} instead",
            file.filename, metadata.name, metadata.version
        );
        return Err(MetadataError::unusable(Code::MetadataIdentity, message));
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_at_the_first_empty_line() {
        let rows: [(&[u8], &str); 6] = [
            (b"A: 1\nB: 2\n\nbody: x\n", "A: 1\nB: 2\n"),
            (b"A: 1\r\n\r\nbody", "A: 1\r\n"),
            (b"\xef\xbb\xbfA: 1", "A: 1"),
            (b"A: \xff\n", "A: \u{fffd}\n"),
            (b"\nA: 1", ""),
            (b"", ""),
        ];
        for (bytes, want) in rows {
            assert_eq!(headers(bytes), want);
        }
    }
}
