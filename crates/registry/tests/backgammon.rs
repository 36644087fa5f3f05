//! Asks bear-off tables of backgammon, and compares the answers with GNU Backgammon's databases and with one step over the rolls. Source of the
//! rows: `fixtures/backgammon/README.md`.

use backgammon::{Backgammon, Cube, Phase, Position, Setup, Slice, Terms, VARIANT};
use endspiel_registry::{
    CubeAction, EquityAnswer, EquityAsked, EquityProber, Error, Opened, Registry, RegretSettings, Solving,
    Unmoves, Unwatched, Verifying, Wanted, json_text,
};
use game::{BySide, Index, Metric, Notation as _, Options, Position as _, Rng, Side};
use serde::Deserialize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Depth, Library};

fn backgammon(options: &[(&game::GameOption, &str)]) -> Opened {
    let mut given = Options::default();
    options.iter().for_each(|(option, value)| given.set(option, (*value).to_owned()));
    Registry::standard().find("backgammon").expect("a game").open(&given).expect("options of this file")
}

/// Solves these slices into a folder.
fn solve(game: &Opened, slices: &[&str], folder: &Path) -> Arc<Library> {
    let library = Arc::new(Library::new(folder, 64 << 20));
    let solving = Solving {
        library: &library,
        metric: Metric::Dtm,
        memory: 2 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        unmoves: Unmoves::FromGame,
        generic: false,
        wait: false,
        watch: &Unwatched,
        interrupt: &AtomicBool::new(false),
    };
    let tables = game.tables().expect("tables");
    let names = slices.iter().map(|name| (*name).to_owned()).collect();
    let slices = tables.slices(&Wanted { names, selected: None }).expect("slices");
    tables.plan(&slices, &solving).expect("a plan").run().expect("it solves them");
    assert!(tables.plan(&slices, &solving).expect("a plan").steps().is_empty(), "all are finished");
    library
}

fn probe(game: &Opened, prober: &dyn EquityProber, position: &str) -> Result<EquityAnswer, Error> {
    prober.probe(&*game.session(Some(position)).expect("a position"))
}

/// A row of a two-sided database: the checkers on each side's points from its ace point on, and four equities: without a cube, own cube,
/// centred cube, the opponent's cube.
#[derive(Deserialize)]
struct Row {
    us_board: [u8; 6],
    them_board: [u8; 6],
    eq: [f64; 4],
}

fn position(us: &[u8; 6], them: &[u8; 6], phase: Phase, terms: Terms) -> Option<Position> {
    let counts = |board: &[u8; 6]| {
        let mut counts = [0; 25];
        (1..).zip(board).for_each(|(point, &count)| counts[25 - point] = count);
        counts
    };
    let checkers = BySide { first: counts(us), second: counts(them) };
    Position::try_from(Setup { checkers, turn: Side::First, phase, cube: Cube::CENTRED, terms }).ok()
}

#[test]
fn answers_are_those_of_gnubgs_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[]);
    let library = solve(&game, &["6x6"], folder.path());
    let prober = game.equities().expect("expected points").prober(library);
    let rules = Backgammon::default();
    // What that program's integers lose by rounding.
    const ROUNDING: f64 = 1.2e-4;
    let rows: Vec<Row> = fixtures::rows("backgammon/bearoff_ts6x6.jsonl.gz");
    let mut doubles = 0;
    for Row { us_board, them_board, eq: [cubeless, own, centred, theirs] } in rows {
        let Some(position) = position(&us_board, &them_board, Phase::Roll, Terms::default()) else {
            continue;
        };
        // Against an empty board the game is over.
        if position.outcome().is_some() {
            continue;
        }
        let answer = probe(&game, &*prober, &rules.position_text(&position)).expect("6x6 has it");
        let points = answer.expected.points;
        assert!((points.cubeless - cubeless).abs() < ROUNDING, "{us_board:?} {them_board:?}: {answer:?}");
        // The database says what a roll without a double is worth; the answer, what the best action is.
        let best = |roll: f64| roll.max((2.0 * theirs).min(1.0));
        let cube = points.cube.expect("a table with the cube");
        for (told, expected) in
            [(cube.own, best(own)), (cube.centred, best(centred)), (cube.opponent, theirs)]
        {
            assert!((told - expected).abs() < 2.0 * ROUNDING, "{us_board:?} {them_board:?}: {answer:?}");
        }
        let advice = answer.cube.expect("who may double is advised");
        assert!((advice.decision.roll - centred).abs() < ROUNDING);
        assert!((advice.decision.take - 2.0 * theirs).abs() < 2.0 * ROUNDING);
        if advice.decision.gain().abs() > 4.0 * ROUNDING {
            assert_eq!(advice.decision.doubles(), (2.0 * theirs).min(1.0) > centred);
        }
        assert_ne!(
            advice.decision.action,
            CubeAction::TooGood,
            "without gammons, nothing is better than a drop"
        );
        doubles += u32::from(advice.decision.doubles());
    }
    assert!(doubles > 100, "{doubles} doubles");
}

