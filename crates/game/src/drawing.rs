//! Colours for drawn boards.

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Characters only, for files, tests and terminals without colour.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}

/// A colour for drawn boards, as the parameters of its ANSI escape sequence. The terminal decides the exact shade.
///
/// The constants are for all games. A game that needs other colours, for its board or its pieces, defines its own.
///
/// ```
/// use endspiel_game::{Colour, Style};
///
/// const GOLD: Colour = Colour("33");
/// assert_eq!(Style::Plain.paint(GOLD, "c"), "c");
/// assert_eq!(Style::Coloured.paint(GOLD, "c"), "\x1b[33mc\x1b[0m");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub &'static str);

impl Colour {
    /// The colour of the first side, unless the game defines another one.
    pub const BLUE: Self = Self("1;34");
    /// The colour of the second side, unless the game defines another one.
    pub const RED: Self = Self("1;31");
    /// For important text.
    pub const BOLD: Self = Self("1");
    /// For unimportant text.
    pub const FAINT: Self = Self("2");
}

impl Style {
    /// Returns the text in a colour, or unchanged in the plain style.
    pub fn paint(self, Colour(code): Colour, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
