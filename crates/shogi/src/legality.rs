//! The move generator: legal moves as sets of squares. Checks and pins are computed once per position; then a mask
//! makes each set of moves legal.

use crate::grid::{Square, SquareSet, ahead, behind, dead_end, files_of, left, lowest, right, side, zone};
use crate::moves::Move;
use crate::pieces::{Hand, Kind};
use crate::state::State;
use crate::threats::Men;
use crate::{sliders, steps};
use game::Side;
use game::perft::{Count, Walk};
use std::ops::ControlFlow;

/// Receives the moves of a position, as sets.
pub(crate) trait Sink {
    type Break;
    /// Receives one move.
    fn one(&mut self, m: Move) -> ControlFlow<Self::Break>;

    /// Receives the steps of a man from a square to each of the targets.
    #[inline(always)]
    fn steps(
        &mut self,
        kind: Kind,
        from: Square,
        targets: SquareSet,
        promotes: bool,
    ) -> ControlFlow<Self::Break> {
        for to in targets {
            self.one(Move::Step { kind, from, to, promotes })?;
        }
        ControlFlow::Continue(())
    }

    /// Receives the drops of a kind on each of the targets.
    #[inline(always)]
    fn drops(&mut self, kind: Kind, targets: SquareSet) -> ControlFlow<Self::Break> {
        for to in targets {
            self.one(Move::Drop { kind, to })?;
        }
        ControlFlow::Continue(())
    }
}

/// The facts that decide which moves are legal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legality {
    pub king: Square,
    /// The men that give check.
    pub checkers: SquareSet,
    /// The squares where men other than the king may go or be dropped: all squares if there is no check, else the
    /// squares that end a single check.
    pub answers: SquareSet,
    /// The pinned men of the side to move. They must stay on their line with the king.
    pub pinned: SquareSet,
}

impl Legality {
    #[inline(always)]
    pub fn of<const BLACK: bool>(state: &State) -> Self {
        let (us, them) = const { (side::<BLACK>(), side::<BLACK>().other()) };
        let board = &state.board;
        let (king, occupied) = (state.king::<BLACK>(), board.occupied());
        let (own, theirs) = (board.of_side(us), board.of_side(them));
        let near = (steps::king(king) | steps::knight(us, king)) & theirs;
        let mut checkers = match near.is_empty() {
            true => near,
            false => board.near_attackers(king, them) & theirs,
        };
        let mut pinned = SquareSet::EMPTY;
        for sniper in board.snipers(king, them) {
            let blockers = steps::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= SquareSet::from(sniper);
            } else if !blockers.is_several() {
                pinned |= blockers & own;
            }
        }
        let answers = match checkers.is_empty() {
            true => SquareSet::full(),
            false => steps::between(king, lowest(checkers)) | checkers,
        };
        Self { king, checkers, answers, pinned }
    }
}

/// The squares that a man may go to, without and with promotion.
#[derive(Clone, Copy)]
struct Targets {
    plain: SquareSet,
    promoting: SquareSet,
}

impl Targets {
    /// Splits the squares that a man reaches into plain and promoting moves.
    #[inline(always)]
    fn of<const BLACK: bool>(kind: Kind, from: Square, reach: SquareSet) -> Self {
        let plain = reach & !dead_end::<BLACK>(kind);
        let promoting = match kind.promoted() {
            None => SquareSet::EMPTY,
            Some(_) if const { zone::<BLACK>() }.contains(from) => reach,
            Some(_) => reach & const { zone::<BLACK>() },
        };
        Self { plain, promoting }
    }

    #[inline(always)]
    fn len(self) -> u32 {
        self.plain.len() + self.promoting.len()
    }
}

/// The squares that a man reaches on this board, legal or not.
#[inline(always)]
pub(crate) fn reach(side: Side, kind: Kind, from: Square, occupied: SquareSet) -> SquareSet {
    match kind {
        Kind::Pawn => steps::pawn(side, from),
        Kind::Lance => sliders::lance(side, from, occupied),
        Kind::Knight => steps::knight(side, from),
        Kind::Silver => steps::silver(side, from),
        Kind::Bishop => sliders::bishop(from, occupied),
        Kind::Rook => sliders::rook(from, occupied),
        Kind::Horse => sliders::bishop(from, occupied) | steps::orthogonal(from),
        Kind::Dragon => sliders::rook(from, occupied) | steps::diagonal(from),
        Kind::King => steps::king(from),
        Kind::Gold | Kind::Tokin | Kind::PromotedLance | Kind::PromotedKnight | Kind::PromotedSilver => {
            steps::gold(side, from)
        }
    }
}

/// Passes each move to a function.
struct Each<F>(F);

impl<B, F: FnMut(Move) -> ControlFlow<B>> Sink for Each<F> {
    type Break = B;

    #[inline(always)]
    fn one(&mut self, m: Move) -> ControlFlow<B> {
        (self.0)(m)
    }
}

impl Walk for State {
    type Move = Move;

