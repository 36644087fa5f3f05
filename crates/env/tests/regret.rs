//! What agents lose against perfect play, measured with a source of exact equities that is solved here by the plain recursion.

use backgammon::{Backgammon, Cube, Move, Phase, Position, Roll, Setup, Stakes, Terms};
use endspiel_env::backgammon::agents::gnubg::{Gnubg, GnubgError, Ply};
use endspiel_env::backgammon::agents::{AgentKind, Perfect, perfect_agent};
use endspiel_env::backgammon::{Equity, ExactEquities, exact_ranking, exact_value, exact_worth};
use endspiel_env::{
    Agent, AgentError, Decision, Judge, Losses, Matches, Random, Regret, RegretSettings, SeriesSettings,
    Verdict, matches_with,
};
use game::{BySide, Notation, Position as _, Rng, Side};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The equities of all bear-offs with at most `most` checkers a side on the first `points` points. Positions have a smaller pip
/// count after each turn, so the recursion ends.
struct Recursion {
    most: u8,
    points: usize,
    known: Mutex<HashMap<(String, Cube, bool), Equity>>,
}

impl Recursion {
    fn new(most: u8, points: usize) -> Self {
        Self { most, points, known: Mutex::default() }
    }

    fn holds(&self, position: &Position) -> bool {
        Side::ALL.into_iter().all(|side| {
            let counts = position.board().counts(side);
            let outside = counts[..25 - self.points].iter().any(|&count| count > 0);
            counts.iter().sum::<u8>() <= self.most && !outside
        })
    }
}

/// What a source tells of a position that it knows.
fn told<T>(known: Result<Option<T>, AgentError>) -> T {
    known.expect("values that can be read").expect("a bear-off")
}

impl ExactEquities for Recursion {
    fn equity(&self, position: &Position) -> Result<Option<Equity>, AgentError> {
        assert_eq!(position.phase(), Phase::Roll, "only such positions are asked for");
        assert!(position.won().is_none());
        if !self.holds(position) {
            return Ok(None);
        }
        // The board as the side to move sees it, so that both sides share their positions.
        let mover = position.turn();
        let owner =
            position.cube().owner().map(|owner| if owner == mover { Side::First } else { Side::Second });
        let cube = Cube::new(position.cube().doublings(), owner);
        let key = (position.board().position_id(mover), cube, position.terms().with_cube);
        if let Some(&known) = self.known.lock().expect("no panic").get(&key) {
            return Ok(Some(known));
        }
        let mut sum = 0.0;
        for roll in Roll::ALL {
            let weight = if roll.is_double() { 1.0 } else { 2.0 };
            let Some(value) = exact_value(self, &position.rolled(roll))? else { return Ok(None) };
            sum += weight * value.points;
        }
        let equity = Equity::without_error(sum / 36.0);
        self.known.lock().expect("no panic").insert(key, equity);
        Ok(Some(equity))
    }
}

/// A bear-off in which White is to move, with these checkers on the ace point and so on.
fn bear_off(mine: &[u8], theirs: &[u8], phase: Phase, with_cube: bool) -> Position {
    let counts = |points: &[u8]| {
        let mut counts = [0; 25];
        points.iter().enumerate().for_each(|(point, &count)| counts[24 - point] = count);
        counts
    };
    let terms = Terms { with_cube, stakes: Stakes::Money { jacoby: false }, ..Terms::default() };
    let checkers = BySide { first: counts(mine), second: counts(theirs) };
    Position::try_from(Setup { checkers, turn: Side::First, phase, cube: Cube::CENTRED, terms })
        .expect("a bear-off")
}

/// All arrangements of at most two checkers, but one at least, on the first `points` points.
fn pairs(points: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for one in 0..points {
        for other in one..=points {
            let mut counts = vec![0; points];
            counts[one] += 1;
            if other < points {
                counts[other] += 1;
            }
            all.push(counts);
        }
    }
    all
}

