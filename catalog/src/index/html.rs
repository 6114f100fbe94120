//! A small tokeniser for HTML: start tags with attributes, and nothing else. It never fails and
//! takes time in proportion to the length of the text.

/// A start tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The name in lower case.
    pub(super) name: String,
    /// The attributes, names in lower case, values with entities decoded.
    pub(super) attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of the first attribute of that name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

/// The start tags of a document, in order. Comments, end tags, declarations and the contents of
/// `script` and `style` are passed over.
#[derive(Debug)]
pub(super) struct Tags<'a> {
    rest: &'a str,
}

impl<'a> Tags<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    fn skip_past(&mut self, end: &str) {
        self.rest = self.rest.split_once(end).map_or("", |(_, rest)| rest);
    }

    /// Passes over the content of `script` or `style`, up to its end tag.
    fn skip_raw(&mut self, name: &str) {
        loop {
            self.skip_past("</");
            let is_end = self
                .rest
                .get(..name.len())
                .is_some_and(|tag| tag.eq_ignore_ascii_case(name));
            if is_end || self.rest.is_empty() {
                return;
            }
        }
    }

    fn name(&mut self) -> String {
        let end = self
            .rest
            .find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))
            .unwrap_or(self.rest.len());
        self.take(end).to_ascii_lowercase()
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// The next attribute of the open tag; `None` after its end, which is consumed.
    fn attribute(&mut self) -> Option<(String, String)> {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(rest) = self.rest.strip_prefix('>') {
            self.rest = rest;
            return None;
        }
        let stops = |c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/');
        // A stray `=` begins a name, so that every step consumes something.
        let first = self.rest.chars().next()?.len_utf8();
        let end = self
            .rest
            .get(first..)
            .and_then(|rest| rest.find(stops))
            .map_or(self.rest.len(), |at| at + first);
        let name = self.take(end).to_ascii_lowercase();
        let after = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let Some(value) = after.strip_prefix('=') else {
            return Some((name, String::new()));
        };
        self.rest = value.trim_start_matches(|c: char| c.is_ascii_whitespace());
        Some((name, decode_entities(self.value())))
    }

    fn value(&mut self) -> &'a str {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            let end = self
                .rest
                .find(|c: char| c.is_ascii_whitespace() || c == '>')
                .unwrap_or(self.rest.len());
            return self.take(end);
        };
        self.take(1);
        let (value, rest) = self.rest.split_once(quote).unwrap_or((self.rest, ""));
        self.rest = rest;
        value
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        loop {
            self.skip_past("<");
            if let Some(comment) = self.rest.strip_prefix("!--") {
                self.rest = comment;
                self.skip_past("-->");
                continue;
            }
            match self.rest.bytes().next()? {
                b'!' | b'?' | b'/' => self.skip_past(">"),
                letter if letter.is_ascii_alphabetic() => {
                    let name = self.name();
                    let attributes = std::iter::from_fn(|| self.attribute()).collect();
                    if matches!(name.as_str(), "script" | "style") {
                        self.skip_raw(&name);
                    }
                    return Some(Tag { name, attributes });
                }
                _ => {}
            }
        }
    }
}

/// Decodes the entities that pages of indexes use; any other stays as it is.
fn decode_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        // No entity is longer than this, so an unclosed one costs nothing.
        let end = after.bytes().take(12).position(|byte| byte == b';');
        let decoded = end.and_then(|end| after.get(..end)).and_then(entity);
        if let (Some(c), Some(end)) = (decoded, end) {
            out.push(c);
            rest = after.get(end + 1..).unwrap_or_default();
        } else {
            out.push('&');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let digits = name.strip_prefix('#')?;
            let hex = digits.strip_prefix(['x', 'X']);
            let number = match hex {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Vec<String> {
        Tags::new(text)
            .map(|tag| format!("{} {:?}", tag.name, tag.attributes))
            .collect()
    }

    #[test]
    fn tags_and_attributes_are_read() {
        let rows: [(&str, &[&str]); 9] = [
            (
                "<!DOCTYPE html><A HREF='x' data-yanked>t</A>",
                &[r#"a [("href", "x"), ("data-yanked", "")]"#],
            ),
            ("<a href = x/y>", &[r#"a [("href", "x/y")]"#]),
            (
                "<a data-requires-python=\"&gt;=3.7&#44;&#x3c;4 &bad; & &amp\">",
                &[r#"a [("data-requires-python", ">=3.7,<4 &bad; & &amp")]"#],
            ),
            ("<!-- <a href=no> --><br/>", &["br []"]),
            (
                "<script>if (a<b) '<a href=no>'</SCRIPT><p>",
                &["script []", "p []"],
            ),
            ("a < b <3 <", &[]),
            ("<a href=\"unclosed", &[r#"a [("href", "unclosed")]"#]),
            ("<a = =>", &[r#"a [("=", "")]"#]),
            ("<script><a>", &["script []"]),
        ];
        for (text, want) in rows {
            assert_eq!(tags(text), want, "{text}");
        }
    }

    /// D12: time is linear whatever is opened and never closed.
    #[test]
    fn unclosed_text_ends() {
        for piece in [
            "<", "<a ", "<a b=", "&", "<!--", "<script>", "</", "<a '", "<a b=\"&",
        ] {
            let _ = Tags::new(&piece.repeat(100_000)).count();
        }
    }
}
