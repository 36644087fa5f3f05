//! Contests and batches of games that are known by their names only, and of games without chance.

use dobutsu::Dobutsu;
use endspiel_env::{
    Agent, AgentError, AnyBatch, AnyEncounter, AnyEnvironment, BatchError, Buffers, Contest, ContestError,
    Contests, Extras, Pairing, Policy, Random, TOO_LONG, Tally, UnknownAgent, contests,
};
use game::{Game, Notation, Position, Rng, Side};
use onitama::Onitama;

fn small_games() -> [Box<dyn Contests>; 2] {
    [contests(Onitama::default()), contests(Dobutsu)]
}

fn tallied(game: &dyn Contests, seed: u64, at_once: usize) -> (Vec<String>, Tally) {
    let pairing =
        Pairing { agents: ["random", "Random"], encounters: 200, seed, at_once: Some(at_once), keep: false };
    let (mut games, mut last) = (Vec::new(), Tally::default());
    let played = game.play(&pairing, &mut |shown| {
        games.extend(shown.encounter.games().iter().map(ToString::to_string));
        last = shown.tally.clone();
        assert!(shown.file.is_none());
        true
    });
    played.expect("random play always goes on");
    (games, last)
}

#[test]
fn every_game_has_random_contests() {
    for game in small_games() {
        assert_eq!(game.agents(), ["random"]);
        assert!(game.has_draws() && !game.plays_matches() && game.file_ending().is_none());
        let (games, tally) = tallied(&*game, 7, 1);
        assert_eq!((games.len(), tally.encounters), (200, 200));
        assert_eq!(tally.wins.first + tally.wins.second + tally.draws, 200);
        let by_rules: u64 = Side::ALL
            .into_iter()
            .flat_map(|side| game.wins().iter().map(move |(rule, _)| (side, *rule)))
            .map(|(side, rule)| tally.won_by(side, rule))
            .sum();
        assert_eq!(by_rules + tally.draws, 200, "every way to win is listed");
        assert_eq!(tallied(&*game, 7, 3).0, games);
        assert_ne!(tallied(&*game, 8, 1).0, games);
    }
}

#[test]
fn who_is_not_there_is_named() {
    for game in small_games() {
        let pairing =
            Pairing { agents: ["random", "gnubg"], encounters: 1, seed: 1, at_once: None, keep: false };
        let unknown = UnknownAgent { name: "gnubg".to_owned(), known: vec!["random".to_owned()] };
        match game.play(&pairing, &mut |_| true) {
            Err(ContestError::UnknownAgent(found)) => assert_eq!(found, unknown),
            other => panic!("{other:?}"),
        }
        assert!(matches!(game.opponent("gnubg"), Err(ContestError::UnknownAgent(_))));
    }
}

#[test]
fn games_without_files_say_so() {
    for game in small_games() {
        let agents = ["random", "random"];
        let mut refused = 0;
        let pairing = Pairing { agents, encounters: 3, seed: 1, at_once: None, keep: true };
        let played = game.play(&pairing, &mut |shown| {
            refused += u32::from(matches!(shown.file, Some(Err(_))));
            true
        });
        assert!(played.is_ok() && refused == 3);
    }
}

#[test]
fn opponents_speak_text() {
    let mut opponent = contests(Dobutsu).opponent("random").expect("it is there");
    let mut rng = Rng::new(1);
    let start = Dobutsu.position_text(&Dobutsu.start());
    let chosen = opponent.choose(&start, &mut rng).expect("a move");
    assert!(Dobutsu.parse_move(&Dobutsu.start(), &chosen).is_ok());
    let error = opponent.choose("nothing", &mut rng).expect_err("no position");
    assert!(error.to_string().starts_with("`nothing` is not a position of Dobutsu shogi"), "{error}");
}

type Maker<P> = fn() -> Result<Box<dyn Agent<P>>, AgentError>;

/// Whoever steps to and fro is stopped by the rule of repetition, where there is one.
#[test]
fn repetition_ends_games_that_go_round() {
    let to_and_fro: Maker<_> = || {
        let mut plies = 0;
        Ok(Box::new(Policy::new(
            Dobutsu,
            move |_: &_, actions: &[endspiel_env::dobutsu::Action], _: &mut Rng| {
                plies += 1;
                // The giraffe, from the right corner and back.
                let text = if plies % 2 == 1 { "c1c2" } else { "c2c1" };
                *actions.iter().find(|action| action.to_string() == text).expect("nobody is in its way")
            },
        )))
    };
    let mut shown = 0;
    let contest = Contest::new(Dobutsu, 1, 1);
    let played = contest.play([&to_and_fro, &to_and_fro], 1, |encounter| {
        let game = encounter.games[0];
        assert_eq!((game.winner, game.by, game.moves), (None, "repetition", 8));
        assert_eq!(
            encounter.games()[0].to_string(),
            r#"{"first":0,"winner":null,"by":"repetition","moves":8}"#
        );
        shown += 1;
        true
    });
    assert!(played.is_ok() && shown == 1);
}

/// Where there is none, the number of plies is: a draw, by a name of its own.
#[test]
fn endless_games_are_cut() {
    let random: Maker<_> = || Ok(Box::new(Random));
    let contest = Contest { most_plies: Some(3), ..Contest::new(Onitama::default(), 10, 1) };
    let mut tally = Tally::default();
    let played = contest.play([&random, &random], 2, |encounter| {
        assert!(encounter.games.iter().all(|game| (game.by, game.moves) == (TOO_LONG.by, 3)));
        assert_eq!(encounter.winner(), None);
        tally.add(encounter);
        true
    });
    assert!(played.is_ok());
    assert_eq!((tally.draws, tally.points.first, tally.average_moves()), (10, 0, 3.0));
}

/// What is kept of a game leads to its end.
#[test]
fn kept_games_can_be_replayed() {
    let random: Maker<_> = || Ok(Box::new(Random));
    let contest = Contest { keep: true, ..Contest::new(Dobutsu, 20, 5) };
    let played = contest.play([&random, &random], 2, |encounter| {
        let (game, kept) = (&encounter.games[0], &encounter.kept[0]);
        let mut position = Dobutsu.start();
        for (at, m) in kept {
            assert_eq!(*at, position);
            position = position.play(*m).expect("it was legal");
        }
        assert_eq!(kept.len(), game.moves as usize);
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, game.winner);
        true
    });
    assert!(played.is_ok());
}

/// An agent that breaks the rules is told, and its side named.
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
    let played = Contest::new(Dobutsu, 1, 1).play([&random, &cheat], 1, |_| true);
    match played {
        Err(error @ AgentError::Illegal { .. }) => assert!(error.to_string().contains("white"), "{error}"),
        other => panic!("{other:?}"),
    }
}

/// Games by name: each says how long its buffers are, and plays in them.
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
