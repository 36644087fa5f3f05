//! The opinions of GNU Backgammon: evaluations, best plays, the cube. If the program is not installed, these tests are skipped.

use backgammon::{Backgammon, CUBE, Move, Phase, Position, Roll, Terms, Variant};
use endspiel_env::backgammon::agents::AgentKind;
use endspiel_env::backgammon::agents::gnubg::{Gnubg, GnubgError, Ply};
use game::{Game, Notation, Options, Position as _, Rng, Side};
use serde::Deserialize;

const START: &str = "4HPwATDgc/ABMA";
const ZERO: Ply = Ply::ALL[0];
const ONE: Ply = Ply::ALL[1];
const TWO: Ply = Ply::ALL[2];

fn gnubg() -> Option<Gnubg> {
    match Gnubg::start() {
        Err(GnubgError::Missing) if std::env::var_os("ENDSPIEL_ALL_PEERS").is_none() => {
            println!("skipped: {}", GnubgError::Missing);
            None
        }
        started => Some(started.expect("gnubg starts")),
    }
}

fn read(text: &str) -> Position {
    Backgammon::default().parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn with_cube() -> Backgammon {
    let mut options = Options::default();
    options.set(&CUBE, "on".to_owned());
    Backgammon::new(&options).expect("a cube for money")
}

#[derive(Deserialize)]
struct EvaluationRow {
    id: String,
    class: u32,
    p: [f64; 5],
    eq: f64,
}

/// Gnubg's classes of positions that its files of bear-offs hold.
const BEAR_OFFS: [u32; 2] = [4, 6];

/// Bear-offs are equal to the last digit. The networks use the processor's approximate reciprocal, which has twelve bits and differs
/// between makers of processors. So their numbers are near, not equal: on an AMD EPYC the largest difference in equity was 0.0024,
/// and the mean 0.00007. With other weights (version 1.01) they differ by up to 0.087.
fn compare_evaluations(file: &str, ply: Ply, rows: usize, every: usize) {
    let Some(mut gnubg) = gnubg() else { return };
    let all: Vec<EvaluationRow> = fixtures::rows(file);
    assert_eq!(all.len(), rows);
    let asked: Vec<&EvaluationRow> = all.iter().step_by(every).collect();
    let positions: Vec<Position> = asked.iter().map(|row| read(&row.id)).collect();
    let evaluations = gnubg.evaluations(&positions, ply).expect("evaluations");
    let mut sum = 0.0;
    for (row, evaluation) in asked.iter().zip(&evaluations) {
        let chances = evaluation.chances;
        let apart =
            chances.numbers().iter().zip(row.p).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        let apart = apart.max((evaluation.equity - row.eq).abs());
        let bound = if BEAR_OFFS.contains(&row.class) { 1e-6 } else { 6e-3 };
        assert!(apart <= bound, "{} is {evaluation:?}, not {:?} and {}", row.id, row.p, row.eq);
        assert!((chances.points() - evaluation.equity).abs() < 3e-6, "{} {evaluation:?}", row.id);
        sum += apart;
    }
    assert!(sum / asked.len() as f64 <= 3e-4, "they differ by {} in the mean", sum / asked.len() as f64);
}

#[test]
fn evaluations_at_a_glance_are_those_of_the_fixture() {
    compare_evaluations("backgammon/eval0.jsonl.gz", ZERO, 3_000, 1);
}

#[test]
fn evaluations_one_roll_ahead_are_those_of_the_fixture() {
    compare_evaluations("backgammon/eval1.jsonl.gz", ONE, 200, 1);
}

#[test]
fn evaluations_two_rolls_ahead_are_those_of_the_fixture() {
    compare_evaluations("backgammon/eval2.jsonl.gz", TWO, 40, 1);
}

#[derive(Deserialize)]
struct MovesRow {
    id: String,
    dice: [u8; 2],
}

/// The rows of the fixture, each as a position with a roll.
fn rolled(every: usize) -> Vec<(MovesRow, Position)> {
    let rows: Vec<MovesRow> = fixtures::rows("backgammon/moves.jsonl.gz");
    let rows = rows.into_iter().step_by(every);
    rows.map(|row| {
        let position = read(&format!("{} {}{}", row.id, row.dice[0], row.dice[1]));
        (row, position)
    })
    .collect()
}

/// The play of the line is that of gnubg's Python, which tells it in another way, or one of the same worth.
#[test]
fn best_moves_are_those_of_the_other_way() {
    let (Some(mut fast), Some(mut slow)) = (gnubg(), gnubg()) else { return };
    for (ply, every) in [(ZERO, 14), (ONE, 80), (TWO, 500)] {
        let mut others = 0;
        for (row, position) in rolled(every) {
            let what = format!("{} {:?}", row.id, row.dice);
            let best = fast.best_move(&position, ply).expect("a play");
            let roll = position.roll().expect("a roll");
            let Some(after) = slow.best(&row.id, roll, ply, None).expect("a play") else {
                assert!(matches!(best.play, Move::Turn(turn) if turn.is_dance()), "{what}");
                continue;
            };
            let id_after = |play| {
                let next = position.play_unchecked(play);
                next.board().position_id(next.turn())
            };
            if id_after(best.play) != after {
                others += 1;
                let ranked = fast.ranked_moves(&position, ply).expect("all plays");
                let other = ranked.iter().find(|other| id_after(other.play) == after).expect("a legal play");
                let apart = other.evaluation.equity - best.evaluation.equity;
                assert!(apart.abs() <= 2e-6, "{what}: {best:?} and {other:?}");
            }
        }
        assert!(others <= 3, "{others} other plays at {ply:?}");
    }
}

#[test]
fn the_best_move_is_the_first_of_all() {
    let Some(mut gnubg) = gnubg() else { return };
    gnubg.set_default_ply(ZERO);
    for (row, position) in rolled(100) {
        let best = gnubg.best_move(&position, None).expect("a play");
        let ranked = gnubg.ranked_moves(&position, None).expect("all plays");
        assert_eq!(ranked.len() as u64, position.count_moves());
        assert!(ranked.is_sorted_by(|one, other| one.evaluation.equity >= other.evaluation.equity));
        // Two plays can be equal in six digits.
        let lost = ranked[0].evaluation.equity - best.evaluation.equity;
        assert!(lost.abs() <= 2e-6, "{} {:?}: {best:?} and {:?}", row.id, row.dice, ranked[0]);
    }
}

#[test]
fn a_play_that_ends_the_game_is_worth_its_points() {
    let Some(mut gnubg) = gnubg() else { return };
    let best = gnubg.best_move(&read("/48EAIAAAAAAAA 61"), ONE).expect("a play");
    assert_eq!(best.evaluation.equity, best.evaluation.chances.points());
    assert!(best.evaluation.equity >= 1.0 && best.evaluation.chances.win == 1.0, "{best:?}");
}

#[test]
fn the_default_ply_is_that_of_questions_without_one() {
    let Some(mut gnubg) = gnubg() else { return };
    let start = read(START);
    assert_eq!(gnubg.default_ply(), ZERO);
    let [zero, one] = [ZERO, ONE].map(|ply| gnubg.evaluate(&start, ply).expect("an evaluation"));
    assert_ne!(zero, one);
    assert_eq!(gnubg.evaluate(&start, None).expect("an evaluation"), zero);
    gnubg.set_default_ply(ONE);
    assert_eq!(gnubg.evaluate(&start, None).expect("an evaluation"), one);
    assert_eq!(gnubg.evaluate_probs(&start, ZERO).expect("chances").win, 0.521_514);
}

/// Both ways to ask can follow each other in any order. Many times, because the line is opened and closed each time, and gnubg does
/// its part of that sooner or later.
#[test]
fn the_ways_to_ask_take_turns() {
    let Some(mut gnubg) = gnubg() else { return };
    let (start, roll) = (read(START), read(&format!("{START} 31")));
    for time in 0..40 {
        let ply = [ZERO, ONE][time % 2];
        let best = gnubg.best_move(&roll, ply).expect("a play");
        assert_eq!(Backgammon::default().move_text(&roll, best.play), "8/5 6/5");
        if time % 4 < 2 {
            assert_eq!(gnubg.results(START, roll.roll().expect("a roll")).expect("results").len(), 16);
        }
        assert!(gnubg.evaluate(&start, ply).expect("an evaluation") > 0.0);
    }
}

/// Before the last roll the equities are known: the chance to win is 15, 19, 25 or 29 of 36.
#[test]
fn the_cube_before_the_last_roll() {
    let Some(mut gnubg) = gnubg() else { return };
    let game = with_cube();
    let cases = [
        ("AQAABAEAAAAAAA", 15.0, "No double, take"),
        ("AQAAiAAAAAAAAA", 19.0, "Double, take"),
        ("AQAAKAAAAAAAAA", 25.0, "Double, take"),
        ("AQAARAAAAAAAAA", 29.0, "Double, pass"),
    ];
    let positions = cases.map(|(id, ..)| game.parse_position(id).expect("a position"));
    for ply in Ply::ALL {
        let opinions = gnubg.cube_opinions(&positions, ply).expect("opinions");
        for (opinion, (id, rolls, words)) in opinions.iter().zip(cases) {
            let equity = 2.0 * rolls / 36.0 - 1.0;
            assert!((opinion.no_double - equity).abs() < 1e-4, "{id}: {opinion:?}");
            assert!((opinion.double_take - 2.0 * equity).abs() < 2e-4, "{id}: {opinion:?}");
            assert!((opinion.double_pass - 1.0).abs() < 1e-6, "{id}: {opinion:?}");
            let best = opinion.no_double.max(opinion.double_take.min(opinion.double_pass));
            assert!((opinion.equity - best).abs() < 1e-6, "{id}: {opinion:?}");
            assert_eq!((opinion.doubles, opinion.takes), (rolls > 18.0, rolls <= 27.0), "{id}");
            assert_eq!(opinion.words, words, "{id}");
        }
    }
}

/// The agent sees the same in the same position, whether it is asked by the agent or directly.
#[test]
fn the_agent_plays_the_best_move() {
    let (Some(mut gnubg), Ok(mut agent)) = (gnubg(), AgentKind::Gnubg(ZERO).start()) else { return };
    let mut rng = Rng::new(1);
    for (_, position) in rolled(200) {
        let chosen = agent.choose(&position, &mut rng).expect("a play");
        assert_eq!(chosen, gnubg.choose(&position, ZERO).expect("a play"));
    }
}

#[test]
fn pointless_questions_are_not_asked() {
    let Some(mut gnubg) = gnubg() else { return };
    let (start, rolled) = (read(START), read(&format!("{START} 31")));
    let last = read("/48EAIAAAAAAAA 61");
    let won = last.play_unchecked(last.moves()[0]);
    assert!(won.won().is_some());
    let doubled = with_cube().parse_position(&format!("{START} double")).expect("a decision about the cube");
    let doubled = doubled.play_unchecked(Move::Double);
    assert_eq!(doubled.phase(), Phase::Answer);
    let hypergammon =
        Backgammon { terms: Terms { variant: Variant::Hyper3, ..Terms::default() }, ..Backgammon::default() };
    let three = hypergammon.begin(Side::First);
    let errors = [
        gnubg.evaluate(&rolled, None).err(),
        gnubg.evaluate(&won, None).err(),
        gnubg.evaluate(&doubled, None).err(),
        gnubg.best_move(&start, None).err(),
        gnubg.choose(&won, None).err(),
        gnubg.ranked_moves(&start, None).err(),
        gnubg.cube_opinion(&start, None).err(),
        gnubg.cube_opinion(&doubled, None).err(),
        gnubg.evaluate(&three, None).err(),
        gnubg.best_move(&three.rolled(Roll::ALL[1]), None).err(),
    ];
    for error in errors {
        assert!(matches!(error, Some(GnubgError::Pointless(..))), "{error:?}");
    }
    let Some(error) = gnubg.best_move(&start, None).err() else { panic!("an error") };
    assert!(error.to_string().contains("-b----E-C---eE---c-e----B-"), "{error}");
    assert!(gnubg.evaluate(&start, None).is_ok());
}
