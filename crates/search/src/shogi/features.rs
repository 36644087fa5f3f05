//! The features of a shogi position: what its estimate counts.

use crate::features::groups;

/// The number of kinds that move alike: those that move like a gold count as one.
pub(super) const SHAPES: usize = 9;
/// The number of relations between two squares, and of squares if left and right are not told apart.
pub(super) const RELATIONS: usize = 45;
/// The number of classes of hands, by the strong men in them.
pub(super) const HANDS: usize = 4;

groups! {
    /// A man of a kind on the board.
    MATERIAL: 15,
    /// A man of a kind in hand.
    HELD: 7,
    /// The first man of a kind in hand, in addition.
    FIRST_HELD: 7,
    /// A man on a square, as its side sees it, by the way it moves.
    PLACEMENT: 9 * 45,
    /// A man as it stands to its own king, by the way it moves.
    TO_OWN_KING: 9 * 45,
    /// A man as it stands to the enemy's king, by the way it moves.
    TO_ENEMY_KING: 9 * 45,
    /// A king on a square, as its side sees it.
    KING: 45,
    /// A lance with so many squares to go to.
    LANCE_MOBILITY: 9,
    /// The same for a bishop.
    BISHOP_MOBILITY: 17,
    /// The same for a rook.
    ROOK_MOBILITY: 17,
    /// The same for a horse.
    HORSE_MOBILITY: 21,
    /// The same for a dragon.
    DRAGON_MOBILITY: 21,
    /// So many attacked squares next to the enemy's king, by the class of the own hand.
    ATTACKED_NEAR_KING: 4 * 9,
    /// Those of them that nobody but the king guards.
    WEAK_NEAR_KING: 4 * 9,
    /// So many squares that the enemy's king can go to, by the class of the own hand.
    ESCAPES: 4 * 9,
    /// So many squares where a gold in hand gives check, is guarded, and can be captured at most by the king.
    GOLD_DROPS: 7,
    /// An enemy's man that a pawn attacks, by its kind.
    THREAT_BY_PAWN: 15,
    /// An enemy's man that is attacked and guarded, by its kind.
    ATTACKED: 15,
    /// An enemy's man that is attacked twice and guarded once, by its kind.
    PRESSED: 15,
    /// An enemy's man that is attacked and not guarded, by its kind.
    HANGING: 15,
    /// The right to move.
    TEMPO: 1,
}
