//! The engine of chess: its estimates, the mates that it finds, and that it ends in order whenever it is stopped.

use chess::{Chess, Kind, Position};
use endspiel_search::chess::{ChessEvaluator, MOST_PHASE, Tables, WEIGHTS, features_of};
use endspiel_search::{Control, Engine, Evaluator, Found, Limits, Score};
use game::{Game, Position as _, Rng, Side, Value, random_move};
use proptest::prelude::*;
use serde::Deserialize;
use std::thread;
use std::time::Duration;
use syzygy::Tablebase;

fn engine() -> Engine<Chess> {
    Engine::new(Chess::STANDARD, Tables::default())
}

fn position(fen: &str) -> Position {
    fen.parse().expect("the position is written correctly")
}

fn to_depth(depth: u32) -> Limits<chess::Move> {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn search(engine: &mut Engine<Chess>, fen: &str, limits: &Limits<chess::Move>) -> Found<chess::Move> {
    engine.search(&[position(fen)], limits, &Control::new(), &mut |_| ())
}

/// The positions of a random game.
fn random_game(seed: u64, plies: u32) -> Vec<(Position, Option<chess::Move>)> {
    let (mut rng, mut position, mut game) = (Rng::new(seed), Chess::STANDARD.start(), Vec::new());
    for _ in 0..plies {
        let m = random_move(&position, &mut rng);
        game.push((position, m));
        let Some(m) = m else { break };
        position = position.play_unchecked(m);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What is carried from position to position is what is computed anew.
    #[test]
    fn carried_sums_are_computed_sums(seed: u64) {
        let evaluator = ChessEvaluator::default();
        let mut sums = None;
        for (position, m) in random_game(seed, 150) {
            let computed = evaluator.sums(&position);
            prop_assert_eq!(sums.unwrap_or(computed), computed);
            sums = m.map(|m| evaluator.sums_after(computed, &position, m, &position.play_unchecked(m)));
        }
    }

    /// Exchanging the colours changes nothing for the side to move. A remembered pawn structure has the computed value.
    #[test]
    fn estimates_do_not_depend_on_the_colour(seed: u64) {
        let mut evaluator = ChessEvaluator::default();
        for (position, _) in random_game(seed, 100) {
            let estimate = estimate(&mut evaluator, &position);
            prop_assert_eq!(self::estimate(&mut ChessEvaluator::default(), &position), estimate);
            prop_assert_eq!(self::estimate(&mut evaluator, &exchanged(&position)), estimate);
        }
    }

    /// The features that weights are fitted to are those that the estimate counts.
    #[test]
    fn features_make_the_estimate(seed: u64) {
        for (position, _) in random_game(seed, 60) {
            let (features, phase, winnable) = features_of(&position);
            // Few pawns make a side's endgame less worth, each side's by another factor.
            let pawns = |side| position.board().of(side, Kind::Pawn).len();
            if winnable < 64 || phase <= 8 || Side::ALL.into_iter().any(|side| pawns(side) < 4) {
                continue;
            }
            let sum = |part: fn(endspiel_search::Tapered) -> i32| -> i32 {
                features.iter().map(|&(number, count)| part(WEIGHTS[number]) * count).sum()
            };
            let (middle, end) = (sum(|weight| weight.middle()), sum(|weight| weight.end()));
            let value = (middle * phase + end * (MOST_PHASE - phase)) / MOST_PHASE;
            let value = if position.turn() == Side::First { value } else { -value };
            let estimate = estimate(&mut ChessEvaluator::default(), &position).hundredths();
            prop_assert!((estimate - value).abs() <= 2, "{} {} {}", position, estimate, value);
        }
    }
}

/// The position with exchanged colours, turned upside down.
fn exchanged(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].rsplit('/').collect();
    let swapped: String = [&ranks.join("/"), fields[2]]
        .join(" ")
        .chars()
        .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
        .collect();
    let (board, rights) = swapped.split_once(' ').expect("two fields");
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    self::position(&format!("{board} {turn} {rights} {en_passant} {} {}", fields[4], fields[5]))
}

fn estimate(evaluator: &mut ChessEvaluator, position: &Position) -> Score {
    let sums = evaluator.sums(position);
    evaluator.estimate(position, sums)
}

#[derive(Deserialize)]
struct Row {
    fen: String,
    wdl: i8,
    dtm: Option<i32>,
}

/// Mates in few moves, as the distances of an independent solver tell them.
#[test]
fn mates_have_the_distances_of_tables() {
    let rows: Vec<Row> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    let mut engine = engine();
    let mut found = 0;
    for row in &rows {
        let Some(plies @ 1..=7) = row.dtm.map(i32::abs) else { continue };
        if row.wdl <= 0 || position(&row.fen).outcome().is_some() {
            continue;
        }
        engine.forget();
        // The search ends when it has found a mate in so many plies. Shorter ones do not exist.
        let limits = Limits { mate: Some(plies as u32), nodes: Some(5_000_000), ..Limits::default() };
        let score = search(&mut engine, &row.fen, &limits).score;
        assert_eq!(score.value(), Some(Value::Win(game::Plies(plies as u16))), "{}", row.fen);
        found += 1;
    }
    assert!(found > 30, "{found}");
}

#[test]
fn without_tables_simple_endings_are_won() {
    for fen in ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 0 1"] {
        let mut engine = engine();
        let mut positions = vec![position(fen)];
        while positions.last().is_some_and(|position| position.outcome().is_none()) && positions.len() < 100 {
            let limits = Limits { nodes: Some(30_000), ..Limits::default() };
            let best = engine.search(&positions, &limits, &Control::new(), &mut |_| ()).best;
            let last = positions.last().expect("there is one");
            positions.push(last.play_unchecked(best.expect("there are moves")));
        }
        let outcome = positions.last().and_then(Position::outcome);
        assert_eq!(outcome.map(|outcome| outcome.winner), Some(Some(Side::First)), "{fen}");
    }
}

