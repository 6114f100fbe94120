//! A target stated by hand, with no interpreter at all.

use hermes_pep::{Platform, Target};

use super::TargetFault;

/// A target from `--python-version` and `--platform`.
pub fn stated(python: &str, platform: &str) -> Result<Target, TargetFault> {
    let unsupported = |reason: String| TargetFault::Unsupported {
        what: format!("Python {python} on {platform}")
            .escape_debug()
            .to_string(),
        reason,
    };
    let platform = Platform::parse(platform).map_err(|error| unsupported(error.to_string()))?;
    Target::stated(python, &platform).map_err(|error| unsupported(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_stated_or_refused() {
        let target = stated("3.12", "x86_64-manylinux_2_28").unwrap();
        assert_eq!(
            (target.python().to_string().as_str(), target.platform()),
            ("3.12.0", "x86_64-manylinux_2_28")
        );
        for (python, platform) in [
            ("3", "x86_64-linux"),
            ("x", "x86_64-linux"),
            ("3.12", "pdp11-unix"),
            ("3.12", ""),
        ] {
            assert!(stated(python, platform).is_err(), "{python} {platform}");
        }
    }
}
