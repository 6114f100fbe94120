//! What people see of receipts.

use serde_json::json;

use super::*;

fn shown(value: &Value, width: usize) -> String {
    receipt(value, Look { color: false, width })
}

fn refused() -> Value {
    json!({
        "schema": "hermes-pm/receipt/1", "sequence": 12, "id": format!("sha256:{}", "ab".repeat(32)),
        "operation": "plan", "outcome": "refused", "finished_at": "2026-12-01T00:00:00Z",
        "target": {"python": "3.11.7", "platform": "x86_64-manylinux_2_36"},
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
                    {"because": [{"text": "it does", "step": 1}, "hermes-memori requires protobuf<6"],
                     "therefore": "hermes-memori and agento11y-hermes cannot both be members"}],
                "conflict": ["agento11y-hermes", "hermes-memori"],
                "removals": [["agento11y-hermes"], ["a", "b"]],
                "remedies": [{"kind": "upgrade", "plugin": "hermes-memori", "to": "1.2"},
                             {"kind": "retry", "command": "hermes-pm plan hermes-memori"}]
            }
        },
        "warnings": [{"code": "plugin.absent", "message": "`x` has no folder"}]
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

    warning[plugin.absent] `x` has no folder

    receipt 12 (abababab), plan, Python 3.11.7 on x86_64-manylinux_2_36, 2026-12-01T00:00:00Z
    ");
}

#[test]
fn an_admission_tells_what_changes() {
    let value = json!({
        "operation": "plan", "outcome": "done", "restart_required": true,
        "decision": {
            "verdict": "admitted",
            "resolution": [{"name": "a", "version": "1"}, {"name": "b", "version": "2"}],
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

    plan
    ");
}

/// Every verdict has its line, and an unknown one is shown as it is.
#[test]
fn verdicts_and_outcomes() {
    let table = [
        (
            json!({"outcome": "done", "decision": {"verdict": "no-surface"}}),
            "no-surface: nothing is declared, so there is nothing to admit\n",
        ),
        (json!({"outcome": "failed"}), "failed\n"),
        (
            json!({"outcome": "done", "operation": "collect"}),
            "done\n\ncollect\n",
        ),
        (
            json!({"decision": {"verdict": "later", "refusal": {"code": "new.code", "summary": "s", "plugin": "p"}}}),
            "later: p: s [new.code]\n",
        ),
        (
            json!({"decision": 3}),
            "this receipt cannot be shown: invalid type: integer `3`, expected struct Decision\n",
        ),
    ];
    for (value, expected) in table {
        assert_eq!(shown(&value, 100), expected, "{value}");
    }
}

/// I01: what a plugin wrote cannot play tricks on a terminal, and long lists are cut and counted.
#[test]
fn i01_words_of_others_are_cleaned() {
    let mut value = refused();
    value["decision"]["refusal"]["summary"] = "\u{1b}[2J\u{202e}x\ny".into();
    value["decision"]["refusal"]["conflict"] = json!(["a\u{9b}31m"]);
    value["operation"] = "\u{7}".into();
    value["decision"]["changes"] = json!({ "added": vec![json!({"name": "n\r"}); 50] });
    let text = shown(&value, 100);
    assert!(
        !text
            .chars()
            .any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
        "{text}"
    );
    assert!(text.contains("and 10 more (--json has all)"));
    let colored = receipt(
        &refused(),
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
