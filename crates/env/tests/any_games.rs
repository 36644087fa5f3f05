//! Series and batches of games that are known only at run time, and of games without chance.

use chess::{Chess, pgn};
use cotulenh::CoTuLenh;
use dobutsu::Dobutsu;
use endspiel_env::{
    Agent, AgentError, AnyBatch, AnyEnvironment, AnyMatchResult, BatchError, Buffers, Extras, MatchError,
    Matches, PATIENCE, Policy, Random, Series, SeriesSettings, TOO_LONG, Tally, UnknownAgent, matches,
};
use game::{Game, Notation, Position, Rng, Side};
use onitama::Onitama;
use shogi::Shogi;
use shogi::records::kif;

/// The number of games of a series.
const GAMES: u64 = 100;

fn small_games() -> [Box<dyn Matches>; 2] {
    [matches(Onitama::default()), matches(Dobutsu)]
}

/// All games without dice, with the ending of their match files.
fn games_without_dice() -> [(Box<dyn Matches>, &'static str); 5] {
    let [onitama, dobutsu] = small_games();
    [
        (onitama, "moves"),
        (dobutsu, "moves"),
        (matches(Chess::default()), "pgn"),
        (matches(Shogi::default()), "kif"),
        (matches(CoTuLenh::default()), "moves"),
    ]
}

fn tallied(game: &dyn Matches, seed: u64, at_once: usize) -> (Vec<String>, Tally) {
    let settings =
        SeriesSettings { at_once: Some(at_once), ..SeriesSettings::new(["random", "Random"], GAMES, seed) };
    let (mut games, mut last) = (Vec::new(), Tally::default());
    let played = game.play(&settings, &mut |shown| {
        games.extend(shown.result.games().iter().map(ToString::to_string));
        last = shown.tally.clone();
        assert!(shown.file.is_none());
        true
    });
    played.expect("random play always goes on");
    (games, last)
}

#[test]
fn every_game_has_random_series() {
    for (game, ending) in games_without_dice() {
        assert_eq!(game.agents(), ["random"]);
        assert!(game.has_draws() && !game.plays_matches() && game.file_ending() == ending);
        let (games, tally) = tallied(&*game, 7, 1);
        assert_eq!((games.len() as u64, tally.matches), (GAMES, GAMES));
        assert_eq!(tally.wins.first + tally.wins.second + tally.draws, GAMES);
        let by_rules: u64 = Side::ALL
            .into_iter()
            .flat_map(|side| game.wins().iter().map(move |(rule, _)| (side, *rule)))
            .map(|(side, rule)| tally.won_by(side, rule))
            .sum();
        assert_eq!(by_rules + tally.draws, GAMES, "every way to win is listed");
        assert_eq!(tallied(&*game, 7, 3).0, games);
        assert_ne!(tallied(&*game, 8, 1).0, games);
    }
}

#[test]
fn who_is_not_there_is_named() {
    for game in small_games() {
        let settings = SeriesSettings::new(["random", "gnubg"], 1, 1);
        let unknown = UnknownAgent { name: "gnubg".to_owned(), known: vec!["random".to_owned()] };
        match game.play(&settings, &mut |_| true) {
            Err(MatchError::UnknownAgent(found)) => assert_eq!(found, unknown),
            other => panic!("{other:?}"),
        }
        assert!(matches!(game.opponent("gnubg", PATIENCE), Err(MatchError::UnknownAgent(_))));
    }
}

/// The files of matches have the moves, the winner and the names of the agents. Those of chess and shogi are read again here.
#[test]
fn files_of_matches_are_records() {
    let winner = |seat: Option<Side>| seat.map_or(2, |side| side as u64);
    for (game, ending) in games_without_dice() {
        let settings = SeriesSettings { keep: true, ..SeriesSettings::new(["random", "random"], 20, 3) };
        let mut winners = [0; 3];
        let played = game.play(&settings, &mut |shown| {
            let file = shown.file.expect("files were asked for").expect("it has a format");
            let (moves, won, names) = match ending {
                "pgn" => {
                    let read: pgn::Game = file.parse().expect("PGN");
                    let won = match read.verdict {
                        pgn::Verdict::Win(side) => Some(side),
                        pgn::Verdict::Draw => None,
                        pgn::Verdict::Open => panic!("the game is over"),
                    };
                    let names = ["White", "Black"].map(|tag| read.tags.get(tag).map(str::to_owned));
                    (read.line.turns().len(), won, names)
                }
                "moves" => {
                    let result =
                        file.lines().find_map(|line| line.strip_prefix("result: ")).expect("a result");
                    let won = shown.result.winner();
                    assert_eq!(result.starts_with("draw"), won.is_none(), "{file}");
                    let (headers, moves) = file.split_once("\n\n").expect("headers and moves");
                    let names =
                        Vec::from_iter(headers.lines().filter_map(|line| line.strip_suffix(": random")));
                    assert_eq!(names.len(), 2, "{file}");
                    (moves.lines().count(), won, [(); 2].map(|()| Some("random".to_owned())))
                }
                _ => {
                    let read = kif::read(&file).expect("KIF");
                    let end = read.line.end.as_ref().expect("the game is over").ending;
                    let names = [shogi::records::BLACK, shogi::records::WHITE];
                    let names = names.map(|name| read.headers.get(name).map(str::to_owned));
                    (read.line.turns().len(), end.winner(read.line.last().turn()), names)
                }
            };
            assert_eq!((moves, won), (shown.result.moves() as usize, shown.result.winner()), "{file}");
            assert_eq!(names, [Some("random".to_owned()), Some("random".to_owned())]);
            winners[winner(won) as usize] += 1;
            true
        });
        assert!(played.is_ok());
        assert!(winners.iter().filter(|&&count| count > 0).count() >= 2, "{ending}: {winners:?}");
    }
}

#[test]
fn opponents_speak_text() {
    let mut opponent = matches(Dobutsu).opponent("random", PATIENCE).expect("it is there");
    let mut rng = Rng::new(1);
    let start = Dobutsu.position_text(&Dobutsu.start());
    let chosen = opponent.choose(&start, &mut rng).expect("a move");
    assert!(Dobutsu.parse_move(&Dobutsu.start(), &chosen).is_ok());
    let error = opponent.choose("nothing", &mut rng).expect_err("no position");
    assert!(error.to_string().starts_with("`nothing` is not a position of Dobutsu shogi"), "{error}");
}

type Maker<P> = fn() -> Result<Box<dyn Agent<P>>, AgentError>;

/// The repetition rule ends a game in which both sides move a piece to and fro.
#[test]
fn repetition_ends_games_that_go_round() {
    let to_and_fro: Maker<_> = || {
        let mut plies = 0;
        Ok(Box::new(Policy::new(
            Dobutsu,
            move |_: &_, actions: &[endspiel_env::dobutsu::Action], _: &mut Rng| {
                plies += 1;
                // The giraffe moves out of the right corner and back.
                let text = if plies % 2 == 1 { "c1c2" } else { "c2c1" };
                *actions.iter().find(|action| action.to_string() == text).expect("nobody is in its way")
            },
        )))
    };
    let mut shown = 0;
    let series = Series::new(Dobutsu, 1, 1);
    let played = series.play([&to_and_fro, &to_and_fro], 1, |result| {
        let game = result.games[0];
        assert_eq!((game.winner, game.by, game.moves), (None, "repetition", 8));
        assert_eq!(result.games()[0].to_string(), r#"{"first":0,"winner":null,"by":"repetition","moves":8}"#);
        shown += 1;
        true
    });
    assert!(played.is_ok() && shown == 1);
}

/// In a game without a repetition rule, the limit of plies ends the game as a draw, under its own name.
#[test]
fn endless_games_are_cut() {
    let random: Maker<_> = || Ok(Box::new(Random));
    let series = Series { most_plies: Some(3), ..Series::new(Onitama::default(), 10, 1) };
    let mut tally = Tally::default();
    let played = series.play([&random, &random], 2, |result| {
        assert!(result.games.iter().all(|game| (game.by, game.moves) == (TOO_LONG.by, 3)));
        assert_eq!(result.winner(), None);
        tally.add(result);
        true
    });
    assert!(played.is_ok());
    assert_eq!((tally.draws, tally.points.first, tally.average_moves()), (10, 0, 3.0));
}

/// The kept moves of a game can be replayed and lead to its end.
#[test]
fn kept_games_can_be_replayed() {
    let random: Maker<_> = || Ok(Box::new(Random));
    let series = Series { keep: true, ..Series::new(Dobutsu, 20, 5) };
    let mut replayed = 0;
    let played = series.play([&random, &random], 2, |result| {
        let (game, kept) = (&result.games[0], &result.kept[0]);
        let mut position = Dobutsu.start();
        for (at, m) in kept {
            assert_eq!(*at, position);
            position = position.play(*m).expect("it was legal");
        }
        assert_eq!(kept.len(), game.moves as usize);
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, game.winner);
        replayed += 1;
        true
    });
    assert!(played.is_ok() && replayed == 20);
}

/// An illegal move of an agent gives an error that names its side.
#[test]
fn who_cheats_is_told() {
    struct Cheat;
    impl Agent<dobutsu::Position> for Cheat {
        fn choose(&mut self, position: &dobutsu::Position, _: &mut Rng) -> Result<dobutsu::Move, AgentError> {
            let from = position.lion(position.turn()).expect("its lion is there");
            Ok(dobutsu::Move::Step { from, to: from })
        }
    }
    let (random, cheat): (Maker<_>, Maker<_>) = (|| Ok(Box::new(Random)), || Ok(Box::new(Cheat)));
    let played = Series::new(Dobutsu, 1, 1).play([&random, &cheat], 1, |_| true);
    match played {
        Err(error @ AgentError::Illegal { .. }) => assert!(error.to_string().contains("white"), "{error}"),
        other => panic!("{other:?}"),
    }
}

/// A game that is known only at run time says how long its buffers are, and a batch of it can be played.
#[test]
fn batches_of_any_game_are_played() {
    let games: [(Box<dyn AnyEnvironment>, usize, usize, &str); 3] = [
        (Box::new(backgammon::Backgammon::default()), 680, 12, "full_3d"),
        (Box::new(Onitama::default()), 1_252, 0, "planes"),
        (Box::new(Dobutsu), 180, 0, "planes"),
    ];
    for (game, actions, context, observation) in games {
        assert_eq!((game.action_count(), game.context_length()), (actions, context));
        assert_eq!(game.observations()[0].name, observation);
        let error = game.batch(1, 1, "nothing").err().expect("no such observation");
        assert!(error.to_string().contains(observation), "{error}");
        let mut batch: Box<dyn AnyBatch> = game.batch(100, 1, observation).expect("it was listed");
        assert_eq!((batch.count(), batch.action_count(), batch.context_length()), (100, actions, context));
        let length = batch.observation().length;
        let mut buffers = Buffers {
            observations: &mut vec![0.0; 100 * length],
            masks: &mut vec![0; 100 * actions],
            rewards: &mut [0.0; 200],
            terminated: &mut [0; 100],
            players: &mut [0; 100],
            extras: Extras::default(),
        };
        batch.observe(&mut buffers).expect("as long as asked");
        let (mut ended, mut rng) = (0, Rng::new(2));
        for _ in 0..300 {
            let mut any_legal = |mask: &[u8]| {
                let legal: Vec<i64> = (0..).zip(mask).filter(|at| *at.1 == 1).map(|at| at.0).collect();
                legal[rng.below(legal.len() as u64) as usize]
            };
            let chosen: Vec<i64> = buffers.masks.chunks_exact(actions).map(&mut any_legal).collect();
            batch.step(&chosen, &mut buffers).expect("legal");
            ended += buffers.terminated.iter().map(|&end| u32::from(end)).sum::<u32>();
        }
        assert!(ended > 0);
        batch.reset_slot(99).expect("it is there");
        assert_eq!(batch.reset_slot(100), Err(BatchError::Slot { slot: 100, count: 100 }));
        batch.reset(1);
        batch.observe(&mut buffers).expect("as long as asked");
    }
}
