//! A position: the men, the cards, and the side to move.

use crate::grid::{SquareSet, temple};
use crate::moves::{self, Move};
use crate::{Card, CardSet};
use game::{BySide, NoChance, Outcome, Side};
use std::ops::ControlFlow;

/// A legal position. It carries its five cards, so its moves can be found without the game.
///
/// A position is made from a [`Setup`](crate::Setup), which is checked, or by playing moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The students and the master of each side.
    pub(crate) men: BySide<SquareSet>,
    /// Both masters, or only one if the other was captured.
    pub(crate) masters: SquareSet,
    pub(crate) hands: BySide<CardSet>,
    pub(crate) side_card: Card,
    pub(crate) turn: Side,
}

impl Position {
    /// The men of a side, including its master.
    pub fn men(&self, side: Side) -> SquareSet {
        self.men[side]
    }

    /// The master of a side: one square, or the empty set if it was captured.
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

    /// Returns whether the side to move can win with its next move: it captures the master or enters the temple.
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

    /// The position with the board turned and the colours exchanged, as the other player sees it.
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

    /// The position with left and right exchanged, on the board and on the cards.
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

    /// Exchanges the used card with the one beside the board and gives the turn to the other side.
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

    /// Only the side that made the last move can have won.
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
