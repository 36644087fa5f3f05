//! Match files are read and replayed by the rules. A written file is read back as the same match.

use endspiel_backgammon::mat::{self, Action, MatErrorKind, Match, Tag};
use endspiel_backgammon::{Backgammon, Roll, Score};
use game::{BySide, Notation, Position as _, Side};
use proptest::prelude::*;

fn read(text: &str) -> Match {
    mat::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that a match is the same after it is written and read.
fn returns(played: &Match) {
    assert_eq!(&read(&mat::write(played)), played);
}

#[test]
fn matches_of_gnu_backgammon_are_played_to_their_end() {
    for (name, length, games) in [("match5.mat", 5, 4), ("money.mat", 0, 4), ("money_without_cube.mat", 0, 3)]
    {
        let text = fixtures::text(&format!("backgammon/{name}"));
        let played = read(&text);
        assert_eq!(played.length().unwrap_or(0), length);
        assert_eq!(played.players(), &BySide { first: "Anna".to_owned(), second: "Otto".to_owned() });
        assert_eq!(played.tags(), [Tag::new("EventDate", "2026.11.16")]);
        assert_eq!(played.games().len(), games, "{name}");
        let mut won = text.lines().filter_map(|line| line.split_once("Wins ")).map(|(_, rest)| {
            rest.split(' ').next().and_then(|points| points.parse::<u32>().ok()).expect("points")
        });
        for game in played.games() {
            let (winner, points) = game.result().expect("a whole game");
            assert_eq!(won.next(), Some(points));
            // GNU Backgammon resigns games that it cannot win any more.
            let won = game.last().won().map(|(winner, _)| winner);
            assert_eq!(won, (!game.is_resigned()).then_some(winner), "{name}");
        }
        if length > 0 {
            let points = |side| {
                let of = |game: &mat::Game| {
                    game.result().filter(|(winner, _)| *winner == side).map(|(_, won)| won)
                };
                played.games().iter().filter_map(of).sum::<u32>()
            };
            assert!(Side::ALL.into_iter().any(|side| points(side) >= u32::from(length)));
        }
        returns(&played);
    }
}

/// The file of a money game with these lines of moves.
fn money(lines: &str) -> String {
    format!(" 0 point match\n\n Game 1\n Anna : 0                       Otto : 0\n{lines}")
}

#[test]
fn games_end_in_every_way() {
    let resigned = read(&money("  1) 21:                         Wins 2 points\n"));
    let game = &resigned.games()[0];
    assert_eq!((game.result(), game.is_resigned()), (Some((Side::Second, 2)), true));
    assert_eq!(game.unplayed(), Roll::new(2, 1));
    returns(&resigned);
    let left = read(&money("  1)                             63: 24/15\n"));
    assert_eq!((left.games()[0].result(), left.games()[0].last().turn()), (None, Side::First));
    returns(&left);
    let silent = read(&money(""));
    assert_eq!(silent.games()[0].actions(), []);
    returns(&silent);
    let dropped = read(&money(
        "  1) 63: 24/18 18/15              Doubles => 2\n  2)  Drops                       Wins 1 point and the match\n",
    ));
    assert_eq!(dropped.games()[0].actions()[1..], [Action::Double, Action::Drop]);
    assert_eq!(dropped.games()[0].result(), Some((Side::Second, 1)));
    returns(&dropped);
    returns(&read(" 7 point match\n"));
}

#[test]
fn the_jacoby_rule_is_found_out() {
    let text = fixtures::text("backgammon/money_without_cube.mat");
    let played = read(&text);
    assert!(!played.jacoby());
    // Nobody doubled. With the Jacoby rule, every game would have been won with one point.
    let (mut lost, mut single) = (BySide { first: 0, second: 0 }, String::new());
    for line in text.lines() {
        let line = match (line.find("Wins"), line.starts_with(" Anna")) {
            (Some(at), _) => {
                lost[if at < 20 { Side::First } else { Side::Second }] += 1;
                format!("{}Wins 1 point", &line[..at])
            }
            (None, true) => format!(" {:<30} Otto : {}", format!("Anna : {}", lost.first), lost.second),
            (None, false) => line.to_owned(),
        };
        single += &line;
        single += "\n";
    }
    let with_rule = read(&single);
    assert!(with_rule.jacoby());
    returns(&with_rule);
    let denied = format!("; [Jacoby \"Off\"]\n{single}");
    assert!(matches!(mat::read(&denied), Err(error) if matches!(error.kind, MatErrorKind::Result { .. })));
}

#[test]
fn a_match_is_built_and_counts_its_points() {
    let mut played = Match::new(Some(3), true, BySide { first: "a: \n b", second: "" }).expect("a match");
    assert_eq!(
        (played.players().first.as_str(), played.players().second.as_str(), played.jacoby()),
        ("a b", "?", false)
    );
    played.add_tag(Tag::new("Site [1]", "a \"b\""));
    let play = |game: &mut mat::Game, roll: (u8, u8), text: &str| {
        let roll = Roll::new(roll.0, roll.1).expect("a roll");
        let rolled = game.rolled(roll).expect("a roll is awaited");
        let endspiel_backgammon::Move::Turn(turn) =
            Backgammon::default().parse_move(&rolled, text).expect("legal")
        else {
            panic!("no turn")
        };
        game.play(Action::Play(roll, turn)).expect("legal");
    };
    let game = played.begin(Side::Second).expect("a game");
    assert!(game.play(Action::Double).is_err());
    play(game, (3, 1), "8/5 6/5");
    game.play(Action::Double).expect("a double");
    assert!(game.play(Action::Double).is_err());
    game.play(Action::Take).expect("an answer");
    assert!(game.resign(Side::Second, 3).is_err());
    game.resign(Side::Second, 2).expect("a resignation");
    assert!(game.resign(Side::Second, 2).is_err());
    returns(&played);
    let game = played.begin(Side::First).expect("a second game");
    assert!(game.start().terms().stakes.score().is_some_and(Score::is_crawford));
    play(game, (3, 1), "8/5 6/5");
    assert!(game.play(Action::Double).is_err(), "there is no cube in the Crawford game");
    game.resign(Side::First, 1).expect("a resignation");
    let game = played.begin(Side::First).expect("a third game");
    assert!(game.start().terms().stakes.score().is_some_and(Score::is_post_crawford));
    play(game, (3, 1), "8/5 6/5");
    game.play(Action::Double).expect("a double");
    game.play(Action::Drop).expect("an answer");
    assert_eq!(game.result(), Some((Side::Second, 1)));
    returns(&played);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let error = |text: &str| match mat::read(text) {
        Ok(played) => panic!("{text}: {played:?}"),
        Err(error) => (error.line, error.to_string()),
    };
    for (text, line, part) in [
        ("".to_owned(), 1, "point match"),
        ("hello".to_owned(), 1, "`hello`"),
        (" Game 1\n".to_owned(), 1, "point match"),
        (" 99999 point match\n".to_owned(), 1, "99999"),
        (" 40000 point match\n".to_owned(), 1, "40000"),
        (" -3 point match\n".to_owned(), 1, "-3"),
        (" 3 point match\n Game 1\n Anna\n".to_owned(), 3, "`Anna`"),
        (" 3 point match\n Game 1\n Anna : 3 Otto : 0\n  1) 31: 8/5 6/5\n".to_owned(), 4, "it is over"),
        (" 3 point match\n Game 1\n Anna : -1 Otto : 0\n".to_owned(), 3, "two players"),
        (" 3 point match\n  1) 31: 8/5 6/5\n".to_owned(), 2, "does not belong here"),
        (money("  1) 31: 8/5 6/4\n"), 5, "`8/5 6/4`"),
        (money("  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n"), 6, "wrong column"),
        (money("  1) 37: 8/5 6/5\n"), 5, "`37: 8/5 6/5`"),
        (money("  1) hello\n"), 5, "`hello`"),
        (money("  x) 31: 8/5 6/5\n"), 5, "does not belong here"),
        (money("  1)  Doubles => 2\n"), 5, "cannot be done"),
        (money("  1)  Takes\n"), 5, "cannot be done"),
        (money("  1) 31: 8/5 6/5                  Doubles => 4\n"), 5, "doubles to 2"),
        (money("  1) 31:\n  2)                             31: 8/5 6/5\n"), 6, "after the end"),
        (money("  1) 31: 8/5 6/5\n      Wins 4 points\n"), 6, "Wins 4"),
        (money("  1) 31: 8/5 6/5\n      Wins\n"), 6, "Wins"),
        (money("  1) 31: 8/5 6/5\n      Wins 1 point\n      Wins 1 point\n"), 7, "after the end"),
        (money("      Wins 1 point\n Game 2\n Anna : 2  Otto : 0\n"), 7, "make it 1 : 0"),
        (money("      Wins 1 point\n Game 2\n Berta : 1  Otto : 0\n"), 7, "not the players"),
    ] {
        let (found, sentence) = error(&text);
        assert_eq!(found, line, "{sentence}\n{text}");
        assert!(sentence.contains(part), "{sentence}\n{text}");
    }
    assert!(error(&"x".repeat(mat::LONGEST + 1)).1.contains("MiB"));
}

/// The time to read a file grows with its length. If it grew with its square, this test would take minutes.
#[test]
fn long_files_are_read_soon() {
    let long = mat::LONGEST;
    let game = "Game 1\na:0 b:0\n";
    let games = 250_000;
    let played = read(&format!("5 point match\n{}", game.repeat(games)));
    assert_eq!(played.games().len(), games);
    returns(&read(&format!("5 point match\n{}", "Game 1\na:4 b:0\n".repeat(20_000))));
    let tags = read(&format!("{}{}", "; [a b]\n".repeat(500_000), money("")));
    assert_eq!(tags.tags().len(), 500_000);
    read(&money(&format!("{}\n", " ".repeat(long / 2))));
    for line in [
        "1) ".repeat(long / 4),
        "1) Wins ".repeat(long / 9),
        format!("1) {}", "11:".repeat(long / 4)),
        format!("1) {}", "11: ".repeat(long / 5)),
        format!("1) 11: {}", "8/7 ".repeat(long / 5)),
        format!("1) 11: {}", "6/5/".repeat(long / 5)),
        format!("1) 11: {}", "8".repeat(long / 2)),
        format!("1) Doubles => {}", "8".repeat(long / 2)),
        "Game ".repeat(long / 6),
        ")".repeat(long / 2),
        ":".repeat(long / 2),
    ] {
        mat::read(&money(&line)).expect_err(&line[..40]);
        mat::read(&format!(" 0 point match\n Game 1\n{line}\n")).expect_err(&line[..40]);
    }
}

/// A byte order mark at the start of a file is no part of it. Anywhere else it is a character.
#[test]
fn a_mark_in_a_comment_is_kept() {
    let tagged = read(&format!("\u{feff}; [Event \"\u{feff}x\"]\n{}", money("")));
    assert_eq!(tagged.tags(), [Tag::new("Event", "\u{feff}x")]);
    let text = money("").replace("Anna", "\u{feff}Anna");
    assert_eq!(mat::read(&text).expect("a match").players().first, "\u{feff}Anna");
}

proptest! {
    #[test]
    fn any_text_is_a_match_that_returns_or_an_error(text in "\\PC{0,80}", lines in "( *[0-9]{1,2}\\) *([1-6]{2}:|Doubles|Takes|Wins|=>|[0-9]{1,2}(/[0-9]{1,2})?|[ ]{1,20}){0,8}\n){0,4}") {
        for text in [text, money(&lines)] {
            if let Ok(played) = mat::read(&text) {
                returns(&played);
            }
        }
    }
}
