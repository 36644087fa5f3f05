//! Checks the exact error messages for wrong input, and the drawing of a board.

use endspiel_dobutsu::{Dobutsu, Position};
use game::{Game, Notation, Style};

fn error(text: &str) -> String {
    text.parse::<Position>().expect_err(text).to_string()
}

#[test]
fn wrong_fields() {
    let expected =
        "fields instead of 3 or 4: rows, side to move, hands, move number, as in `gle/1c1/1C1/ELG b - 1`";
    assert_eq!(error(""), format!("0 {expected}"));
    assert_eq!(error("gle/1c1/1C1/ELG b"), format!("2 {expected}"));
    assert_eq!(error("gle/1c1/1C1/ELG b - 1 2"), format!("5 {expected}"));
}

#[test]
fn wrong_rows() {
    assert_eq!(error("gle/1c1/1C1 b - 1"), "`gle/1c1/1C1` has 3 rows instead of 4 separated by `/`");
    assert_eq!(error("gl/1c1/1C1/ELG b - 1"), "row a `gl` is 2 squares wide instead of 3");
    assert_eq!(error("gle/1c1/1C1/ELGG b - 1"), "row d `ELGG` is 4 squares wide instead of 3");
    assert_eq!(error("gle/1c1//ELG b - 1"), "row c `` is 0 squares wide instead of 3");
}

#[test]
fn wrong_pieces() {
    let rest = "is not a piece; pieces are L G E C +C for black, l g e c +c for white, \
                and 1 2 3 stand for empty squares";
    assert_eq!(error("gle/1h1/1C1/ELG b - 1"), format!("`h` in row b `1h1` {rest}"));
    assert_eq!(error("gle/4/1C1/ELG b - 1"), format!("`4` in row b `4` {rest}"));
    assert_eq!(error("gle/1c1/1C1/+ELG b - 1"), format!("`+E` in row d `+ELG` {rest}"));
    assert_eq!(error("gle/1c1/1C1/EL+ b - 1"), format!("`+` in row d `EL+` {rest}"));
    assert_eq!(error("gle/1ä1/1C1/ELG b - 1"), format!("`ä` in row b `1ä1` {rest}"));
}

#[test]
fn wrong_turn() {
    let rest = "it is either `b` (black) or `w` (white)";
    assert_eq!(error("gle/1c1/1C1/ELG x - 1"), format!("side to move is `x`; {rest}"));
    assert_eq!(error("gle/1c1/1C1/ELG B - 1"), format!("side to move is `B`; {rest}"));
}

#[test]
fn wrong_hands() {
    let rest = "hands are `-`, or letters G E C g e c; a count above 1 comes before its letter, as in `GE2c`";
    assert_eq!(error("gle/3/1C1/ELG b x 1"), format!("`x` in the hands `x`: {rest}"));
    assert_eq!(error("gle/3/1C1/ELG b C2 1"), format!("`2` in the hands `C2`: {rest}"));
    assert_eq!(error("gle/3/1C1/ELG b 0C 1"), format!("`0` in the hands `0C`: {rest}"));
    assert_eq!(error("gle/3/1C1/ELG b 12C 1"), format!("`2` in the hands `12C`: {rest}"));
    let hen = "a hen that is taken is a chick again, written C";
    assert_eq!(error("gle/3/1C1/ELG b +c 1"), format!("`+C` in the hands `+c`: {hen}"));
    let lion = "a caught lion is out of the game, not in a hand";
    assert_eq!(error("g1e/1c1/1C1/ELG b L 1"), format!("`L` in the hands `L`: {lion}"));
}

#[test]
fn wrong_move_number() {
    assert_eq!(error("gle/1c1/1C1/ELG b - 0"), "move number is `0`; it counts from 1");
    assert_eq!(error("gle/1c1/1C1/ELG b - x"), "move number is `x`; it counts from 1");
}

#[test]
fn wrong_counts() {
    let rest = "on the board and in the hands together; there are always 2";
    assert_eq!(error("gle/1c1/1C1/ELG b G 1"), format!("3 giraffes {rest}"));
    assert_eq!(error("gl1/1c1/1C1/ELG b - 1"), format!("1 elephants {rest}"));
    assert_eq!(error("gle/1c1/1+C1/ELG b 9c 1"), format!("11 chicks and hens {rest}"));
}

#[test]
fn wrong_lions() {
    assert_eq!(error("gle/1c1/LC1/ELG b - 1"), "black has 2 lions; it starts with 1");
    assert_eq!(
        error("g1e/1c1/1C1/E1G b - 1"),
        "no lion on the board; the game ends when the first is caught"
    );
    assert_eq!(
        error("g1e/1c1/1C1/ELG b - 1"),
        "white's lion is missing, so it was caught a move ago and it would be white's turn (`w`)"
    );
    assert!("g1e/1c1/1C1/ELG w - 1".parse::<Position>().is_ok());
}

#[test]
fn what_is_read_leniently_is_printed_in_one_way() {
    let read = |text: &str| text.parse::<Position>().expect("well written").to_string();
    assert_eq!(read("gle/1c1/1C1/ELG b -"), "gle/1c1/1C1/ELG b - 1");
    assert_eq!(read("  gle/1c1/1C1/ELG  b - 77 "), "gle/1c1/1C1/ELG b - 1");
    assert_eq!(read("1l1/111/12/1L1 w cCeGEg"), "1l1/3/3/1L1 w GECgec 1");
    assert_eq!(read("1l1/3/3/1L1 w CC1E1e2G"), "1l1/3/3/1L1 w 2GE2Ce 1");
}

#[test]
fn wrong_moves() {
    let start = Dobutsu.start();
    let error = |text: &str| Dobutsu.parse_move(&start, text).expect_err(text).to_string();
    assert_eq!(error("2d2b"), "`2d2b` is not a legal move here; similar ones are 2d1c, 2d3c");
    let format = Dobutsu::INFO.move_format;
    assert_eq!(error("C*2b"), format!("`C*2b` is not a legal move here; moves are written {format}"));
    assert_eq!(error("é"), format!("`é` is not a legal move here; moves are written {format}"));
    assert_eq!(error(""), format!("`` is not a legal move here; moves are written {format}"));
    assert_eq!(
        "2e2b".parse::<endspiel_dobutsu::Move>().unwrap_err().to_string(),
        "`2e2b` is not written as a move: `2c2b` for a step, `C*2b` for a drop"
    );
}

#[test]
fn the_example_can_be_read() {
    let example = Dobutsu::INFO.example_position;
    assert_eq!(example.parse::<Position>().expect("well written").to_string(), example);
}

#[test]
fn the_picture_of_a_board() {
    let position = Dobutsu.parse_position("1le/g2/+C1c/1LG w E 1").unwrap();
    let expected = "
    3   2   1
  +---+---+---+
a |   | lv| ev|   white to move, in hand: nothing
  +---+---+---+
b | gv|   |   |
  +---+---+---+
c | H^|   | cv|
  +---+---+---+
d |   | L^| G^|   black, in hand: E
  +---+---+---+
";
    assert_eq!(Dobutsu.draw(&position, Style::Plain), expected[1..]);
    let coloured = Dobutsu.draw(&position, Style::Coloured);
    let mut in_escape = false;
    let plain: String = coloured
        .chars()
        .filter(|&c| {
            in_escape |= c == '\x1b';
            let shown = !in_escape;
            in_escape &= c != 'm';
            shown
        })
        .collect();
    assert_eq!(plain, expected[1..], "colours add nothing but colour");
}
