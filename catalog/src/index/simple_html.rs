//! The HTML form of a project page (PEP 503, 592, 629, 658, 714, 792).

use hermes_pep::{IndexPage, PackageName, ProjectStatus, Yanked};
use url::Url;

use super::html::{Tag, Tags};
use super::page::{PageBuilder, RawFile, is_known_version, read_status};
use crate::fetch::decode_percent;

/// The endings of files that indexes serve or served.
const ENDINGS: [&str; 11] = [
    ".whl", ".tar.gz", ".zip", ".tar.bz2", ".tgz", ".tar.xz", ".tar", ".egg", ".exe", ".msi", ".rpm",
];

/// What was seen on the way through a document.
#[derive(Debug, Default)]
struct Seen {
    tags: usize,
    anchors: usize,
    files: usize,
    /// Forms, inputs and scripts: a page for people, such as one that asks to log in.
    foreign: usize,
    version: Option<String>,
    status: ProjectStatus,
}

/// Reads a page; the error says what is wrong with it.
pub(super) fn read(bytes: &[u8], name: &PackageName, base: &Url) -> Result<IndexPage, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the HTML is not UTF-8".to_owned())?;
    let mut builder = PageBuilder::new(name, base);
    let mut seen = Seen::default();
    let mut has_base = false;
    for tag in Tags::new(text) {
        seen.tags += 1;
        match tag.name.as_str() {
            "a" => anchor(&tag, &mut builder, &mut seen),
            "base" if !has_base => {
                let href = tag.get("href").and_then(|href| builder.base().join(href).ok());
                has_base = href.is_some();
                if let Some(href) = href {
                    builder.set_base(href);
                }
            }
            "meta" => meta(&tag, &mut seen),
            "form" | "input" | "script" | "iframe" => seen.foreign += 1,
            _ => {}
        }
    }
    seen.judge()?;
    Ok(builder.finish(seen.status))
}

fn meta(tag: &Tag, seen: &mut Seen) {
    let content = tag.get("content").unwrap_or_default();
    match tag.get("name") {
        Some("pypi:repository-version") => seen.version = Some(content.to_owned()),
        Some("pypi:project-status") => seen.status = read_status(content),
        _ => {}
    }
}

fn anchor(tag: &Tag, builder: &mut PageBuilder, seen: &mut Seen) {
    seen.anchors += 1;
    let Some(href) = tag.get("href") else { return };
    let (address, fragment) = href.split_once('#').unwrap_or((href, ""));
    let path = address.split('?').next().unwrap_or_default();
    // PEP 503: the text of the anchor is the last part of its address, so the address will do.
    let filename = decode_percent(path.rsplit('/').next().unwrap_or_default());
    if ENDINGS.iter().any(|ending| filename.ends_with(ending)) {
        seen.files += 1;
    }
    let metadata = tag
        .get("data-core-metadata")
        .or_else(|| tag.get("data-dist-info-metadata"));
    let yanked = tag.get("data-yanked").map(|reason| Yanked {
        reason: Some(reason.to_owned()).filter(|r| !r.is_empty()),
    });
    builder.push(RawFile {
        filename: &filename,
        href: address,
        sha256: fragment.split('&').find_map(|part| part.strip_prefix("sha256=")),
        requires_python: tag.get("data-requires-python"),
        yanked,
        has_metadata: metadata.is_some_and(|value| value != "false"),
        ..RawFile::default()
    });
}

impl Seen {
    /// Whether this was a project page. One without files is believed when it says that it is a
    /// repository's, or when it is as bare as such pages are.
    fn judge(&self) -> Result<(), String> {
        match &self.version {
            Some(version) if is_known_version(version) => return Ok(()),
            Some(_) => return Err("it follows another version of the simple API than 1".to_owned()),
            None => {}
        }
        if self.tags == 0 {
            return Err("it is neither JSON nor HTML".to_owned());
        }
        if self.files == 0 && (self.foreign > 0 || self.anchors > 0) {
            return Err("it is a web page for people (a login?) and lists no files".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Result<IndexPage, String> {
        let base = Url::parse("https://index.example/simple/a/").unwrap();
        read(html.as_bytes(), &PackageName::parse("a").unwrap(), &base)
    }

    #[test]
    fn every_attribute_is_read() {
        let hash = "0f".repeat(32);
        let html = format!(
            "<!DOCTYPE html><html><head><meta name='pypi:repository-version' content='1.1'>\
             <meta name=\"pypi:project-status\" content=\"archived\"><base href='https://files.example/x/'></head><body>\
             <a href=\"../a-1.0-py3-none-any.whl#sha256={hash}\" data-requires-python=\"&gt;=3.8\" data-core-metadata=\"sha256=00\">a-1.0-py3-none-any.whl</a><br/>\
             <a href=\"a-2%2E0.tar.gz\" data-yanked data-dist-info-metadata=false>a-2.0.tar.gz</a>\
             <a href=\"a-3.0+x.1-py3-none-any.whl?k=1#md5=00\" data-yanked='why &amp; how'>a-3.0+x.1-py3-none-any.whl</a>\
             <a href='a-1.0.exe'>x</a><a href='/'>home</a><a>none</a>"
        );
        let page = page(&html).unwrap();
        assert_eq!((page.status, page.files.len()), (ProjectStatus::Archived, 3));
        let [one, two, three] = &page.files[..] else {
            panic!()
        };
        assert_eq!(one.url, "https://files.example/a-1.0-py3-none-any.whl");
        assert_eq!(one.sha256.as_ref().unwrap().as_str(), hash);
        assert_eq!(one.requires_python.as_ref().unwrap().to_string(), ">=3.8");
        assert!(one.has_metadata && one.yanked.is_none());
        assert_eq!((two.filename.as_str(), two.has_metadata), ("a-2.0.tar.gz", false));
        assert!(two.yanked.as_ref().unwrap().reason.is_none());
        assert_eq!(
            three.url,
            "https://files.example/x/a-3.0+x.1-py3-none-any.whl?k=1"
        );
        assert_eq!(
            three.yanked.as_ref().unwrap().reason.as_deref(),
            Some("why & how")
        );
        assert!(three.sha256.is_none());
    }

    #[test]
    fn pages_for_people_are_refused() {
        let rows = [
            ("<html><body><h1>Links for a</h1></body></html>", true),
            ("<meta name='pypi:repository-version' content='1.0'>", true),
            ("<meta name='pypi:repository-version' content='2.0'>", false),
            ("<html><form action=/login><input name=user></form></html>", false),
            ("<html><a href='/login'>Sign in</a></html>", false),
            ("<html><script>location='/login'</script></html>", false),
            ("Please log in", false),
            ("", false),
        ];
        for (html, want) in rows {
            assert_eq!(page(html).is_ok(), want, "{html}");
        }
    }
}
