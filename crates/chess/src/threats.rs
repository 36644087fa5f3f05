//! Attacks: whether a square is attacked, by which pieces, and which squares a side attacks. Legality is based on this.
//!
//! The search starts from the square: a knight on the square would reach every knight that attacks it, and the same is true
//! for each kind. All functions work on any [`Board`], legal or not. The piece on the square itself does not matter.

use crate::board::Board;
use crate::fills::{self, Rays};
use crate::grid::{BySquare, Square, SquareSet, ahead_east, ahead_west};
use crate::pieces::Kind;
use crate::state::side;
use crate::{sliders, steps};
use bits::Lanes;
use game::{BySide, Side};

/// The squares from which men of one side attack a square of an empty board, for each set of a [`Board`] in their order: six kinds,
/// and nothing for the sets of the two sides. It fills a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Origins([Lanes; 2]);

static ORIGINS: BySide<BySquare<Origins>> =
    BySide { first: origins(Side::First), second: origins(Side::Second) };

const fn origins(by: Side) -> BySquare<Origins> {
    let mut table = [Origins([Lanes::new([0; 4]); 2]); 64];
    let mut to = 0;
    while to < 64 {
        let pawns = match by {
            Side::First => steps::PAWN.second,
            Side::Second => steps::PAWN.first,
        };
        let (pawn, knight) = (pawns.0[to].word(), steps::KNIGHT.0[to].word());
        let (bishop, rook) = (sliders::BISHOP_RAYS.0[to].word(), sliders::ROOK_RAYS.0[to].word());
        let (queen, king) = (bishop | rook, steps::KING.0[to].word());
        table[to] = Origins([Lanes::new([pawn, knight, bishop, rook]), Lanes::new([queen, king, 0, 0])]);
        to += 1;
    }
    BySquare::new(table)
}

impl Board {
    /// Returns whether this side attacks the square.
    ///
    /// On an empty board, few men would attack the square. They are found for all kinds at once. One of them attacks it here if
    /// nothing stands between. This is quicker than a look-up for each kind (docs/experiments.md).
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let occupied = self.occupied();
        let near_or_in_line = self.would_attack(square, by);
        near_or_in_line.iter().any(|from| !steps::between(square, from).intersects(occupied))
    }

    /// The pieces of this side that would attack the square if nothing stood between.
    #[inline]
    fn would_attack(&self, square: Square, by: Side) -> SquareSet {
        let Origins([origins_of_first_four, origins_of_others]) = ORIGINS[by][square];
        let [first_four, others] = self.lanes();
        let of_both_sides = first_four & origins_of_first_four | others & origins_of_others;
        SquareSet::from_word(of_both_sides.union()) & self.of_side(by)
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
