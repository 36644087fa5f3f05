//! A position: the men, the cards, and whose turn it is.

use crate::grid::{SquareSet, temple};
use crate::moves::{self, Move};
use crate::{Card, CardSet};
use game::{BySide, NoChance, Outcome, Side};
use std::ops::ControlFlow;

/// A legal position. It carries its five cards and so needs nothing else to move.
///
/// Made from a [`Setup`](crate::Setup), which is checked, or by playing moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Students and master of each side.
    pub(crate) men: BySide<SquareSet>,
    /// Both masters; one is missing after it was taken.
    pub(crate) masters: SquareSet,
    pub(crate) hands: BySide<CardSet>,
    pub(crate) side_card: Card,
    pub(crate) turn: Side,
}

impl Position {
    /// The men of a side, its master among them.
    pub fn men(&self, side: Side) -> SquareSet {
        self.men[side]
    }

    /// The master of a side: one square, or none after it was taken.
    pub fn master(&self, side: Side) -> SquareSet {
        self.masters & self.men[side]
    }

    /// The two cards of a side.
    pub fn hand(&self, side: Side) -> CardSet {
        self.hands[side]
    }

    /// The card beside the board.
    pub fn side_card(&self) -> Card {
        self.side_card
    }

    /// All five cards.
    pub fn cards(&self) -> CardSet {
        self.hands.first.iter().chain(self.hands.second.iter()).chain([self.side_card]).collect()
    }

    /// Can the side to move take the master or enter the temple now?
    pub fn wins_in_one(&self) -> bool {
        let (us, them) = (self.turn, self.turn.other());
        let (master, goal) = (self.master(us), SquareSet::from(temple(them)) & !self.men[us]);
        let reach = |men: SquareSet| {
            self.hands[us]
                .iter()
                .flat_map(|card| card.steps(us))
                .fold(SquareSet::EMPTY, |all, step| all | step.of(men))
        };
        game::Position::outcome(self).is_none()
            && (reach(self.men[us]).intersects(self.master(them)) || reach(master).intersects(goal))
    }

    /// The board turned and the colours exchanged: the same position as the other player sees it.
    #[inline]
    #[must_use]
    pub fn rotate(&self) -> Self {
        Self {
            men: self.men.swap().map(SquareSet::rotated),
            masters: self.masters.rotated(),
            hands: self.hands.swap(),
            side_card: self.side_card,
            turn: self.turn.other(),
        }
    }

    /// Left and right exchanged, on the board and on the cards.
    #[inline]
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self {
            men: self.men.map(SquareSet::mirrored),
            masters: self.masters.mirrored(),
            hands: self.hands.map(CardSet::mirror),
            side_card: self.side_card.mirror(),
            turn: self.turn,
        }
    }

    /// The position after the used card and the one beside the board changed places, the other side to move.
    #[inline]
    fn exchange(mut self, card: Card) -> Self {
        self.hands[self.turn] = self.hands[self.turn].exchange(card, self.side_card);
        self.side_card = card;
        self.turn = self.turn.other();
        self
    }
}

impl game::Position for Position {
    type Move = Move;
    type Chance = NoChance;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    /// Only the player who moved last can have won.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let (us, them) = (self.turn, self.turn.other());
        if self.master(us).is_empty() {
            Some(Outcome::win(them, "stone"))
        } else if self.master(them).contains(temple(us)) {
            Some(Outcome::win(them, "stream"))
        } else {
            None
        }
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(self, visit)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        moves::count(self)
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        moves::is_legal(self, m)
    }

    #[inline]
    fn play_unchecked(&self, m: Move) -> Self {
        let mut next = *self;
        if let Move::Step { from, to, .. } = m {
            let (from, to) = (SquareSet::from(from), SquareSet::from(to));
            let master_moves = next.masters.intersects(from);
            next.masters &= !(from | to);
            if master_moves {
                next.masters |= to;
            }
            next.men[self.turn] ^= from | to;
            next.men[self.turn.other()] &= !to;
        }
        next.exchange(m.card())
    }
}
