//! The moves of Onitama, numbered from 0 to 1,251.
//!
//! | index | what |
//! |---|---|
//! | 0–1249 | `625 c + 25 a + b`: by card c the man on a goes to b |
//! | 1250, 1251 | `1250 + c`: no man can move, and card c is given |
//!
//! Card 0 is the one of the mover's two whose name comes first, card 1 the other. Squares are numbered from 0 as the mover sees
//! the board: along his first rank from left to right, then along the next.

use crate::mover::move_seen_by_mover;
use crate::numbered::Numbered;
use game::Position as _;
use onitama::{CardSet, Move, Position, Square};
use std::fmt;

/// An action, by its index. Every legal move is exactly one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(u16);

/// What an action is, as the mover sees it; cards are 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A man moves by a card.
    Step {
        /// Which of the mover's cards.
        card: u8,
        /// Where the man stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// No man can move, and a card is given.
    Pass {
        /// Which of the mover's cards.
        card: u8,
    },
}

/// The squares of the board.
const SQUARES: u16 = 25;
/// The steps by one card.
const STEPS: u16 = SQUARES * SQUARES;
/// The first of those that pass.
const PASSES: u16 = 2 * STEPS;

impl Action {
    /// The action of a move of this position.
    pub fn of(position: &Position, m: Move) -> Self {
        Self::seen(position.hand(position.turn()), move_seen_by_mover(position, m))
    }

    /// That of a move as the mover, who has these cards, sees it.
    #[inline]
    pub(super) fn seen(hand: CardSet, m: Move) -> Self {
        let card = u16::from(hand.iter().next() != Some(m.card()));
        Self(match m {
            Move::Step { from, to, .. } => card * STEPS + from.index() as u16 * SQUARES + to.index() as u16,
            Move::Pass { .. } => PASSES + card,
        })
    }

    /// The move that it is in this position, legal or not; nothing if the mover has no such card.
    #[inline]
    pub fn as_move(self, position: &Position) -> Option<Move> {
        let card = |place: u8| position.hand(position.turn()).iter().nth(place.into());
        let seen = match self.kind() {
            Kind::Step { card: place, from, to } => Move::Step { card: card(place)?, from, to },
            Kind::Pass { card: place } => Move::Pass { card: card(place)? },
        };
        Some(move_seen_by_mover(position, seen))
    }

    /// What it is.
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

/// As the mover sees it, `card 0 a1a2` or `card 1 pass`: what can be said without knowing the cards.
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
