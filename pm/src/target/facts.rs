//! What an interpreter says about itself, checked before it is believed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hermes_pep::{MarkerEnvironment, MarkerVariable, Platform, Target, Version};
use serde::{Deserialize, Serialize};

use super::TargetFault;

/// The answer of the probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    schema: u32,
    /// The real file of the interpreter.
    pub executable: PathBuf,
    /// The folder of the environment that it belongs to (a virtual one, or the installation).
    pub prefix: PathBuf,
    /// The folder of the installation that virtual environments are made from.
    pub base_prefix: PathBuf,
    markers: BTreeMap<String, String>,
    bits: u32,
    free_threaded: bool,
    glibc: Option<String>,
    musl: Option<String>,
    macos: Option<String>,
    /// The package index that the interpreter's own pip would use when nothing is configured.
    pub default_index: Option<String>,
}

/// Nothing an interpreter says is longer.
const MAX_TEXT: usize = 1024;

impl Facts {
    /// Reads the probe's answer.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let facts: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("it answered with something that is not its description ({error})"))?;
        if facts.schema != 1 {
            return Err(format!("its description has the unknown schema {}", facts.schema));
        }
        let fits = |text: &str| text.len() <= MAX_TEXT && !text.contains(char::is_control);
        if !facts.markers.values().all(|text| fits(text)) || !facts.default_index.as_deref().is_none_or(fits)
        {
            return Err("its description holds texts that no interpreter has".into());
        }
        if !facts.executable.is_absolute() {
            return Err("it does not know its own file".into());
        }
        Ok(facts)
    }

    /// The platform in the form that `--platform` takes.
    pub fn platform_text(&self) -> Option<String> {
        let arch = self.arch();
        let part = |text: &Option<String>| text.as_deref().and_then(two_numbers);
        match self.marker("sys_platform") {
            "win32" => Some(format!("{arch}-windows")),
            "darwin" => part(&self.macos).map(|(major, minor)| format!("{arch}-macos_{major}_{minor}")),
            "linux" => part(&self.musl)
                .map(|(major, minor)| format!("{arch}-musllinux_{major}_{minor}"))
                .or_else(|| {
                    part(&self.glibc).map(|(major, minor)| format!("{arch}-manylinux_{major}_{minor}"))
                }),
            _ => None,
        }
    }

    /// The architecture of the interpreter, which on a 64-bit system may be a 32-bit one.
    fn arch(&self) -> &str {
        let machine = self.marker("platform_machine");
        match (machine, self.bits) {
            ("x86_64" | "AMD64", 32) | ("i386" | "x86", _) => "i686",
            ("aarch64" | "armv8l", 32) => "armv7l",
            ("AMD64", _) => "x86_64",
            ("arm64" | "ARM64", _) => "aarch64",
            _ => machine,
        }
    }

    fn marker(&self, name: &str) -> &str {
        self.markers.get(name).map_or("", String::as_str)
    }

    /// The target that the interpreter is.
    pub(super) fn target(&self, python: &Path) -> Result<Target, TargetFault> {
        let invalid = |reason: String| TargetFault::Invalid {
            python: python.to_owned(),
            reason,
        };
        let unsupported = |reason: String| TargetFault::Unsupported {
            what: python.display().to_string(),
            reason,
        };
        if self.free_threaded {
            return Err(unsupported(
                "wheels are not chosen for free-threaded builds".into(),
            ));
        }
        let version = Version::parse(self.marker("python_full_version"))
            .map_err(|error| invalid(format!("its version is unreadable: {error}")))?;
        let text = self.platform_text().ok_or_else(|| {
            unsupported(format!(
                "no wheels exist for {} on {}",
                self.marker("sys_platform"),
                self.arch()
            ))
        })?;
        let platform = Platform::parse(&text).map_err(|error| unsupported(error.to_string()))?;
        let markers = MarkerVariable::ALL.map(|variable| (variable, self.marker(variable.name()).to_owned()));
        Target::new(&version, &platform, MarkerEnvironment::new(markers))
            .map_err(|error| unsupported(error.to_string()))
    }
}

fn two_numbers(text: &str) -> Option<(u16, u16)> {
    let mut parts = text.split('.');
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next().unwrap_or("0").parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(system: &str, machine: &str, bits: u32, versions: [&str; 3]) -> Facts {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let markers = [
            ("sys_platform", system),
            ("platform_machine", machine),
            ("python_full_version", "3.12.4"),
            ("implementation_name", "cpython"),
        ];
        Facts {
            schema: 1,
            executable: "/p".into(),
            prefix: "/".into(),
            base_prefix: "/".into(),
            markers: markers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            bits,
            free_threaded: false,
            glibc: some(versions[0]),
            musl: some(versions[1]),
            macos: some(versions[2]),
            default_index: None,
        }
    }

    #[test]
    fn platforms_are_written_as_they_are_stated_by_hand() {
        let table = [
            (
                facts("linux", "x86_64", 64, ["2.36", "", ""]),
                Some("x86_64-manylinux_2_36"),
            ),
            (
                facts("linux", "x86_64", 32, ["2.36", "", ""]),
                Some("i686-manylinux_2_36"),
            ),
            (
                facts("linux", "aarch64", 64, ["", "1.2.3", ""]),
                Some("aarch64-musllinux_1_2"),
            ),
            (
                facts("darwin", "arm64", 64, ["", "", "14.5"]),
                Some("aarch64-macos_14_5"),
            ),
            (facts("win32", "AMD64", 64, ["", "", ""]), Some("x86_64-windows")),
            (facts("linux", "x86_64", 64, ["", "", ""]), None),
            (facts("linux", "x86_64", 64, ["junk", "", ""]), None),
            (facts("emscripten", "wasm32", 32, ["", "", ""]), None),
        ];
        for (facts, expected) in table {
            assert_eq!(facts.platform_text().as_deref(), expected, "{facts:?}");
            assert_eq!(
                facts.target(Path::new("/p")).is_ok(),
                expected.is_some(),
                "{facts:?}"
            );
        }
    }

    #[test]
    fn descriptions_that_no_interpreter_gives_are_refused() {
        let good = serde_json::to_value(facts("linux", "x86_64", 64, ["2.36", "", ""])).unwrap();
        assert!(Facts::parse(good.to_string().as_bytes()).is_ok());
        let with = |key: &str, value: serde_json::Value| {
            let mut changed = good.clone();
            changed[key] = value;
            changed.to_string()
        };
        let table = [
            String::new(),
            "junk".into(),
            "{}".into(),
            "[".repeat(50_000),
            format!("{good}{good}"),
            with("schema", 2.into()),
            with("executable", "python".into()),
            with("default_index", "x\u{1b}[2J".into()),
            with("markers", serde_json::json!({"os_name": "x".repeat(2000)})),
            with("markers", serde_json::json!({"os_name": 1})),
        ];
        for text in table {
            assert!(Facts::parse(text.as_bytes()).is_err(), "{text:.80}");
        }
    }
}
