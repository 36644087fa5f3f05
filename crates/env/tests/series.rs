//! Series of matches: the same seed gives the same games however many are played at once, and GNU Backgammon beats random
//! play.

use backgammon::{Backgammon, CUBE, MATCH, Move, Position, Start, mat};
use endspiel_env::backgammon::agents::AgentKind;
use endspiel_env::backgammon::agents::gnubg::{Gnubg, GnubgError, Ply};
use endspiel_env::backgammon::{Action, BackgammonReport, NoMatchFile, State, match_file};
use endspiel_env::{Agent, AgentError, AnyMatchResult, MakeAgent, Policy, Series, Tally};
use game::{BySide, Game, Options, Rng, Side};

type MatchResult = endspiel_env::MatchResult<Position, BackgammonReport>;

/// Plays a series between these agents, `at_once` matches at a time, and returns all results.
fn played(series: &Series<Backgammon>, agents: [AgentKind; 2], at_once: usize) -> Vec<MatchResult> {
    let mut all = Vec::new();
    series
        .play([&|| agents[0].start(), &|| agents[1].start()], at_once, |result| {
            all.push(result.clone());
            true
        })
        .expect("agents that always answer");
    assert_eq!(all.len() as u64, series.matches);
    all
}

fn match_with_cube(length: &str) -> Backgammon {
    let mut options = Options::default();
    options.set(&MATCH, length.to_owned());
    options.set(&CUBE, "on".to_owned());
    Backgammon::new(&options).expect("options of this file")
}

fn series(game: Backgammon, matches: u64, seed: u64, keep: bool) -> Series<Backgammon> {
    Series { keep, ..Series::new(game, matches, seed) }
}

/// Plays a series between these agents and returns the sums.
fn tallied(series: &Series<Backgammon>, agents: [AgentKind; 2], at_once: usize) -> Tally {
    let mut tally = Tally::default();
    played(series, agents, at_once).iter().for_each(|result| tally.add(result));
    tally
}

const PIPS_AND_RANDOM: [AgentKind; 2] = [AgentKind::Pips, AgentKind::Random];

#[test]
fn the_same_seed_plays_the_same_games_however_many_at_once() {
    for game in [Backgammon::default(), match_with_cube("5")] {
        let alone = played(&series(game, 60, 11, false), PIPS_AND_RANDOM, 1);
        assert_eq!(alone.len(), 60);
        for at_once in [1, 2, 3, 8] {
            let again = played(&series(game, 60, 11, false), PIPS_AND_RANDOM, at_once);
            assert_eq!(again, alone, "{at_once} at once");
        }
        assert_ne!(alone, played(&series(game, 60, 12, false), PIPS_AND_RANDOM, 1), "another seed");
    }
}

/// The side with the first roll does not depend on the agents.
#[test]
fn who_begins_does_not_depend_on_who_plays() {
    let firsts = |agents| -> Vec<Side> {
        let series = series(Backgammon::default(), 50, 4, false);
        played(&series, agents, 2).iter().map(|result| result.games[0].first).collect()
    };
    let begun = firsts([AgentKind::Random; 2]);
    assert_eq!(begun, firsts(PIPS_AND_RANDOM));
    assert!(Side::ALL.iter().all(|side| begun.contains(side)));
}

/// A match goes on until a side has exactly the points of the match. Every score follows from the games before.
#[test]
fn matches_are_played_to_their_end() {
    for result in played(&series(match_with_cube("7"), 40, 5, false), PIPS_AND_RANDOM, 2) {
        let winner = result.winner().expect("it was played");
        assert_eq!(result.points()[winner], 7, "{result:?}");
        assert!(result.points()[winner.other()] < 7, "{result:?}");
        let mut score = BySide::<u16>::default();
        for game in &result.games {
            assert_eq!(game.score, Some(score), "{result:?}");
            score[game.winner] += game.points as u16;
        }
    }
}

/// A match file can be read back and has the same games. A match that a file cannot store gives an error.
#[test]
fn match_files_have_what_was_played() {
    for game in [Backgammon::default(), match_with_cube("5")] {
        let series = series(game, 10, 3, true);
        for result in played(&series, PIPS_AND_RANDOM, 2) {
            let file = match_file(&game, ["one", "other"], &result).expect("the usual start");
            let read = mat::read(&file).unwrap_or_else(|error| panic!("{error}:\n{file}"));
            assert_eq!(read.players().first, "one");
            let winners: Vec<_> =
                read.games().iter().map(|game| game.result().map(|(winner, _)| winner)).collect();
            let expected: Vec<_> = result.games.iter().map(|game| Some(game.winner)).collect();
            assert_eq!(winners, expected, "{file}");
            // A file has every turn, every double and its answer. It does not have the decision not to double.
            let kept = result.kept.iter().map(|kept| kept.iter().filter(|(_, m)| *m != Move::Roll).count());
            assert!(read.games().iter().map(|game| game.actions().len()).eq(kept), "{file}");
        }
    }
    let refused = |game, keep| {
        let series = series(game, 1, 3, keep);
        match_file(&game, ["one", "other"], &played(&series, PIPS_AND_RANDOM, 1)[0]).err()
    };
    let short = Backgammon { start: Start::Short, ..Backgammon::default() };
    assert_eq!(refused(short, true), Some(NoMatchFile::Start));
    assert_eq!(refused(Backgammon::default(), false), Some(NoMatchFile::NotKept));
}

