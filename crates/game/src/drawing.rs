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

/// The colours that boards use; the terminal decides their exact shade.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// The first side, where the game gives it no colour of its own.
    Blue,
    /// The second side, likewise.
    Red,
    /// What the eye should find first.
    Bold,
    /// What the eye may pass over.
    Faint,
    /// Deep water, and so for ground: quieter than the men on it.
    Water,
    /// Where water and land meet.
    Shore,
    /// Dry land.
    Land,
}

impl Style {
    /// The text in a colour, or as it is.
    pub fn paint(self, colour: Colour, text: &str) -> String {
        let code = match colour {
            Colour::Blue => "1;34",
            Colour::Red => "1;31",
            Colour::Bold => "1",
            Colour::Faint => "2",
            Colour::Water => "34",
            Colour::Shore => "36",
            Colour::Land => "32",
        };
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
