//! Tests values that a position updates with each move: after every ply of long random games they equal the values
//! that are computed anew. Also tests pins, checkers, attacks and mates against simple computations.

use endspiel_shogi::{Kind, Move, Position, Shogi, SquareSet};
use game::{Game, Position as _, Rng, Side};

/// Visits the positions of long random games.
fn walk(games: u64, mut visit: impl FnMut(&Position)) {
    const PLIES: usize = 400;
    for seed in 0..games {
        let mut position = Shogi::default().start();
        let mut rng = Rng::new(seed);
        for _ in 0..PLIES {
            visit(&position);
            let Some(m) = game::random_move(&position, &mut rng) else { break };
            position = position.play_unchecked(m);
        }
    }
}

#[test]
fn keys_are_those_of_the_position_read_anew() {
    walk(60, |position| {
        let fresh: Position = position.to_string().parse().expect("a position's text");
        assert_eq!(fresh.key(), position.key(), "{position}");
        assert_eq!(&fresh, position);
        assert_eq!(fresh.move_number(), position.move_number());
    });
}

/// A man is pinned if its removal changes the attackers of the king.
#[test]
fn pins_and_checkers_are_what_taking_men_away_shows() {
    walk(40, |position| {
        let (us, them, king) = (position.turn(), position.turn().other(), position.king(position.turn()));
        let checkers = position.checkers();
        let is_pinned = |&square: &_| {
            let mut without = *position.board();
            without.set(square, None);
            square != king && without.attackers(king, them) != checkers
        };
        let pinned: SquareSet = position.board().of_side(us).iter().filter(is_pinned).collect();
        assert_eq!(position.pinned(), pinned, "{position}");
        assert_eq!(position.is_check(), !checkers.is_empty(), "{position}");
        let attacked: SquareSet = endspiel_shogi::Square::all()
            .filter(|&square| position.board().is_attacked(square, us))
            .collect();
        assert_eq!(position.board().attack_map(us), attacked, "{position}");
    });
}

#[test]
fn a_move_keeps_its_king_safe_and_all_forty_men() {
    walk(6, |position| {
        for m in position.moves() {
            let next = position.play_unchecked(m);
            let (us, them) = (position.turn(), next.turn());
            assert!(!next.board().is_attacked(next.king(us), them), "{m} in {position}");
            for kind in Kind::IN_HAND {
                let held = next.hand(Side::First).count(kind) + next.hand(Side::Second).count(kind);
                let found = next.board().of_original(kind).len() + held;
                assert_eq!(found, kind.supply(), "{m} in {position}");
            }
            let both = next.board().of_side(Side::First) & next.board().of_side(Side::Second);
            assert!(both.is_empty() && next.board().occupied().len() <= 40, "{m} in {position}");
        }
    });
}

/// The fast search agrees with a trial of every move, and a dropped pawn never mates.
#[test]
fn mate_in_one_is_found_where_there_is_one() {
    let (mut found, mut none) = (0, 0);
    walk(60, |position| {
        let mates: Vec<Move> =
            position.moves().into_iter().filter(|&m| position.play_unchecked(m).is_mate()).collect();
        assert!(!mates.iter().any(|m| matches!(m, Move::Drop { kind: Kind::Pawn, .. })), "{position}");
        match position.mate_in_one() {
            Some(m) => {
                assert!(mates.contains(&m), "{m} in {position}");
                found += 1;
            }
            None => {
                assert!(mates.is_empty(), "{mates:?} in {position}");
                none += 1;
            }
        }
    });
    assert!(found > 100 && none > 1_000, "{found}, {none}");
}
