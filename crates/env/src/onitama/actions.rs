//! The moves of Onitama, numbered from 0 to 1,251.
//!
//! | index | what |
//! |---|---|
//! | 0–1249 | `625 c + 25 a + b`: card c moves the man on square a to square b |
//! | 1250, 1251 | `1250 + c`: a pass, because no man can move; card c is exchanged |
//!
//! The side to move has two cards. Card 0 is the one whose name comes first, card 1 is the other. Squares are numbered
//! from 0 as the side to move sees the board: along its own first rank from left to right, then along the next rank.

use crate::mover::move_seen_by_mover;
use crate::numbered::Numbered;
use game::Position as _;
use onitama::{CardSet, Move, Position, Square};
use std::fmt;

/// An action, by its index. Every legal move is exactly one action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

/// The meaning of an action, as the side to move sees it. Cards are 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A card moves a man.
    Step {
        /// The number of the card, 0 or 1.
        card: u8,
        /// The square of the man.
        from: Square,
        /// The square that it moves to.
        to: Square,
    },
    /// No man can move, and a card is exchanged.
    Pass {
        /// The number of the card, 0 or 1.
        card: u8,
    },
}

/// The number of squares of the board.
const SQUARES: u16 = 25;
/// The number of step actions of one card.
const STEPS: u16 = SQUARES * SQUARES;
/// The index of the first action that passes.
const PASSES: u16 = 2 * STEPS;

impl Action {
    /// The action of a move of this position.
    pub fn of(position: &Position, m: Move) -> Self {
        Self::seen(position.hand(position.turn()), move_seen_by_mover(position, m))
    }

    /// The action of a move that is seen by the side to move, whose hand is given.
    #[inline]
    pub(super) fn seen(hand: CardSet, m: Move) -> Self {
        let card = u16::from(hand.iter().next() != Some(m.card()));
        Self(match m {
            Move::Step { from, to, .. } => card * STEPS + from.index() as u16 * SQUARES + to.index() as u16,
            Move::Pass { .. } => PASSES + card,
        })
    }

    /// The move of this action in a position. The move may be illegal. Returns `None` if the side to move has no such card.
    #[inline]
    pub fn as_move(self, position: &Position) -> Option<Move> {
        let card = |place: u8| position.hand(position.turn()).iter().nth(place.into());
        let seen = match self.kind() {
            Kind::Step { card: place, from, to } => Move::Step { card: card(place)?, from, to },
            Kind::Pass { card: place } => Move::Pass { card: card(place)? },
        };
        Some(move_seen_by_mover(position, seen))
    }

    /// The meaning of the action.
    #[inline]
    pub fn kind(self) -> Kind {
        if self.0 >= PASSES {
            return Kind::Pass { card: (self.0 - PASSES) as u8 };
        }
        let square = |number: u16| Square::from_index((number % SQUARES) as u8).expect("below 25");
        Kind::Step { card: (self.0 / STEPS) as u8, from: square(self.0 / SQUARES), to: square(self.0) }
    }
}

impl Numbered for Action {
    const COUNT: usize = PASSES as usize + 2;

    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }

    #[inline]
    fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u16))
    }

    fn text(self) -> String {
        self.to_string()
    }
}

/// Writes the action as the side to move sees it: `card 0 a1a2` or `card 1 pass`. An action does not know the names of the
/// cards.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Step { card, from, to } => write!(f, "card {card} {from}{to}"),
            Kind::Pass { card } => write!(f, "card {card} pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_as_documented() {
        let texts = [(0, "card 0 a1a1"), (27, "card 0 b1c1"), (1_249, "card 1 e5e5"), (1_251, "card 1 pass")];
        for (index, text) in texts {
            assert_eq!(Action::from_index(index).map(|action| action.to_string()), Some(text.to_owned()));
        }
        assert_eq!(Action::all().map(Numbered::index).collect::<Vec<_>>(), (0..1_252).collect::<Vec<_>>());
        assert_eq!(Action::from_index(1_252), None);
    }
}
