//! Shows foreign text in messages.

use std::path::Path;

/// Returns a text with its invisible characters escaped. The text may come from anywhere, so it must not send control
/// sequences to a terminal, or change the direction of what is written around it.
///
/// ```
/// use endspiel_game::visible;
///
/// assert_eq!(visible("red \u{1b}[31m, \u{9b}31m, back \u{202e}"), r"red \u{1b}[31m, \u{9b}31m, back \u{202e}");
/// assert_eq!(visible(r#"C:\tables "Näf""#), r#"C:\tables "Näf""#);
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // These are visible characters, but `escape_debug` would escape them.
            '"' | '\'' | '\\' => out.push(c),
            _ => out.extend(c.escape_debug()),
        }
    }
    out
}

/// Quotes a text for an error message: in backticks, with [invisible characters escaped](visible), and long texts cut off,
/// so that they do not flood a log.
///
/// ```
/// use endspiel_game::quoted;
///
/// assert_eq!(quoted("boar:a1a3"), "`boar:a1a3`");
/// assert_eq!(quoted("bell \u{7}, red \u{1b}[31m"), r"`bell \u{7}, red \u{1b}[31m`");
/// assert_eq!(quoted(&"x".repeat(70_000)), format!("`{}…`", "x".repeat(200)));
/// ```
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        None => format!("`{}`", visible(text)),
        Some((end, _)) => format!("`{}…`", visible(&text[..end])),
    }
}

/// Returns a path for people, with [invisible characters escaped](visible), and U+FFFD for what is not UTF-8. It is not cut
/// off, because its end says the most.
///
/// ```
/// use endspiel_game::visible_path;
///
/// assert_eq!(visible_path("tables/\u{1b}[2J".as_ref()), r"tables/\u{1b}[2J");
/// ```
pub fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

/// Quotes a [visible path](visible_path) for an error message.
pub fn quoted_path(path: &Path) -> String {
    format!("`{}`", visible_path(path))
}
