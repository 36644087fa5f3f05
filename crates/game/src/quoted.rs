//! Quotes foreign text in error messages.

/// Quotes a text for an error message: in backticks, with invisible characters escaped, and long texts cut off. The
/// text may come from anywhere, so it must not send control sequences to a terminal or flood a log.
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
    let mut out = String::from("`");
    for c in text.chars().take(LONGEST) {
        match c {
            // These are visible characters, but `escape_debug` would escape them.
            '"' | '\'' | '\\' => out.push(c),
            _ => out.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out.push('`');
    out
}
