//! Attacks: whether a square is attacked, which men attack it, and which squares a side attacks.

use crate::board::Board;
use crate::grid::{Square, SquareSet, ahead, behind, left, right, side};
use crate::pieces::{Kind, Piece};
use crate::{sliders, steps};
use game::Side;

impl Piece {
    /// The squares that the man attacks from a square, if exactly the squares `occupied` are occupied.
    ///
    /// ```
    /// use endspiel_shogi::{Kind, Piece, Square, SquareSet};
    ///
    /// let dragon = Piece { side: game::Side::First, kind: Kind::Dragon };
    /// assert_eq!(dragon.attacks(Square::at(4, 4), SquareSet::EMPTY).len(), 20);
    /// ```
    pub fn attacks(self, from: Square, occupied: SquareSet) -> SquareSet {
        let Self { side, kind } = self;
        match kind {
            Kind::Pawn => steps::pawn(side, from),
            Kind::Lance => sliders::lance(side, from, occupied),
            Kind::Knight => steps::knight(side, from),
            Kind::Silver => steps::silver(side, from),
            Kind::Gold | Kind::Tokin | Kind::PromotedLance | Kind::PromotedKnight | Kind::PromotedSilver => {
                steps::gold(side, from)
            }
            Kind::Bishop => sliders::bishop(from, occupied),
            Kind::Rook => sliders::rook(from, occupied),
            Kind::Horse => sliders::bishop(from, occupied) | steps::orthogonal(from),
            Kind::Dragon => sliders::rook(from, occupied) | steps::diagonal(from),
            Kind::King => steps::king(from),
        }
    }
}

impl Board {
    /// Returns whether this side attacks the square.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let theirs = self.of_side(by);
        let near = (steps::king(square) | steps::knight(by.other(), square)) & theirs;
        if !near.is_empty() && self.near_attackers(square, by).intersects(theirs) {
            return true;
        }
        let occupied = self.occupied();
        self.snipers(square, by).iter().any(|sniper| !steps::between(square, sniper).intersects(occupied))
    }

    /// The sliders of this side that would attack the square if no man stood between.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square, by: Side) -> SquareSet {
        (sliders::rook_rays(square) & self.of_original(Kind::Rook)
            | sliders::bishop_rays(square) & self.of_original(Kind::Bishop)
            | sliders::lance_ray(by.other(), square) & self.of_kind(Kind::Lance))
            & self.of_side(by)
    }

    /// All men of this side that attack the square.
    #[inline]
    pub fn attackers(&self, square: Square, by: Side) -> SquareSet {
        let occupied = self.occupied();
        (self.near_attackers(square, by)
            | sliders::lance(by.other(), square, occupied) & self.of_kind(Kind::Lance)
            | sliders::bishop(square, occupied) & self.of_original(Kind::Bishop)
            | sliders::rook(square, occupied) & self.of_original(Kind::Rook))
            & self.of_side(by)
    }

    /// The men that attack the square with a step or jump, if they belong to this side. The caller removes men of the
    /// other side.
    #[inline]
    pub(crate) fn near_attackers(&self, square: Square, by: Side) -> SquareSet {
        let other = by.other();
        steps::pawn(other, square) & self.of_kind(Kind::Pawn)
            | steps::knight(other, square) & self.of_kind(Kind::Knight)
            | steps::silver(other, square) & self.of_kind(Kind::Silver)
            | steps::gold(other, square) & self.golds()
            | steps::orthogonal(square) & self.of_kind(Kind::Horse)
            | steps::diagonal(square) & self.of_kind(Kind::Dragon)
            | steps::king(square) & self.of_kind(Kind::King)
    }

    /// Every square that this side attacks. The squares of its own men that it guards are included.
    pub fn attack_map(&self, by: Side) -> SquareSet {
        match by {
            Side::First => self.attacks::<true>(self.occupied(), SquareSet::full()),
            Side::Second => self.attacks::<false>(self.occupied(), SquareSet::full()),
        }
    }

    /// The squares that the men of this side attack by a step or a jump. Kings, and the lines of lances, bishops and rooks are left
    /// out.
    #[inline]
    pub fn step_attacks(&self, by: Side) -> SquareSet {
        let men = Men::of(self, self.of_side(by));
        match by {
            Side::First => men.short_attacks::<true>(),
            Side::Second => men.short_attacks::<false>(),
        }
    }

    /// The squares that the pawns of this side attack.
    #[inline]
    pub fn pawn_attacks(&self, by: Side) -> SquareSet {
        let pawns = self.of(by, Kind::Pawn);
        match by {
            Side::First => ahead::<true>(pawns),
            Side::Second => ahead::<false>(pawns),
        }
    }

    /// The squares that this side would attack if exactly the squares `occupied` were occupied. The result is
    /// complete only for the squares in `asked`.
    #[inline(always)]
    pub(crate) fn attacks<const BLACK: bool>(&self, occupied: SquareSet, asked: SquareSet) -> SquareSet {
        let men = Men::of(self, self.of_side(const { side::<BLACK>() }));
        self.slides::<BLACK>(occupied, asked) | men.short_attacks::<BLACK>()
    }

    /// The squares that the king would attack, and lances, bishops and rooks along their lines, if exactly the
    /// squares `occupied` were occupied. Sliders whose lines miss `asked` are skipped.
    #[inline(always)]
    pub(crate) fn slides<const BLACK: bool>(&self, occupied: SquareSet, asked: SquareSet) -> SquareSet {
        let us = const { side::<BLACK>() };
        let own = self.of_side(us);
        let king = (self.of_original(Kind::King) & own).first();
        let mut attacked = king.map_or(SquareSet::EMPTY, steps::king);
        for from in self.of(us, Kind::Lance) {
            if sliders::lance_ray(us, from).intersects(asked) {
                attacked |= sliders::lance(us, from, occupied);
            }
        }
        for from in self.of_original(Kind::Bishop) & own {
            if sliders::bishop_rays(from).intersects(asked) {
                attacked |= sliders::bishop(from, occupied);
            }
        }
        for from in self.of_original(Kind::Rook) & own {
            if sliders::rook_rays(from).intersects(asked) {
                attacked |= sliders::rook(from, occupied);
            }
        }
        attacked
    }
}

