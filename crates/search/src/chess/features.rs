//! The features of a chess position: what its estimate counts.

use crate::features::groups;

groups! {
    /// A man of a kind on a square, as its side sees it: material and placement.
    PLACEMENT: 6 * 64,
    /// A knight with so many squares to go to. Squares that enemy pawns attack do not count.
    KNIGHT_MOBILITY: 9,
    /// The same for a bishop.
    BISHOP_MOBILITY: 14,
    /// The same for a rook.
    ROOK_MOBILITY: 15,
    /// The same for a queen.
    QUEEN_MOBILITY: 28,
    /// A passed pawn on a rank.
    PASSED: 8,
    /// A passed pawn on a rank whose next square is empty.
    PASSED_FREE: 8,
    /// A passed pawn on a rank whose next square is not attacked.
    PASSED_SAFE: 8,
    /// The distance of the own king from the square before an advanced passed pawn.
    PASSED_OWN_KING: 8,
    /// The distance of the enemy's king from it.
    PASSED_ENEMY_KING: 8,
    /// A pawn without pawns on the files beside it; on an open file, and on one with an enemy pawn ahead.
    ISOLATED: 2,
    /// A pawn behind another on its file.
    DOUBLED: 1,
    /// A pawn that others have left behind, and that cannot advance safely; on an open file, and on one with an enemy pawn ahead.
    BACKWARD: 2,
    /// A pawn on a rank that is guarded by a pawn.
    GUARDED: 8,
    /// A pawn on a rank beside another.
    ABREAST: 8,
    /// Two bishops.
    BISHOP_PAIR: 1,
    /// A bishop with so many own pawns on squares of its colour.
    BISHOP_PAWNS: 9,
    /// A knight, and a bishop, guarded by a pawn where no enemy pawn can drive it away.
    OUTPOST: 2,
    /// A rook on a file without pawns, and on one without own pawns.
    ROOK_FILE: 2,
    /// A rook behind an own passed pawn.
    ROOK_BEHIND_PASSED: 1,
    /// The nearest own pawn before the king, by its distance; 0 if there is none. On the king's file.
    SHELTER: 8,
    /// The same on the files beside it.
    SHELTER_BESIDE: 8,
    /// The nearest enemy pawn before the king, by its distance; 0 if there is none. On all three files.
    STORM: 8,
    /// The danger to the enemy's king, if there is an own queen.
    DANGER: 32,
    /// The danger to the enemy's king without a queen.
    DANGER_WITHOUT_QUEEN: 32,
    /// An enemy's piece attacked by a pawn, by its kind.
    THREAT_BY_PAWN: 6,
    /// An enemy's piece attacked by a knight or bishop, by its kind.
    THREAT_BY_MINOR: 6,
    /// An enemy's piece attacked by a rook, by its kind.
    THREAT_BY_ROOK: 6,
    /// An enemy's piece that is attacked and not guarded, by its kind.
    HANGING: 6,
    /// An enemy's piece that a pawn can attack by a safe step.
    THREAT_BY_PUSH: 1,
    /// The right to castle, for each rook.
    CASTLING: 1,
    /// The right to move.
    TEMPO: 1,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_follow_each_other() {
        let mut ends = GROUPS.iter().map(|group| group.first + group.count);
        assert!(GROUPS.iter().skip(1).map(|group| group.first).eq(ends.clone().take(GROUPS.len() - 1)));
        assert_eq!(ends.next_back(), Some(COUNT));
    }
}
