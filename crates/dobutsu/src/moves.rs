//! The rules: how pieces move, how a move changes the position, and when the game is over.
//!
//! The code is the same for both sides. Only the direction of "forward" differs between them. It is in [`home_row`],
//! [`far_row`] and [`TARGETS`], which depend on the side.

use crate::grid::{BySquare, far_row, home_row};
use crate::{ByKind, Grid, Kind, Position, Square, SquareSet};
use bits::Geometry;
use game::{BySide, NoChance, Outcome, Side};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// A move. Promotion is compulsory, so a move does not store it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece on the board steps to a neighbouring square and captures the piece there, if there is one.
    Step {
        /// The square of the piece before the move.
        from: Square,
        /// The square of the piece after the move.
        to: Square,
    },
    /// A piece from the hand is dropped on an empty square, unpromoted.
    Drop {
        /// The kind of the dropped piece.
        kind: Kind,
        /// The square of the piece after the move.
        to: Square,
    },
}

/// The steps of a kind for Black: (files to the right, ranks up).
const fn steps(kind: Kind) -> &'static [(i8, i8)] {
    match kind {
        Kind::Giraffe => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
        Kind::Elephant => &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
        Kind::Chick => &[(0, 1)],
        Kind::Hen => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)],
        Kind::Lion => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
    }
}

/// For each square, the squares that a piece can step to.
type Targets = BySquare<SquareSet>;

/// `TARGETS[side][kind][square]`: the squares that such a piece can step to from there on an empty board.
pub(crate) static TARGETS: BySide<ByKind<Targets>> =
    BySide { first: targets(Side::First), second: targets(Side::Second) };

const fn targets(side: Side) -> ByKind<Targets> {
    let forward = match side {
        Side::First => 1,
        Side::Second => -1,
    };
    let mut table = [BySquare::new([SquareSet::EMPTY; 16]); 5];
    let mut kind = 0;
    while kind < table.len() {
        let steps = steps(Kind::ALL[kind]);
        let mut from = 0;
        while from < Grid::SQUARES as usize {
            let mut word = 0;
            let mut i = 0;
            while i < steps.len() {
                let (dx, dy) = steps[i];
                let square = Square::from_index(from as u8).expect("a board has 12 squares");
                if let Some(to) = square.offset(forward * dx, forward * dy) {
                    word |= 1 << to.index();
                }
                i += 1;
            }
            table[kind].0[from] = SquareSet::from_word(word);
            from += 1;
        }
        kind += 1;
    }
    ByKind(table)
}

/// The most pieces that a side can have on the board: a lion and all six small pieces.
const ALL_OF_A_SIDE: u32 = 7;

/// The kind of a piece after it has stepped onto `to`. A chick that reaches the last row becomes a hen.
#[inline]
pub(crate) fn grown(kind: Kind, side: Side, to: SquareSet) -> Kind {
    if kind == Kind::Chick && to.intersects(far_row(side)) { Kind::Hen } else { kind }
}

impl Position {
    /// The pieces of a side that can step onto a square with one move.
    ///
    /// A step taken back is a step of the other side's piece of the same kind, so the search starts from the target.
    #[inline]
    pub fn attackers(&self, side: Side, target: Square) -> SquareSet {
        let towards = &TARGETS[side.other()];
        let of_any_kind = Kind::ALL
            .into_iter()
            .fold(SquareSet::EMPTY, |attackers, kind| attackers | self.kinds[kind] & towards[kind][target]);
        of_any_kind & self.sides[side]
    }

    /// Returns whether the side to move can capture the opponent's lion.
    #[inline]
    pub fn can_catch(&self) -> bool {
        self.lion(self.turn.other()).is_some_and(|lion| !self.attackers(self.turn, lion).is_empty())
    }

    /// Returns whether the side to move has no move, because its own pieces block each other.
    ///
    /// The side must have all six small pieces on the board. Even then it happens only in one arrangement,
    /// `GE1/LGE/CC1/3`, and in its mirror image. `tests/exhaustive.rs` checks all others. So the first comparison is
    /// nearly always enough.
    #[inline]
    pub(crate) fn is_stuck(&self) -> bool {
        self.sides[self.turn].len() == ALL_OF_A_SIDE
            && self
                .visit_steps(|_, targets| match targets.is_empty() {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                })
                .is_continue()
    }

    /// Returns whether the move promotes a chick to a hen.
    pub fn promotes(&self, m: Move) -> bool {
        match m {
            Move::Step { from, to } => self
                .piece_at(from)
                .is_some_and(|piece| grown(piece.kind, piece.side, to.into()) != piece.kind),
            Move::Drop { .. } => false,
        }
    }

