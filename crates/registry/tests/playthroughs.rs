//! Plays a few games of each kind and compares every string, move and outcome with the stored files.
//! `cargo xtask golden` writes the files again.

use endspiel_registry::{Family, Opened, Registry};
use game::{Info, Options, Rng, Style};
use std::fmt::Write;
use std::path::Path;

const SOURCE: &str = "# written by `cargo xtask golden`: every string, move and outcome of a few games\n\n";
/// The number of random games from the start.
const GAMES: u64 = 3;
/// The most plies of a game.
const LONGEST: usize = 60;
/// The most moves shown for a position. CoTuLenh may have thousands.
const SHOWN: usize = 300;

/// A game whose first moves are given, for cases that random games seldom reach.
struct Scripted {
    /// The game and its options, as on the command line.
    game: &'static str,
    /// The position to begin with; `None` is the start.
    position: Option<&'static str>,
    /// The first moves, separated by `, ` because some have spaces inside. Later moves are random.
    moves: &'static str,
    /// The rule that ends the game.
    ends_by: &'static str,
}

/// Every way in which a game can end, and rare moves.
const SCRIPTED: &[Scripted] = &[
    Scripted {
        game: "onitama",
        position: Some("0020000400000000000000000 b boar,ox elephant,horse crab"),
        moves: "boar:c1c2",
        ends_by: "stone",
    },
    Scripted {
        game: "onitama",
        position: Some("0000000000000000020040000 b boar,ox elephant,horse crab"),
        moves: "ox:c4c5",
        ends_by: "stream",
    },
    // No man can move, so the player only gives a card.
    Scripted {
        game: "onitama",
        position: Some("0400000000000000000021111 b boar,elephant ox,horse crab"),
        moves: "elephant:pass, horse:b1c1",
        ends_by: "stream",
    },
    Scripted { game: "dobutsu", position: None, moves: "2c2b, 3a3b, 2b2a", ends_by: "catch" },
    Scripted { game: "dobutsu", position: Some("3/L2/2l/3 b GECgec 1"), moves: "3b3a", ends_by: "try" },
    Scripted {
        game: "dobutsu",
        position: None,
        moves: "1d1c, 3a3b, 1c1d, 3b3a, 1d1c, 3a3b, 1c1d, 3b3a",
        ends_by: "repetition",
    },
    Scripted { game: "dobutsu", position: Some("GE1/LGE/CCl/3 b - 1"), moves: "", ends_by: "no moves" },
    // The shortest game of chess.
    Scripted { game: "chess", position: None, moves: "f2f3, e7e5, g2g4, d8h4", ends_by: "checkmate" },
    Scripted {
        game: "chess",
        position: Some("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"),
        moves: "f2f7",
        ends_by: "stalemate",
    },
    // Checkmate by en passant, by castling, and by promotion to a knight.
    Scripted {
        game: "chess",
        position: Some("R7/1p6/8/P7/8/8/2K5/k7 b - - 0 1"),
        moves: "b7b5, a5b6",
        ends_by: "checkmate",
    },
    Scripted {
        game: "chess",
        position: Some("8/8/8/8/8/8/1R5R/R3K1k1 w Q - 0 1"),
        moves: "e1c1",
        ends_by: "checkmate",
    },
    Scripted {
        game: "chess",
        position: Some("8/1P6/2k5/1R6/1K6/6B1/8/8 w - - 0 1"),
        moves: "b7b8n",
        ends_by: "checkmate",
    },
    // The last pawn is captured; 75 moves without a pawn move or a capture.
    Scripted {
        game: "chess",
        position: Some("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"),
        moves: "e1d2",
        ends_by: "insufficient material",
    },
    Scripted {
        game: "chess",
        position: Some("4k3/8/8/8/8/8/3R4/4K3 w - - 149 90"),
        moves: "d2d3",
        ends_by: "the seventy-five-move rule",
    },
    // The fifth occurrence of a position ends the game without a claim.
    Scripted {
        game: "chess",
        position: None,
        moves: "g1f3, g8f6, f3g1, f6g8, g1f3, g8f6, f3g1, f6g8, g1f3, g8f6, f3g1, f6g8, g1f3, g8f6, f3g1, f6g8",
        ends_by: "repetition",
    },
    // Shogi: checkmate by a drop, no legal move, repetition, and perpetual check, which loses.
    Scripted {
        game: "shogi",
        position: Some("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"),
        moves: "G*5b",
        ends_by: "checkmate",
    },
    Scripted {
        game: "shogi",
        position: Some("8k/9/8P/9/9/9/9/9/K6R1 b - 1"),
        moves: "2i2c",
        ends_by: "no legal move",
    },
    Scripted {
        game: "shogi",
        position: Some("4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        moves: "5i4i, 5a4a, 4i5i, 4a5a, 5i4i, 5a4a, 4i5i, 4a5a, 5i4i, 5a4a, 4i5i, 4a5a",
        ends_by: "repetition",
    },
    Scripted {
        game: "shogi",
        position: Some("9/9/k8/1R7/9/9/9/9/8K b - 1"),
        moves: "8d9d, 9c8c, 9d8d, 8c9c, 8d9d, 9c8c, 9d8d, 8c9c, 8d9d, 9c8c, 9d8d, 8c9c",
        ends_by: "perpetual check",
    },
    // CoTuLenh: no side is in check. A tank takes one of two guns; then the plane that carried it takes the commander.
    Scripted {
        game: "cotulenh",
        position: Some("1n9/11/5gc4/6g4/11/6(FT)4/11/11/11/11/10I/4C6 r - - 0 1"),
        moves: "g7::T>xg9,+F>xg10",
        ends_by: "capture of the commander",
    },
    Scripted {
        game: "cotulenh",
        position: Some("10c/11/11/11/11/6A3A/11/11/11/11/11/9C1 r - - 0 1"),
        moves: "Ak7k9",
        ends_by: "checkmate",
    },
    Scripted {
        game: "cotulenh",
        position: Some("10c/11/11/11/11/6I3T/11/11/11/11/11/9C1 r - - 0 1"),
        moves: "Tk7k9",
        ends_by: "stalemate",
    },
    Scripted {
        game: "cotulenh",
        position: Some("6c4/11/11/11/11/11/11/11/11/11/11/5C5 b - - 99 80"),
        moves: "Cg12h12",
        ends_by: "100 turns without a capture",
    },
    Scripted {
        game: "cotulenh",
        position: Some("6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"),
        moves: "Cf1e1, Cg12h12, Ce1f1, Ch12g12, Cf1e1, Cg12h12, Ce1f1, Ch12g12",
        ends_by: "repetition",
    },
    // The last piece of a branch is taken. In the air battle both sides lose their last plane, and the side that moved wins.
    Scripted {
        game: "cotulenh --battle marine",
        position: Some("6c4/11/11/11/11/11/1n9/11/1N9/11/11/5C5 r - - 0 1"),
        moves: "Nb4xb6",
        ends_by: "marine battle",
    },
    Scripted {
        game: "cotulenh --battle air",
        position: Some("6c4/11/11/11/11/11/11/6g4/3F2f4/11/11/5C5 r - - 0 1"),
        moves: "Fd4@g4",
        ends_by: "air battle",
    },
    Scripted {
        game: "cotulenh --battle land",
        position: Some("6c4/11/11/11/11/11/4i6/11/4T6/11/11/5C5 r - - 0 1"),
        moves: "Te4xe6",
        ends_by: "land battle",
    },
    // Backgammon: the winner bears off the last checker. The loser has borne off some; none; none, with one on the bar.
    Scripted {
        game: "backgammon",
        position: Some("XGID=-C----------------------c-:0:0:1:21:0:0:0:0:10"),
        moves: "1/off(2)",
        ends_by: "single game",
    },
    Scripted {
        game: "backgammon",
        position: Some("XGID=-A----------------------o-:0:0:1:65:0:0:0:0:10"),
        moves: "1/off",
        ends_by: "gammon",
    },
    Scripted {
        game: "backgammon",
        position: Some("XGID=aA----------------------n-:0:0:1:11:0:0:0:0:10"),
        moves: "1/off",
        ends_by: "backgammon",
    },
    // By the Jacoby rule the gammon counts one point; in a match it counts at most the points that are needed.
    Scripted {
        game: "backgammon --jacoby on",
        position: Some("XGID=-A----------------------o-:0:0:1:65:0:0:1:0:10"),
        moves: "1/off",
        ends_by: "gammon",
    },
    Scripted {
        game: "backgammon --cube on --match 3",
        position: Some("XGID=-A----------------------o-:0:0:1:00:2:0:1:3:10"),
        moves: "1/off",
        ends_by: "gammon",
    },
    // A double that is dropped, and two doubles that are taken.
    Scripted {
        game: "backgammon --cube on",
        position: Some("XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10"),
        moves: "double, drop",
        ends_by: "declined double",
    },
    Scripted {
        game: "backgammon --cube on",
        position: Some("XGID=-E----------------------a-:0:0:1:00:0:0:0:0:10"),
        moves: "double, take, 1/off(4), double, take, 1/off",
        ends_by: "single game",
    },
    // The player must pass: six points are closed to the checker on the bar, until the opponent opens one.
    Scripted {
        game: "backgammon",
        position: Some("XGID=-------------------bbbbbbA:0:0:1:63:0:0:0:0:10"),
        moves: "pass",
        ends_by: "single game",
    },
    // Only one of the two dice can be played: the rules demand the higher one.
    Scripted {
        game: "backgammon",
        position: Some("XGID=----b------A------------a-:0:0:1:61:0:0:0:0:10"),
        moves: "11/5",
        ends_by: "single game",
    },
];

#[test]
fn playthroughs_are_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/playthroughs");
    let mut scripted_games = 0;
    for family in Registry::standard().games() {
        let game = family.open(&Options::default()).expect("defaults are right");
        let mut played = SOURCE.to_owned();
        (1..=GAMES).for_each(|seed| played += &playthrough(&game, seed));
        let scripted = SCRIPTED.iter().filter(|scripted| scripted.words().next() == Some(family.info().name));
        for scripted in scripted {
            played += &scripted.playthrough(family);
            scripted_games += 1;
        }
        let path = folder.join(format!("{}.txt", family.info().name));
        if std::env::var_os("ENDSPIEL_BLESS").is_some() {
            std::fs::write(&path, played).expect("fixtures can be written");
            continue;
        }
        let expected =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let line = played.lines().zip(expected.lines()).position(|(ours, theirs)| ours != theirs);
        assert_eq!(line.map(|n| n + 1), None, "{} differs from this line on", path.display());
        assert_eq!(played.len(), expected.len(), "{} has another length", path.display());
    }
    assert_eq!(scripted_games, SCRIPTED.len(), "each scripted game belongs to one kind of game");
}

