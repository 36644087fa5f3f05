//! Static exchange evaluation: the material that a move wins or loses in captures on its target square.
//!
//! After the move, the sides capture on this square in turn, each with the man that it loses least with, and each stops when going on
//! would cost material. Whoever captures gets the man in hand, so a capture counts twice: what the one side loses, and what the other
//! side may drop. Every capture is a legal move: a pinned man takes part only if it stays on its line, nobody captures while a
//! discovered check stands, and a king does not capture a guarded man. Men behind others on a line (x-rays) take part when the line
//! opens. A man that can promote by its capture does so.

use crate::board::Board;
use crate::grid::{Square, SquareSet, lowest, zone};
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use crate::{sliders, steps};
use game::{BySide, Centipawns, Side};

const NOTHING: Centipawns = Centipawns(0);

impl Kind {
    /// What a man of this kind is worth, on the board or in hand, on average. Measured: weights of a sum of material that predicts the
    /// scores of searches best, on 150,000 positions (`tools/label_shogi_positions.py`). A king is worth more than all else.
    pub const fn value(self) -> Centipawns {
        Centipawns(match self {
            Self::Pawn => 90,
            Self::Lance => 210,
            Self::Knight => 220,
            Self::Silver => 390,
            Self::Gold => 455,
            Self::Bishop => 530,
            Self::Rook => 690,
            Self::King => 20_000,
            Self::Tokin => 460,
            Self::PromotedLance => 350,
            Self::PromotedKnight => 360,
            Self::PromotedSilver => 395,
            Self::Horse => 800,
            Self::Dragon => 960,
        })
    }

    /// What it changes if the man is captured: its side loses it, and the other side gets its original kind in hand.
    #[inline]
    pub const fn value_of_capture(self) -> Centipawns {
        Centipawns(self.value().0 + self.original().value().0)
    }

    /// What the kind gains when it promotes.
    #[inline]
    const fn value_of_promotion(self) -> Centipawns {
        match self.promoted() {
            Some(promoted) => Centipawns(promoted.value().0 - self.value().0),
            None => NOTHING,
        }
    }
}

/// All kinds, those first that cost least when they are captured.
static LEAST_FIRST: [Kind; 14] = {
    let mut kinds = Kind::ALL;
    let mut sorted = 1;
    while sorted < kinds.len() {
        let mut at = sorted;
        while at > 0 && kinds[at].value_of_capture().0 < kinds[at - 1].value_of_capture().0 {
            (kinds[at], kinds[at - 1]) = (kinds[at - 1], kinds[at]);
            at -= 1;
        }
        sorted += 1;
    }
    kinds
};

impl Position {
    /// Returns the material that the side to move wins by this move and the captures on its target square that follow, if both sides
    /// capture with the men that cost least and stop at the best time. The result is negative if the move loses material.
    ///
    /// Each capture is legal. Of equal men, the one nearest to its own camp captures first, then the leftmost one as its side sees it.
    /// Captures on other squares do not count. A drop wins nothing by itself. If the move is not legal, the result has no meaning.
    ///
    /// ```
    /// use endspiel_shogi::{Centipawns, Kind, Position, Shogi};
    /// use game::Notation;
    ///
    /// // The bishop is exchanged: both sides have one in hand afterwards.
    /// let position: Position = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3".parse()?;
    /// let takes = Shogi::default().parse_move(&position, "8h2b+")?;
    /// let (bishop, horse) = (Kind::Bishop, Kind::Horse);
    /// // White gets a bishop back, and Black loses what it had gained by the promotion.
    /// assert_eq!(position.see(takes), Centipawns(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see(&self, m: Move) -> Centipawns {
        let mut exchange = Exchange::after(self, m);
        self.first_gain(m) - exchange.best(self.turn.other(), m.arriving())
    }

    /// Returns whether [`see`](Self::see) is at least this value. It is faster, because it stops as soon as this is certain.
    pub fn see_at_least(&self, m: Move, threshold: Centipawns) -> bool {
        // The side that captures next must win more than `spare`, or the answer is `is_enough`.
        let mut side = self.turn.other();
        let mut spare = self.first_gain(m) - threshold;
        let mut at_risk = m.arriving().value_of_capture();
        let mut is_enough = true;
        if spare < NOTHING {
            return false;
        }
        if at_risk + MOST_PROMOTION <= spare {
            return true;
        }
        let mut exchange = Exchange::after(self, m);
        while let Some((arriving, promoted)) = exchange.capture(side) {
            let won = at_risk + promoted;
            if won <= spare {
                break;
            }
            spare = won - spare - Centipawns(1);
            at_risk = arriving.value_of_capture();
            side = side.other();
            is_enough = !is_enough;
            if at_risk + MOST_PROMOTION <= spare {
                break;
            }
        }
        is_enough
    }

    /// The material that the move itself wins.
    #[inline]
    pub fn first_gain(&self, m: Move) -> Centipawns {
        let Move::Step { kind, to, .. } = m else { return NOTHING };
        let taken = self.board().kind_at(to).map_or(NOTHING, Kind::value_of_capture);
        taken + m.arriving().value() - kind.value()
    }
}

