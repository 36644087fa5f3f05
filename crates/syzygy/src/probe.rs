//! Questions about positions. Tables do not store everything: captures are tried out where they can be better than the stored
//! value, and en passant is not in the tables.

use crate::error::{Metric, ProbeError, Problem};
use crate::tablebase::Tablebase;
use crate::values::{Dtz, Wdl5};
use chess::{Kind, Move, Position, Step};
use game::Position as _;
use std::ops::ControlFlow;

impl Tablebase {
    /// The value of a position for the side to move, if the clock of the fifty-move rule is at zero. The clock of the
    /// position is ignored.
    ///
    /// # Errors
    /// Returns an error if a side may castle, or if a table is missing or damaged: that of the position, or one to which a
    /// capture leads.
    pub fn wdl(&self, position: &Position) -> Result<Wdl5, ProbeError> {
        check_castling(position)?;
        self.value(position)
    }

    /// The distance of a position to the next move that zeroes the clock of the fifty-move rule.
    ///
    /// # Errors
    /// Returns an error if a side may castle, or if a table is missing or damaged. Both kinds of tables are needed, and also
    /// those to which captures and promotions lead.
    pub fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        check_castling(position)?;
        self.distance(position, Turned::No)
    }

    /// The value of a position without castling rights.
    ///
    /// A stored value may be too small if a capture is at least as good as the real value. So captures are tried first.
    fn value(&self, position: &Position) -> Result<Wdl5, ProbeError> {
        let board = position.board();
        if board.occupied().len() == 2 {
            return Ok(Wdl5::Draw);
        }
        let mut best = Wdl5::Loss;
        if has_capture(position) {
            let tried = self.best_of(position, Wdl5::Win, |m| position.is_capture(m))?;
            if tried.value == Wdl5::Win || tried.is_all_en_passant() {
                return Ok(tried.value);
            }
            best = tried.value;
        }
        Ok(best.max(self.stored_value(position)?))
    }

    #[inline]
    fn stored_value(&self, position: &Position) -> Result<Wdl5, ProbeError> {
        let found = self.find(position.board(), Metric::Wdl)?;
        found
            .file
            .wdl(position.board(), position.turn(), found.swapped)
            .map_err(|problem| found.error(problem))
    }

    /// Plays the moves that `tries` chooses, and returns the value of the best one. Stops at the first that reaches `enough`.
    fn best_of(
        &self,
        position: &Position,
        enough: Wdl5,
        tries: impl Fn(Move) -> bool,
    ) -> Result<Tried, ProbeError> {
        let mut tried = Tried { value: Wdl5::Loss, moves: 0, en_passant: 0 };
        let stopped = position.visit_moves(|m| {
            tried.moves += 1;
            tried.en_passant += u32::from(m.is(Step::EnPassant));
            if !tries(m) {
                return ControlFlow::Continue(());
            }
            match self.value(&position.play_unchecked(m)) {
                Ok(value) => tried.value = tried.value.max(-value),
                Err(error) => return ControlFlow::Break(Some(error)),
            }
            if tried.value >= enough { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
        });
        match stopped {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(tried),
        }
    }

    fn distance(&self, position: &Position, turned: Turned) -> Result<Dtz, ProbeError> {
        let wdl = self.value(position)?;
        // The stored distance is arbitrary if a zeroing move is best, and it does not know en passant. Mate needs no file.
        if wdl == Wdl5::Draw
            || !has_quiet_move(position)
            || self.is_won_by_zeroing(position, wdl)?
            || self.is_saved_by_en_passant(position, wdl)?
        {
            return Ok(Dtz::exact(wdl.before_zeroing()));
        }
        let found = self.find(position.board(), Metric::Dtz)?;
        let stored = found.file.dtz(position.board(), position.turn(), found.swapped, wdl);
        match stored.map_err(|problem| found.error(problem))? {
            Some(stored) => {
                let sign = wdl.before_zeroing().signum();
                let plies = wdl.before_zeroing() + sign * stored.plies as i32;
                Ok(Dtz::between(plies, if stored.is_exact { plies } else { plies + sign }))
            }
            None if turned == Turned::Yes => Err(found.error(Problem::SideToMove)),
            None => self.distance_by_moves(position, wdl),
        }
    }

    /// Returns whether a capture or pawn move keeps the value of a position, which is not a draw. Losses are not asked: every
    /// move keeps a loss, and the loser wants the longest way.
    fn is_won_by_zeroing(&self, position: &Position, wdl: Wdl5) -> Result<bool, ProbeError> {
        Ok(wdl > Wdl5::Draw && self.best_of(position, wdl, |m| position.is_zeroing(m))?.value == wdl)
    }

    /// Returns whether only a capture en passant saves the draw by the fifty-move rule. The files do not know it, and have the
    /// distance of a loss.
    fn is_saved_by_en_passant(&self, position: &Position, wdl: Wdl5) -> Result<bool, ProbeError> {
        if wdl != Wdl5::BlessedLoss || position.en_passant().is_none() {
            return Ok(false);
        }
        let is_other_capture = |m: Move| position.is_capture(m) && !m.is(Step::EnPassant);
        let others = self.best_of(position, Wdl5::BlessedLoss, is_other_capture)?.value;
        Ok(others.max(self.stored_value(position)?) == Wdl5::Loss)
    }

    /// The distance from those after each move. It is needed if the file has the positions of the other side.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl5) -> Result<Dtz, ProbeError> {
        let sign = wdl.before_zeroing().signum();
        // The winner takes the shortest way, the loser the longest; both the least and the most that a way can take.
        let mut best: Option<(i32, i32)> = None;
        let stopped = position.visit_moves(|m| {
            let next = position.play_unchecked(m);
            let after = match position.is_zeroing(m) {
                true => self.value(&next).map(|value| Dtz::exact((-value).before_zeroing())),
                false => self.distance_after_quiet(&next),
            };
            let after = match after {
                Ok(after) => after,
                Err(error) => return ControlFlow::Break(error),
            };
            // Compared as signed numbers, the smaller distance is right for both: it is short for a win and long for a loss.
            if after.plies().signum() == sign {
                let (least, most) = best.unwrap_or((i32::MAX, i32::MAX));
                best = Some((least.min(after.plies()), most.min(after.longest())));
            }
            ControlFlow::Continue(())
        });
        match (stopped, best) {
            (ControlFlow::Break(error), _) => Err(error),
            (_, Some((least, most))) => Ok(Dtz::between(least, most)),
            (_, None) => Ok(Dtz::exact(wdl.before_zeroing())),
        }
    }

    /// The distance of the side that has just made a quiet move, with this move, after which the other side is to move.
    fn distance_after_quiet(&self, next: &Position) -> Result<Dtz, ProbeError> {
        let after = self.distance(next, Turned::Yes)?;
        let plies = -after.plies();
        // Mate ends the count itself, and is not a ply before the next zeroing move.
        if plies == 1 && next.is_check() && next.count_moves() == 0 {
            return Ok(Dtz::exact(1));
        }
        Ok(Dtz::between(plies + plies.signum(), -after.longest() + plies.signum()))
    }
}