fn playthrough(game: &Opened, seed: u64) -> String {
    format!("# {} {}, seed {seed}\n", game.info().name, game.rules().rules_id())
        + &told(game, None, "", seed).0
}

impl Scripted {
    fn words(&self) -> impl Iterator<Item = &'static str> {
        self.game.split(' ')
    }

    fn options(&self, info: &Info) -> Options {
        let mut options = Options::default();
        let mut words = self.words().skip(1);
        while let (Some(name), Some(value)) = (words.next(), words.next()) {
            let option = info.options.iter().find(|option| name.strip_prefix("--") == Some(option.name));
            options.set(option.expect("an option of the game"), value.to_owned());
        }
        options
    }

    fn playthrough(&self, family: &Family) -> String {
        let game = family.open(&self.options(family.info())).expect("options are right");
        let (text, ended_by) = told(&game, self.position, self.moves, 1);
        assert_eq!(ended_by, Some(self.ends_by), "{text}");
        format!("# {}, to an end by {}\n{text}", self.game, self.ends_by)
    }
}

/// Plays a game and returns its text and the rule that ended it. The text has, for each ply, the position, the roll, the
/// drawn board, the legal moves, and the move that is played. The first moves are given; the others and the dice are random.
fn told(game: &Opened, position: Option<&str>, moves: &str, seed: u64) -> (String, Option<&'static str>) {
    let mut session = game.session(position).expect("a position");
    let (mut given, mut rng) = (moves.split(", ").filter(|text| !text.is_empty()), Rng::new(seed));
    let mut out = String::new();
    for ply in 0..=LONGEST {
        let _ = writeln!(out, "\nply {ply}: {}", session.position());
        let roller = session.turn();
        if let Some(roll) = session.settle(&mut rng) {
            let _ = writeln!(out, "{roller} rolls {roll}: {}", session.position());
        }
        let moves = session.moves();
        out += &session.draw(Style::Plain);
        let cut = if moves.len() > SHOWN { " …" } else { "" };
        // Some moves have spaces inside. Then a comma separates them.
        let between = if moves.iter().any(|text| text.contains(' ')) { ", " } else { " " };
        let shown = moves[..moves.len().min(SHOWN)].join(between);
        let _ = writeln!(out, "{} to move, {} moves: {shown}{cut}", session.turn(), moves.len());
        let played = match given.next() {
            Some(text) => session.play(text).map(|()| Some(text.to_owned())).expect("a legal move"),
            None => session.play_random(&mut rng),
        };
        match played {
            Some(text) => writeln!(out, "plays {text}").expect("writing to a string"),
            None => break,
        }
    }
    let ending = session.ending();
    match ending {
        Some(ending) => writeln!(out, "\n{} by {}\n", ending.winner.unwrap_or("nobody"), ending.by),
        None => writeln!(out, "\nunfinished\n"),
    }
    .expect("writing to a string");
    (out, ending.map(|ending| ending.by))
}