/// Every pair against some pairs, in this phase.
fn positions(points: usize, phase: Phase, with_cube: bool) -> Vec<Position> {
    let pairs = pairs(points);
    let against = |mine: &Vec<u8>| {
        pairs.iter().step_by(3).map(|theirs| bear_off(mine, theirs, phase, with_cube)).collect::<Vec<_>>()
    };
    pairs.iter().flat_map(against).collect()
}

fn measure(
    kind: AgentKind,
    positions: &[Position],
    judge: &dyn Judge<Position>,
    at_once: usize,
) -> Losses<Position> {
    let regret =
        Regret { game: &Backgammon::default(), positions, judge, seed: 5, at_once, progress: &|_| () };
    regret.measure(&|| kind.start()).expect("an agent that always chooses")
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// Chances that every player knows: before the last roll, 15, 19, 25 and 29 rolls of 36 win.
#[test]
fn the_recursion_knows_the_last_roll() {
    let source = Recursion::new(2, 6);
    for (mine, rolls) in [
        ([1, 0, 0, 0, 0, 1], 15.0),
        ([0, 1, 0, 0, 1, 0], 19.0),
        ([0, 1, 1, 0, 0, 0], 25.0),
        ([1, 0, 0, 1, 0, 0], 29.0),
    ] {
        let equity: f64 = 2.0 * rolls / 36.0 - 1.0;
        let roll = bear_off(&mine, &[1], Phase::Roll, false);
        assert!(close(told(source.equity(&roll)).points, equity), "{mine:?}");
        // With a cube, a double is right with more than 18 rolls; the opponent takes up to 27.
        let double = bear_off(&mine, &[1], Phase::Double, true);
        let best = if rolls > 18.0 { (2.0 * equity).min(1.0) } else { equity };
        assert!(close(told(exact_value(&source, &double)).points, best), "{mine:?}");
        let ranking = told(exact_ranking(&source, &double));
        assert_eq!(ranking[0].0 == Move::Double, rolls > 18.0, "{mine:?}");
        let loss = (equity - (2.0 * equity).min(1.0)).abs();
        let worse = ranking[1].0;
        match source.verdict(&double, worse).expect("a verdict") {
            Verdict::Lost { decision: Decision::Cube, points, tolerance: 0.0 } => {
                assert!(close(points, loss), "{mine:?}: {points}, not {loss}");
            }
            other => panic!("{other:?}"),
        }
        // The answer: a drop loses a point, a take twice the equity.
        let doubled = double.play_unchecked(Move::Double);
        let worth = |m| told(exact_worth(&source, &doubled, m)).points;
        assert!(close(worth(Move::Take), -2.0 * equity) && close(worth(Move::Drop), -1.0));
    }
}

#[test]
fn a_judge_says_what_it_cannot_judge() {
    let source = Recursion::new(2, 6);
    let game = Backgammon::default();
    let start = game.parse_position("4HPwATDgc/ABMA 31").expect("a position");
    assert_eq!(source.verdict(&start, start.moves()[0]).expect("a verdict"), Verdict::Unknown);
    let dance = game.parse_position("27YPAADg/wcAQA 66").expect("a position");
    assert_eq!(source.verdict(&dance, dance.moves()[0]).expect("a verdict"), Verdict::Forced);
    let mut losses = Losses::default();
    losses.judge(&source, &start, start.moves()[0]).expect("a verdict");
    losses.judge(&source, &dance, dance.moves()[0]).expect("a verdict");
    assert_eq!((losses.unknown, losses.forced, losses.moves.decisions), (1, 1, 0));
    assert_eq!(losses.moves.mean().high, f64::INFINITY);
}

/// Perfect play loses nothing, random play loses more than the pip count, whose losses are in moves and at the cube.
#[test]
fn regret_tells_agents_apart() {
    let source = Recursion::new(2, 6);
    let (moves, cube) = (positions(6, Phase::Roll, false), positions(6, Phase::Double, true));
    for positions in [&moves, &cube] {
        let [random, pips] =
            [AgentKind::Random, AgentKind::Pips].map(|kind| measure(kind, positions, &source, 2));
        let perfect = Regret {
            game: &Backgammon::default(),
            positions,
            judge: &source,
            seed: 5,
            at_once: 1,
            progress: &|_| (),
        };
        let make = || -> Result<Box<dyn Agent<Position>>, AgentError> {
            Ok(Box::new(Perfect::new(Recursion::new(2, 6), Box::new(Random))))
        };
        let perfect = perfect.measure(&make).expect("an agent that always chooses");
        for losses in [&random, &pips, &perfect] {
            let judged = losses.moves.decisions + losses.cube.decisions + losses.forced;
            assert_eq!((judged, losses.unknown), (positions.len() as u64, 0));
        }
        assert_eq!((perfect.moves.points(), perfect.cube.points()), (0.0, 0.0));
        assert!(perfect.moves.worst.is_none() && perfect.moves.errors + perfect.cube.errors == 0);
        let [random, pips] = [&random, &pips].map(|losses| match positions[0].phase() {
            Phase::Double => losses.cube.clone(),
            _ => losses.moves.clone(),
        });
        assert!(random.mean().value > pips.mean().value, "{:?} {:?}", random.mean(), pips.mean());
        assert!(pips.mean().low > 0.0 && pips.errors > 0, "{pips:?}");
        // The worst loss is what the judge says about that choice.
        let worst = random.worst.expect("random play loses something");
        match source.verdict(&worst.position, worst.chosen).expect("a verdict") {
            Verdict::Lost { points, .. } => assert_eq!(points, worst.lost),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_same_seed_measures_the_same_on_any_number_of_threads() {
    let source = Recursion::new(2, 6);
    let positions = positions(6, Phase::Roll, false);
    let alone = measure(AgentKind::Random, &positions, &source, 1);
    for at_once in [2, 5] {
        assert_eq!(measure(AgentKind::Random, &positions, &source, at_once), alone);
    }
    let regret = Regret {
        game: &Backgammon::default(),
        positions: &positions,
        judge: &source,
        seed: 6,
        at_once: 1,
        progress: &|_| (),
    };
    assert_ne!(regret.measure(&|| AgentKind::Random.start()).expect("losses"), alone, "another seed");
}

/// An agent that fails ends the measurement, also when the others go on.
#[test]
fn the_error_of_an_agent_is_returned() {
    struct Cheat;
    impl Agent<Position> for Cheat {
        fn choose(&mut self, _: &Position, _: &mut Rng) -> Result<Move, AgentError> {
            Ok(Move::Drop)
        }
    }
    let (source, positions) = (Recursion::new(2, 6), positions(6, Phase::Roll, false));
    let regret = Regret {
        game: &Backgammon::default(),
        positions: &positions,
        judge: &source,
        seed: 5,
        at_once: 2,
        progress: &|_| (),
    };
    let error = regret.measure(&|| Ok(Box::new(Cheat))).expect_err("an illegal move");
    assert!(matches!(error, AgentError::Illegal { .. }), "{error}");
}

/// A source that claims to know every position of which at least one side has borne off a checker: a hundredth of a point for
/// each pip of the lead. The worth of a play is then plain to see.
struct Lead;

impl ExactEquities for Lead {
    fn equity(&self, position: &Position) -> Result<Option<Equity>, AgentError> {
        let (board, mover) = (position.board(), position.turn());
        let lead = f64::from(board.pips(mover.other())) - f64::from(board.pips(mover));
        let known = Side::ALL.into_iter().any(|side| board.off(side) > 0);
        Ok(known.then_some(Equity { points: lead / 100.0, error: 1e-9 }))
    }
}

/// In a match, the losses of both agents are reported, and the agent that plays by the source loses nothing where it reaches.
#[test]
fn a_match_reports_the_losses() {
    let game = Backgammon::default();
    let perfect = perfect_agent(&game, Arc::new(Lead), AgentKind::Pips);
    assert_eq!(perfect.name, "perfect:pips");
    let matches: Box<dyn Matches> = matches_with(game, vec![perfect], Some(Arc::new(Lead)));
    let settings = SeriesSettings::new(["perfect:pips", "random"], 100, 3);
    let mut last = None;
    matches
        .play(&settings, &mut |shown| {
            assert!(shown.file.is_none(), "nobody asked for files");
            last = shown.losses;
            true
        })
        .expect("a series");
    let losses = last.expect("there is a judge");
    let [perfect, random] = [&losses.first, &losses.second];
    assert!(perfect.moves.decisions > 100 && perfect.unknown > 1_000, "{perfect:?}");
    assert_eq!((perfect.moves.mean, perfect.moves.errors, &perfect.moves.worst), (0.0, 0, &None));
    assert!(random.moves.mean > 0.01 && random.moves.errors > 100, "{random:?}");
    let worst = random.moves.worst.as_ref().expect("random play loses something");
    let position = game.parse_position(&worst.position).expect("a position");
    let chosen = game.parse_move(&position, &worst.chosen).expect("a move");
    let verdict = Verdict::Lost { decision: Decision::Move, points: worst.lost, tolerance: 2e-9 };
    assert_eq!(Lead.verdict(&position, chosen).expect("a verdict"), verdict);
}

/// Values that cannot be read are an error: neither are moves chosen without them, nor is an agent judged by the rest.
#[test]
fn values_that_cannot_be_read_are_an_error() {
    struct Damaged;
    impl ExactEquities for Damaged {
        fn equity(&self, _: &Position) -> Result<Option<Equity>, AgentError> {
            Err(AgentError::Values("the table is damaged".into()))
        }
    }
    let game = Backgammon::default();
    let is_told = |error: &dyn std::fmt::Display| assert_eq!(error.to_string(), "the table is damaged");
    let perfect = perfect_agent(&game, Arc::new(Damaged), AgentKind::Pips);
    let matches: Box<dyn Matches> = matches_with(game, vec![perfect], Some(Arc::new(Damaged)));
    for agents in [["perfect:pips", "random"], ["random", "random"]] {
        let settings = SeriesSettings::new(agents, 3, 3);
        let played = matches.play(&settings, &mut |_| panic!("no match is judged"));
        is_told(&played.expect_err("a damaged table"));
    }
    let positions =
        positions(6, Phase::Roll, false).into_iter().map(|position| game.position_text(&position));
    let positions: Vec<_> = positions.take(20).collect();
    is_told(&matches.regret(&RegretSettings::new("random", &positions, 1)).expect_err("a damaged table"));
}

/// GNU Backgammon has an exact file of bear-offs with six checkers a side, with and without the cube. So it loses nothing but the
/// rounding of that file.
#[test]
fn gnubg_plays_small_bear_offs_perfectly() {
    match Gnubg::start() {
        Err(GnubgError::Missing) if std::env::var_os("ENDSPIEL_ALL_PEERS").is_none() => {
            return println!("skipped: {}", GnubgError::Missing);
        }
        started => drop(started.expect("gnubg starts")),
    }
    let source = Recursion::new(2, 6);
    let kind = AgentKind::Gnubg(Ply::ALL[0]);
    let moves = measure(kind, &positions(6, Phase::Roll, false), &source, 2);
    assert!(moves.moves.decisions > 50 && moves.moves.points() < 1e-3, "{:?}", moves.moves);
    let cube: Vec<_> = positions(6, Phase::Double, true).into_iter().step_by(3).collect();
    let cube = measure(kind, &cube, &source, 2);
    assert!(cube.cube.decisions > 50 && cube.cube.points() < 1e-2, "{:?}", cube.cube);
}