#[test]
fn one_thread_always_finds_the_same() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let found = || search(&mut engine(), fen, &to_depth(9));
    assert_eq!(found(), found());
}

#[test]
fn the_limit_of_positions_is_kept() {
    for nodes in [1, 100, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = engine().search(&[Chess::STANDARD.start()], &limits, &Control::new(), &mut |_| ());
        assert!(found.best.is_some());
        // The first iteration is always finished.
        assert!(found.nodes <= nodes.max(60), "{} of {nodes}", found.nodes);
    }
}

#[test]
fn syzygy_tables_decide_the_game() {
    let mut engine = engine();
    let tables = Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures are there");
    engine.oracle_mut().set_syzygy(Some(tables));
    // A pawn ending that is won only by one move.
    let found = search(&mut engine, "8/8/8/1k6/8/8/1K2P3/8 w - - 0 1", &to_depth(6));
    assert!(found.score.is_decided() && found.score > Score::DRAW, "{found:?}");
    assert!(found.table_hits > 0);
    let drawn = search(&mut engine, "8/8/8/8/3k4/8/3P4/3K4 b - - 0 1", &to_depth(6));
    assert_eq!(drawn.score, Score::DRAW);
    // Every move keeps the win, and it is not put off for ever.
    let mut positions = vec![position("8/8/8/1k6/8/8/1K2P3/8 w - - 0 1")];
    while positions.last().is_some_and(|position| position.outcome().is_none()) && positions.len() < 140 {
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let best = engine.search(&positions, &limits, &Control::new(), &mut |_| ()).best;
        let last = positions.last().expect("there is one");
        positions.push(last.play_unchecked(best.expect("there are moves")));
    }
    let outcome = positions.last().and_then(Position::outcome);
    assert_eq!(outcome.map(|outcome| outcome.winner), Some(Some(Side::First)));
}

/// Stops searches of two threads at random moments. Each returns a legal move, and the next one works as well.
fn stop_at_random(times: u64, longest: Duration) {
    let mut engine = engine();
    engine.set_threads(2);
    let mut rng = Rng::new(times);
    let games: Vec<_> = (0..20).flat_map(|seed| random_game(seed, 80)).collect();
    for _ in 0..times {
        let (position, _) = games[rng.below(games.len() as u64) as usize];
        let control = Control::new();
        let wait = Duration::from_nanos(rng.below(longest.as_nanos() as u64));
        let found = thread::scope(|scope| {
            let control = &control;
            scope.spawn(move || {
                thread::sleep(wait);
                control.stop();
            });
            engine.search(&[position], &Limits { infinite: true, ..Limits::default() }, control, &mut |_| ())
        });
        match found.best {
            Some(best) => assert!(position.is_legal(best), "{position}"),
            None => assert!(position.outcome().is_some(), "{position}"),
        }
        assert!(!found.score.is_decided() || found.score.is_mate());
    }
}

#[test]
fn stops_leave_a_sound_state() {
    stop_at_random(1_000, Duration::from_micros(500));
}

#[test]
#[ignore = "minutes"]
fn many_stops_leave_a_sound_state() {
    stop_at_random(100_000, Duration::from_micros(500));
}