/// A series stops when `show` returns false.
#[test]
fn a_series_can_be_left() {
    let random = || AgentKind::Random.start();
    let mut seen = 0;
    let left = series(Backgammon::default(), u64::MAX, 1, false).play([&random, &random], 4, |_| {
        seen += 1;
        seen < 25
    });
    assert!(left.is_ok());
    assert_eq!(seen, 25);
}

/// Random games end as in another program (wildbg): 37.5 % single games, 36.4 % gammons, 26.1 % backgammons, after 96.6
/// turns on average.
#[test]
fn random_games_are_like_those_of_other_programs() {
    let tally = tallied(&series(Backgammon::default(), 20_000, 2, false), [AgentKind::Random; 2], 2);
    for (rule, expected) in [("single game", 0.375), ("gammon", 0.364), ("backgammon", 0.261)] {
        let games: u64 = Side::ALL.iter().map(|&side| tally.won_by(side, rule)).sum();
        assert!((games as f64 / tally.matches as f64 - expected).abs() < 0.015, "{tally:?}");
    }
    assert!((tally.average_moves() - 96.6).abs() < 1.5, "{tally:?}");
    let (rate, gain) = (tally.win_rate(Side::First), tally.gain(Side::First));
    assert!(rate.low - 0.01 < 0.5 && 0.5 < rate.high + 0.01, "{rate:?}");
    assert!(gain.low - 0.03 < 0.0 && 0.0 < gain.high + 0.03, "{gain:?}");
}

/// A function that chooses actions plays whole matches, with doubles in two halves and with the cube. An illegal action
/// gives an error.
#[test]
fn a_policy_is_an_agent() {
    let game = match_with_cube("5");
    let series = series(game, 20, 6, false);
    let first = || -> Result<Box<dyn Agent<Position>>, AgentError> {
        Ok(Box::new(Policy::new(game, |_: &State, actions: &[Action], _: &mut Rng| actions[0])))
    };
    let last = || -> Result<Box<dyn Agent<Position>>, AgentError> {
        let last = |_: &State, actions: &[Action], _: &mut Rng| actions[actions.len() - 1];
        Ok(Box::new(Policy::new(game, last)))
    };
    let mut tally = Tally::default();
    for agents in [[&first as &MakeAgent<'_, Position>, &last], [&last, &last]] {
        let play = series.play(agents, 2, |result| {
            tally.add(result);
            true
        });
        play.expect("legal actions");
    }
    assert_eq!(tally.matches, 40);
    assert!(
        tally.won_by(Side::First, "declined double") > 0,
        "the last action is to double, or to drop: {tally:?}"
    );
    let cheat = || -> Result<Box<dyn Agent<Position>>, AgentError> {
        Ok(Box::new(Policy::new(game, |_: &State, _: &[Action], _: &mut Rng| Action::DROP)))
    };
    let played = series.play([&cheat, &cheat], 2, |_| true);
    assert!(matches!(played, Err(AgentError::Illegal { .. })), "{played:?}");
}

/// Agents return an error in a position in which the dice are to be rolled.
#[test]
fn nobody_chooses_for_the_dice() {
    let start = Backgammon::default().start();
    for kind in PIPS_AND_RANDOM {
        let chosen = kind.start().and_then(|mut agent| agent.choose(&start, &mut Rng::new(1)));
        assert!(matches!(chosen, Err(AgentError::NothingToChoose)), "{chosen:?}");
    }
}

/// In our trial GNU Backgammon won 40 of 40 games against random play, and 2.65 points per game.
#[test]
fn gnu_backgammon_beats_chance() {
    match Gnubg::start() {
        Err(GnubgError::Missing) if std::env::var_os("ENDSPIEL_ALL_PEERS").is_none() => {
            return println!("skipped: {}", GnubgError::Missing);
        }
        started => drop(started.expect("gnubg starts")),
    }
    let agents = [AgentKind::Gnubg(Ply::ALL[0]), AgentKind::Random];
    let tally = tallied(&series(Backgammon::default(), 40, 1, false), agents, 8);
    assert!(tally.wins.first >= 39, "{tally:?}");
    let gain = tally.gain(Side::First);
    assert!(gain.low < 2.65 && gain.high > 2.5, "{gain:?}");
}
