//! How games end: mate, no move, repetition, perpetual check, declarations and the try.

use endspiel_shogi::{Impasse, Position, Script, Shogi};
use game::{Game, Notation, Outcome, Position as _, Record, Side};

fn position(sfen: &str) -> Position {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// The game after these moves.
fn played(sfen: &str, impasse: Impasse, moves: &str) -> Record<Position> {
    let shogi = Shogi { impasse, script: Script::Letters };
    let mut record = Record::new(position(sfen), shogi.rulebook());
    for text in moves.split(' ').filter(|text| !text.is_empty()) {
        let m = shogi.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{error}"));
        record.play(m).unwrap_or_else(|_| panic!("{text}: the game is over by {:?}", record.outcome()));
    }
    record
}

fn outcome(sfen: &str, moves: &str) -> Option<Outcome> {
    played(sfen, Impasse::None, moves).outcome()
}

#[test]
fn who_cannot_move_has_lost() {
    let mated = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(mated.outcome(), Some(Outcome::win(Side::First, "checkmate")));
    assert!(mated.is_mate());
    let stuck = position("8k/9/7RP/9/9/9/9/9/K8 w - 1");
    assert_eq!(
        (stuck.outcome(), stuck.is_check()),
        (Some(Outcome::win(Side::First, "no legal move")), false)
    );
    assert!(!stuck.is_mate());
}

/// The king is on 1a. A pawn on 1b mates, unless White has an answer.
#[test]
fn a_dropped_pawn_must_not_mate() {
    let allows = |sfen: &str, drop: &str| Shogi::default().parse_move(&position(sfen), drop).is_ok();
    // Golds guard 1b and 2b, and White's own knight is on 2a: mate.
    assert!(!allows("7nk/9/6G1G/9/9/9/9/9/4K4 b P 1", "P*1b"));
    // A lance may mate by a drop, and a pawn may mate by a step.
    assert!(allows("7nk/9/6G1G/9/9/9/9/9/4K4 b L 1", "L*1b"));
    assert!(allows("7nk/9/6GGP/9/9/9/9/9/4K4 b - 1", "1c1b"));
    // No mate: the king has a free square, a gold captures the pawn, or no man guards the pawn.
    assert!(allows("8k/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b"));
    assert!(allows("7gk/9/6G1G/9/9/9/9/9/4K4 b P 1", "P*1b"));
    assert!(allows("7nk/9/6G2/9/9/9/9/9/4K4 b P 1", "P*1b"));
    // The gold that could capture the pawn is pinned along the rank.
    assert!(!allows("6Rgk/9/6G1G/9/9/9/9/9/4K4 b P 1", "P*1b"));
}

const SHUFFLE: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";

#[test]
fn the_fourth_time_is_a_draw() {
    let round = "5i4i 5a4a 4i5i 4a5a ";
    assert_eq!(outcome(SHUFFLE, &round.repeat(2)), None);
    assert_eq!(outcome(SHUFFLE, &round.repeat(3)), Some(Outcome::draw("repetition")));
    let mut record = played(SHUFFLE, Impasse::None, &round.repeat(3));
    assert_eq!(record.occurrences(), 4);
    record.undo();
    assert_eq!(record.outcome(), None);
}

/// A pawn is dropped and captured. Then the board is as before, but the hands differ.
#[test]
fn other_men_in_hand_make_another_position() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K3G b 2P 1";
    let record = played(sfen, Impasse::None, "P*5b 5a5b 1i1h 5b5c 1h1i 5c4b 1i1h 4b4a 1h1i 4a5a");
    assert_eq!(record.position().board(), position(sfen).board());
    assert_eq!(record.occurrences(), 1);
}

/// Tests undo from positions in which claims and ends happen.
#[test]
fn declared_games_can_be_taken_back() {
    for (sfen, impasse) in [
        ("1K7/RBGGSS2L/1P4NN1/9/9/9/9/9/4k4 b RB 1", Impasse::Points27),
        ("1K7/RBGGSS2L/1P4NN1/9/9/9/9/9/4k4 b R 1", Impasse::Points24),
        ("4K4/9/9/9/9/9/1p4nn1/rbggss2l/1k7 w r4p 1", Impasse::Points27),
        ("9/4K4/9/9/9/9/9/4k4/9 b - 1", Impasse::Try),
    ] {
        let shogi = Shogi { impasse, script: Script::Letters };
        for seed in 0..20 {
            game::laws::undo_restores_from(&shogi, position(sfen), &mut game::Rng::new(seed));
        }
    }
}

