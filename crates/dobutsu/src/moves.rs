//! The rules: how pieces move, what a move does, when the game is over.
//!
//! Everything here is written once for both sides. What differs between them, the direction of "forward", is in
//! the tables [`home_row`], [`far_row`] and [`TARGETS`], which are asked by side.

use crate::grid::{BySquare, far_row, home_row};
use crate::{ByKind, Grid, Kind, Position, Square, SquareSet};
use bits::Geometry;
use game::{BySide, NoChance, Outcome, Side};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// A whole turn. Promotion is compulsory, so a move need not speak of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece on the board steps to a neighbouring square and takes what stands there.
    Step {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece comes from the hand to an empty square, unpromoted.
    Drop {
        /// What is dropped.
        kind: Kind,
        /// Where it goes.
        to: Square,
    },
}

/// The steps of a kind as Black makes them: files to the right, ranks up.
const fn steps(kind: Kind) -> &'static [(i8, i8)] {
    match kind {
        Kind::Giraffe => &[(0, 1), (1, 0), (0, -1), (-1, 0)],
        Kind::Elephant => &[(1, 1), (1, -1), (-1, -1), (-1, 1)],
        Kind::Chick => &[(0, 1)],
        Kind::Hen => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)],
        Kind::Lion => &[(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)],
    }
}

/// Where a piece can step, for each square.
type Targets = BySquare<SquareSet>;

/// `TARGETS[side][kind][square]`: where such a piece steps from there on an empty board.
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

/// A lion and every small piece there is.
const ALL_OF_A_SIDE: u32 = 7;

/// What a piece is after it has stepped onto one of `to`: a chick that reaches the last row grows up.
#[inline]
pub(crate) fn grown(kind: Kind, side: Side, to: SquareSet) -> Kind {
    if kind == Kind::Chick && to.intersects(far_row(side)) { Kind::Hen } else { kind }
}

impl Position {
    /// The pieces of a side that could step onto a square at once.
    ///
    /// A step backwards is a step of the other side's piece of that kind, so the question is asked from the target.
    #[inline]
    pub fn attackers(&self, side: Side, target: Square) -> SquareSet {
        let towards = &TARGETS[side.other()];
        let of_any_kind = Kind::ALL
            .into_iter()
            .fold(SquareSet::EMPTY, |attackers, kind| attackers | self.kinds[kind] & towards[kind][target]);
        of_any_kind & self.sides[side]
    }

    /// Can the side to move take the other lion now?
    #[inline]
    pub fn can_catch(&self) -> bool {
        self.lion(self.turn.other()).is_some_and(|lion| !self.attackers(self.turn, lion).is_empty())
    }

    /// Has the mover no move at all, his pieces all in each other's way?
    ///
    /// It takes all six small pieces, and even then it happens in one arrangement and its mirror image only:
    /// `GE1/LGE/CC1/3`. `tests/exhaustive.rs` has looked at every other. So one comparison answers nearly always.
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

    /// Does the move turn a chick into a hen?
    pub fn promotes(&self, m: Move) -> bool {
        match m {
            Move::Step { from, to } => self
                .piece_at(from)
                .is_some_and(|piece| grown(piece.kind, piece.side, to.into()) != piece.kind),
            Move::Drop { .. } => false,
        }
    }

    /// Shows the steps as sets: where a piece of the mover stands, where it can go.
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

    /// A lion caught; a lion on the far row and out of reach ("try"); or no move left.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let (us, them) = (self.turn, self.turn.other());
        let lions = self.kinds[Kind::Lion];
        let (ours, theirs) = (lions & self.sides[us], lions & self.sides[them]);
        if ours.is_empty() {
            return Some(Outcome::win(them, "catch"));
        }
        if ours.intersects(far_row(us)) {
            // It arrived a move ago, could have been taken then, and was not.
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

/// As in USI: `2c2b`, `C*2b`; files 1 to 3 from the right, ranks a to d from the top.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Step { from, to } => write!(f, "{}{}", Name(from), Name(to)),
            Self::Drop { kind, to } => write!(f, "{}*{}", kind.text(), Name(to)),
        }
    }
}

/// A square as USI names it.
struct Name(Square);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'3' - self.0.file());
        let rank = char::from(b'd' - self.0.rank());
        write!(f, "{file}{rank}")
    }
}

/// A text that is not written as a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not written as a move: `2c2b` for a step, `C*2b` for a drop")]
pub struct MoveSyntaxError {
    /// The text.
    pub text: String,
}

/// Reads what is printed, upper and lower case alike. Whether it is legal only a position knows.
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

    /// The slow twin of the table: one square at a time, by the shape of the step.
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
