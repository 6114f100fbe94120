//! Which exit code a failure has.

use hermes_terms::{Code, Exit, Verdict};

/// The exit code of a verdict.
pub const fn of_verdict(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Admitted | Verdict::NoSurface => Exit::Done,
        Verdict::Unsatisfiable | Verdict::Invalid | Verdict::Blocked => Exit::Refused,
        Verdict::Undecided => Exit::Undecided,
    }
}

/// The exit code of a failure that comes before any verdict.
pub fn of_code(code: Code) -> Exit {
    match code {
        Code::Internal => Exit::Bug,
        Code::LockBusy => Exit::Busy,
        Code::UsageInvalid | Code::CoreNotFound | Code::HomeInvalid | Code::TargetUnsupported => Exit::Usage,
        Code::HomeUnreadable | Code::TargetNotFound | Code::TargetInvalid => Exit::Machine,
        other => of_family(other.as_str().split('.').next().unwrap_or_default()),
    }
}

fn of_family(family: &str) -> Exit {
    match family {
        "index" | "net" | "resolve" => Exit::Undecided,
        "disk" => Exit::Machine,
        _ => Exit::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_have_the_documented_exit_codes() {
        let table = [
            (Code::ConfigInvalid, 1),
            (Code::DeclarationInvalid, 1),
            (Code::ReceiptChain, 1),
            (Code::UsageInvalid, 2),
            (Code::CoreNotFound, 2),
            (Code::IndexUnavailable, 3),
            (Code::IndexNotConfigured, 3),
            (Code::NetTimeout, 3),
            (Code::ResolveDeadline, 3),
            (Code::DiskFull, 4),
            (Code::TargetUnsupported, 2),
            (Code::TargetNotFound, 4),
            (Code::LockBusy, 5),
            (Code::Internal, 70),
        ];
        for (code, exit) in table {
            assert_eq!(of_code(code).code(), exit, "{code}");
        }
    }
}