/// The most that a kind gains by promotion.
const MOST_PROMOTION: Centipawns = {
    let (mut most, mut at) = (0, 0);
    while at < Kind::ORIGINAL.len() {
        let gain = Kind::ORIGINAL[at].value_of_promotion().0;
        if gain > most {
            most = gain;
        }
        at += 1;
    }
    Centipawns(most)
};

/// Captures on one square, one after the other.
struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    /// All men, without those that have been captured or have left their squares for the target.
    occupied: SquareSet,
    /// The men of both sides that attack the target and have not captured yet.
    attackers: SquareSet,
    kings: BySide<Square>,
}

impl<'a> Exchange<'a> {
    /// The exchange after a move, which begins with the enemy's captures.
    #[inline]
    fn after(position: &'a Position, m: Move) -> Self {
        let (board, target) = (position.board(), m.to());
        let mut occupied = board.occupied() | SquareSet::from(target);
        let mut kings = BySide { first: position.king(Side::First), second: position.king(Side::Second) };
        if let Move::Step { kind, from, .. } = m {
            occupied ^= SquareSet::from(from);
            if kind == Kind::King {
                kings[position.turn] = target;
            }
        }
        let near = Side::ALL.map(|side| board.near_attackers(target, side) & board.of_side(side));
        let attackers = near[0] | near[1] | board.sliders_through(target, occupied);
        Self { board, target, occupied, attackers: attackers & occupied, kings }
    }

    /// The most that this side can win on the target, where the enemy now has a man of this kind.
    fn best(&mut self, side: Side, at_risk: Kind) -> Centipawns {
        match self.capture(side) {
            None => NOTHING,
            Some((arriving, promoted)) => {
                NOTHING.max(at_risk.value_of_capture() + promoted - self.best(side.other(), arriving))
            }
        }
    }

    /// Captures with the man of the side that costs least, if a legal capture is left. Returns the kind that arrives, and what the man
    /// gained by promotion.
    #[inline]
    fn capture(&mut self, side: Side) -> Option<(Kind, Centipawns)> {
        let men = self.attackers & self.board.of_side(side);
        if men.is_empty() {
            return None;
        }
        let men = men & !self.bound(side);
        let least = LEAST_FIRST.into_iter().find(|&kind| men.intersects(self.board.of_kind(kind)))?;
        let from = nearest(men & self.board.of_kind(least), side);
        self.occupied ^= SquareSet::from(from);
        if least != Kind::Knight {
            self.attackers |= self.board.sliders_through(self.target, self.occupied);
        }
        self.attackers &= self.occupied;
        let camp = if side == Side::First { zone::<true>() } else { zone::<false>() };
        match least.promoted() {
            _ if least == Kind::King && self.attackers.intersects(self.board.of_side(side.other())) => None,
            Some(promoted) if camp.contains(from) || camp.contains(self.target) => {
                Some((promoted, least.value_of_promotion()))
            }
            _ => Some((least, NOTHING)),
        }
    }

    /// The men of this side that cannot capture on the target without leaving their king in check from elsewhere.
    #[inline]
    fn bound(&self, side: Side) -> SquareSet {
        let king = self.kings[side];
        let mut bound = SquareSet::EMPTY;
        // A man on the target has been captured.
        let snipers = self.board.snipers(king, side.other()) & self.occupied & !SquareSet::from(self.target);
        for sniper in snipers {
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

impl Board {
    /// The lances, bishops and rooks of both sides that attack the square if exactly the squares `occupied` are occupied. Some of them
    /// may have left the board.
    #[inline]
    fn sliders_through(&self, square: Square, occupied: SquareSet) -> SquareSet {
        let lances = self.of_kind(Kind::Lance);
        let mut found = sliders::bishop(square, occupied) & self.of_original(Kind::Bishop);
        let straight = self.of_original(Kind::Rook) | lances;
        if sliders::rook_rays(square).intersects(straight & occupied) {
            let lines = sliders::rook(square, occupied);
            found |= lines & self.of_original(Kind::Rook);
            for side in Side::ALL {
                found |= lines & sliders::lance_ray(side.other(), square) & lances & self.of_side(side);
            }
        }
        found
    }
}

/// The man nearest to its side's camp, then the leftmost one as the side sees it. So both sides choose alike.
#[inline]
fn nearest(men: SquareSet, side: Side) -> Square {
    match side {
        Side::First => lowest(men),
        Side::Second => lowest(men.rotated()).rotate(),
    }
}
