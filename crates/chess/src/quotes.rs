//! Text in quotation marks, as PGN and EPD write it: a backslash before each `"` and `\` inside.

use std::fmt::{self, Write};

/// Writes a text in quotation marks.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        if c == '"' || c == '\\' {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

/// Splits a text that begins with a quotation mark: returns the quoted text and the rest after the closing mark.
/// Returns `None` if the opening mark is missing, or if the closing mark is not on the same line.
pub(crate) fn split(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut letters = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '"' => return Some((inside, &text[at + 2..])),
            '\n' => return None,
            // A backslash before any other character is kept: some programs write Windows paths like this.
            '\\' => match letters.clone().next() {
                Some((_, escaped @ ('"' | '\\'))) => {
                    letters.next();
                    inside.push(escaped);
                }
                _ => inside.push(c),
            },
            _ => inside.push(c),
        }
    }
    None
}