/// Some men of a side, by how they step.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    pub pawns: SquareSet,
    pub lances: SquareSet,
    pub knights: SquareSet,
    pub silvers: SquareSet,
    pub golds: SquareSet,
    pub horses: SquareSet,
    pub dragons: SquareSet,
}

impl Men {
    /// The men of a board that are in this set.
    #[inline(always)]
    pub fn of(board: &Board, set: SquareSet) -> Self {
        let plain = set & !board.promoted();
        Self {
            pawns: board.of_original(Kind::Pawn) & plain,
            lances: board.of_original(Kind::Lance) & plain,
            knights: board.of_original(Kind::Knight) & plain,
            silvers: board.of_original(Kind::Silver) & plain,
            golds: board.golds() & set,
            horses: board.of_kind(Kind::Horse) & set,
            dragons: board.of_kind(Kind::Dragon) & set,
        }
    }

    /// By direction, the men that take a single step in it. Pawns, knights and kings are left out.
    #[inline(always)]
    pub fn steppers(&self) -> Steppers {
        Steppers {
            ahead: self.golds | self.horses | self.silvers,
            ahead_aslant: self.golds | self.dragons | self.silvers,
            sideways: self.golds | self.horses,
            back: self.golds | self.horses,
            back_aslant: self.dragons | self.silvers,
        }
    }

    /// All squares that these men attack by a step or a jump.
    #[inline(always)]
    fn short_attacks<const BLACK: bool>(&self) -> SquareSet {
        self.steps::<BLACK>()
            | ahead::<BLACK>(self.pawns)
            | sideways(ahead::<BLACK>(ahead::<BLACK>(self.knights)))
    }

    #[inline(always)]
    fn steps<const BLACK: bool>(&self) -> SquareSet {
        let men = self.steppers();
        ahead::<BLACK>(men.ahead)
            | behind::<BLACK>(men.back)
            | sideways(men.sideways | ahead::<BLACK>(men.ahead_aslant) | behind::<BLACK>(men.back_aslant))
    }
}

/// The men that take a single step in each direction. See [`Men::steppers`].
pub(crate) struct Steppers {
    pub ahead: SquareSet,
    pub ahead_aslant: SquareSet,
    pub sideways: SquareSet,
    pub back: SquareSet,
    pub back_aslant: SquareSet,
}

#[inline(always)]
fn sideways(set: SquareSet) -> SquareSet {
    left(set) | right(set)
}