/// The result of trying some moves of a position.
struct Tried {
    /// The best value; a loss if no move was tried.
    value: Wdl5,
    /// The number of legal moves, unless one was good enough.
    moves: u32,
    /// The number of those that capture en passant.
    en_passant: u32,
}

impl Tried {
    /// Returns whether all legal moves capture en passant. Then the stored value is that of stalemate or mate.
    fn is_all_en_passant(&self) -> bool {
        self.moves > 0 && self.moves == self.en_passant
    }
}

/// Whether the side to move has been changed to reach the positions that a file stores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turned {
    No,
    Yes,
}

fn check_castling(position: &Position) -> Result<(), ProbeError> {
    if position.castling_rooks().is_empty() { Ok(()) } else { Err(ProbeError::Castling) }
}

/// Returns whether there is a legal move that neither captures nor moves a pawn.
fn has_quiet_move(position: &Position) -> bool {
    let quiet = |m| if position.is_zeroing(m) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    position.visit_moves(quiet).is_break()
}

/// Returns whether the side to move may have a capture: it attacks a man, or can capture en passant.
#[inline]
fn has_capture(position: &Position) -> bool {
    let (board, us) = (position.board(), position.turn());
    let prey = board.of_side(us.other()) & !board.of_kind(Kind::King);
    position.en_passant().is_some() || prey.iter().any(|square| board.is_attacked(square, us))
}
