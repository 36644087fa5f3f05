//! Attacks: whether a square is attacked, by which pieces, and which squares a side attacks. Legality is based on this.
//!
//! The search starts from the square: a knight on the square would reach every knight that attacks it, and the same is true
//! for each kind. All functions work on any [`Board`], legal or not. The piece on the square itself does not matter.

use crate::board::Board;
use crate::fills::{self, Rays};
use crate::grid::{Square, SquareSet, ahead_east, ahead_west};
use crate::pieces::Kind;
use crate::state::side;
use crate::{sliders, steps};
use game::Side;

impl Board {
    /// Returns whether this side attacks the square.
    ///
    /// The order of the tests was measured (docs/experiments.md). Sliders are first looked for on the rays of the empty
    /// board. This excludes most squares without a look at the pieces between.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        self.is_attacked_on_diagonal(square, by)
            || self.is_attacked_on_rank_or_file(square, by)
            || self.is_attacked_by_knight(square, by)
            || self.is_attacked_by_pawn(square, by)
            || self.is_attacked_by_king(square, by)
    }

    /// Returns whether a pawn of this side attacks the square.
    #[inline]
    pub fn is_attacked_by_pawn(&self, square: Square, by: Side) -> bool {
        steps::pawn(by.other(), square).intersects(self.of(by, Kind::Pawn))
    }

    /// Returns whether a knight of this side attacks the square.
    #[inline]
    pub fn is_attacked_by_knight(&self, square: Square, by: Side) -> bool {
        steps::knight(square).intersects(self.of(by, Kind::Knight))
    }

    /// Returns whether the king of this side attacks the square.
    #[inline]
    pub fn is_attacked_by_king(&self, square: Square, by: Side) -> bool {
        steps::king(square).intersects(self.of(by, Kind::King))
    }

    /// Returns whether a bishop or queen of this side attacks the square along a diagonal.
    #[inline]
    pub fn is_attacked_on_diagonal(&self, square: Square, by: Side) -> bool {
        let sliders = self.diagonal_sliders(by);
        sliders::bishop_rays(square).intersects(sliders)
            && sliders::bishop(square, self.occupied()).intersects(sliders)
    }

    /// Returns whether a rook or queen of this side attacks the square along its rank.
    #[inline]
    pub fn is_attacked_on_rank(&self, square: Square, by: Side) -> bool {
        let rank = crate::grid::rank(square.rank());
        (sliders::rook(square, self.occupied()) & rank).intersects(self.straight_sliders(by))
    }

    /// Returns whether a rook or queen of this side attacks the square along its file.
    #[inline]
    pub fn is_attacked_on_file(&self, square: Square, by: Side) -> bool {
        let rank = crate::grid::rank(square.rank());
        (sliders::rook(square, self.occupied()) & !rank).intersects(self.straight_sliders(by))
    }

    /// Returns whether a rook or queen of this side attacks the square along its rank or file.
    #[inline]
    fn is_attacked_on_rank_or_file(&self, square: Square, by: Side) -> bool {
        let sliders = self.straight_sliders(by);
        sliders::rook_rays(square).intersects(sliders)
            && sliders::rook(square, self.occupied()).intersects(sliders)
    }

    /// All pieces of this side that attack the square.
    #[inline]
    pub fn attackers(&self, square: Square, by: Side) -> SquareSet {
        self.attackers_through(square, self.occupied()) & self.of_side(by)
    }

    /// All pieces of both sides that would attack the square if exactly these squares were occupied.
    #[inline]
    pub(crate) fn attackers_through(&self, square: Square, occupied: SquareSet) -> SquareSet {
        steps::pawn(Side::Second, square) & self.of(Side::First, Kind::Pawn)
            | steps::pawn(Side::First, square) & self.of(Side::Second, Kind::Pawn)
            | steps::knight(square) & self.of_kind(Kind::Knight)
            | steps::king(square) & self.of_kind(Kind::King)
            | self.sliders_through(square, occupied)
    }

    /// The bishops, rooks and queens of both sides that would attack the square if exactly these squares were occupied.
    #[inline]
    pub(crate) fn sliders_through(&self, square: Square, occupied: SquareSet) -> SquareSet {
        let queens = self.of_kind(Kind::Queen);
        sliders::bishop(square, occupied) & (self.of_kind(Kind::Bishop) | queens)
            | sliders::rook(square, occupied) & (self.of_kind(Kind::Rook) | queens)
    }

    /// All squares that this side attacks. They include the squares of its own pieces that it guards.
    #[inline]
    pub fn attack_map(&self, by: Side) -> SquareSet {
        let occupied = self.occupied();
        let of_men = match by {
            Side::First => self.men_attack_map::<true>(occupied),
            Side::Second => self.men_attack_map::<false>(occupied),
        };
        of_men | fills::kings(self.of(by, Kind::King))
    }

    /// All squares that this side's men other than the king would attack if exactly these squares were occupied.
    #[inline(always)]
    pub(crate) fn men_attack_map<const WHITE: bool>(&self, occupied: SquareSet) -> SquareSet {
        let by = const { side::<WHITE>() };
        let pawns = self.of(by, Kind::Pawn);
        Rays::of(self.straight_sliders(by), self.diagonal_sliders(by), !occupied).union()
            | fills::knights(self.of(by, Kind::Knight))
            | ahead_west::<WHITE>(pawns)
            | ahead_east::<WHITE>(pawns)
    }
}
