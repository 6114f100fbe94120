//! What people see of receipts.

use serde_json::{Value, json};

use super::*;

/// A receipt with these fields over the ones that every receipt has.
fn made(fields: &Value) -> Receipt {
    let digest = format!("sha256:{}", "ab".repeat(32));
    let target =
        json!({"python": "3.11.7", "implementation": "cpython", "platform": "x86_64-manylinux_2_36"});
    let mut whole = json!({
        "schema": "hermes-pm/receipt/1", "sequence": 12, "id": digest, "operation": "plan", "outcome": "refused",
        "started_at": "2026-12-01T00:00:00.000Z", "finished_at": "2026-12-01T00:00:01.000Z",
        "tool": {"name": "hermes-pm", "version": "0.1.0"}, "target": target,
    });
    for (key, value) in fields.as_object().unwrap() {
        whole[key] = value.clone();
    }
    if let Some(decision) = whole.get_mut("decision") {
        decision["inputs"] = json!({
            "core": {"name": "hermes-agent", "version": "0.19.0", "source": "index", "extras": [],
                     "requirements": [], "sha256": digest},
            "members": [], "policy": {"pins": "declared"}, "preferences": digest, "indexes": [],
            "target": target, "index_facts": digest,
        });
    }
    serde_json::from_value(whole).unwrap()
}

fn shown(fields: &Value, width: usize) -> String {
    receipt(&made(fields), Look { color: false, width })
}

fn refused() -> Value {
    json!({
        "decision": {
            "verdict": "unsatisfiable",
            "refusal": {
                "code": "union.conflict", "plugin": "hermes-memori",
                "summary": "hermes-memori and agento11y-hermes cannot share one protobuf",
                "proof": [
                    {"number": 1, "because": [
                        {"kind": "requires", "text": "agento11y-hermes requires protobuf>=6", "file": "plugin.yaml", "line": 4},
                        {"kind": "no-version", "text": "no version of opentelemetry-proto allows less"}],
                     "therefore": "agento11y-hermes needs protobuf>=6"},
                    {"number": 2, "because": [
                        {"kind": "step", "text": "it does", "step": 1},
                        {"kind": "requires", "text": "hermes-memori requires protobuf<6"}],
                     "therefore": "hermes-memori and agento11y-hermes cannot both be members"}],
                "conflict": ["agento11y-hermes", "hermes-memori"],
                "removals": [["agento11y-hermes"], ["a", "b"]],
                "remedies": [{"kind": "upgrade", "plugin": "hermes-memori", "to": "1.2"},
                             {"kind": "retry", "command": "hermes-pm plan hermes-memori"}]
            }
        },
        "warnings": [{"code": "plugin.absent", "message": "`x` has no folder", "file": "config.yaml", "line": 3}]
    })
}