    #[inline(always)]
    fn visit<const BLACK: bool, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_sets::<BLACK, false, _>(&mut Each(visit))
    }

    #[inline(always)]
    fn played<const BLACK: bool>(&self, m: Move) -> Self {
        self.after::<BLACK>(m)
    }
}

impl Count for State {
    /// Returns the number of legal moves of this side. Men that step are counted by direction, not one by one.
    #[inline(always)]
    fn count<const BLACK: bool>(&self) -> u64 {
        let us = const { side::<BLACK>() };
        let board = &self.board;
        let (own, occupied) = (board.of_side(us), board.occupied());
        let legality = Legality::of::<BLACK>(self);
        let Legality { king, checkers, answers, pinned } = legality;
        let mut count = self.king_targets::<BLACK>(king).len();
        if checkers.is_several() {
            return u64::from(count);
        }
        let targets = !own & answers;
        let free = own & !pinned;
        let men = Men::of(board, free);
        count += men.count_steps::<BLACK>(targets);
        for from in men.lances {
            let reach = sliders::lance(us, from, occupied) & targets;
            count += Targets::of::<BLACK>(Kind::Lance, from, reach).len();
        }
        // The single steps of horses and dragons are counted already.
        let bishops = board.of_original(Kind::Bishop) & free;
        for from in bishops {
            let reach = sliders::bishop(from, occupied) & targets;
            count += match men.horses.contains(from) {
                true => reach.len(),
                false => Targets::of::<BLACK>(Kind::Bishop, from, reach).len(),
            };
        }
        for from in board.of_original(Kind::Rook) & free {
            let reach = sliders::rook(from, occupied) & targets;
            count += match men.dragons.contains(from) {
                true => reach.len(),
                false => Targets::of::<BLACK>(Kind::Rook, from, reach).len(),
            };
        }
        for from in pinned {
            if let Some(piece) = board.piece_at(from) {
                let line = sliders::ray_through(king, from);
                let reach = reach(us, piece.kind, from, occupied) & targets & line;
                count += Targets::of::<BLACK>(piece.kind, from, reach).len();
            }
        }
        let hand = self.hand(us);
        if !hand.is_empty() {
            count += self.count_drops::<BLACK>(hand, !occupied & answers);
        }
        u64::from(count)
    }
}

impl State {
    /// Returns whether this side has a legal move.
    pub fn has_moves<const BLACK: bool>(&self) -> bool {
        self.visit::<BLACK, ()>(|_| ControlFlow::Break(())).is_break()
    }

    /// Passes the tactical moves of this side to a function. See [`Position::visit_tactical`](crate::Position::visit_tactical).
    #[inline(always)]
    pub fn visit_tactical<const BLACK: bool, B>(
        &self,
        visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_sets::<BLACK, true, _>(&mut Each(visit))
    }

