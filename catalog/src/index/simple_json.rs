//! The JSON form of a project page (PEP 691, 700, 714, 792).

use std::borrow::Cow;

use hermes_pep::{IndexPage, PackageName, ProjectStatus, Yanked};
use serde::Deserialize;
use url::Url;

use super::page::{PageBuilder, RawFile, is_known_version, read_status};

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    meta: Meta<'a>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    files: Vec<File<'a>>,
    #[serde(borrow, rename = "project-status")]
    status: Option<Status<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "api-version")]
    api_version: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Status<'a> {
    #[serde(borrow)]
    status: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    filename: Cow<'a, str>,
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    hashes: Option<Hashes<'a>>,
    size: Option<u64>,
    #[serde(borrow, rename = "requires-python")]
    requires_python: Option<Text<'a>>,
    #[serde(borrow, rename = "upload-time")]
    upload_time: Option<Text<'a>>,
    #[serde(borrow)]
    yanked: Option<Flag<'a>>,
    #[serde(borrow, rename = "core-metadata")]
    core_metadata: Option<Flag<'a>>,
    #[serde(borrow, rename = "dist-info-metadata")]
    dist_info_metadata: Option<Flag<'a>>,
}

#[derive(Deserialize)]
struct Hashes<'a> {
    #[serde(borrow)]
    sha256: Option<Text<'a>>,
}

/// A text that borrows where it can; a bare `Option<Cow>` would not.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// `true`, `false`, a reason (`yanked`) or hashes (`core-metadata`).
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag<'a> {
    Bare(bool),
    Reason(#[serde(borrow)] Cow<'a, str>),
    Hashes(serde::de::IgnoredAny),
}

/// Reads a page; the error says what is wrong with it.
pub(super) fn read(bytes: &[u8], name: &PackageName, base: &Url) -> Result<IndexPage, String> {
    let page: Page<'_> = serde_json::from_slice(bytes).map_err(|error| {
        format!(
            "the JSON cannot be read at line {}, column {}",
            error.line(),
            error.column()
        )
    })?;
    if !is_known_version(&page.meta.api_version) {
        return Err("it follows another version of the simple API than 1".to_owned());
    }
    if PackageName::parse(&page.name).as_ref() != Ok(name) {
        return Err("it is the page of another project".to_owned());
    }
    let mut builder = PageBuilder::new(name, base);
    for file in page.files {
        builder.push(file.raw());
    }
    let status = page.status.and_then(|status| status.status);
    Ok(builder.finish(status.map_or(ProjectStatus::Active, |text| read_status(&text.0))))
}

impl File<'_> {
    fn raw(&self) -> RawFile<'_> {
        let metadata = self.core_metadata.as_ref().or(self.dist_info_metadata.as_ref());
        RawFile {
            filename: &self.filename,
            href: &self.url,
            sha256: self
                .hashes
                .as_ref()
                .and_then(|hashes| hashes.sha256.as_ref())
                .map(|text| &*text.0),
            size: self.size,
            requires_python: self.requires_python.as_ref().map(|text| &*text.0),
            upload_time: self.upload_time.as_ref().map(|text| &*text.0),
            yanked: self.yanked.as_ref().and_then(Flag::yanked),
            has_metadata: metadata.is_some_and(|flag| !matches!(flag, Flag::Bare(false))),
        }
    }
}

impl Flag<'_> {
    fn yanked(&self) -> Option<Yanked> {
        match self {
            Self::Bare(false) => None,
            Self::Reason(text) if !text.is_empty() => Some(Yanked {
                reason: Some(text.clone().into_owned()),
            }),
            Self::Bare(true) | Self::Reason(_) | Self::Hashes(_) => Some(Yanked::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(json: &str) -> Result<IndexPage, String> {
        let base = Url::parse("https://index.example/simple/a-b/").unwrap();
        read(json.as_bytes(), &PackageName::parse("a-b").unwrap(), &base)
    }

    #[test]
    fn every_field_is_read() {
        let hash = "AB".repeat(32);
        let text = format!(
            r#"{{"meta":{{"api-version":"1.4","x":1}},"name":"A.b","project-status":{{"status":"quarantined","reason":"r"}},
            "versions":["1.0"],"files":[
            {{"filename":"a_b-1.0-py3-none-any.whl","url":"https://u:p@files.example/a_b-1.0-py3-none-any.whl?k=1#f",
              "hashes":{{"md5":"x","sha256":"{hash}"}},"size":7,"requires-python":">=3.9,<4","upload-time":"2024-01-02T03:04:05Z",
              "yanked":"bad \"one\"","core-metadata":{{"sha256":"00"}}}},
            {{"filename":"a_b-2.0.tar.gz","url":"../../a_b-2.0.tar.gz","hashes":{{}},"requires-python":null,"yanked":false,"dist-info-metadata":true}},
            {{"filename":"a_b-3.0.tar.gz","url":"a_b-3.0.tar.gz","requires-python":"junk","yanked":true,"core-metadata":false,"dist-info-metadata":true}},
            {{"filename":"a_b-1.0.win32.exe","url":"x","hashes":{{}}}},
            {{"filename":"other-1.0-py3-none-any.whl","url":"x","hashes":{{}}}},
            {{"filename":"a_b-4.0.tar.gz","url":"file:///etc/passwd","hashes":{{}}}}]}}"#
        );
        let page = page(&text).unwrap();
        assert_eq!(page.status, ProjectStatus::Quarantined);
        assert_eq!(page.files.len(), 3);
        let first = &page.files[0];
        assert_eq!(first.url, "https://files.example/a_b-1.0-py3-none-any.whl?k=1");
        assert_eq!(first.sha256.as_ref().unwrap().as_str(), hash.to_lowercase());
        assert_eq!((first.size, first.has_metadata), (Some(7), true));
        assert_eq!(first.requires_python.as_ref().unwrap().to_string(), "<4,>=3.9");
        assert_eq!(first.upload_time.as_deref(), Some("2024-01-02T03:04:05.000000Z"));
        assert_eq!(
            first.yanked.as_ref().unwrap().reason.as_deref(),
            Some("bad \"one\"")
        );
        let second = &page.files[1];
        assert_eq!(second.url, "https://index.example/a_b-2.0.tar.gz");
        assert!(second.yanked.is_none() && second.has_metadata && second.requires_python.is_none());
        let third = &page.files[2];
        assert!(third.yanked.as_ref().unwrap().reason.is_none() && !third.has_metadata);
        assert!(third.requires_python.is_none());
    }

    /// D08: what is not a page is refused, never read in part.
    #[test]
    fn junk_is_refused() {
        let deep = "[".repeat(100_000);
        let rows = [
            "",
            "{}",
            "[]",
            "null",
            "<html>",
            &deep,
            r#"{"meta":{"api-version":"2.0"},"name":"a-b","files":[]}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"other","files":[]}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"a-b"}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"a-b","files":[{"filename":"x"}]}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"a-b","files":[],"files":[]}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"a-b","files":[{"filename":"x","url":"y","hashes":{"sha256":"a","sha256":"b"}}]}"#,
            r#"{"meta":{"api-version":"1.0"},"name":"a-b","files":["#,
        ];
        for text in rows {
            assert!(page(text).is_err(), "{:?}", text.get(..60.min(text.len())));
        }
    }
}
