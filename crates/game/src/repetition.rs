//! The rules about repeated positions.

/// At which occurrence of a position a game ends by repetition. The very first occurrence counts as 1. The game is
/// drawn, but perpetual check loses if [`Rulebook::is_check`](crate::Rulebook::is_check) is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repetition {
    /// The side to move may claim a draw at this occurrence: 3 in chess.
    pub claim: Option<u32>,
    /// The game is drawn at this occurrence without a claim: 5 in chess, 3 in Dobutsu shogi.
    pub draw: Option<u32>,
}

impl Repetition {
    /// Repetition never ends the game.
    pub const ALLOWED: Self = Self { claim: None, draw: None };

    /// The game is drawn at this occurrence. There is no claim before.
    pub const fn draw_at(occurrence: u32) -> Self {
        Self { claim: None, draw: Some(occurrence) }
    }
}