#[test]
fn who_checks_for_ever_loses() {
    // A rook gives check with every move.
    let (sfen, round) = ("9/9/k8/1R7/9/9/9/9/8K b - 1", "8d9d 9c8c 9d8d 8c9c ");
    let black_checks = outcome(sfen, &round.repeat(3)).expect("four times");
    assert_eq!(black_checks, Outcome::win(Side::Second, "perpetual check"));
    // With one move without check among them, the game is a draw.
    let quiet = "8d7d 9c9b 7d8d 9b9c ";
    let mixed = outcome(sfen, &format!("{quiet}{}", round.repeat(2))).expect("four times");
    assert_eq!(mixed, Outcome::draw("repetition"));
    // White loses by perpetual check as well.
    let (sfen, round) = ("k8/9/9/9/9/1r7/K8/9/9 w - 1", "8f9f 9g8g 9f8f 8g9g ");
    assert_eq!(outcome(sfen, &round.repeat(3)), Some(Outcome::win(Side::First, "perpetual check")));
}

#[test]
fn points_are_declared() {
    // The king and ten men are in the camp, a rook and a bishop among them: 8 + 10 points, and 10 in hand.
    let camp = "1K7/RBGGSS2L/1P4NN1/9/9/9/9/9/4k4 b";
    let points = |hand: &str| position(&format!("{camp} {hand} 1")).declared_points();
    assert_eq!(points("RB"), Some(18 + 10));
    assert_eq!(points("R4P"), Some(18 + 9));
    let promoted = "1K7/+R+BGGSS2L/1P4NN1/9/9/9/9/R8/4k4 b B 1";
    assert_eq!(position(promoted).declared_points(), Some(18 + 5), "a rook at home does not count");
    assert_eq!(position("1K7/RBGGSS3/1P4NN1/9/9/9/9/9/4k4 b RB 1").declared_points(), None, "nine men");
    assert_eq!(
        position("9/RBGGSS2L/1P4NN1/1K7/9/9/9/9/4k4 b RB 1").declared_points(),
        None,
        "not in the camp"
    );
    assert_eq!(position("1K6r/RBGGSS2L/1P4NN1/9/9/9/9/9/4k4 b B 1").declared_points(), None, "in check");

    let claimable = |impasse, hand: &str| played(&format!("{camp} {hand} 1"), impasse, "").claimable();
    let win = Some(Outcome::win(Side::First, "declaration"));
    assert_eq!(claimable(Impasse::Points27, "RB"), win);
    assert_eq!(claimable(Impasse::Points27, "R4P"), None);
    assert_eq!(claimable(Impasse::Points24, "RB3P"), win);
    assert_eq!(claimable(Impasse::Points24, "RB2P"), Some(Outcome::draw("declaration")));
    assert_eq!(claimable(Impasse::Points24, "R"), None);
    assert_eq!(claimable(Impasse::None, "RB3P"), None);
    // White needs one point less.
    let white = "4K4/9/9/9/9/9/1p4nn1/rbggss2l/1k7 w r4p 1";
    let mut record = played(white, Impasse::Points27, "");
    assert_eq!(record.claim(), Ok(Outcome::win(Side::Second, "declaration")));
    assert_eq!(record.outcome(), Some(Outcome::win(Side::Second, "declaration")));
}

#[test]
fn the_try_is_an_option() {
    let sfen = "9/4K4/9/9/9/9/9/4k4/9 b - 1";
    assert_eq!(played(sfen, Impasse::None, "5b5a").outcome(), None);
    assert_eq!(played(sfen, Impasse::Try, "5b5a").outcome(), Some(Outcome::win(Side::First, "try")));
    assert_eq!(played(sfen, Impasse::Try, "5b4b 5h5i").outcome(), Some(Outcome::win(Side::Second, "try")));
    // The position still has moves: only the game is over.
    assert!(played(sfen, Impasse::Try, "5b5a").position().count_moves() > 0);
}
