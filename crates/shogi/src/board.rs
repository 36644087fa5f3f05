//! The board: any arrangement of men, legal or not.

use crate::grid::{Square, SquareSet};
use crate::pieces::{Kind, Piece};
use game::{BySide, Side};

/// Men on squares, without hands and side to move. Nothing is checked here; [`Position`](crate::Position) is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    /// The men by original kind, the kind before promotion.
    originals: [SquareSet; 8],
    promoted: SquareSet,
    sides: BySide<SquareSet>,
}

impl Board {
    /// The board without men.
    pub const EMPTY: Self = Self {
        originals: [SquareSet::EMPTY; 8],
        promoted: SquareSet::EMPTY,
        sides: BySide { first: SquareSet::EMPTY, second: SquareSet::EMPTY },
    };

    /// The men of a side.
    #[inline]
    pub fn of_side(&self, side: Side) -> SquareSet {
        self.sides[side]
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.sides.first | self.sides.second
    }

    /// The men that have promoted.
    #[inline]
    pub const fn promoted(&self) -> SquareSet {
        self.promoted
    }

    /// The men of this kind and those that have promoted from it, of both sides.
    #[inline]
    pub const fn of_original(&self, kind: Kind) -> SquareSet {
        self.originals[kind as usize % 8]
    }

    /// The men of a kind, of both sides.
    #[inline]
    pub fn of_kind(&self, kind: Kind) -> SquareSet {
        let all = self.of_original(kind);
        match kind {
            Kind::Gold | Kind::King => all,
            _ if kind.is_promoted() => all & self.promoted,
            _ => all & !self.promoted,
        }
    }

    /// The men of a kind and side.
    #[inline]
    pub fn of(&self, side: Side, kind: Kind) -> SquareSet {
        self.of_kind(kind) & self.of_side(side)
    }

    /// All men that move like a gold, of both sides.
    #[inline]
    pub fn golds(&self) -> SquareSet {
        let small = self.of_original(Kind::Pawn)
            | self.of_original(Kind::Lance)
            | self.of_original(Kind::Knight)
            | self.of_original(Kind::Silver);
        self.of_original(Kind::Gold) | small & self.promoted
    }

    /// Returns the man on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_at(square)?;
        let side = if self.of_side(Side::First).contains(square) { Side::First } else { Side::Second };
        Some(Piece { side, kind })
    }

    /// Returns the kind of the man on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        let original = self.original_at(square)?;
        Some(original.promoted().filter(|_| self.promoted.contains(square)).unwrap_or(original))
    }

    /// Returns the original kind of the man on a square, the kind before promotion.
    #[inline]
    pub fn original_at(&self, square: Square) -> Option<Kind> {
        Kind::ORIGINAL.into_iter().find(|&kind| self.of_original(kind).contains(square))
    }

    /// Puts a man on a square, or clears it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let there = SquareSet::from(square);
        let BySide { first, second } = &mut self.sides;
        let sets = self.originals.iter_mut().chain([&mut self.promoted, first, second]);
        sets.for_each(|set| *set &= !there);
        if let Some(Piece { side, kind }) = piece {
            self.put(side, kind, there);
            if kind.is_promoted() {
                self.promoted |= there;
            }
        }
    }

    /// Puts a man on an empty square, without marking it as promoted.
    #[inline]
    pub(crate) fn put(&mut self, side: Side, kind: Kind, there: SquareSet) {
        self.originals[kind as usize % 8] |= there;
        self.sides[side] |= there;
    }

    /// Removes a man whose original kind is known.
    #[inline]
    pub(crate) fn take(&mut self, side: Side, original: Kind, there: SquareSet) {
        self.originals[original as usize % 8] ^= there;
        self.sides[side] ^= there;
        self.promoted &= !there;
    }

    /// Moves a man to an empty square, and promotes it if `promotes` is set.
    #[inline]
    pub(crate) fn step(&mut self, side: Side, kind: Kind, from: SquareSet, to: SquareSet, promotes: bool) {
        self.originals[kind as usize % 8] ^= from | to;
        self.sides[side] ^= from | to;
        if kind.is_promoted() {
            self.promoted ^= from | to;
        } else if promotes {
            self.promoted |= to;
        }
    }

    /// Returns the board with every set replaced by its image, and with the sides exchanged if `swaps_sides` is set.
    pub(crate) fn image(&self, image: impl Fn(SquareSet) -> SquareSet, swaps_sides: bool) -> Self {
        let sides = self.sides.map(&image);
        Self {
            originals: self.originals.map(&image),
            promoted: image(self.promoted),
            sides: if swaps_sides { sides.swap() } else { sides },
        }
    }

    /// Every man with its square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