#[test]
fn a_refusal_tells_why_who_and_what_to_do() {
    insta::assert_snapshot!(shown(&refused(), 60), @r"
    unsatisfiable: hermes-memori and agento11y-hermes cannot
                   share one protobuf [union.conflict]

    Why
      1. because agento11y-hermes requires protobuf>=6
                 (plugin.yaml:4)
         and no version of opentelemetry-proto allows less
         therefore agento11y-hermes needs protobuf>=6
      2. because it does (step 1)
         and hermes-memori requires protobuf<6
         therefore hermes-memori and agento11y-hermes cannot
                   both be members

    Who takes part
      - agento11y-hermes, hermes-memori

    It would fit without
      - agento11y-hermes
      - a and b

    What to do
      - upgrade hermes-memori to 1.2
      - retry: hermes-pm plan hermes-memori

    warning[plugin.absent] `x` has no folder (config.yaml:3)

    receipt 12 (abababab), plan, Python 3.11.7 on x86_64-manylinux_2_36, 2026-12-01T00:00:01.000Z
    ");
}

#[test]
fn an_invalid_declaration_tells_every_fault() {
    let value = json!({"sequence": 0, "decision": {"verdict": "invalid", "refusal": {
        "code": "declaration.invalid", "plugin": "p", "summary": "its declaration cannot be read", "cut": 3,
        "faults": [
            {"code": "declaration.invalid", "plugin": "p", "file": "pyproject.toml", "line": 3, "column": 9, "message": "not a requirement"},
            {"code": "plugin.unreadable", "message": "the folder cannot be read"}]
    }}});
    insta::assert_snapshot!(shown(&value, 100), @r"
    invalid: p: its declaration cannot be read [declaration.invalid]

    What is wrong
      - p: pyproject.toml:3:9: not a requirement [declaration.invalid]
      - the folder cannot be read [plugin.unreadable]
      … 3 more parts were left out of this receipt

    plan, Python 3.11.7 on x86_64-manylinux_2_36, 2026-12-01T00:00:01.000Z
    ");
}

#[test]
fn an_admission_tells_what_changes() {
    let package = |name: &str| json!({"name": name, "version": "1", "filename": "f.whl", "url": "https://i.example/f.whl"});
    let value = json!({
        "outcome": "done", "restart_required": true,
        "decision": {
            "verdict": "admitted",
            "resolution": [package("a"), package("b")],
            "changes": {
                "added": [{"name": "a", "to": "1", "requested_by": ["p", "q"]}],
                "removed": [{"name": "c", "from": "0.9"}],
                "changed": [{"name": "b", "from": "3", "to": "2"}],
                "core_drift": [{"name": "b", "from": "3", "to": "2", "requested_by": ["p"]}],
                "collateral_downgrades": []
            }
        }
    });
    insta::assert_snapshot!(shown(&value, 80), @r"
    admitted: 2 packages (1 added, 1 changed, 1 removed)

    What would change
      + a 1 (for p, q)
      - c 0.9
      ~ b 3 -> 2

    Moved away from core's lock
      ! b 3 -> 2 (for p)

    A running Hermes must restart to use this.

    receipt 12 (abababab), plan, Python 3.11.7 on x86_64-manylinux_2_36, 2026-12-01T00:00:01.000Z
    ");
}

/// Every verdict and outcome has its first line; codes and operations of newer programs are shown.
#[test]
fn verdicts_and_outcomes() {
    let refusal = |code: &str| json!({"code": code, "summary": "s", "plugin": "p"});
    let table = [
        (
            json!({"decision": {"verdict": "no-surface"}}),
            "no-surface: it declares nothing for Hermes' environment, so there is nothing to admit",
        ),
        (
            json!({"decision": {"verdict": "blocked", "refusal": refusal("new.code")}}),
            "blocked: p: s [new.code]",
        ),
        (
            json!({"decision": {"verdict": "undecided", "refusal": refusal("net.timeout")}}),
            "undecided: p: s [net.timeout]",
        ),
        (json!({"outcome": "failed"}), "failed"),
        (json!({"outcome": "done", "operation": "fly"}), "done"),
        (json!({"outcome": "interrupted"}), "interrupted"),
    ];
    for (fields, expected) in table {
        assert_eq!(shown(&fields, 100).lines().next(), Some(expected), "{fields}");
    }
}

/// I01: what a plugin wrote cannot play tricks on a terminal, and long lists are cut and counted.
#[test]
fn i01_words_of_others_are_cleaned() {
    let mut fields = refused();
    fields["decision"]["refusal"]["summary"] = "\u{1b}[2J\u{202e}x\ny".into();
    fields["decision"]["refusal"]["conflict"] = json!(["a\u{9b}31m"]);
    fields["operation"] = "\u{7}".into();
    fields["decision"]["changes"] = json!({ "added": vec![json!({"name": "n\r"}); 50] });
    let text = shown(&fields, 100);
    assert!(
        !text
            .chars()
            .any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
        "{text}"
    );
    assert!(text.contains("and 10 more (--json has all)"));
    let colored = receipt(
        &made(&refused()),
        Look {
            color: true,
            width: 100,
        },
    );
    assert!(
        colored.starts_with("\u{1b}[1m\u{1b}[31munsatisfiable\u{1b}[0m: "),
        "{colored:?}"
    );
}
