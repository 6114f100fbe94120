//! A plugin root in memory, and short views of what was found in it.

#![allow(missing_docs, dead_code, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hermes_admission::surface::{Fault, Found, Origin, Scan, Surface, scan};
use hermes_admission::{ReadFault, ReadFaultKind, RootRequirement, SourceTree};
use hermes_terms::Code;
use serde_json::Value;

/// What lies at a name.
enum Entry {
    Bytes(Vec<u8>),
    Fault(ReadFaultKind),
}

/// A folder whose files are values. Nothing below a folder can be asked for (contract C3).
#[derive(Default)]
pub(crate) struct MemoryTree(BTreeMap<String, Entry>);

impl MemoryTree {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        files.iter().fold(Self::default(), |tree, (name, text)| {
            tree.with(name, text.as_bytes())
        })
    }

    pub(crate) fn with(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(name.to_owned(), Entry::Bytes(bytes.into()));
        self
    }

    pub(crate) fn failing(mut self, name: &str, kind: ReadFaultKind) -> Self {
        self.0.insert(name.to_owned(), Entry::Fault(kind));
        self
    }
}

impl SourceTree for MemoryTree {
    fn read(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>, ReadFault> {
        assert!(
            !name.is_empty() && !name.contains(['/', '\\']) && name != "..",
            "C3: `{name}` is not directly below the root"
        );
        let kind = match self.0.get(name) {
            None => return Ok(None),
            Some(Entry::Bytes(bytes)) if bytes.len() <= limit => return Ok(Some(bytes.clone())),
            Some(Entry::Bytes(_)) => ReadFaultKind::TooLarge,
            Some(Entry::Fault(kind)) => *kind,
        };
        Err(ReadFault {
            kind,
            message: format!("{name}: {kind:?}"),
        })
    }
}

/// Scans these files.
pub(crate) fn scanned(files: &[(&str, &str)]) -> Scan {
    scan(&MemoryTree::of(files))
}

/// The surface; a panic that shows the faults when there is none.
pub(crate) fn surface(scan: &Scan) -> &Surface {
    match &scan.found {
        Found::Surface(surface) => surface,
        other => panic!("no surface but {other:?}: {:#?}", scan.faults),
    }
}

/// `pyproject: a, b` or `manifest: a, b`, `nothing`, or the faults as `file:line:column code`.
pub(crate) fn told(scan: &Scan) -> String {
    match &scan.found {
        Found::Surface(surface) => {
            let origin = match surface.origin {
                Origin::Pyproject => "pyproject",
                Origin::Manifest => "manifest",
            };
            format!("{origin}: {}", texts(&surface.requirements).join(", "))
        }
        Found::Nothing { .. } => "nothing".to_owned(),
        Found::Invalid => faults(&scan.faults),
    }
}

pub(crate) fn texts(requirements: &[RootRequirement]) -> Vec<&str> {
    requirements
        .iter()
        .map(|declared| declared.text.as_str())
        .collect()
}

/// One line a fault: `file:line:column code`.
pub(crate) fn faults(faults: &[Fault]) -> String {
    let line = |fault: &Fault| format!("{}:{}:{} {}", fault.file, fault.line, fault.column, fault.code);
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A file of the shared data.
pub(crate) fn shared(path: &str) -> Value {
    let root = std::env::var_os("HERMES_PM_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    let path = root.join(path);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("the shared data are needed at {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// The texts of a list.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

/// A text as TOML, JSON and YAML all quote it.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A list of texts as TOML, JSON and YAML all write it.
pub(crate) fn listed(texts: &[&str]) -> String {
    let items: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", items.join(", "))
}

/// Far more than a refusal takes, even where tests are slow; far less than a bomb takes.
const SOON: Duration = Duration::from_millis(250);

/// A scan that has to end soon.
pub(crate) fn soon(what: &str, tree: &MemoryTree) -> Scan {
    let start = Instant::now();
    let found = scan(tree);
    let took = start.elapsed();
    // Another test may hold the processor once; a bomb is slow every time.
    if took > SOON {
        let again = Instant::now();
        drop(scan(tree));
        assert!(again.elapsed() <= SOON, "{what} took {took:?}");
    }
    found
}

/// Refused with this one code, with a place and a short message that draws nothing on a terminal.
pub(crate) fn refused(what: &str, file: &str, content: &[u8], code: Code) {
    let scan = soon(what, &MemoryTree::default().with(file, content));
    assert_eq!(scan.found, Found::Invalid, "{what}");
    assert_eq!(scan.faults.len(), 1, "{what}: {:?}", scan.faults);
    let fault = &scan.faults[0];
    assert_eq!(
        (fault.code, fault.file.as_str()),
        (code, file),
        "{what}: {fault:?}"
    );
    assert!(
        fault.line > 0 && fault.column > 0,
        "{what} has no place: {fault:?}"
    );
    assert!(
        fault.message.len() <= 1024,
        "{what}: {} bytes",
        fault.message.len()
    );
    assert!(
        !fault.message.chars().any(char::is_control),
        "{what}: {:?}",
        fault.message
    );
}

/// One row a case: `### what`, its files after `--- name`, and after `=== expected` what is told. `<BOM>`
/// and `<CR>` stand for the signs that an editor would hide.
pub(crate) fn judge(table: &str, tell: impl Fn(&[(&str, &str)]) -> String) {
    let rows = table.split("### ").skip(1);
    let wrong: Vec<String> = rows.filter_map(|row| wrong(row, &tell)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a row, if anything is.
fn wrong(row: &str, tell: &impl Fn(&[(&str, &str)]) -> String) -> Option<String> {
    let row = row.replace("<BOM>", "\u{feff}").replace("<CR>", "\r");
    let (input, want) = row.split_once("=== expected\n").unwrap();
    let (what, _) = input.split_once('\n').unwrap();
    let files: Vec<(&str, &str)> = input
        .split("--- ")
        .skip(1)
        .map(|file| file.split_once('\n').unwrap())
        .collect();
    let (want, got) = (want.trim_end_matches('\n'), tell(&files));
    (got != want).then(|| format!("{what}\n  want: {want}\n  got:  {got}"))
}
