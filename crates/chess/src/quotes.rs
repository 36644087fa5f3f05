//! Text in quotation marks, as PGN and EPD write it: a backslash before each `"` and `\` inside.

use std::fmt::{self, Write};

/// Writes a text with its marks.
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

/// The text that begins with a mark here, and what follows its other mark; nothing if it has none in this line.
pub(crate) fn split(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut letters = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '"' => return Some((inside, &text[at + 2..])),
            '\n' => return None,
            // A backslash before anything else is one: some programs write the folders of Windows so.
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
