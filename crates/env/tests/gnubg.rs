//! The answers of GNU Backgammon. If the program is not installed, these tests are skipped.

use backgammon::Roll;
use endspiel_env::backgammon::agents::gnubg::{AtStake, Gnubg, GnubgError, Ply};
use serde::Deserialize;
use std::thread;

const START: &str = "4HPwATDgc/ABMA";

/// The last roll of a game: the player on roll has one checker on each of these two points, and the opponent has a single
/// checker on the ace point.
const POINTS_6_AND_1: &str = "AQAABAEAAAAAAA"; // 15 of 36 rolls win
const POINTS_5_AND_2: &str = "AQAAiAAAAAAAAA"; // 19
const POINTS_3_AND_2: &str = "AQAAKAAAAAAAAA"; // 25
const POINTS_4_AND_1: &str = "AQAARAAAAAAAAA"; // 29

const MONEY: AtStake = AtStake {
    cube_value: 1,
    cube_owner: None,
    match_length: 0,
    my_score: 0,
    opponent_score: 0,
    crawford: false,
    jacoby: false,
};

const ZERO: Ply = Ply::ALL[0];

fn roll(one: u8, other: u8) -> Roll {
    Roll::new(one, other).expect("two dice")
}

/// Starts GNU Backgammon. Returns `None` if it is not installed, but panics then in `cargo xtask test`, which installs it.
fn gnubg() -> Option<Gnubg> {
    match Gnubg::start() {
        Err(GnubgError::Missing) if std::env::var_os("ENDSPIEL_ALL_PEERS").is_none() => {
            println!("skipped: {}", GnubgError::Missing);
            None
        }
        started => Some(started.expect("gnubg starts")),
    }
}

#[derive(Deserialize)]
struct MovesRow {
    id: String,
    dice: [u8; 2],
    next: Vec<String>,
}

impl MovesRow {
    fn roll(&self) -> Roll {
        roll(self.dice[0], self.dice[1])
    }
}

fn compare_results(gnubg: &mut Gnubg, row: &MovesRow) {
    let results = gnubg.results(&row.id, row.roll()).expect("results");
    assert_eq!(results, row.next, "{} {:?}", row.id, row.dice);
}

#[test]
fn results_are_those_of_the_fixture() {
    let Some(mut gnubg) = gnubg() else { return };
    let rows: Vec<MovesRow> = fixtures::rows("backgammon/moves.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    for row in rows.iter().step_by(20) {
        compare_results(&mut gnubg, row);
    }
}

#[test]
#[ignore = "asks 4,060 positions"]
fn all_results_are_those_of_the_fixture() {
    const PROCESSES: usize = 8;
    let rows: Vec<MovesRow> = fixtures::rows("backgammon/moves.jsonl.gz");
    assert_eq!(rows.len(), 4_060);
    thread::scope(|scope| {
        for rows in rows.chunks(rows.len().div_ceil(PROCESSES)) {
            scope.spawn(move || {
                let Some(mut gnubg) = gnubg() else { return };
                for row in rows {
                    compare_results(&mut gnubg, row);
                    let best = gnubg.best(&row.id, row.roll(), ZERO, None).expect("a move");
                    assert_eq!(best.is_none(), row.next.is_empty(), "{} {:?}", row.id, row.dice);
                    assert!(best.is_none_or(|best| row.next.contains(&best)), "{} {:?}", row.id, row.dice);
                }
            });
        }
    });
}

/// A move that hits four checkers, which is the longest move in writing.
#[test]
fn the_longest_move_is_understood() {
    let Some(mut gnubg) = gnubg() else { return };
    let results = gnubg.results("iv8DCgDg/4ACUA", roll(2, 2)).expect("results");
    assert_eq!(results.len(), 35);
}

#[derive(Deserialize)]
struct GameRow {
    last_id: String,
    moves: Vec<String>,
    final_id: String,
    gnubg_points: u8,
}

#[test]
fn points_are_those_of_the_fixture() {
    let Some(mut gnubg) = gnubg() else { return };
    let rows: Vec<GameRow> = fixtures::rows("backgammon/games.jsonl.gz");
    assert_eq!(rows.len(), 200);
    for row in rows {
        let dice: Vec<u8> =
            row.moves.last().expect("moves").bytes().take(2).map(|digit| digit - b'0').collect();
        let points = gnubg.points(&row.last_id, roll(dice[0], dice[1]), &row.final_id).expect("points");
        assert_eq!(points, Some(row.gnubg_points), "{}", row.last_id);
    }
    assert_eq!(gnubg.points(START, roll(3, 1), "sGfwATDgc/ABMA").expect("a legal play"), None);
}

