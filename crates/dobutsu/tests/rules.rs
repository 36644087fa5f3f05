//! Checks each rule with one case.

use endspiel_dobutsu::{Dobutsu, Kind, Move, Position};
use game::{Game, Notation, Outcome, Position as _, Record, Side, perft};

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn play(text: &str, m: &str) -> Position {
    let position = position(text);
    let m = Dobutsu.parse_move(&position, m).unwrap_or_else(|error| panic!("{text}: {error}"));
    position.play_unchecked(m)
}

fn is_legal(text: &str, m: &str) -> bool {
    position(text).is_legal(m.parse().expect("well written"))
}

const BLACK_TRIES: Option<Outcome> = Some(Outcome::win(Side::First, "try"));

#[test]
fn the_start_is_as_written() {
    assert_eq!(Dobutsu.start(), position("gle/1c1/1C1/ELG b - 1"));
}

#[test]
fn perft_from_the_start() {
    let counted: Vec<u64> = (1..=7).map(|depth| perft::perft(&Dobutsu.start(), depth)).collect();
    assert_eq!(counted, PERFT);
}

const PERFT: [u64; 7] = [4, 17, 123, 976, 8_122, 71_677, 635_117];

#[test]
fn a_caught_lion_ends_the_game() {
    let caught = play("gle/1C1/3/ELG b C 1", "2b2a");
    assert_eq!(caught.outcome(), Some(Outcome::win(Side::First, "catch")));
    assert_eq!(caught.to_string(), "g+Ce/3/3/ELG w C 1", "the lion is not in the hand");
    assert!(caught.moves().is_empty());
}

#[test]
fn a_lion_may_walk_into_attack() {
    let next = play("gl1/3/e2/ELG b 2C 1", "2d2c");
    assert_eq!(next.outcome(), None);
    assert!(!next.can_catch(), "an elephant on 3c does not reach 2c");
    let next = play("gl1/1e1/3/ELG b 2C 1", "2d3c");
    assert_eq!(next.outcome(), None);
    assert!(next.can_catch());
    assert!(play("g1e/1l1/3/ELG b 2C 1", "2d2c").can_catch(), "even before the other lion's feet");
}

#[test]
fn a_try_out_of_reach_wins_at_once() {
    let tried = play("g2/2L/l1e/E1G b 2C 1", "1b1a");
    assert_eq!(tried.outcome(), BLACK_TRIES);
    assert!(tried.moves().is_empty());
}

#[test]
fn a_try_within_reach_wins_unless_taken() {
    // The elephant on 2b attacks 1a.
    let tried = play("g2/1eL/l2/E1G b 2C 1", "1b1a");
    assert_eq!(tried.outcome(), None);
    assert_eq!(play(&tried.to_string(), "2b1a").outcome(), Some(Outcome::win(Side::Second, "catch")));
    let elsewhere = play(&tried.to_string(), "3c2c");
    assert_eq!(elsewhere.turn(), Side::First);
    assert_eq!(elsewhere.outcome(), BLACK_TRIES, "at the mover's own turn");
    assert!(elsewhere.moves().is_empty());
}

#[test]
fn a_try_answered_by_a_try_has_won_first() {
    let both = play("g1L/1e1/l2/E1G w 2C 1", "3c2d");
    assert_eq!(both.outcome(), BLACK_TRIES);
}

#[test]
fn taking_the_lion_on_the_far_row_is_a_catch() {
    let caught = play("1l1/2L/3/3 b 2G2E2C 1", "1b2a");
    assert_eq!(caught.outcome(), Some(Outcome::win(Side::First, "catch")));
}

/// The only arrangement without a move, found by `tests/exhaustive.rs`.
#[test]
fn a_side_without_moves_has_lost() {
    let stuck = position("GE1/LGE/CCl/3 b - 1");
    assert_eq!(stuck.outcome(), Some(Outcome::win(Side::Second, "no moves")));
    assert_eq!(position("GE1/LGE/CCl/3 w - 1").outcome(), None, "at White's turn it is not over");
    let tried = position("GE1/LGE/CC1/2l b - 1").outcome();
    assert_eq!(tried, Some(Outcome::win(Side::Second, "try")), "a try comes first");
}

#[test]
fn a_chick_that_steps_onto_the_last_row_becomes_a_hen() {
    let next = play("l2/2C/3/EL1 b 2GEc 1", "1b1a");
    assert_eq!(next.to_string(), "l1+C/3/3/EL1 w 2GEc 1");
    let white = play("l2/3/c2/1L1 w 2G2EC 1", "3c3d");
    assert_eq!(white.to_string(), "l2/3/3/+cL1 b 2G2EC 1");
}

#[test]
fn promotion_may_be_written_but_only_where_it_happens() {
    let before = position("l2/2C/3/EL1 b 2GEc 1");
    let plain = Dobutsu.parse_move(&before, "1b1a");
    assert_eq!(Dobutsu.parse_move(&before, "1b1a+"), plain);
    assert_eq!(Dobutsu.parse_move(&before, "1B1A+"), plain);
    assert!(Dobutsu.parse_move(&before, "2d2c+").is_err());
    assert!(Dobutsu.parse_move(&before, "G*2c+").is_err());
}

#[test]
fn a_chick_dropped_on_the_last_row_stays_a_chick_for_ever() {
    let dropped = play("l2/3/3/1L1 b 2G2E2C 1", "C*1a");
    assert_eq!(dropped.to_string(), "l1C/3/3/1L1 w 2G2EC 1");
    let later = position("l1C/3/3/1L1 b 2G2EC 1");
    let from_there = |m: &Move| matches!(m, Move::Step { from, .. } if from.rank() == 3);
    assert!(!later.moves().iter().any(from_there));
}

#[test]
fn a_taken_hen_is_a_chick_in_hand() {
    let next = play("l1+C/2g/3/1L1 w GEeC 1", "1b1a");
    assert_eq!(next.to_string(), "l1g/3/3/1L1 b GECec 1");
    assert_eq!(next.hand(Side::Second).count(Kind::Chick), 1);
}

#[test]
fn two_chicks_may_share_a_file_and_a_dropped_chick_may_mate() {
    assert!(is_legal("l2/3/1C1/1L1 b 2G2EC 1", "C*2b"));
    assert!(is_legal("l2/1G1/1G1/1L1 b 2E2C 1", "C*3b"));
}

#[test]
fn a_hen_steps_like_a_gold_general() {
    let moves = position("l2/3/1+C1/L2 b 2G2Ec 1").moves();
    let mut steps: Vec<String> =
        moves.iter().map(ToString::to_string).filter(|m| m.starts_with("2c")).collect();
    steps.sort();
    assert_eq!(steps, ["2c1b", "2c1c", "2c2b", "2c2d", "2c3b", "2c3c"]);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut record = Record::new(Dobutsu.start(), Dobutsu.rulebook());
    for round in 0..2 {
        assert_eq!(record.outcome(), None, "round {round}");
        for m in ["1d1c", "3a3b", "1c1d", "3b3a"] {
            record.play(m.parse().expect("well written")).expect("legal");
        }
    }
    assert_eq!(record.outcome(), Some(Outcome::draw("repetition")));
}
