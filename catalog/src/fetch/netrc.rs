//! The netrc file: `machine`, `default`, `login`, `password`, `account`, `macdef`.
//! What cannot be read is passed over: the file belongs to other programs as well.

use super::auth::Credentials;

/// The largest file that is read, in bytes.
pub(crate) const MAX_SIZE: u64 = 1 << 20;

/// The entries of a netrc file, in its order.
#[derive(Debug, Default)]
pub(crate) struct Netrc {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The host; `None` is the entry `default`.
    host: Option<String>,
    credentials: Credentials,
}

impl Netrc {
    /// Reads the text of a netrc file.
    pub(crate) fn parse(text: &str) -> Self {
        let mut words = Words { rest: text };
        let mut entries = Vec::new();
        let mut open: Option<Draft> = None;
        while let Some(word) = words.next() {
            match word.as_str() {
                "machine" => open = Some(Draft::replace(open, &mut entries, words.next())),
                "default" => open = Some(Draft::replace(open, &mut entries, None)),
                "login" => Draft::put(open.as_mut().map(|draft| &mut draft.login), words.next()),
                "password" => Draft::put(open.as_mut().map(|draft| &mut draft.password), words.next()),
                "account" => drop(words.next()),
                "macdef" => words.skip_macro(),
                other if other.starts_with('#') => words.skip_line(),
                _ => {}
            }
        }
        Draft::replace(open, &mut entries, None);
        Self { entries }
    }

    /// The credentials for a host; those of `default` only if that is allowed.
    pub(crate) fn find(&self, host: &str, default: bool) -> Option<&Credentials> {
        let named = self
            .entries
            .iter()
            .find(|e| e.host.as_deref().is_some_and(|h| h.eq_ignore_ascii_case(host)));
        let other = || self.entries.iter().find(|entry| default && entry.host.is_none());
        named.or_else(other).map(|entry| &entry.credentials)
    }
}

/// An entry being read.
struct Draft {
    host: Option<String>,
    login: Option<String>,
    password: Option<String>,
}

impl Draft {
    /// Ends one entry and begins the next.
    fn replace(open: Option<Self>, entries: &mut Vec<Entry>, host: Option<String>) -> Self {
        if let Some(Self {
            host,
            login,
            password: Some(password),
        }) = open
        {
            let credentials = Credentials::new(login.unwrap_or_default(), password);
            entries.push(Entry { host, credentials });
        }
        Self {
            host,
            login: None,
            password: None,
        }
    }

    fn put(place: Option<&mut Option<String>>, word: Option<String>) {
        if let Some(place) = place {
            *place = word;
        }
    }
}

/// The words of a netrc file; a word may stand in double quotes, with backslashes.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    fn next(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() {
            return None;
        }
        let quoted = self.rest.strip_prefix('"');
        let mut word = String::new();
        let mut chars = quoted.unwrap_or(self.rest).chars();
        while let Some(c) = chars.clone().next() {
            let ends = if quoted.is_some() {
                c == '"'
            } else {
                c.is_whitespace()
            };
            if ends && quoted.is_none() {
                break;
            }
            chars.next();
            match c {
                _ if ends => break,
                '\\' => word.extend(chars.next()),
                _ => word.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(word)
    }

    fn skip_line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    /// A macro ends with an empty line.
    fn skip_macro(&mut self) {
        let end = ["\n\n", "\n\r\n"]
            .iter()
            .filter_map(|gap| self.rest.find(gap))
            .min();
        self.rest = end.and_then(|at| self.rest.get(at..)).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_host() {
        let text = "# machine no login no password no\n\
                    machine index.example login ann password pass1\n\
                    macdef init\nmachine macro.example password never\n\n\
                    machine quoted.example\n\tlogin \"a b\"\n\tpassword \"c\\\"d\"\n\
                    machine nothing.example login only\n\
                    default login any password other";
        let netrc = Netrc::parse(text);
        let find = |host, default| netrc.find(host, default).map(|c| (c.user(), c.secret()));
        assert_eq!(find("INDEX.example", false), Some(("ann", "pass1")));
        assert_eq!(find("quoted.example", false), Some(("a b", "c\"d")));
        for host in ["macro.example", "nothing.example", "no", "else.example"] {
            assert_eq!(find(host, false), None);
        }
        assert_eq!(find("else.example", true), Some(("any", "other")));
    }

    #[test]
    fn junk_gives_no_entries() {
        for text in [
            "",
            "machine",
            "login a password b",
            "machine a password",
            "\"",
            "macdef",
            "\\",
        ] {
            assert!(Netrc::parse(text).find("a", true).is_none(), "{text:?}");
        }
    }
}
