//! What is a secret in a text, and what is not; what reaches a terminal.

use hermes_receipts::Secrets;
use hermes_receipts::redact::{for_terminal, is_hostile, text};

/// C35, E03: credentials in addresses.
#[test]
fn e03_addresses_lose_their_credentials() {
    let cases = [
        ("https://u:SECRET@h/p", "https://***@h/p"),
        ("https://SECRET@h", "https://***@h"),
        ("https://u:SEC@RET@h/p", "https://***@h/p"),
        ("https://u:SEC/RET@h/p", "https://***@h/p"),
        ("https://u:SEC?RET#@h/p", "https://***@h/p"),
        ("(see https://u:SECRET@h/p)", "(see https://***@h/p)"),
        (
            "a https://u:SECRET@h b http://u:SECRET@i",
            "a https://***@h b http://***@i",
        ),
        ("HTTPS://u:SECRET@h", "HTTPS://***@h"),
        (
            "x @ git+https://SECRET@h/r.git@abc",
            "x @ git+https://***@h/r.git@abc",
        ),
        ("ssh://u:SECRET@h/r", "ssh://***@h/r"),
        (
            "https://h/p?token=SECRET&v=1#sha256=ab",
            "https://h/p?token=***&v=1#sha256=ab",
        ),
        (
            "https://h/?X-Amz-Signature=SECRET",
            "https://h/?X-Amz-Signature=***",
        ),
        ("https://h/?a=1;api_key=SECRET", "https://h/?a=1;api_key=***"),
        ("https://h/#access_token=SECRET", "https://h/#access_token=***"),
        (
            "https://h/?sig=SECRET&X-Key=SECRET",
            "https://h/?sig=***&X-Key=***",
        ),
    ];
    for (from, to) in cases {
        assert_eq!(text(from, &Secrets::default()), to);
        assert_eq!(text(to, &Secrets::default()), to, "masking twice");
    }
}

#[test]
fn ordinary_text_is_left_alone() {
    for same in [
        "",
        "://",
        "https://",
        "https://h:8080/@scope/pkg?name=x&keyword=y#egg=z",
        "https://[::1]:80/a@b",
        "https://h/a@b:c",
        "ssh://git@h/r.git",
        "mail a@b.example, requires x>=1",
        "a: b://c d@e",
        "https://h/?monkey=1&passage=2",
    ] {
        assert_eq!(text(same, &Secrets::default()), same);
    }
}

/// E03: a known secret in plain, percent and base64 form, also inside of a longer encoded text.
#[test]
fn e03_known_secrets_in_every_form() {
    let secret = "pa ss/w=rd+42";
    let secrets = Secrets::new([secret, "abc", ""]);
    for leak in [
        "pa ss/w=rd+42",
        "pa%20ss%2Fw%3Drd%2B42",
        "pa%20ss%2fw%3drd%2b42",
        "pa+ss%2Fw%3Drd%2B42",
        // base64 of the secret itself, and after one, two and three bytes of a user's name.
        "cGEgc3Mvdz1yZCs0Mg==",
        "dTpwYSBzcy93PXJkKzQy",
        "dTE6cGEgc3Mvdz1yZCs0Mg==",
        "YTpwYSBzcy93PXJkKzQyOng=",
    ] {
        let shown = text(&format!("<{leak}>"), &secrets);
        assert!(shown.contains("***"), "{leak}: {shown}");
        for part in ["pa ss", "pa%20", "rd%2", "c3Mvdz1", "Bzcy93PX"] {
            assert!(!shown.contains(part), "{leak}: {shown}");
        }
    }
    assert_eq!(text("abc", &secrets), "abc", "too short to be looked for");
    assert!(!format!("{secrets:?}").contains("pa ss"));
}

/// I01: nothing that plays tricks on a terminal goes through.
#[test]
fn i01_terminals_are_safe() {
    let cases = [
        ("plain é 漢", "plain é 漢"),
        ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
        ("a\r\nb\tc", "a\\u{d}\\u{a}b\\u{9}c"),
        ("\u{9b}2J\u{7f}", "\\u{9b}2J\\u{7f}"),
        ("\u{202e}\u{2066}\u{200d}", "\\u{202e}\\u{2066}\\u{200d}"),
        ("\u{2028}\u{feff}\u{e0041}", "\\u{2028}\\u{feff}\\u{e0041}"),
    ];
    for (from, to) in cases {
        assert_eq!(for_terminal(from), to);
    }
    let heap = format!("a{}b", "\u{301}".repeat(10_000));
    assert!(for_terminal(&heap).len() < 20);
    let every: String = ('\0'..=char::MAX).collect();
    assert!(!for_terminal(&every).chars().any(is_hostile));
}
