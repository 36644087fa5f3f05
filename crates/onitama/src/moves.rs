//! Moves: a step with a card, or a pass that only exchanges a card if no step is possible.

use crate::grid::Square;
use crate::{Card, CardError, Position};
use game::{Position as _, quoted};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A man moves with a card.
    Step {
        /// The card that is used. It goes beside the board.
        card: Card,
        /// The square of the man before the move.
        from: Square,
        /// The square of the man after the move.
        to: Square,
    },
    /// No man can move. The player still exchanges one of their cards, of their choice, with the card beside the board.
    Pass {
        /// The card that is given away.
        card: Card,
    },
}

impl Move {
    /// The card that goes beside the board.
    #[inline]
    pub const fn card(self) -> Card {
        match self {
            Self::Step { card, .. } | Self::Pass { card } => card,
        }
    }

    /// The move on the board turned by 180 degrees, as the other player sees it.
    #[must_use]
    pub const fn rotate(self) -> Self {
        match self {
            Self::Step { card, from, to } => Self::Step { card, from: from.rotate(), to: to.rotate() },
            Self::Pass { card } => Self::Pass { card },
        }
    }

    /// The move with left and right exchanged, on the board and on the card.
    #[must_use]
    pub const fn mirror(self) -> Self {
        match self {
            Self::Step { card, from, to } => {
                Self::Step { card: card.mirror(), from: from.mirror(), to: to.mirror() }
            }
            Self::Pass { card } => Self::Pass { card: card.mirror() },
        }
    }
}

/// Visits every legal move, ordered by card, then by the square of the man, then by its target.
#[inline]
pub(crate) fn visit<B>(position: &Position, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
    if position.outcome().is_some() {
        return ControlFlow::Continue(());
    }
    let (us, men) = (position.turn, position.men[position.turn]);
    let hand = position.hands[us];
    let mut can_move = false;
    for card in hand.iter() {
        for from in men {
            for to in card.reach(us, from) & !men {
                can_move = true;
                visit(Move::Step { card, from, to })?;
            }
        }
    }
    if !can_move {
        hand.iter().try_for_each(|card| visit(Move::Pass { card }))?;
    }
    ControlFlow::Continue(())
}

/// The number of legal moves, counted without generating them.
#[inline]
pub(crate) fn count(position: &Position) -> u64 {
    if position.outcome().is_some() {
        return 0;
    }
    let hand = position.hands[position.turn];
    match count_steps(position) {
        0 => u64::from(hand.len()),
        steps => u64::from(steps),
    }
}

/// Returns whether the side to move has no step and must pass.
pub(crate) fn must_pass(position: &Position) -> bool {
    count_steps(position) == 0
}

#[inline]
fn count_steps(position: &Position) -> u32 {
    let (us, men) = (position.turn, position.men[position.turn]);
    let count = |card: Card| card.steps(us).iter().map(|step| (step.of(men) & !men).len()).sum::<u32>();
    position.hands[us].iter().map(count).sum()
}

#[inline]
pub(crate) fn is_legal(position: &Position, m: Move) -> bool {
    let (us, men) = (position.turn, position.men[position.turn]);
    let allowed = match m {
        Move::Step { card, from, to } => men.contains(from) && (card.reach(us, from) & !men).contains(to),
        Move::Pass { .. } => must_pass(position),
    };
    allowed && position.hands[us].contains(m.card()) && position.outcome().is_none()
}

/// Writes a move as Litama does: `boar:a1a2`. The pass, `boar:pass`, is our addition.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { card, from, to } => write!(f, "{card}:{from}{to}"),
            Self::Pass { card } => write!(f, "{card}:pass"),
        }
    }
}

/// An error in the text of a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveSyntaxError {
    /// The text does not have the form of a move.
    #[error("{} is not a move; moves are written boar:a1a2, or boar:pass", quoted(text))]
    Form {
        /// The text that was given.
        text: String,
    },
    /// The card is unknown.
    #[error(transparent)]
    Card(#[from] CardError),
}

impl FromStr for Move {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, MoveSyntaxError> {
        let malformed = || MoveSyntaxError::Form { text: text.to_owned() };
        let (card, step) = text.split_once(':').ok_or_else(malformed)?;
        let card = card.parse()?;
        if step == "pass" {
            return Ok(Self::Pass { card });
        }
        let square = |file: u8, rank: u8| {
            ((b'a'..=b'e').contains(&file) && (b'1'..=b'5').contains(&rank))
                .then(|| Square::at(file - b'a', rank - b'1'))
                .ok_or_else(malformed)
        };
        match *step.as_bytes() {
            [from_file, from_rank, to_file, to_rank] => {
                Ok(Self::Step { card, from: square(from_file, from_rank)?, to: square(to_file, to_rank)? })
            }
            _ => Err(malformed()),
        }
    }
}
