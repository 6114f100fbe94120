//! The one list of codes. A code is `family.name`, stable once released; texts may change.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! codes {
    ($($variant:ident = $text:literal, $about:literal;)*) => {
        /// A stable reason, told apart by machines; people get a message with it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $about] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The written form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// One sentence on what the code means.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }

            /// Reads a written code.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    DeclarationInvalid = "declaration.invalid", "A declaration cannot be read: wrong syntax or wrong types.";
    DeclarationDynamic = "declaration.dynamic", "The dependencies are computed by a build backend and cannot be read without running it.";
    DeclarationUnsupported = "declaration.unsupported", "The declaration is of a kind that is not read (Poetry-only tables, Cargo surfaces).";
    DeclarationMismatch = "declaration.mismatch", "Two declarations of one plugin disagree; the stronger one counts.";
    DeclarationDirectUrl = "declaration.direct-url", "A requirement names an address instead of versions of an index.";
    DeclarationLimits = "declaration.limits", "A declaration passes a limit on length, nesting or number.";
    UnionConflict = "union.conflict", "Requirements of core and plugins cannot hold together.";
    UnionCoreVersion = "union.core-version", "A requirement on Hermes itself is not met by the core in use.";
    UnionRequiresPython = "union.requires-python", "A requirement on the Python version is not met by the target.";
    UnionNoSuchPackage = "union.no-such-package", "A required package is not known to any index.";
    UnionNoSuchVersion = "union.no-such-version", "No version of a package fits the requirements.";
    UnionNoWheel = "union.no-wheel", "No version that fits has a file that the target can use.";
    BuildRequired = "build.required", "A package would have to be built from source, which needs consent.";
    PolicyQuarantine = "policy.quarantine", "A release is younger than the quarantine window allows.";
    PolicyYanked = "policy.yanked", "A release was withdrawn by its author.";
    IndexUnavailable = "index.unavailable", "An index could not be reached or answered with a failure.";
    IndexUnauthorized = "index.unauthorized", "An index asked for credentials or refused those given.";
    IndexNotConfigured = "index.not-configured", "No package index is configured and none could be found.";
    IndexMalformed = "index.malformed", "An index answered with something that is not a project page.";
    IndexQuarantined = "index.quarantined", "The index holds a project back as dangerous.";
    IndexOffline = "index.offline", "The answer is not in the cache and the network is not to be used.";
    NetTimeout = "net.timeout", "The network did not answer in time.";
    NetTls = "net.tls", "A secure connection could not be made.";
    NetRedirect = "net.redirect", "A redirect leads where it may not.";
    NetTruncated = "net.truncated", "An answer ended before it was complete.";
    HashMismatch = "hash.mismatch", "A file is not the one that the index described.";
    ZipInvalid = "zip.invalid", "A wheel cannot be read as an archive.";
    MetadataParse = "metadata.parse", "The metadata of a package cannot be read.";
    MetadataIdentity = "metadata.identity", "The metadata names another package or version than its file.";
    LimitsSize = "limits.size", "Something is larger than is read.";
    NameInvalid = "name.invalid", "A text is not a package name.";
    PluginAbsent = "plugin.absent", "A plugin is enabled but has no folder.";
    PluginName = "plugin.name", "A text cannot name a plugin.";
    PluginUnreadable = "plugin.unreadable", "A plugin's folder or declaration cannot be read.";
    PluginNotFound = "plugin.not-found", "No plugin of that name or path exists.";
    PluginRequiresHermes = "plugin.requires-hermes", "A plugin asks for another version of Hermes and sits out.";
    PluginCoreDrift = "plugin.core-drift", "A plugin moves packages away from the versions in core's lock.";
    PluginCollateralDowngrade = "plugin.collateral-downgrade", "Admitting the candidate lowers a package that others use.";
    HomeInvalid = "home.invalid", "The home cannot be used.";
    HomeSymlink = "home.symlink", "A folder that hermes-pm writes in is a link.";
    HomeUnreadable = "home.unreadable", "The home cannot be read.";
    ConfigInvalid = "config.invalid", "The configuration cannot be read or has wrong types.";
    ConfigIgnored = "config.ignored", "A setting was found where none is read.";
    LockBusy = "lock.busy", "Another process is changing the same home.";
    DiskFull = "disk.full", "The disk is full.";
    DiskDenied = "disk.denied", "The system does not allow writing there.";
    TargetNotFound = "target.not-found", "No Python interpreter was found.";
    TargetInvalid = "target.invalid", "The interpreter does not describe itself as expected.";
    TargetUnsupported = "target.unsupported", "The target is not one that wheels can be chosen for.";
    CoreNotFound = "core.not-found", "No Hermes core was given or found.";
    CoreInvalid = "core.invalid", "The core's declaration cannot be read.";
    ProviderSecond = "provider.second", "More than one external memory provider is enabled.";
    ReceiptChain = "receipt.chain", "A receipt does not follow from the one before it.";
    ReceiptCorrupt = "receipt.corrupt", "A receipt cannot be read or was altered.";
    ReceiptNotFound = "receipt.not-found", "No such receipt.";
    TomlInvalid = "toml.invalid", "A TOML file cannot be read.";
    YamlInvalid = "yaml.invalid", "A YAML file cannot be read.";
    YamlLimits = "yaml.limits", "A YAML file passes a limit.";
    YamlTag = "yaml.tag", "A YAML file carries a tag.";
    JsonInvalid = "json.invalid", "A JSON file cannot be read.";
    ResolveBudget = "resolve.budget", "The search was stopped at its limit before it could decide.";
    ResolveDeadline = "resolve.deadline", "Time ran out before a decision.";
    UsageInvalid = "usage.invalid", "The command line is not one that is understood.";
    Internal = "internal", "A bug in hermes-pm.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format_args!("unknown code `{text}`")))
    }
}

impl JsonSchema for Code {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all: Vec<&str> = Self::ALL.iter().map(|code| code.as_str()).collect();
        schemars::json_schema!({ "type": "string", "enum": all })
    }
}
