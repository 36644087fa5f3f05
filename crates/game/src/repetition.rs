//! What it means that a position stands again.

/// At which occurrence of a position a game is drawn, or lost by who only gave check where the
/// [`Rulebook`](crate::Rulebook::is_check) says so. The first is the one that stood before anything was repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repetition {
    /// Whoever is to move may claim a draw: 3 in chess.
    pub claim: Option<u32>,
    /// The game is drawn, whether anyone asks for it or not: 5 in chess, 3 in Dobutsu shogi.
    pub draw: Option<u32>,
}

impl Repetition {
    /// Positions may stand as often as they like.
    pub const ALLOWED: Self = Self { claim: None, draw: None };

    /// Drawn at this occurrence, and nothing to claim before.
    pub const fn draw_at(occurrence: u32) -> Self {
        Self { claim: None, draw: Some(occurrence) }
    }
}