    /// Passes every legal move of this side to the sink, or only the tactical ones, as sets.
    #[inline(always)]
    pub fn visit_sets<const BLACK: bool, const TACTICAL: bool, S: Sink>(
        &self,
        sink: &mut S,
    ) -> ControlFlow<S::Break> {
        let us = const { side::<BLACK>() };
        let board = &self.board;
        let (own, occupied) = (board.of_side(us), board.occupied());
        let theirs = board.of_side(us.other());
        let legality = Legality::of::<BLACK>(self);
        let Legality { king, checkers, answers, pinned } = legality;
        let mut near = self.king_targets::<BLACK>(king);
        if TACTICAL {
            near &= theirs;
        }
        sink.steps(Kind::King, king, near, false)?;
        if checkers.is_several() {
            return ControlFlow::Continue(());
        }
        let targets = !own & answers;
        for kind in Kind::ALL {
            if kind == Kind::King {
                continue;
            }
            for from in board.of_kind(kind) & own {
                let mut reach = reach(us, kind, from, occupied) & targets;
                if pinned.contains(from) {
                    reach &= sliders::ray_through(king, from);
                }
                let Targets { mut plain, mut promoting } = Targets::of::<BLACK>(kind, from, reach);
                if TACTICAL {
                    plain &= theirs;
                    if !kind.gains_by_promotion() {
                        promoting &= theirs;
                    }
                }
                sink.steps(kind, from, promoting, true)?;
                sink.steps(kind, from, plain, false)?;
            }
        }
        let hand = self.hand(us);
        if TACTICAL || hand.is_empty() {
            return ControlFlow::Continue(());
        }
        let targets = !occupied & answers;
        sink.drops(Kind::Pawn, self.pawn_drops::<BLACK>(hand, targets))?;
        for kind in [Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook] {
            if hand.has(kind) {
                sink.drops(kind, targets & !dead_end::<BLACK>(kind))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn count_drops<const BLACK: bool>(&self, hand: Hand, targets: SquareSet) -> u32 {
        let anywhere = [Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];
        let kinds: u32 = anywhere.into_iter().map(|kind| u32::from(hand.has(kind))).sum();
        let mut count = kinds * targets.len();
        for kind in [Kind::Lance, Kind::Knight] {
            if hand.has(kind) {
                count += (targets & !dead_end::<BLACK>(kind)).len();
            }
        }
        count + self.pawn_drops::<BLACK>(hand, targets).len()
    }

    /// The targets on which a pawn may be dropped: not on a file with another pawn of this side, not on the last
    /// rank, and not where it mates.
    #[inline(always)]
    fn pawn_drops<const BLACK: bool>(&self, hand: Hand, targets: SquareSet) -> SquareSet {
        if !hand.has(Kind::Pawn) {
            return SquareSet::EMPTY;
        }
        let us = const { side::<BLACK>() };
        let pawns = self.board.of(us, Kind::Pawn);
        let squares = targets & !files_of(pawns) & !const { dead_end::<BLACK>(Kind::Pawn) };
        let checking = behind::<BLACK>(self.board.of(us.other(), Kind::King)) & squares;
        if !checking.is_empty() && self.is_pawn_drop_mate::<BLACK>(checking) {
            squares ^ checking
        } else {
            squares
        }
    }

    /// Returns whether a pawn of this side that is dropped on the square before the other king mates. It does not if
    /// the pawn can be captured or the king can move. No man fits between the pawn and the king.
    #[inline(never)]
    fn is_pawn_drop_mate<const BLACK: bool>(&self, pawn: SquareSet) -> bool {
        let (us, them) = const { (side::<BLACK>(), side::<BLACK>().other()) };
        let board = &self.board;
        let theirs = board.of_side(them);
        let (king, square) = match BLACK {
            true => (self.king::<false>(), lowest(pawn)),
            false => (self.king::<true>(), lowest(pawn)),
        };
        let occupied = board.occupied() | pawn;
        let near = steps::king(king) & !theirs;
        if !(near & !board.attacks::<BLACK>(occupied ^ SquareSet::from(king), near)).is_empty() {
            return false;
        }
        let takers = board.attackers(square, them) & !SquareSet::from(king);
        takers.iter().all(|taker| {
            let without = occupied ^ SquareSet::from(taker);
            let exposed = (sliders::rook(king, without) & board.of_original(Kind::Rook)
                | sliders::bishop(king, without) & board.of_original(Kind::Bishop)
                | sliders::lance(them, king, without) & board.of_kind(Kind::Lance))
                & board.of_side(us);
            !exposed.is_empty()
        })
    }

    /// The squares that the king of this side can go to.
    #[inline(always)]
    fn king_targets<const BLACK: bool>(&self, king: Square) -> SquareSet {
        let near = steps::king(king) & !self.board.of_side(const { side::<BLACK>() });
        if near.is_empty() {
            return near;
        }
        // The king does not shield the squares behind itself.
        let (board, occupied) = (&self.board, self.board.occupied() ^ SquareSet::from(king));
        let theirs = board.of_side(const { side::<BLACK>().other() });
        let danger = match (BLACK, steps::vicinity(king).intersects(theirs)) {
            (true, true) => board.attacks::<false>(occupied, near),
            (false, true) => board.attacks::<true>(occupied, near),
            (true, false) => board.slides::<false>(occupied, near),
            (false, false) => board.slides::<true>(occupied, near),
        };
        near & !danger
    }
}

impl Men {
    /// Counts the moves of all men that step or jump, promotions included. No two men reach a square in the same
    /// direction, so that popcounts of shifted sets count moves.
    #[inline(always)]
    fn count_steps<const BLACK: bool>(&self, targets: SquareSet) -> u32 {
        let to = |set: SquareSet| (set & targets).len();
        let men = self.steppers();
        let (aslant, back_aslant) = (ahead::<BLACK>(men.ahead_aslant), behind::<BLACK>(men.back_aslant));
        let mut count = to(ahead::<BLACK>(men.ahead))
            + to(left(aslant))
            + to(right(aslant))
            + to(left(men.sideways))
            + to(right(men.sideways))
            + to(behind::<BLACK>(men.back))
            + to(left(back_aslant))
            + to(right(back_aslant));
        let (zone, last, last_two) =
            const { (zone::<BLACK>(), dead_end::<BLACK>(Kind::Pawn), dead_end::<BLACK>(Kind::Knight)) };
        let pawns = ahead::<BLACK>(self.pawns) & targets;
        count += (pawns & !last).len() + (pawns & zone).len();
        if !self.knights.is_empty() {
            let knights = ahead::<BLACK>(ahead::<BLACK>(self.knights));
            for jumps in [left(knights) & targets, right(knights) & targets] {
                count += (jumps & !last_two).len() + (jumps & zone).len();
            }
        }
        // A silver may promote if its move begins or ends in the zone.
        let near_zone = zone | behind::<BLACK>(zone);
        if self.silvers.intersects(near_zone) {
            for from in self.silvers & near_zone {
                let targets = if zone.contains(from) { targets } else { targets & zone };
                count += (steps::silver(const { side::<BLACK>() }, from) & targets).len();
            }
        }
        count
    }
}
