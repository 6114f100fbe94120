//! Receipts to test with.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;

use hermes_receipts::{
    ChangeRecord, ChangesRecord, CoreRecord, Decision, Draft, FaultRecord, HomeRecord, IndexRecord, Inputs,
    MemberRecord, Moment, Operation, PolicyRecord, Premise, ProofStep, Receipt, Refusal, Remedy,
    ResolvedRecord, TargetRecord, ToolRecord, WarningRecord,
};
use hermes_terms::{Code, Digest, Outcome, Verdict};

pub(crate) fn moment() -> Moment {
    Moment::parse("2026-12-01T03:06:37.042Z").unwrap()
}

pub(crate) fn draft(operation: Operation) -> Draft {
    let tool = ToolRecord {
        name: "hermes-pm".into(),
        version: "0.1.0".into(),
    };
    Receipt::draft(operation, tool, moment())
}

pub(crate) fn target() -> TargetRecord {
    TargetRecord {
        python: "3.11.7".into(),
        implementation: "cpython".into(),
        platform: "x86_64-manylinux_2_36".into(),
        markers: BTreeMap::from([("sys_platform".into(), "linux".into())]),
    }
}

pub(crate) fn inputs() -> Inputs {
    Inputs {
        core: CoreRecord {
            name: "hermes-agent".into(),
            version: "0.19.0".into(),
            source: "hermes-agent==0.19.0".into(),
            requires_python: Some(">=3.11,<3.14".into()),
            extras: Vec::new(),
            requirements: vec!["a==1".into()],
            sha256: Digest::of(b"core"),
        },
        members: vec![MemberRecord {
            plugin: "p".into(),
            home: String::new(),
            origin: "pyproject".into(),
            requires_python: None,
            requirements: vec!["a>=2".into()],
            sha256: Digest::of(b"p"),
        }],
        candidate: Some("p".into()),
        policy: PolicyRecord {
            pins: "declared".into(),
            prereleases: false,
            build: false,
            allow_undated: false,
            quarantine_exempt: Vec::new(),
            max_steps: None,
        },
        preferences: Digest::of(b""),
        indexes: vec![IndexRecord {
            url: "https://index.example/simple/".into(),
        }],
        target: target(),
        index_facts: Digest::of(b"facts"),
        exclude_newer: Some("2026-11-01T00:00:00Z".into()),
        digest: None,
    }
}

pub(crate) fn refusal() -> Refusal {
    let premise = |text: &str, line| Premise {
        text: text.into(),
        kind: "requires".into(),
        root: Some("p".into()),
        file: Some("pyproject.toml".into()),
        line: Some(line),
        package: Some("a".into()),
        range: Some(">=2".into()),
        step: None,
    };
    Refusal {
        plugin: Some("p".into()),
        faults: vec![FaultRecord {
            code: Code::DeclarationMismatch.into(),
            message: "two lists".into(),
            plugin: Some("p".into()),
            file: Some("plugin.yaml".into()),
            line: Some(3),
            column: Some(1),
        }],
        proof: vec![ProofStep {
            number: 1,
            because: vec![premise("core requires a==1", 3), premise("p requires a>=2", 4)],
            therefore: "core and p cannot go together".into(),
        }],
        conflict: vec!["p".into()],
        removals: vec![vec!["q".into()]],
        remedies: vec![Remedy {
            kind: "retry".into(),
            command: Some("hermes-pm plan p".into()),
            ..Remedy::default()
        }],
        ..Refusal::new(
            Code::UnionConflict,
            "the requirements of core and p cannot hold together",
        )
    }
}

pub(crate) fn refused() -> Draft {
    let changes = ChangesRecord {
        added: vec![ChangeRecord {
            name: "a".into(),
            to: Some("1".into()),
            requested_by: vec!["core".into()],
            ..ChangeRecord::default()
        }],
        ..ChangesRecord::default()
    };
    let resolved = ResolvedRecord {
        name: "a".into(),
        version: "1".into(),
        filename: "a-1-py3-none-any.whl".into(),
        url: "https://index.example/a-1-py3-none-any.whl".into(),
        sha256: Some(Digest::of(b"a")),
        size: Some(1),
        requested_by: vec!["core".into()],
    };
    Draft {
        outcome: Outcome::Refused,
        home: Some(HomeRecord::new("/home/u/.hermes".as_ref(), None, "env")),
        target: Some(target()),
        decision: Some(Decision {
            inputs: inputs(),
            verdict: Verdict::Unsatisfiable,
            refusal: Some(refusal()),
            resolution: vec![resolved],
            changes,
        }),
        warnings: vec![WarningRecord {
            code: Code::PluginAbsent.into(),
            message: "`x` has no folder".into(),
            plugin: Some("x".into()),
            file: Some("config.yaml".into()),
            line: Some(2),
        }],
        timings_ms: BTreeMap::from([("resolve".into(), 12)]),
        ..draft(Operation::Plan)
    }
}
