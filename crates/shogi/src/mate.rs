//! A fast search for mate in one: it tries only moves that give check.

use crate::grid::{Square, SquareSet, lowest, side};
use crate::legality::Sink;
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use crate::state::State;
use crate::{sliders, steps};
use game::{Position as _, Side};
use std::ops::ControlFlow;

impl Position {
    /// Finds a move that mates at once. Returns `None` if there is none.
    ///
    /// ```
    /// use endspiel_shogi::Position;
    ///
    /// let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse()?;
    /// assert_eq!(position.mate_in_one().map(|m| m.to_string()).as_deref(), Some("G*5b"));
    /// # Ok::<(), endspiel_shogi::PositionError>(())
    /// ```
    pub fn mate_in_one(&self) -> Option<Move> {
        match self.turn() {
            Side::First => find::<true>(&self.state),
            Side::Second => find::<false>(&self.state),
        }
    }

    /// Returns whether the side to move is checkmated.
    pub fn is_mate(&self) -> bool {
        self.is_check() && !self.has_moves()
    }
}

fn find<const BLACK: bool>(state: &State) -> Option<Move> {
    let mut mates = Mates::<BLACK>::new(state);
    state.visit_sets::<BLACK, false, _>(&mut mates).break_value()
}

/// A sink that stops at the first move that mates.
struct Mates<'a, const BLACK: bool> {
    state: &'a State,
    king: Square,
    /// By the number of a kind: the squares from which a man of this kind gives check.
    checking: [SquareSet; 16],
    /// Own men that may uncover a check when they move.
    screens: SquareSet,
}

impl<'a, const BLACK: bool> Mates<'a, BLACK> {
    fn new(state: &'a State) -> Self {
        let (us, them) = const { (side::<BLACK>(), side::<BLACK>().other()) };
        let board = &state.board;
        let occupied = board.occupied();
        let king = lowest(board.of(them, Kind::King));
        // A man checks from the squares that the king would reach if it were such a man of its own side.
        let (rook, bishop) = (sliders::rook(king, occupied), sliders::bishop(king, occupied));
        let gold = steps::gold(them, king);
        let mut checking = [SquareSet::EMPTY; 16];
        for (kind, squares) in [
            (Kind::Pawn, steps::pawn(them, king)),
            (Kind::Lance, rook & sliders::lance_ray(them, king)),
            (Kind::Knight, steps::knight(them, king)),
            (Kind::Silver, steps::silver(them, king)),
            (Kind::Gold, gold),
            (Kind::Bishop, bishop),
            (Kind::Rook, rook),
            (Kind::Tokin, gold),
            (Kind::PromotedLance, gold),
            (Kind::PromotedKnight, gold),
            (Kind::PromotedSilver, gold),
            (Kind::Horse, bishop | steps::orthogonal(king)),
            (Kind::Dragon, rook | steps::diagonal(king)),
        ] {
            checking[kind as usize] = squares;
        }
        let mut screens = SquareSet::EMPTY;
        for sniper in board.snipers(king, us) {
            let between = steps::between(king, sniper) & occupied;
            if !between.is_several() {
                screens |= between & board.of_side(us);
            }
        }
        Self { state, king, checking, screens }
    }

    fn is_mate(&self, m: Move) -> bool {
        let next = self.state.after::<BLACK>(m);
        match BLACK {
            true => next.board.is_attacked(self.king, Side::First) && !next.has_moves::<false>(),
            false => next.board.is_attacked(self.king, Side::Second) && !next.has_moves::<true>(),
        }
    }
}

impl<const BLACK: bool> Sink for Mates<'_, BLACK> {
    type Break = Move;

    fn one(&mut self, m: Move) -> ControlFlow<Move> {
        if self.is_mate(m) { ControlFlow::Break(m) } else { ControlFlow::Continue(()) }
    }

    fn steps(&mut self, kind: Kind, from: Square, targets: SquareSet, promotes: bool) -> ControlFlow<Move> {
        let arriving = if promotes { kind.promoted().unwrap_or(kind) } else { kind };
        let uncovers = self.screens.contains(from);
        let targets = if uncovers { targets } else { targets & self.checking[arriving as usize] };
        for to in targets {
            self.one(Move::Step { kind, from, to, promotes })?;
        }
        ControlFlow::Continue(())
    }

    fn drops(&mut self, kind: Kind, targets: SquareSet) -> ControlFlow<Move> {
        // A pawn drop is never a legal mate, because a pawn drop that mates is forbidden.
        if kind == Kind::Pawn {
            return ControlFlow::Continue(());
        }
        for to in targets & self.checking[kind as usize] {
            self.one(Move::Drop { kind, to })?;
        }
        ControlFlow::Continue(())
    }
}
