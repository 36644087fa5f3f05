//! The data that a position updates with each move equals the data computed from scratch, after every ply of long random
//! games. Pins and checkers equal those that the rules give piece by piece.

use endspiel_chess::{Kind, Position, SquareSet, Start};
use game::{Position as _, Rng, Side};

/// Visits all positions of long random games, from the standard and other start positions.
fn walk(mut visit: impl FnMut(&Position)) {
    const GAMES: u64 = 80;
    const PLIES: usize = 400;
    for seed in 0..GAMES {
        let start = if seed % 2 == 0 { Some(Start::STANDARD) } else { Start::new(seed as u16 * 12) };
        let mut position = start.expect("below 960").position();
        let mut rng = Rng::new(seed);
        for _ in 0..PLIES {
            visit(&position);
            let Some(m) = game::random_move(&position, &mut rng) else { break };
            position = position.play_unchecked(m);
        }
    }
}

#[test]
fn keys_and_rights_are_those_of_the_position_read_anew() {
    walk(|position| {
        let fresh: Position = position.to_string().parse().expect("a position's text");
        assert_eq!(fresh.key(), position.key(), "{position}");
        assert_eq!(&fresh, position);
        assert_eq!(fresh.clock(), position.clock());
        assert_eq!(fresh.en_passant(), position.en_passant());
        assert_eq!(fresh.castling_rooks(), position.castling_rooks());
        assert_eq!(position.shredder_fen().parse(), Ok(fresh));
    });
}

/// A piece is pinned if the attackers of its king change when it is removed.
#[test]
fn pins_and_checkers_are_what_taking_pieces_away_shows() {
    walk(|position| {
        let (us, them, king) = (position.turn(), position.turn().other(), position.king(position.turn()));
        let checkers = position.checkers();
        let is_pinned = |&square: &_| {
            let mut without = *position.board();
            without.set(square, None);
            position.board().kind_at(square) != Some(Kind::King) && without.attackers(king, them) != checkers
        };
        let pinned: SquareSet = position.board().of_side(us).iter().filter(is_pinned).collect();
        assert_eq!(position.pinned(), pinned, "{position}");
        assert_eq!(position.is_check(), !checkers.is_empty(), "{position}");
    });
}

#[test]
fn a_move_keeps_its_king_safe_and_the_board_whole() {
    walk(|position| {
        for m in position.moves() {
            let next = position.play_unchecked(m);
            let (us, them) = (position.turn(), next.turn());
            assert!(!next.board().is_attacked(next.king(us), them), "{m:?} in {position}");
            let men = |position: &Position| position.board().occupied().len();
            assert_eq!(men(position) - men(&next), u32::from(position.is_capture(m)), "{m:?} in {position}");
            let both = next.board().of_side(Side::First) & next.board().of_side(Side::Second);
            let by_kind = Kind::ALL.map(|kind| next.board().of_kind(kind).len());
            assert!(both.is_empty() && by_kind.iter().sum::<u32>() == men(&next), "{m:?} in {position}");
        }
    });
}
