//! Shows foreign text in messages.

use std::path::Path;

/// Returns whether a character of a text is visible. Control characters are not, nor those that change the direction of
/// writing. A combining mark is visible only if it follows a visible character.
pub fn is_visible(c: char, follows_visible: bool) -> bool {
    // `escape_debug` of a text leaves combining marks as they are, except at the beginning.
    let is_mark = || format!("x{c}").escape_debug().count() == 2;
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1 || follows_visible && is_mark()
}

/// Returns a text with its [invisible](is_visible) characters escaped. The text may come from anywhere, so it must not send
/// control sequences to a terminal, or change the direction of what is written around it.
///
/// ```
/// use endspiel_game::visible;
///
/// assert_eq!(visible("red \u{1b}[31m, \u{9b}31m, back \u{202e}"), r"red \u{1b}[31m, \u{9b}31m, back \u{202e}");
/// assert_eq!(visible(r#"C:\tables "Näf""#), r#"C:\tables "Näf""#);
/// assert_eq!(visible("u\u{308}, か\u{3099}"), "u\u{308}, か\u{3099}", "combining marks");
/// assert_eq!(visible("\u{308}, \u{7}\u{308}"), r"\u{308}, \u{7}\u{308}");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut follows_visible = false;
    for c in text.chars() {
        follows_visible = is_visible(c, follows_visible);
        match follows_visible {
            true => out.push(c),
            false => out.extend(c.escape_debug()),
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
