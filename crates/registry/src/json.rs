//! JSON written by hand, for speed: one object per position, a million times a second.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Appends a string with quotes and escapes.
pub fn push_string(out: &mut Vec<u8>, text: &str) {
    // Most texts have nothing to escape and are copied whole. The fold looks at every byte, without an early exit, so
    // that the compiler can vectorize it.
    let may_need_escape = |byte: u8| !(b' '..0x7f).contains(&byte) | (byte == b'"') | (byte == b'\\');
    if !text.bytes().fold(false, |any, byte| any | may_need_escape(byte)) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(json_text(&text).as_bytes());
    }
}

/// Returns a value as JSON for a pipe or a terminal. Where serde_json leaves invisible characters as they are, such as the
/// control characters U+007F to U+009F, they are escaped.
///
/// # Panics
/// Panics if the value has no JSON form.
pub fn json_text(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    push(&mut text, value);
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// Appends a value.
///
/// # Panics
/// Panics if the value has no JSON form.
pub(crate) fn push(out: &mut Vec<u8>, value: &impl Serialize) {
    let mut serializer = Serializer::with_formatter(out, Visible);
    value.serialize(&mut serializer).expect("texts and numbers have a JSON form");
}

/// Writes compact JSON with all invisible characters escaped.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Most texts are ASCII, and serde_json has already escaped the control characters before the space.
        if fragment.bytes().all(|byte| byte < 0x7f) {
            return out.write_all(fragment.as_bytes());
        }
        let (mut written, mut follows_visible) = (0, false);
        for (at, c) in fragment.char_indices() {
            follows_visible = game::is_visible(c, follows_visible);
            if !follows_visible {
                out.write_all(&fragment.as_bytes()[written..at])?;
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
                written = at + c.len_utf8();
            }
        }
        out.write_all(&fragment.as_bytes()[written..])
    }
}

/// Appends the members of `object` to a JSON object that is still open and already has members.
///
/// # Panics
/// Panics if the value is not an object with members.
pub(crate) fn push_members(out: &mut Vec<u8>, object: &impl Serialize) {
    let start = out.len();
    push(out, object);
    assert_eq!((out[start], out.pop()), (b'{', Some(b'}')), "an object");
    out[start] = b',';
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped_and_come_back() {
        for (text, expected) in [
            ("boar:a1a2", r#""boar:a1a2""#),
            ("\"\\\n\u{1b}[2J", r#""\"\\\n\u001b[2J""#),
            ("u\u{308} か\u{3099}", "\"u\u{308} か\u{3099}\""),
            ("\u{308}\n\u{308}", r#""\u0308\n\u0308""#),
            (
                "\u{7f} \u{9b}31m \u{202e} \u{e0001} Näf 歩",
                r#""\u007f \u009b31m \u202e \udb40\udc01 Näf 歩""#,
            ),
        ] {
            let mut pushed = Vec::new();
            push_string(&mut pushed, text);
            assert_eq!(String::from_utf8(pushed).expect("UTF-8"), expected);
            assert_eq!(json_text(&text), expected);
            let mut members = b"{\"a\":1".to_vec();
            push_members(&mut members, &serde_json::json!({"b": text}));
            assert_eq!(String::from_utf8(members).expect("UTF-8"), format!("{{\"a\":1,\"b\":{expected}"));
            assert_eq!(serde_json::from_str::<String>(expected).expect("JSON"), text);
        }
    }
}
