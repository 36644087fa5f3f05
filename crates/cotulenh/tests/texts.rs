//! The exact error messages for wrong input, drawn boards, and the ends of games.

use endspiel_cotulenh::{BATTLE, Battle, CoTuLenh, Position};
use game::{Game, Notation, Options, Outcome, Position as _, Record, Side, Style};

fn error(board: &str) -> String {
    let text = format!("{board} r - - 0 1");
    text.parse::<Position>().expect_err(&text).to_string()
}

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A board with this text for its fourth rank. The commanders are on g1 and g12.
fn with_rank(rank: &str) -> String {
    format!("6c4/11/11/11/11/11/11/11/{rank}/11/11/6C4")
}

#[test]
fn wrong_boards() {
    assert_eq!(error("11/11"), "a board has 12 ranks, not 2");
    let rank = |text: &str| error(&with_rank(text));
    for text in ["10", "12", "", "5I6", "011", "55I", "0I10", "11I", "99999999999"] {
        assert_eq!(rank(text), format!("rank 4, `{text}`, is not 11 points wide"));
    }
    let no_piece = "in rank 4 is not a piece, nor a stack in parentheses, nor a number of empty points";
    for (text, found) in
        [("3x7", "x"), ("3(TI7", "("), ("3(Ti)7", "("), ("3++I7", "+"), ("10+", "+"), ("3♔7", "♔")]
    {
        assert_eq!(rank(text), format!("`{found}` {no_piece}"), "{text}");
    }
    let no_stack = "is not a stack: these pieces do not carry each other, or not in this order";
    for found in ["(IT)", "(TT)", "(TA)", "(NFTI)", "(I)"] {
        assert_eq!(rank(&format!("3{found}7")), format!("`{found}` on d4 {no_stack}"));
    }
    assert_eq!(rank("1I9"), "`I` cannot stand on b4");
    assert_eq!(rank("3(NF)7"), "`(NF)` cannot stand on d4");
    assert_eq!(rank("5(TC)5"), "Red has more than one commander: g1 f4");
    assert_eq!(error("11/11/11/11/11/11/11/11/11/11/11/6C4"), "Blue has no commander");
    assert_eq!(error("11/11/11/11/11/11/11/11/11/11/11/11"), "Red has no commander; Blue has no commander");
}

#[test]
fn wrong_fields() {
    let board = with_rank("11");
    let error = |fields: &str| format!("{board} {fields}").parse::<Position>().expect_err(fields).to_string();
    assert!(error("r - - 0").starts_with("6 fields are needed, not 5: "));
    assert_eq!(error("w - - 0 1"), "`w` is not a side: `r` or `b`");
    assert_eq!(error("r KQ - 0 1"), "`KQ` stands where FEN of this game has `-`");
    assert_eq!(error("r - - 0 0"), "turns are counted from 1, not from 0");
    for clock in ["x", "+1", "-1", "65536", "007"] {
        assert_eq!(
            error(&format!("r - - {clock} 1")),
            format!("`{clock}` is not a whole number up to 65,535")
        );
    }
}

/// Two laden ships, all heroes.
#[test]
fn the_most_turns_that_are_known() {
    let position = position("10c/11/11/11/11/4(+N+F+T)6/2(+N+F+T)8/11/11/11/11/3C7 r - - 0 1");
    assert_eq!(position.count_moves(), CoTuLenh::INFO.capabilities.most_moves.into());
}

/// Commanders that see each other cannot arise in play, but a text may contain them. Then only turns that end this
/// are legal.
#[test]
fn commanders_that_see_each_other_must_part() {
    let position = position("3c7/11/11/11/11/7I3/11/11/11/11/11/3C7 r - - 0 1");
    let from = |turn: endspiel_cotulenh::Turn| turn.from().to_string();
    let origins: Vec<String> = position.moves().into_iter().map(from).collect();
    assert_eq!(origins, ["d1"; 8]);
    assert_eq!(position.count_moves(), 8);
}

/// After its capture a commander is missing, and the text of the position shows this.
#[test]
fn finished_positions_return_from_their_texts() {
    let before = position("1n9/11/5gc4/6g4/11/6(FT)4/11/11/11/11/10I/4C6 r - - 0 1");
    let turn = CoTuLenh::default().parse_move(&before, "g7::T>xg9,+F>xg10").expect("a turn");
    let after = before.play_unchecked(turn);
    assert_eq!(after.to_string(), "1n9/11/5g+F4/6+T4/11/11/11/11/11/11/10I/4C6 b - - 0 1");
    assert_eq!(position(&after.to_string()), after);
    assert_eq!(after.outcome(), Some(Outcome::win(Side::First, "capture of the commander")));
    assert_eq!(after.count_moves(), 0);
}

#[test]
fn turns_return_from_their_texts() {
    for fen in [CoTuLenh::INFO.example_position, "10h/11/10h/11/11/11/11/(nc)nC8/11/10I/11/10I r - - 0 1"] {
        let position = position(fen);
        for turn in position.moves() {
            assert_eq!(CoTuLenh::default().parse_move(&position, &position.turn_text(turn)), Ok(turn));
        }
    }
    let position = position("10h/11/10h/11/11/11/11/(nc)nC8/11/10I/11/10I r - - 0 1");
    let error =
        CoTuLenh::default().parse_move(&position, "Cc5_b5").expect_err("it would expose the commander");
    assert!(error.to_string().starts_with("`Cc5_b5` is not a legal move here"), "{error}");
}

#[test]
fn boards_are_drawn_with_their_ground() {
    let drawn = CoTuLenh::default().draw(&position(CoTuLenh::INFO.example_position), Style::Plain);
    let expected = "12  ~  ~  :  ·  ·  ·  ·  c  ·  ·  h    blue
11  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
10  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
 9  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
 8  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
 7  ~  ~  :  :  :  ·  ·  ·  ·  ·  ·
   ----------------=-----=----------
 6  ~  ~  :  :  :  ·  ·  ·  ·  ·  ·
 5  ~  ~  :  i  TI ·  ·  ·  ·  ·  ·
 4  ~  ~  :  C  m  ·  ·  ·  ·  ·  ·
 3  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
 2  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·
 1  ~  ~  :  ·  ·  ·  ·  ·  ·  ·  ·    red to move, in check
    a  b  c  d  e  f  g  h  i  j  k
";
    assert_eq!(drawn, expected);
}

#[test]
fn games_end_by_clock_and_by_battle() {
    let outcome = |fen: &str, battle| Record::new(position(fen), CoTuLenh { battle }.rulebook()).outcome();
    let quiet = format!("{} r - - 100 60", with_rank("5I5"));
    assert_eq!(outcome(&quiet, Battle::Commander), Some(Outcome::draw("100 turns without a capture")));
    let no_ships = format!("{} r - - 0 1", with_rank("2N2I5"));
    assert_eq!(outcome(&no_ships, Battle::Commander), None);
    assert_eq!(outcome(&no_ships, Battle::Marine), Some(Outcome::win(Side::First, "marine battle")));
    assert_eq!(outcome(&no_ships, Battle::Land), Some(Outcome::win(Side::First, "land battle")));
    let mut options = Options::default();
    options.set(&BATTLE, "sea".to_owned());
    let error = CoTuLenh::new(&options).expect_err("no such battle").to_string();
    assert_eq!(error, "battle is `sea`; it is one of `commander`, `marine`, `air` and `land`");
}