/// What the side to move expects before a roll is the mean of what it expects after its best moves.
#[test]
fn an_answer_follows_from_the_answers_after_each_roll() {
    let folder = tempfile::tempdir().expect("a folder");
    let slices = ["6x3", "6x4-cubeless", "hyper1", "left1"];
    let library = solve(&backgammon(&[]), &slices, folder.path());
    for name in slices {
        let slice: Slice = name.parse().expect("a slice");
        let variant = if name == "hyper1" { "hyper1" } else { "standard" };
        let game = backgammon(&[(&VARIANT, variant)]);
        let tables = game.tables().expect("tables");
        // A library with this table alone, so that no other one answers.
        let alone = tempfile::tempdir().expect("a folder");
        let file = Path::new("backgammon/standard").join(format!("{name}.equity.est"));
        std::fs::create_dir_all(alone.path().join("backgammon/standard")).expect("a folder");
        std::fs::copy(folder.path().join(&file), alone.path().join(&file)).expect("its table");
        let prober =
            game.equities().expect("expected points").prober(Arc::new(Library::new(alone.path(), 1 << 20)));
        let id = tables.slices(&Wanted { names: vec![name.to_owned()], selected: None }).expect("a slice")[0];
        let (mut rng, mut asked) = (Rng::new(2), 0);
        while asked < 40 {
            let index = Index(rng.below(slice.entries()));
            let Some(text) = tables.position_at(id, index) else { continue };
            asked += 1;
            let answer = probe(&game, &*prober, &text).expect("the table has it");
            assert_eq!(answer.expected.table, Some(slice), "{text}");
            let (mut cubeless, mut centred, mut weights) = (0.0, 0.0, 0.0);
            let position = slice.position(index).expect("a position");
            let rules = Backgammon { terms: *position.terms(), ..Backgammon::default() };
            let _ = position.visit_chances(|roll, weight| {
                let rolled = rules.position_text(&position.play_chance_unchecked(roll));
                let rolled = probe(&game, &*prober, &rolled).expect("the table has what comes next");
                let best = |of: &dyn Fn(&EquityAnswer, usize) -> f64| {
                    (0..rolled.moves.len()).map(|play| of(&rolled, play)).fold(f64::NEG_INFINITY, f64::max)
                };
                cubeless +=
                    f64::from(weight) * best(&|rolled, play| rolled.moves[play].expected.points.cubeless);
                centred += f64::from(weight)
                    * best(&|rolled, play| {
                        let points = rolled.moves[play].expected.points;
                        points.cube.map_or(points.cubeless, |cube| cube.centred)
                    });
                assert!(rolled.moves.windows(2).all(|pair| pair[0].loss <= pair[1].loss), "best first");
                weights += f64::from(weight);
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(weights, 36.0, "{text}");
            assert!((answer.expected.points.cubeless - cubeless / 36.0).abs() < 1e-4, "{text}: {answer:?}");
            let rolling = answer.cube.map_or(answer.expected.points.cubeless, |advice| advice.decision.roll);
            let expected = if answer.cube.is_some() { centred } else { cubeless };
            assert!((rolling - expected / 36.0).abs() < 2e-4, "{text}: {answer:?}");
        }
    }
    drop(library);
}

#[test]
fn a_race_is_answered_by_one_sided_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[]);
    let library = solve(&game, &["os6x15", "6x4"], folder.path());
    let equities = game.equities().expect("expected points");
    let prober = equities.prober(Arc::clone(&library));
    let (exact, rules) = (Slice::Cubeful { checkers: 4 }, Backgammon::default());
    let alone = tempfile::tempdir().expect("a folder");
    let file = "backgammon/standard/os6x15.distribution.est";
    std::fs::create_dir_all(alone.path().join("backgammon/standard")).expect("a folder");
    std::fs::copy(folder.path().join(file), alone.path().join(file)).expect("its table");
    let approximate = equities.prober(Arc::new(Library::new(alone.path(), 1 << 20)));
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let Some(position) = exact.position(Index(rng.below(exact.entries()))) else { continue };
        let text = rules.position_text(&position);
        let told = |prober: &dyn EquityProber| probe(&game, prober, &text).expect("a race").expected;
        let (right, about) = (told(&*prober), told(&*approximate));
        assert!(right.exact && !about.exact, "the exact table is asked first");
        let win = |of: &endspiel_registry::Prospect| of.chances.expect("chances").win;
        assert!((win(&right) - win(&about)).abs() < 0.02, "{text}: {right:?} {about:?}");
    }
    // Fifteen checkers on the ace point against one checker: the opponent wins a gammon, if it bears off first.
    let lost = position(&[15, 0, 0, 0, 0, 0], &[1, 0, 0, 0, 0, 0], Phase::Roll, Terms::default())
        .expect("a position");
    let answer = probe(&game, &*approximate, &rules.position_text(&lost)).expect("a race");
    let chances = answer.expected.chances.expect("chances");
    assert!(chances.win < 1e-9 && chances.lose_gammon < 1e-9, "the first roll saves the gammon: {chances:?}");
    let map = equities
        .by_pips(&library, game.tables().expect("tables").present(&library)[1], &|_| ())
        .expect("a map");
    let map = map.expect("a bear-off of both sides");
    assert!(
        map.has_cube && map.cells.values().all(|cell| cell.one_sided_error.is_some_and(|error| error < 0.02))
    );
}

