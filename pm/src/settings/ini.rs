//! The form of pip's configuration files: sections, `key = value` or `key: value`, values that go on
//! in indented lines. Strict like the reader that pip uses: what it refuses is refused.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_terms::Code;

use crate::fault::{Fault, Faults, Place};

/// A value with the line of its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) line: usize,
}

/// Values by section and key; keys are lower case with `-` for `_`, as pip compares them.
pub(super) type Ini = BTreeMap<(String, String), Value>;

/// Reads a file's text; every fault in one run.
pub(super) fn parse(path: &Path, text: &str) -> Result<Ini, Faults> {
    let mut reader = Reader {
        path,
        ini: Ini::new(),
        section: None,
        open: None,
        faults: Vec::new(),
    };
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        reader.line(index + 1, line);
    }
    Faults::none_in(reader.faults)?;
    Ok(reader.ini)
}

struct Reader<'a> {
    path: &'a Path,
    ini: Ini,
    section: Option<String>,
    /// The key that indented lines belong to, and its indentation.
    open: Option<((String, String), usize)>,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) {
        let content = line.trim();
        if content.is_empty() || content.starts_with(['#', ';']) {
            return;
        }
        let indent = line.len() - line.trim_start().len();
        if let Some((key, level)) = &self.open
            && indent > *level
        {
            if let Some(value) = self.ini.get_mut(key) {
                value.text.push('\n');
                value.text.push_str(content);
            }
            return;
        }
        match content.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, _)) => {
                self.section = Some(name.to_owned());
                self.open = None;
            }
            None => self.pair(number, indent, content),
        }
    }

    fn pair(&mut self, number: usize, indent: usize, content: &str) {
        let Some(section) = self.section.clone() else {
            return self.blame(number, "stands before any section");
        };
        let Some((key, text)) = content.split_once(['=', ':']) else {
            return self.blame(number, "is neither a section nor `key = value`");
        };
        let key = key.trim().to_lowercase().replace('_', "-");
        let key = (section, key.trim_start_matches('-').to_owned());
        let value = Value {
            text: text.trim().to_owned(),
            line: number,
        };
        if self.ini.insert(key.clone(), value).is_some() {
            self.blame(number, "sets a key for the second time");
        }
        self.open = Some((key, indent));
    }

    fn blame(&mut self, line: usize, what: &str) {
        let place = Place {
            file: self.path.to_owned(),
            line,
            column: 1,
        };
        self.faults.push(Fault {
            code: Code::ConfigInvalid,
            place,
            message: format!("this line {what}"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_sections_and_continuations() {
        let text = "\u{feff}# words\r\n[global]\r\nIndex_URL = https://a.example/simple\r\nextra-index-url:\r\n  https://b.example\r\n\r\n  # not this\r\n  https://c.example\r\n; words\r\n[install]\r\ntimeout=3\r\n";
        let ini = parse(Path::new("pip.conf"), text).unwrap();
        let shown: Vec<String> = ini
            .iter()
            .map(|((section, key), value)| {
                format!("{section}.{key}@{}={}", value.line, value.text.replace('\n', "|"))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "global.extra-index-url@4=|https://b.example|https://c.example",
                "global.index-url@3=https://a.example/simple",
                "install.timeout@11=3",
            ]
        );
    }

    #[test]
    fn faults_are_told_by_line() {
        let found = parse(Path::new("pip.conf"), "a = 1\n[global]\njunk\nx = 1\nx = 2\n").unwrap_err();
        let lines: Vec<usize> = found.all().iter().map(|fault| fault.place.line).collect();
        assert_eq!(lines, [1, 3, 5]);
    }
}
