//! Agents against each other: the same games on any number of tables, and GNU Backgammon far ahead of chance.

use backgammon::{Backgammon, CUBE, MATCH, Start, mat};
use endspiel_env::backgammon::agents::AgentKind;
use endspiel_env::backgammon::agents::gnubg::{Gnubg, GnubgError};
use endspiel_env::backgammon::{Contest, Encounter, NoMatchFile, Tally};
use game::{Game, Options};

fn played(contest: &Contest, tables: usize) -> Vec<Encounter> {
    let mut all = Vec::new();
    contest
        .play(tables, |encounter| {
            all.push(encounter.clone());
            true
        })
        .expect("agents that always answer");
    all
}

fn match_with_cube(length: &str) -> Backgammon {
    let mut options = Options::default();
    options.set(&MATCH, length.to_owned());
    options.set(&CUBE, "on".to_owned());
    Backgammon::new(&options).expect("options of this file")
}

#[test]
fn the_same_seed_plays_the_same_games_at_any_number_of_tables() {
    for game in [Backgammon::default(), match_with_cube("5")] {
        let contest = Contest {
            game,
            agents: [AgentKind::Pips, AgentKind::Random],
            encounters: 60,
            seed: 11,
            keep: false,
        };
        let alone = played(&contest, 1);
        assert_eq!(alone.len(), 60);
        for tables in [2, 3, 8] {
            assert_eq!(played(&contest, tables), alone, "{tables} tables");
        }
        assert_eq!(alone, played(&contest, 1), "again");
        assert_ne!(alone, played(&Contest { seed: 12, ..contest }, 1), "another seed");
    }
}

/// The dice are the same whoever plays: the first rolls are, until somebody moves otherwise.
#[test]
fn who_begins_does_not_depend_on_who_plays() {
    let contest =
        |agents| Contest { game: Backgammon::default(), agents, encounters: 50, seed: 4, keep: false };
    let firsts = |agents| -> Vec<usize> {
        played(&contest(agents), 2).iter().map(|encounter| encounter.games[0].first).collect()
    };
    let begun = firsts([AgentKind::Random, AgentKind::Random]);
    assert_eq!(begun, firsts([AgentKind::Pips, AgentKind::Random]));
    assert!(begun.contains(&0) && begun.contains(&1));
}

/// Matches go on until somebody has all the points and no more; their scores follow from their games.
#[test]
fn matches_are_played_to_their_end() {
    let contest = Contest {
        game: match_with_cube("7"),
        agents: [AgentKind::Pips, AgentKind::Random],
        encounters: 40,
        seed: 5,
        keep: false,
    };
    for encounter in played(&contest, 2) {
        let points = [encounter.points(0), encounter.points(1)];
        assert_eq!(points[encounter.winner()], 7, "{encounter:?}");
        assert!(points[1 - encounter.winner()] < 7, "{encounter:?}");
        let mut score = [0, 0];
        for game in &encounter.games {
            assert_eq!(game.score, Some(score), "{encounter:?}");
            score[game.winner] += game.points;
        }
    }
}

/// What is written can be read, and has the same games; what a file cannot say is refused.
#[test]
fn match_files_have_what_was_played() {
    for game in [Backgammon::default(), match_with_cube("5")] {
        let agents = [AgentKind::Pips, AgentKind::Random];
        let contest = Contest { game, agents, encounters: 10, seed: 3, keep: true };
        for encounter in played(&contest, 2) {
            let file = contest.match_file(&encounter).expect("the usual start");
            let read = mat::read(&file).unwrap_or_else(|error| panic!("{error}:\n{file}"));
            assert_eq!(read.players().first, "pips");
            let winners: Vec<_> =
                read.games().iter().map(|game| game.result().map(|(winner, _)| winner as usize)).collect();
            let expected: Vec<_> = encounter.games.iter().map(|game| Some(game.winner)).collect();
            assert_eq!(winners, expected, "{file}");
            assert!(read.games().iter().zip(&encounter.kept).all(|(game, kept)| game.actions() == kept));
        }
    }
    let short = Backgammon { start: Start::Short, ..Backgammon::default() };
    let agents = [AgentKind::Random; 2];
    let contest = Contest { game: short, agents, encounters: 1, seed: 3, keep: true };
    assert_eq!(contest.match_file(&played(&contest, 1)[0]), Err(NoMatchFile::Start));
    let contest = Contest { game: Backgammon::default(), keep: false, ..contest };
    assert_eq!(contest.match_file(&played(&contest, 1)[0]), Err(NoMatchFile::NotKept));
}

/// Whoever looks on may leave, and nobody waits for him.
#[test]
fn a_contest_can_be_left() {
    let contest = Contest {
        game: Backgammon::default(),
        agents: [AgentKind::Random, AgentKind::Random],
        encounters: u64::MAX,
        seed: 1,
        keep: false,
    };
    let mut seen = 0;
    let left = contest.play(4, |_| {
        seen += 1;
        seen < 25
    });
    assert!(left.is_ok());
    assert_eq!(seen, 25);
}

/// Random play ends as it does for other programs: 37.5 % single games, 36.4 % gammons, 26.1 % backgammons (wildbg), in
/// 96.6 turns.
#[test]
fn random_games_are_like_those_of_other_programs() {
    let contest = Contest {
        game: Backgammon::default(),
        agents: [AgentKind::Random, AgentKind::Random],
        encounters: 20_000,
        seed: 2,
        keep: false,
    };
    let mut tally = Tally::default();
    contest
        .play(2, |encounter| {
            tally.add(encounter);
            true
        })
        .expect("chance always answers");
    let share = |kind: usize| {
        let games = tally.kinds[0][kind] + tally.kinds[1][kind];
        games as f64 / tally.encounters as f64
    };
    for (kind, expected) in [(1, 0.375), (2, 0.364), (3, 0.261)] {
        assert!((share(kind) - expected).abs() < 0.015, "{tally:?}");
    }
    assert!((tally.average_moves() - 96.6).abs() < 1.5, "{tally:?}");
    let (rate, gain) = (tally.win_rate(0), tally.gain(0));
    assert!(rate.low - 0.01 < 0.5 && 0.5 < rate.high + 0.01, "{rate:?}");
    assert!(gain.low - 0.03 < 0.0 && 0.0 < gain.high + 0.03, "{gain:?}");
}

/// In our trial it won 40 of 40, and 2.65 points a game.
#[test]
fn gnu_backgammon_beats_chance() {
    if let Err(error @ GnubgError::Missing) = Gnubg::start() {
        return eprintln!("skipped: {error}");
    }
    let contest = Contest {
        game: Backgammon::default(),
        agents: [AgentKind::Gnubg { ply: 0 }, AgentKind::Random],
        encounters: 40,
        seed: 1,
        keep: false,
    };
    let mut tally = Tally::default();
    contest
        .play(8, |encounter| {
            tally.add(encounter);
            true
        })
        .expect("it is installed, and answers");
    assert!(tally.wins[0] >= 39, "{tally:?}");
    let gain = tally.gain(0);
    assert!(gain.low < 2.65 && gain.high > 2.5, "{gain:?}");
}
