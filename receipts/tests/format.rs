//! The format of receipts: schema, canonical form, old fixtures and new data, names made to deceive.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod support;

use hermes_receipts::{
    AnyCode, Decision, Draft, HomeRecord, Operation, REFUSAL_LIMIT, Receipt, Secrets, canonical, json, schema,
};
use hermes_terms::{Code, Outcome};
use serde_json::Value;

use support::{draft, refused};

fn detached(draft: Draft) -> Receipt {
    draft.detached(&Secrets::default()).unwrap()
}

fn value(receipt: &Receipt) -> Value {
    json::parse(receipt.to_json().unwrap().as_bytes()).unwrap()
}

/// A receipt written by the first version of this format. It is never changed: its id, computed then,
/// must come out now.
const FIXTURE: &str = include_str!("fixtures/receipt-1.json");

#[test]
fn the_old_fixture_is_read() {
    let stored = json::parse(FIXTURE.as_bytes()).unwrap();
    let receipt: Receipt = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(receipt.computed_id().unwrap(), receipt.id);
    assert_eq!(canonical::id_of(&stored).unwrap(), receipt.id);
    assert_eq!(receipt.to_json().unwrap(), FIXTURE);
    assert_eq!(receipt, detached(refused()));
}

/// I04: an old reader meets new data: further fields, codes, operations, kinds.
#[test]
fn new_data_is_read_by_this_reader() {
    let text = FIXTURE
        .replace(
            r#""tool": {"#,
            r#""later": {"deep": [null]}, "tool": {"also": 1,"#,
        )
        .replace(r#""union.conflict""#, r#""union.newer""#)
        .replace(r#""operation": "plan""#, r#""operation": "dance""#);
    let receipt: Receipt = serde_json::from_value(json::parse(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(receipt.operation, Operation::Other("dance".into()));
    let code = receipt.decision.unwrap().refusal.unwrap().code;
    assert_eq!(code, AnyCode::Other("union.newer".into()));
    assert!(code != Code::UnionConflict);
}

#[test]
fn the_schema_takes_receipts_and_nothing_else() {
    let schema = schema::receipt();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let sample = value(&detached(refused()));
    let faults: Vec<String> = validator
        .iter_errors(&sample)
        .map(|error| error.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    assert!(validator.is_valid(&value(&detached(draft(Operation::Collect)))));
    assert!(validator.is_valid(&value(&detached(draft(Operation::Other("dance".into()))))));

    let ways: &[fn(&mut Value)] = &[
        |v| v["schema"] = "hermes-pm/receipt/2".into(),
        |v| v["sequence"] = "1".into(),
        |v| v["sequence"] = (-1).into(),
        |v| v["outcome"] = "perhaps".into(),
        |v| v["started_at"] = "yesterday".into(),
        |v| v["id"] = Value::Null,
        |v| v["decision"]["verdict"] = "admitted-ish".into(),
        |v| v["decision"]["refusal"]["code"] = "Union Conflict".into(),
        |v| v["decision"]["refusal"]["proof"][0]["because"] = "x".into(),
        |v| v["warnings"] = Value::Null,
    ];
    for (at, break_it) in ways.iter().enumerate() {
        let mut broken = sample.clone();
        break_it(&mut broken);
        assert!(!validator.is_valid(&broken), "way {at}");
        if !matches!(at, 0 | 7) {
            assert!(serde_json::from_value::<Receipt>(broken).is_err(), "way {at}");
        }
    }
}

/// C10, I07: the same draft gives the same bytes; times and places do not reach the decision.
#[test]
fn the_decision_is_a_function_of_its_inputs() {
    let first = detached(refused());
    assert_eq!(first.to_json().unwrap(), detached(refused()).to_json().unwrap());
    let elsewhere = Draft {
        home: Some(HomeRecord::new("/other".as_ref(), Some("work"), "override")),
        timings_ms: std::iter::once(("resolve".into(), 99)).collect(),
        ..refused()
    };
    let second = detached(elsewhere);
    assert_ne!(first.id, second.id);
    let bytes =
        |decision: Option<Decision>| canonical::bytes(&serde_json::to_value(decision).unwrap()).unwrap();
    assert_eq!(bytes(first.decision), bytes(second.decision));
}

#[test]
fn inputs_are_sealed_by_everything_else_in_them() {
    let seal = |mut inputs: hermes_receipts::Inputs| {
        inputs.seal().unwrap();
        inputs.digest.unwrap()
    };
    let plain = seal(support::inputs());
    let again = seal(hermes_receipts::Inputs {
        digest: Some(plain.clone()),
        ..support::inputs()
    });
    assert_eq!(plain, again);
    let mut moved = support::inputs();
    moved.members[0].requirements.push("b".into());
    assert_ne!(plain, seal(moved));
    assert_eq!(detached(refused()).decision.unwrap().inputs.digest, Some(plain));
}

/// I01, I02: names made to look like JSON, commands to a terminal, or line ends.
#[test]
fn hostile_names_stay_inside_their_strings() {
    for name in [
        "\",\"status\":\"admitted\",\"x\":\"",
        "a\nb\r\n\u{2028}\u{2029}",
        "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}]8;;http://evil\u{7}\u{9b}31m\u{7f}",
        "\u{202e}\u{2066}\u{200d}\u{feff}\u{e0041}",
        "<script>alert(1)</script> [x](javascript:x)",
        "\\u001b\\",
        "\0",
    ] {
        let mut draft = refused();
        let decision = draft.decision.as_mut().unwrap();
        decision.inputs.members[0].plugin = name.into();
        decision.refusal.as_mut().unwrap().plugin = Some(name.into());
        draft.timings_ms.insert(name.into(), 1);
        let receipt = detached(draft);
        let text = receipt.to_json().unwrap();
        let raw = text
            .chars()
            .find(|c| *c != '\n' && hermes_receipts::redact::is_hostile(*c));
        assert_eq!(raw, None, "{name:?}");
        let back: Receipt = serde_json::from_value(json::parse(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(back, receipt, "{name:?}");
        assert_eq!(back.decision.unwrap().inputs.members[0].plugin, name);
        assert_eq!(json::to_line(&receipt).unwrap().lines().count(), 1);
    }
}

/// I02: a path that is no text.
#[test]
fn odd_paths_are_kept_as_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"/h\xff");
    let home = HomeRecord::new(odd.as_ref(), None, "env");
    assert_eq!(home.root, "/h\u{fffd}");
    assert_eq!(home.root_bytes.as_deref(), Some("2f68ff"));
}

/// C35: secrets do not reach a receipt, whatever field they are in, and its digests are those of what
/// it says.
#[test]
fn secrets_reach_no_receipt() {
    let secrets = Secrets::new(["hunter22/=+", "plan"]);
    let mut draft = refused();
    draft.warnings[0].message = "GET https://u:hunter22%2F%3D%2B@index.example/ failed".into();
    let decision = draft.decision.as_mut().unwrap();
    decision.inputs.indexes[0].url = "https://token@index.example/simple/?sig=abc".into();
    decision.refusal.as_mut().unwrap().summary = "password hunter22/=+ is wrong".into();
    let receipt = draft.detached(&secrets).unwrap();
    let text = receipt.to_json().unwrap();
    for leak in ["hunter22", "token", "abc"] {
        assert!(!text.contains(&format!("{leak}/")) && !text.contains(&format!("{leak}@")));
        assert!(!text.contains(&format!("{leak}\"")), "{text}");
    }
    // A word of ours that happens to be a secret does not make the receipt unreadable.
    assert_eq!(receipt.operation, Operation::Plan);
    assert_eq!(receipt.outcome, Outcome::Refused);
    let inputs = receipt.decision.as_ref().unwrap().inputs.clone();
    assert_eq!(inputs.indexes[0].url, "https://***@index.example/simple/?sig=***");
    let mut sealed = inputs.clone();
    sealed.seal().unwrap();
    assert_eq!(sealed, inputs);
    assert_eq!(receipt.computed_id().unwrap(), receipt.id);
}

/// D11: a refusal of any size makes a receipt of a bounded one; absurd numbers make one at all.
#[test]
fn refusals_are_capped_and_numbers_exact() {
    let mut draft = refused();
    let decision = draft.decision.as_mut().unwrap();
    decision.refusal.as_mut().unwrap().conflict = vec!["p".repeat(50); 5000];
    decision.resolution[0].size = Some(u64::MAX);
    decision.inputs.policy.max_steps = Some(u64::MAX);
    draft.timings_ms.insert("all".into(), u64::MAX);
    let receipt = detached(draft);
    let decision = receipt.decision.unwrap();
    let refusal = decision.refusal.unwrap();
    assert!(json::to_line(&refusal).unwrap().len() <= REFUSAL_LIMIT);
    assert_eq!(refusal.cut as usize + refusal.conflict.len(), 5000);
    assert_eq!(decision.resolution[0].size, None);
}
