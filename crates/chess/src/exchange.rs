//! Static exchange evaluation: the material that a move wins or loses in captures on its target square.
//!
//! After the move, the sides capture on this square in turn, each with its least valuable man, and each stops when going on
//! would cost material. Every capture is a legal move: a pinned man takes part only if it stays on its line, nobody captures
//! while a discovered check stands, and a king does not capture a guarded man. Men behind others on a line (x-rays) take part
//! when the line opens. A pawn that captures on the last rank becomes a queen.

use crate::board::Board;
use crate::grid::{Square, SquareSet, home_rank, lowest};
use crate::moves::{Move, Step};
use crate::pieces::Kind;
use crate::position::Position;
use crate::{sliders, steps};
use game::{BySide, Centipawns, Side};

const NOTHING: Centipawns = Centipawns(0);
/// What a pawn gains when it becomes a queen.
const QUEENING: Centipawns = Centipawns(Kind::Queen.value().0 - Kind::Pawn.value().0);

impl Position {
    /// Returns the material that the side to move wins by this move and the captures on its target square that follow, if
    /// both sides capture with their least valuable men and stop at the best time. The result is negative if the move loses
    /// material.
    ///
    /// Each capture is legal. Of equal men, the one nearest to its own home rank captures first, then the one nearest to
    /// the a-file. Captures on other squares do not count, nor does an en-passant capture of the man that moved. Castling
    /// wins nothing. If the move itself is not legal, the result has no meaning.
    ///
    /// ```
    /// use endspiel_chess::{Centipawns, Chess, Position};
    /// use game::Notation;
    ///
    /// // The knight takes a pawn; the bishop on f6 and the queen behind it guard it twice.
    /// let position: Position = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1".parse()?;
    /// let takes = Chess::STANDARD.parse_move(&position, "Nxe5")?;
    /// assert_eq!(position.see(takes), Centipawns(-200));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see(&self, m: Move) -> Centipawns {
        if m.is_castling() {
            return NOTHING;
        }
        let mut exchange = Exchange::after(self, m);
        self.first_gain(m) - exchange.best(self.turn.other(), m.arriving())
    }

    /// Returns whether [`see`](Self::see) is at least this value. It is faster, because it stops as soon as this is certain.
    pub fn see_at_least(&self, m: Move, threshold: Centipawns) -> bool {
        if m.is_castling() {
            return threshold <= NOTHING;
        }
        // The side that captures next must win more than `spare`, or the answer is `is_enough`.
        let mut side = self.turn.other();
        let mut spare = self.first_gain(m) - threshold;
        let mut at_risk = m.arriving().value();
        let mut is_enough = true;
        if spare < NOTHING {
            return false;
        }
        let bonus = |side| if is_last_rank(m.to(), side) { QUEENING } else { NOTHING };
        if at_risk + bonus(side) <= spare {
            return true;
        }
        let mut exchange = Exchange::after(self, m);
        while let Some((arriving, promoted)) = exchange.capture(side) {
            let won = at_risk + promoted;
            if won <= spare {
                break;
            }
            spare = won - spare - Centipawns(1);
            at_risk = arriving.value();
            side = side.other();
            is_enough = !is_enough;
            if at_risk + bonus(side) <= spare {
                break;
            }
        }
        is_enough
    }

    /// The material that the move itself wins.
    #[inline]
    fn first_gain(&self, m: Move) -> Centipawns {
        let taken = match self.board().kind_at(m.to()) {
            Some(kind) => kind.value(),
            None if m.is(Step::EnPassant) => Kind::Pawn.value(),
            None => NOTHING,
        };
        taken + m.arriving().value() - m.kind().value()
    }
}

/// Returns whether a pawn of this side promotes on the square.
#[inline]
fn is_last_rank(square: Square, side: Side) -> bool {
    square.rank() == home_rank(side.other())
}

/// Captures on one square, one after the other.
struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    /// All men, without those that have been captured or have left their squares for the target.
    occupied: SquareSet,
    /// The men of both sides that attack the target and have not captured yet.
    attackers: SquareSet,
    kings: BySide<Square>,
    /// For each side, the enemy's sliders on lines through its king.
    snipers: BySide<SquareSet>,
}

impl<'a> Exchange<'a> {
    /// The exchange after a move, which begins with the enemy's captures.
    #[inline]
    fn after(position: &'a Position, m: Move) -> Self {
        let (board, target) = (position.board(), m.to());
        let mut occupied = (board.occupied() & !SquareSet::from(m.from())) | SquareSet::from(target);
        if m.is(Step::EnPassant) {
            occupied &= !SquareSet::from(Square::at(target.file(), m.from().rank()));
        }
        let kings = BySide { first: position.king(Side::First), second: position.king(Side::Second) };
        let snipers = |side: Side| {
            let straight = sliders::rook_rays(kings[side]) & board.straight_sliders(side.other());
            let diagonal = sliders::bishop_rays(kings[side]) & board.diagonal_sliders(side.other());
            // A man on the target has been captured by the move.
            (straight | diagonal) & !SquareSet::from(target)
        };
        let snipers = BySide { first: snipers(Side::First), second: snipers(Side::Second) };
        let attackers = board.attackers_through(target, occupied);
        Self { board, target, occupied, attackers: attackers & occupied, kings, snipers }
    }

    /// The most that this side can win on the target, where the enemy now has a man of this kind.
    fn best(&mut self, side: Side, at_risk: Kind) -> Centipawns {
        match self.capture(side) {
            None => NOTHING,
            Some((arriving, promoted)) => {
                NOTHING.max(at_risk.value() + promoted - self.best(side.other(), arriving))
            }
        }
    }

    /// Captures with the side's least valuable man, if a legal capture is left. Returns the kind that arrives, and what the
    /// man gained by promotion.
    #[inline]
    fn capture(&mut self, side: Side) -> Option<(Kind, Centipawns)> {
        let men = self.attackers & self.board.of_side(side);
        if men.is_empty() {
            return None;
        }
        let men = men & !self.bound(side);
        let least = Kind::ALL.into_iter().find(|&kind| men.intersects(self.board.of_kind(kind)))?;
        self.occupied ^= SquareSet::from(nearest(men & self.board.of_kind(least), side));
        if least != Kind::Knight {
            self.attackers |= self.board.sliders_through(self.target, self.occupied);
        }
        self.attackers &= self.occupied;
        match least {
            Kind::King if self.attackers.intersects(self.board.of_side(side.other())) => None,
            Kind::Pawn if is_last_rank(self.target, side) => Some((Kind::Queen, QUEENING)),
            kind => Some((kind, NOTHING)),
        }
    }

    /// The men of this side that cannot capture on the target without leaving their king in check from elsewhere.
    #[inline]
    fn bound(&self, side: Side) -> SquareSet {
        let king = self.kings[side];
        let mut bound = SquareSet::EMPTY;
        for sniper in self.snipers[side] & self.occupied {
            let shields = steps::between(king, sniper) & self.occupied;
            if shields.is_empty() {
                return !SquareSet::from(king);
            }
            if !shields.is_several() {
                bound |= shields;
            }
        }
        bound
    }
}

/// The man nearest to its side's home rank, then to the a-file. So both sides choose alike.
#[inline]
fn nearest(men: SquareSet, side: Side) -> Square {
    match side {
        Side::First => lowest(men),
        Side::Second => {
            let flipped = lowest(SquareSet::from_word(men.word().swap_bytes()));
            Square::at(flipped.file(), 7 - flipped.rank())
        }
    }
}
