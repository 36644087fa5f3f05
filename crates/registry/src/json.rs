//! JSON written by hand, for speed: one object per position, a million times a second.

use serde::Serialize;
use std::io::Write;

/// Appends a string with quotes and escapes.
pub fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    // Most texts have nothing to escape and are copied whole. The fold looks at every byte, without an early exit, so
    // that the compiler can vectorize it.
    let needs_escape = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    if !text.bytes().fold(false, |any, byte| any | needs_escape(byte)) {
        out.extend_from_slice(text.as_bytes());
    } else {
        for byte in text.bytes() {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                0..b' ' => write!(out, "\\u{byte:04x}").expect("writing to memory"),
                _ => out.push(byte),
            }
        }
    }
    out.push(b'"');
}

/// Appends the members of `object` to a JSON object that is still open and already has members.
///
/// # Panics
/// Panics if the value is not an object with members.
pub(crate) fn push_members(out: &mut Vec<u8>, object: &impl Serialize) {
    let start = out.len();
    serde_json::to_writer(&mut *out, object).expect("texts and numbers have a JSON form");
    assert_eq!((out[start], out.pop()), (b'{', Some(b'}')), "an object");
    out[start] = b',';
}
