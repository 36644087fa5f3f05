//! JSON written by hand: one object per position, a million times a second.

use std::fmt::Write;

/// Appends a string with quotes and escapes.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    // Most texts have nothing to escape and are copied whole. Looking at every byte, without an early end, is
    // what the compiler turns into vector code.
    let needs_escape = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    if !text.bytes().fold(false, |any, byte| any | needs_escape(byte)) {
        out.push_str(text);
    } else {
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\u{0}'..='\u{1f}' => write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string"),
                _ => out.push(c),
            }
        }
    }
    out.push('"');
}