#[test]
fn the_best_move_at_every_ply() {
    let Some(mut gnubg) = gnubg() else { return };
    for ply in Ply::ALL {
        for stakes in [None, Some(MONEY), Some(AtStake { match_length: 7, opponent_score: 3, ..MONEY })] {
            let after = gnubg.best(START, roll(3, 1), ply, stakes).expect("a move");
            assert_eq!(after.as_deref(), Some("sGfwATDgc/ABMA"), "8/5 6/5 is everybody's choice");
        }
    }
    let dance = "27YPAADg/wcAQA"; // on the bar against a closed board
    assert_eq!(gnubg.best(dance, roll(6, 6), ZERO, None).expect("a dance"), None);
    assert!(gnubg.results(dance, roll(6, 6)).expect("a dance").is_empty());
}

#[test]
fn cube_decisions_for_money() {
    let Some(mut gnubg) = gnubg() else { return };
    for ply in Ply::ALL {
        // Before the last roll it is right to double with a chance of more than 1/2, and to take up to 3/4.
        for (position, doubles, takes) in [
            (POINTS_6_AND_1, false, true),
            (POINTS_5_AND_2, true, true),
            (POINTS_3_AND_2, true, true),
            (POINTS_4_AND_1, true, false),
        ] {
            for stakes in [MONEY, AtStake { cube_value: 4, cube_owner: Some(true), ..MONEY }] {
                assert_eq!(gnubg.doubles(position, ply, stakes).expect("a decision"), doubles, "{position}");
                assert_eq!(gnubg.takes(position, ply, stakes).expect("a decision"), takes, "{position}");
            }
        }
    }
    let theirs = AtStake { cube_value: 2, cube_owner: Some(false), ..MONEY };
    assert!(!gnubg.doubles(POINTS_4_AND_1, ZERO, theirs).expect("a decision"));
    assert!(matches!(gnubg.takes(POINTS_4_AND_1, ZERO, theirs), Err(GnubgError::Refused(_))));
}

/// The opponent has two checkers on the bar against a closed board. To play on for a gammon is worth more than to double,
/// unless gammons do not count yet.
#[test]
fn the_jacoby_rule_makes_one_double() {
    let Some(mut gnubg) = gnubg() else { return };
    let too_good = "gB/8AWDbtjUAAA";
    assert!(!gnubg.doubles(too_good, ZERO, MONEY).expect("a decision"));
    assert!(gnubg.doubles(too_good, ZERO, AtStake { jacoby: true, ..MONEY }).expect("a decision"));
}

#[test]
fn cube_decisions_in_a_match() {
    let Some(mut gnubg) = gnubg() else { return };
    let behind = AtStake { match_length: 7, my_score: 4, opponent_score: 6, ..MONEY };
    let ahead = AtStake { match_length: 7, my_score: 6, opponent_score: 4, ..MONEY };
    // After the Crawford game the trailing player has nothing to lose, and the leading one nothing to win.
    assert!(gnubg.doubles(POINTS_6_AND_1, ZERO, behind).expect("a decision"));
    assert!(!gnubg.doubles(POINTS_4_AND_1, ZERO, ahead).expect("a decision"));
    let crawford = AtStake { crawford: true, ..behind };
    assert!(!gnubg.doubles(POINTS_6_AND_1, ZERO, crawford).expect("a decision"));
    assert!(matches!(gnubg.takes(POINTS_6_AND_1, ZERO, crawford), Err(GnubgError::Refused(_))));
}

#[test]
fn what_cannot_be_is_refused_and_the_next_question_answered() {
    let Some(mut gnubg) = gnubg() else { return };
    let refused = [
        gnubg.results("nonsense", roll(3, 1)).err(),
        gnubg.results("//////////////", roll(3, 1)).err(),
        gnubg.results("AAAAfm5DCAAAAA", roll(3, 1)).err(), // over
        gnubg.best(START, roll(3, 1), ZERO, Some(AtStake { cube_value: 3, ..MONEY })).err(),
        gnubg.best(START, roll(3, 1), ZERO, Some(AtStake { match_length: 65, ..MONEY })).err(),
        gnubg.best(START, roll(3, 1), ZERO, Some(AtStake { match_length: 5, my_score: 5, ..MONEY })).err(),
        gnubg.points(START, roll(3, 1), START).err(),
    ];
    for error in refused {
        assert!(matches!(error, Some(GnubgError::Refused(_))), "{error:?}");
    }
    assert_eq!(gnubg.results(START, roll(3, 1)).expect("results").len(), 16);
}
