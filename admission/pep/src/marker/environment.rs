//! The variables of the marker environment and their values (PEP 508).

use std::collections::BTreeMap;

use crate::{Platform, Version};

/// A variable of the marker environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerVariable {
    /// `os_name`.
    OsName,
    /// `sys_platform`.
    SysPlatform,
    /// `platform_machine`.
    PlatformMachine,
    /// `platform_system`.
    PlatformSystem,
    /// `platform_release`.
    PlatformRelease,
    /// `platform_version`.
    PlatformVersion,
    /// `python_version`.
    PythonVersion,
    /// `python_full_version`.
    PythonFullVersion,
    /// `implementation_name`.
    ImplementationName,
    /// `implementation_version`.
    ImplementationVersion,
    /// `platform_python_implementation`.
    PlatformPythonImplementation,
}

impl MarkerVariable {
    /// Reads a name, older spellings included (PEP 508, and PEP 345 for the dotted ones).
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let known = match name {
            "os.name" => Self::OsName,
            "sys.platform" => Self::SysPlatform,
            "platform.version" => Self::PlatformVersion,
            "platform.machine" => Self::PlatformMachine,
            "platform.python_implementation" | "python_implementation" => Self::PlatformPythonImplementation,
            _ => return Self::ALL.into_iter().find(|variable| variable.name() == name),
        };
        Some(known)
    }

    /// Whether values are compared as versions where they are versions.
    pub(crate) const fn holds_version(self) -> bool {
        matches!(
            self,
            Self::PythonVersion
                | Self::PythonFullVersion
                | Self::ImplementationVersion
                | Self::PlatformRelease
        )
    }

    /// The variable's name in a marker.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OsName => "os_name",
            Self::SysPlatform => "sys_platform",
            Self::PlatformMachine => "platform_machine",
            Self::PlatformSystem => "platform_system",
            Self::PlatformRelease => "platform_release",
            Self::PlatformVersion => "platform_version",
            Self::PythonVersion => "python_version",
            Self::PythonFullVersion => "python_full_version",
            Self::ImplementationName => "implementation_name",
            Self::ImplementationVersion => "implementation_version",
            Self::PlatformPythonImplementation => "platform_python_implementation",
        }
    }

    /// All variables, in the order of the standard.
    pub const ALL: [Self; 11] = [
        Self::OsName,
        Self::SysPlatform,
        Self::PlatformMachine,
        Self::PlatformSystem,
        Self::PlatformRelease,
        Self::PlatformVersion,
        Self::PythonVersion,
        Self::PythonFullVersion,
        Self::ImplementationName,
        Self::ImplementationVersion,
        Self::PlatformPythonImplementation,
    ];
}

/// The values that markers are evaluated with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerEnvironment {
    values: BTreeMap<MarkerVariable, String>,
}

impl MarkerEnvironment {
    /// An environment from values; those not given are empty texts. An interpreter built between
    /// releases ends its version with a bare `+`, which becomes `+local`, as in `packaging`.
    pub fn new(values: impl IntoIterator<Item = (MarkerVariable, String)>) -> Self {
        let mut values: BTreeMap<_, _> = values.into_iter().collect();
        if let Some(python) = values.get_mut(&MarkerVariable::PythonFullVersion)
            && python.ends_with('+')
        {
            python.push_str("local");
        }
        Self { values }
    }

    /// The environment of CPython at a version on a platform, for a target without an interpreter.
    /// `platform_release` and `platform_version` are empty: no statement can know them.
    pub fn cpython(python: &Version, platform: &Platform) -> Self {
        use MarkerVariable as V;
        let (os_name, sys_platform, system) = platform.marker_names();
        let short: Vec<String> = python.release().iter().take(2).map(ToString::to_string).collect();
        Self::new([
            (V::OsName, os_name.into()),
            (V::SysPlatform, sys_platform.into()),
            (V::PlatformMachine, platform.machine()),
            (V::PlatformSystem, system.into()),
            (V::PythonVersion, short.join(".")),
            (V::PythonFullVersion, python.to_string()),
            (V::ImplementationName, "cpython".into()),
            (V::ImplementationVersion, python.to_string()),
            (V::PlatformPythonImplementation, "CPython".into()),
        ])
    }

    /// The value of a variable.
    pub fn get(&self, variable: MarkerVariable) -> &str {
        self.values.get(&variable).map_or("", String::as_str)
    }

    /// `implementation_name`.
    pub fn implementation_name(&self) -> &str {
        self.get(MarkerVariable::ImplementationName)
    }
}
