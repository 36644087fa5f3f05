//! Colours for drawn boards.

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Characters only: for files, tests and terminals without colour.
    #[default]
    Plain,
    /// With ANSI colours.
    Coloured,
}

/// A colour that boards use, as the parameters of the ANSI sequence that selects it; the terminal decides its exact shade.
/// These are for every game; one that needs others, for its ground or its pieces, brings its own.
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
    /// The first side, where the game gives it no colour of its own.
    pub const BLUE: Self = Self("1;34");
    /// The second side, likewise.
    pub const RED: Self = Self("1;31");
    /// What the eye should find first.
    pub const BOLD: Self = Self("1");
    /// What the eye may pass over.
    pub const FAINT: Self = Self("2");
}

impl Style {
    /// The text in a colour, or as it is.
    pub fn paint(self, Colour(code): Colour, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