#[test]
fn what_no_table_has_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[]);
    let library = solve(&game, &["6x2"], folder.path());
    let prober = game.equities().expect("expected points").prober(Arc::clone(&library));
    let refused = |position: &str| probe(&game, &*prober, position).expect_err("no table").to_string();
    let start = refused("4HPwATDgc/ABMA");
    assert!(start.contains("no table of Backgammon can hold this position"), "{start}");
    let between = "-".repeat(20);
    let ten = refused(&format!("XGID=-EE{between}ee-:0:0:1:00:0:0:0:0:10"));
    assert!(ten.contains("`endspiel solve backgammon 6x10`"), "{ten}");
    let score = refused(&format!("XGID=-BB{between}bb-:0:0:1:00:3:2:0:7:10"));
    assert!(score.contains("the tables are for money"), "{score}");
    assert!(game.values().is_err() && game.equities().is_ok());
    let chess =
        Registry::standard().find("chess").expect("a game").open(&Options::default()).expect("defaults");
    assert!(chess.equities().is_err() && chess.values().is_ok());
}

#[test]
fn agents_are_judged_and_perfect_play_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[(&backgammon::CUBE, "on")]);
    let library = solve(&game, &["6x4"], folder.path());
    let equities = game.equities().expect("expected points");
    let (tables, matches) =
        (game.tables().expect("tables"), game.tables().expect("tables").matches(Arc::clone(&library)));
    let slice = tables.present(&library)[0];
    let positions = equities.sample(slice, 300, 1);
    assert_eq!(positions, equities.sample(slice, 300, 1), "the same seed");
    let measure = |agent: &str, at_once| {
        matches
            .regret(&RegretSettings { at_once, ..RegretSettings::new(agent, &positions, 1) })
            .expect("a report")
    };
    let [perfect, pips, random] = ["perfect:pips", "pips", "random"].map(|agent| measure(agent, None));
    assert_eq!((perfect.unknown, perfect.moves.errors, perfect.cube.errors), (0, 0, 0));
    assert!(perfect.cube.decisions == 300 && perfect.moves.decisions > 100, "{perfect:?}");
    assert!(pips.moves.mean > 0.0 && random.moves.mean > 0.0 && random.cube.mean > perfect.cube.mean);
    assert_eq!(measure("random", Some(1)), measure("random", Some(3)), "whatever the number of threads");
    assert!(matches.regret(&RegretSettings::new("nobody", &positions, 1)).is_err());
}

#[test]
fn wrong_numbers_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[]);
    let library = solve(&game, &["6x2", "hyper1"], folder.path());
    let tables = game.tables().expect("tables");
    for slice in tables.present(&library) {
        for depth in [Depth::Checksums, Depth::Everything, Depth::Sample { positions: 20, seed: 1 }] {
            let verifying = Verifying { depth, generic: false, memory: 1 << 30 };
            let metric = tables.metrics(&library, slice).expect("a table")[0];
            let result = tables.verify(&library, slice, metric, verifying, &|_| ());
            let verified = result.verified.expect("an intact table");
            assert!(verified.wrong.is_empty(), "{} {depth:?}: {:?}", tables.name(slice), verified.wrong);
        }
    }
    // The numbers of another table under this name.
    let names =
        ["6x2", "6x3"].map(|name| folder.path().join(format!("backgammon/standard/{name}.equity.est")));
    std::fs::copy(&names[0], &names[1]).expect("a copy");
    let library = Library::new(folder.path(), 0);
    let wanted = Wanted { names: vec!["6x3".to_owned()], selected: None };
    let slice = tables.slices(&wanted).expect("a slice")[0];
    let verifying = Verifying { depth: Depth::Everything, generic: false, memory: 1 << 30 };
    let result = tables.verify(&library, slice, Metric::Equity, verifying, &|_| ());
    assert!(result.verified.is_err(), "it is another table");
}

#[test]
fn answers_in_json_have_the_position_of_the_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = backgammon(&[]);
    let library = solve(&game, &["6x1"], folder.path());
    let prober = game.equities().expect("expected points").prober(library);
    let mut out = Vec::new();
    let position = position(&[1, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 1], Phase::Roll, Terms::default())
        .expect("a position");
    let text = Backgammon::default().position_text(&position);
    prober.answer_lines(&mut format!("{text}\nnonsense\n").as_bytes(), &mut out).expect("lines");
    let lines: Vec<serde_json::Value> = String::from_utf8(out)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((lines[0]["win"].as_f64(), lines[0]["table"].as_str()), (Some(1.0), Some("6x1")));
    assert!(lines[1]["error"].is_string());
    let answer = probe(&game, &*prober, &text).expect("the table has it");
    let whole = json_text(&EquityAsked { position: &text, answer: &answer });
    let asked: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!(asked, lines[0]);
}