    /// Visits the pieces of the side to move: the square of each piece, and the set of squares that it can step to.
    #[inline]
    fn visit_steps<B>(&self, mut visit: impl FnMut(Square, SquareSet) -> ControlFlow<B>) -> ControlFlow<B> {
        let own = self.sides[self.turn];
        let targets = &TARGETS[self.turn];
        for kind in Kind::ALL {
            for from in self.kinds[kind] & own {
                visit(from, targets[kind][from] & !own)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl game::Position for Position {
    type Move = Move;
    type Chance = NoChance;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    /// The game is over when a lion is caught, when a lion is safe on its far row ("try"), or when the side to move has no
    /// move.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let (us, them) = (self.turn, self.turn.other());
        let lions = self.kinds[Kind::Lion];
        let (ours, theirs) = (lions & self.sides[us], lions & self.sides[them]);
        if ours.is_empty() {
            return Some(Outcome::win(them, "catch"));
        }
        if ours.intersects(far_row(us)) {
            // The lion arrived with its last move. The opponent could have captured it, but did not.
            return Some(Outcome::win(us, "try"));
        }
        if theirs.intersects(home_row(us)) && !self.can_catch() {
            return Some(Outcome::win(them, "try"));
        }
        self.is_stuck().then_some(Outcome::win(them, "no moves"))
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        self.visit_steps(|from, targets| {
            targets.into_iter().try_for_each(|to| visit(Move::Step { from, to }))
        })?;
        let empty = self.empty();
        for kind in Kind::IN_HAND {
            if self.hands[self.turn].count(kind) > 0 {
                empty.into_iter().try_for_each(|to| visit(Move::Drop { kind, to }))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play_unchecked(&self, m: Move) -> Self {
        let us = self.turn;
        let mut next = Self { turn: us.other(), ..*self };
        match m {
            Move::Step { from, to } => {
                let (from, to) = (SquareSet::from(from), SquareSet::from(to));
                for kind in Kind::ALL {
                    next.kinds[kind] &= !(from | to);
                }
                for kind in Kind::ALL {
                    if self.kinds[kind].intersects(from) {
                        next.kinds[grown(kind, us, to)] |= to;
                    }
                    if self.kinds[kind].intersects(to) {
                        next.hands[us] = next.hands[us].with(kind);
                    }
                }
                next.sides[us] ^= from | to;
                next.sides[us.other()] &= !to;
            }
            Move::Drop { kind, to } => {
                next.kinds[kind] |= to.into();
                next.sides[us] |= to.into();
                next.hands[us] = next.hands[us].without(kind);
            }
        }
        next
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.outcome().is_some() {
            return 0;
        }
        let mut steps = 0;
        let _ = self.visit_steps(|_, targets| {
            steps += targets.len();
            ControlFlow::<()>::Continue(())
        });
        let hand = self.hands[self.turn];
        let droppable = Kind::IN_HAND.into_iter().filter(|&kind| hand.count(kind) > 0).count();
        u64::from(steps + droppable as u32 * self.empty().len())
    }
}

/// Writes a move as in USI: `2c2b` or `C*2b`, with files 1 to 3 from the right and ranks a to d from the top.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Step { from, to } => write!(f, "{}{}", Name(from), Name(to)),
            Self::Drop { kind, to } => write!(f, "{}*{}", kind.text(), Name(to)),
        }
    }
}

/// A square, written as in USI.
struct Name(Square);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'3' - self.0.file());
        let rank = char::from(b'd' - self.0.rank());
        write!(f, "{file}{rank}")
    }
}

/// The error for a text that is not written as a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not written as a move: `2c2b` for a step, `C*2b` for a drop")]
pub struct MoveSyntaxError {
    /// The text.
    pub text: String,
}

/// Reads a move in the printed form, in upper or lower case. It does not check whether the move is legal.
impl FromStr for Move {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, MoveSyntaxError> {
        parse_move(text.as_bytes()).ok_or_else(|| MoveSyntaxError { text: text.to_owned() })
    }
}

fn parse_move(text: &[u8]) -> Option<Move> {
    let &[a, b, file, rank] = text else { return None };
    let to = parse_square(file, rank)?;
    if b != b'*' {
        return Some(Move::Step { from: parse_square(a, b)?, to });
    }
    let kind = Kind::from_letter(char::from(a)).filter(|kind| Kind::IN_HAND.contains(kind))?;
    Some(Move::Drop { kind, to })
}

fn parse_square(file: u8, rank: u8) -> Option<Square> {
    let file = b'3'.checked_sub(file).filter(|&file| file < 3)?;
    let rank = b'd'.checked_sub(rank.to_ascii_lowercase()).filter(|&rank| rank < 4)?;
    Some(Square::at(file, rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slow way to compute the table: checks the shape of the step for each pair of squares.
    fn steps_there(side: Side, kind: Kind, from: Square, to: Square) -> bool {
        let right = i16::from(to.file()) - i16::from(from.file());
        let up = i16::from(to.rank()) - i16::from(from.rank());
        let forward = if side == Side::First { up } else { -up };
        let (straight, diagonal) = (right.abs() + up.abs() == 1, right.abs() == 1 && up.abs() == 1);
        match kind {
            Kind::Giraffe => straight,
            Kind::Elephant => diagonal,
            Kind::Chick => straight && forward == 1,
            Kind::Hen => straight || diagonal && forward == 1,
            Kind::Lion => straight || diagonal,
        }
    }

    #[test]
    fn the_table_follows_the_rules() {
        for side in Side::ALL {
            for kind in Kind::ALL {
                for from in Square::all() {
                    let slow = Square::all().filter(|&to| steps_there(side, kind, from, to)).collect();
                    assert_eq!(TARGETS[side][kind][from], slow, "{side:?} {kind:?} from {from}");
                }
            }
        }
    }

    #[test]
    fn moves_return_from_text() {
        let steps = Square::all().flat_map(|from| Square::all().map(move |to| Move::Step { from, to }));
        let drops =
            Kind::IN_HAND.into_iter().flat_map(|kind| Square::all().map(move |to| Move::Drop { kind, to }));
        for m in steps.chain(drops) {
            assert_eq!(m.to_string().parse(), Ok(m));
            assert_eq!(m.to_string().to_ascii_lowercase().parse(), Ok(m));
        }
    }
}
