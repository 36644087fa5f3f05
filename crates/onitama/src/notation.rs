//! Reads and writes a position in one line: `1121100000000000000033433 b boar,ox elephant,horse crab`.
//!
//! The board is written as in Litama: 25 digits from a1 along the ranks. The other parts are our own format, because there
//! is no standard.

use crate::grid::{Grid, Square, SquareSet};
use crate::rules::letter;
use crate::setup::{Setup, SetupError};
use crate::{Card, CardError, CardSet, Move, Onitama, Position};
use bits::Geometry;
use game::{BySide, Notation, Side, Style, quoted};
use std::str::FromStr;

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text cannot be read.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text can be read, but the position is not legal.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// The error for a text that is not written as a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxError {
    /// The text does not have five parts.
    #[error(
        "a position has five parts, this has {found}: board, side to move, Blue's cards, Red's cards, side card"
    )]
    Parts {
        /// The number of parts that were found.
        found: usize,
    },
    /// The board does not have 25 characters.
    #[error("{} is no board; it has {} characters and needs 25 digits, a1 to e5", quoted(board), board.chars().count())]
    BoardLength {
        /// The board.
        board: String,
    },
    /// A character of the board is not one of the digits 0 to 4.
    #[error("{} on {square} (character {} of the board) is no man; use 0 for empty, 1 and 2 for Blue's student and master, 3 and 4 for Red's", quoted(&found.to_string()), square.index() + 1)]
    BoardDigit {
        /// The square of the character.
        square: Square,
        /// The character.
        found: char,
    },
    /// The side to move is neither `b` nor `r`.
    #[error("{} is no side to move; use b (Blue) or r (Red)", quoted(found))]
    Turn {
        /// The text that was given.
        found: String,
    },
    /// A card is unknown or named twice.
    #[error(transparent)]
    Card(#[from] CardError),
}

fn parse_board(board: &str) -> Result<(BySide<SquareSet>, BySide<SquareSet>), SyntaxError> {
    let mut students = BySide::<SquareSet>::default();
    let mut masters = BySide::<SquareSet>::default();
    if board.len() != Grid::SQUARES.into() || !board.is_ascii() {
        return Err(SyntaxError::BoardLength { board: board.to_owned() });
    }
    for (square, found) in Square::all().zip(board.bytes()) {
        let group = match found {
            b'0' => continue,
            b'1' => &mut students.first,
            b'2' => &mut masters.first,
            b'3' => &mut students.second,
            b'4' => &mut masters.second,
            _ => return Err(SyntaxError::BoardDigit { square, found: found.into() }),
        };
        *group |= square.into();
    }
    Ok((students, masters))
}

/// `:a1a2` and so on for every pair of squares. It is a table for speed, because millions of moves are written.
static STEP_TEXTS: [&str; 25 * 25] = {
    static BYTES: [[u8; 5]; 25 * 25] = {
        let mut table = [[0; 5]; 25 * 25];
        let mut i = 0;
        while i < table.len() {
            let (from, to) = ((i / 25) as u8, (i % 25) as u8);
            table[i] = [b':', b'a' + from % 5, b'1' + from / 5, b'a' + to % 5, b'1' + to / 5];
            i += 1;
        }
        table
    };
    let mut table = [""; 25 * 25];
    let mut i = 0;
    while i < table.len() {
        table[i] = match std::str::from_utf8(&BYTES[i]) {
            Ok(text) => text,
            Err(_) => panic!("letters and digits are UTF-8"),
        };
        i += 1;
    }
    table
};

fn parse_hand(text: &str) -> Result<CardSet, CardError> {
    text.split(',').try_fold(CardSet::EMPTY, |hand, name| {
        let card: Card = name.parse()?;
        if hand.contains(card) { Err(CardError::Repeated { card }) } else { Ok(hand.with(card)) }
    })
}

impl FromStr for Setup {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut parts = text.split_ascii_whitespace();
        let mut next = || parts.next();
        let (Some(board), Some(turn), Some(blue), Some(red), Some(side_card), None) =
            (next(), next(), next(), next(), next(), next())
        else {
            return Err(SyntaxError::Parts { found: text.split_ascii_whitespace().count() });
        };
        let (students, masters) = parse_board(board)?;
        let turn = match turn {
            "b" => Side::First,
            "r" => Side::Second,
            _ => return Err(SyntaxError::Turn { found: turn.to_owned() }),
        };
        let hands = BySide { first: parse_hand(blue)?, second: parse_hand(red)? };
        Ok(Self { students, masters, hands, side_card: side_card.parse()?, turn })
    }
}

impl Notation for Onitama {
    type PositionError = PositionError;

    /// Reads a position with any five cards, not only with those of this game, because a position carries its own cards.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        out.extend(Square::all().map(|square| {
            let first = position.men[Side::First].contains(square);
            let second = position.men[Side::Second].contains(square);
            let master = position.masters.contains(square);
            match (first, second) {
                (true, _) => {
                    if master {
                        '2'
                    } else {
                        '1'
                    }
                }
                (_, true) => {
                    if master {
                        '4'
                    } else {
                        '3'
                    }
                }
                _ => '0',
            }
        }));
        out.push(' ');
        out.push(letter(position.turn));
        for hand in [position.hands.first, position.hands.second] {
            for (i, card) in hand.iter().enumerate() {
                out.push(if i == 0 { ' ' } else { ',' });
                out.push_str(card.name());
            }
        }
        out.push(' ');
        out.push_str(position.side_card.name());
    }

    #[inline]
    fn write_move(&self, _: &Position, m: Move, out: &mut String) {
        out.push_str(m.card().name());
        out.push_str(match m {
            Move::Step { from, to, .. } => STEP_TEXTS[25 * from.index() + to.index()],
            Move::Pass { .. } => ":pass",
        });
    }

    /// The card may be left out. Spaces and dashes may stand where they do not matter: `ox c2-c3`, `c2c3`.
    fn may_mean(&self, text: &str, written: &str) -> bool {
        let asked = text.bytes().filter(|byte| !b": -".contains(byte));
        let is_asked = |words: &str| {
            let letters = words.bytes().filter(|&byte| byte != b':');
            letters.eq(asked.clone().map(|byte| byte.to_ascii_lowercase()))
        };
        is_asked(written) || written.split_once(':').is_some_and(|(_, step)| is_asked(step))
    }

    /// The rules of the position's own five cards.
    fn rules_id_of(&self, position: &Position) -> String {
        Self::rules_id_of(position.cards())
    }

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        crate::draw::draw(position, view, style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the table of all steps with the printed moves.
    #[test]
    fn step_texts_equal_their_slow_twin() {
        for from in Square::all() {
            for to in Square::all() {
                let printed = Move::Step { card: Card::Ox, from, to }.to_string();
                assert_eq!(format!("ox{}", STEP_TEXTS[25 * from.index() + to.index()]), printed);
            }
        }
    }
}
