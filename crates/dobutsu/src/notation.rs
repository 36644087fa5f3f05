//! Positions and moves as text: SFEN and USI, reduced to 3 x 4 squares.
//!
//! Text is not trusted. It is read into a [`Setup`], which can hold anything that the notation can express. A setup
//! becomes a [`Position`] only after all rules have been checked. So each kind of error has one place: a [`SyntaxError`]
//! is about the text, a [`SetupFault`](crate::SetupFault) is about the pieces.

use crate::setup::{Setup, SetupError};
use crate::{ByKind, Dobutsu, Grid, Kind, Move, Piece, Position, Square};
use bits::Geometry;
use game::{BySide, Game, MoveError, MoveFault, Notation, Position as _, Side, Style};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The letter for the side to move in a position's text.
pub(crate) const TURN_LETTERS: BySide<&str> = BySide { first: "b", second: "w" };

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
    /// There are too few or too many fields.
    #[error(
        "{found} fields instead of 3 or 4: rows, side to move, hands, move number, as in `gle/1c1/1C1/ELG b - 1`"
    )]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// There are too few or too many rows.
    #[error("`{text}` has {found} rows instead of 4 separated by `/`")]
    Rows {
        /// The field.
        text: String,
        /// The number of rows.
        found: usize,
    },
    /// A row is not three squares wide.
    #[error("row {row} `{text}` is {found} squares wide instead of 3")]
    RowWidth {
        /// The row's name, `a` to `d`.
        row: char,
        /// The text of the row.
        text: String,
        /// The width of the row.
        found: usize,
    },
    /// A row has something that is neither a piece nor a number of empty squares.
    #[error(
        "`{found}` in row {row} `{text}` is not a piece; pieces are L G E C +C for black, l g e c +c for white, and 1 2 3 stand for empty squares"
    )]
    Piece {
        /// The row's name, `a` to `d`.
        row: char,
        /// The text of the row.
        text: String,
        /// The text that was found.
        found: String,
    },
    /// The side to move, the second field, is wrong.
    #[error("side to move is `{found}`; it is either `b` (black) or `w` (white)")]
    Turn {
        /// The text that was found.
        found: String,
    },
    /// A hen is in a hand.
    #[error("`+C` in the hands `{text}`: a hen that is taken is a chick again, written C")]
    HenInHand {
        /// The field.
        text: String,
    },
    /// A lion is in a hand.
    #[error("`{found}` in the hands `{text}`: a caught lion is out of the game, not in a hand")]
    LionInHand {
        /// The letter.
        found: char,
        /// The field.
        text: String,
    },
    /// The hands have something that is neither a piece nor a count.
    #[error(
        "`{found}` in the hands `{text}`: hands are `-`, or letters G E C g e c; a count above 1 comes before its letter, as in `GE2c`"
    )]
    Hands {
        /// The text that was found.
        found: String,
        /// The field.
        text: String,
    },
    /// The move number, the fourth field, is wrong.
    #[error("move number is `{found}`; it counts from 1")]
    MoveNumber {
        /// The text that was found.
        found: String,
    },
}

/// The names of the rows, from the top.
const ROWS: [char; Grid::RANKS as usize] = ['a', 'b', 'c', 'd'];

/// The side of a letter: Black's pieces are in upper case, White's in lower case.
fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

impl FromStr for Setup {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[rows, turn, hands, ref number @ ..] = fields.as_slice() else {
            return Err(SyntaxError::Fields { found: fields.len() });
        };
        match number {
            [] => {}
            [number] if number.parse().is_ok_and(|number: u32| number > 0) => {}
            [number] => return Err(SyntaxError::MoveNumber { found: (*number).to_owned() }),
            _ => return Err(SyntaxError::Fields { found: fields.len() }),
        }
        let turn = Side::ALL.into_iter().find(|&side| TURN_LETTERS[side] == turn);
        let turn = turn.ok_or_else(|| SyntaxError::Turn { found: fields[1].to_owned() })?;
        Ok(Self { board: parse_board(rows)?, hands: parse_hands(hands)?, turn })
    }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 12], SyntaxError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ROWS.len() {
        return Err(SyntaxError::Rows { text: text.to_owned(), found: rows.len() });
    }
    let mut board = [None; 12];
    for (from_top, (row, text)) in ROWS.into_iter().zip(rows).enumerate() {
        let squares = parse_row(row, text)?;
        if squares.len() != usize::from(Grid::FILES) {
            return Err(SyntaxError::RowWidth { row, text: text.to_owned(), found: squares.len() });
        }
        let rank = ROWS.len() - 1 - from_top;
        board[rank * squares.len()..][..squares.len()].copy_from_slice(&squares);
    }
    Ok(board)
}

fn parse_row(row: char, text: &str) -> Result<Vec<Option<Piece>>, SyntaxError> {
    let error = |found: &str| SyntaxError::Piece { row, text: text.to_owned(), found: found.to_owned() };
    let mut squares = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let (kind, letter) = match letter {
            '1'..='3' => {
                squares.extend((0..letter as u8 - b'0').map(|_| None));
                continue;
            }
            '+' => match letters.next() {
                Some(grown @ ('C' | 'c')) => (Kind::Hen, grown),
                other => return Err(error(&String::from_iter([Some('+'), other].into_iter().flatten()))),
            },
            _ => (Kind::from_letter(letter).ok_or_else(|| error(&letter.to_string()))?, letter),
        };
        squares.push(Some(Piece { side: side_of(letter), kind }));
    }
    Ok(squares)
}

fn parse_hands(text: &str) -> Result<BySide<ByKind<u8>>, SyntaxError> {
    let error = |found: String| SyntaxError::Hands { found, text: text.to_owned() };
    let mut hands = BySide::<ByKind<u8>>::default();
    if text == "-" {
        return Ok(hands);
    }
    let mut letters = text.chars();
    while let Some(first) = letters.next() {
        let (count, letter) = match first {
            '1'..='9' => match letters.next() {
                Some(letter) => (first as u8 - b'0', letter),
                None => return Err(error(first.to_string())),
            },
            _ => (1, first),
        };
        match Kind::from_letter(letter) {
            Some(kind) if Kind::IN_HAND.contains(&kind) => {
                let held = &mut hands[side_of(letter)][kind];
                *held = held.saturating_add(count);
            }
            Some(_) => return Err(SyntaxError::LionInHand { found: letter, text: text.to_owned() }),
            None if letter == '+' => return Err(SyntaxError::HenInHand { text: text.to_owned() }),
            None => return Err(error(letter.to_string())),
        }
    }
    Ok(hands)
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }
}

/// The text of a piece in the case of its side.
pub(crate) fn in_case(text: &str, side: Side) -> String {
    match side {
        Side::First => text.to_ascii_uppercase(),
        Side::Second => text.to_ascii_lowercase(),
    }
}

/// Writes a position in the form that [`Setup`] reads. The move number is always 1, because a position does not know the
/// moves before it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Grid::RANKS).rev() {
            let mut gap = 0;
            for file in 0..Grid::FILES {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(Piece { side, kind }) => {
                        write_count(f, gap, 1)?;
                        gap = 0;
                        f.write_str(&in_case(kind.text(), side))?;
                    }
                }
            }
            write_count(f, gap, 1)?;
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", TURN_LETTERS[self.turn])?;
        if self.hands == BySide::default() {
            f.write_char('-')?;
        }
        for side in Side::ALL {
            for kind in Kind::IN_HAND {
                let held = self.hands[side].count(kind);
                if held > 0 {
                    write_count(f, held, 2)?;
                    f.write_str(&in_case(kind.text(), side))?;
                }
            }
        }
        f.write_str(" 1")
    }
}

/// Writes a count. A count below `least` is left out, as the notation requires.
fn write_count(f: &mut fmt::Formatter<'_>, count: u8, least: u8) -> fmt::Result {
    if count >= least { write!(f, "{count}") } else { Ok(()) }
}

impl Notation for Dobutsu {
    type PositionError = PositionError;

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        text.parse()
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        let _ = write!(out, "{position}"); // writing to a String cannot fail
    }

    fn write_move(&self, _: &Position, m: Move, out: &mut String) {
        let _ = write!(out, "{m}");
    }

    /// Reads a move as the default implementation does. It also accepts the `+` that USI writes after a promotion, although
    /// promotion is compulsory here.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let (plain, promotes) = text.strip_suffix('+').map_or((text, false), |plain| (plain, true));
        match plain.parse() {
            Ok(m) if position.is_legal(m) && (!promotes || position.promotes(m)) => Ok(m),
            _ => {
                let texts = position.moves().into_iter().map(|m| m.to_string());
                let start = text.get(..2).unwrap_or(text);
                let mut related: Vec<_> = texts
                    .filter(|other| other.get(..2).is_some_and(|other| other.eq_ignore_ascii_case(start)))
                    .collect();
                related.sort();
                let fault = MoveFault::NotFound { format: Self::INFO.move_format };
                Err(MoveError { text: text.to_owned(), fault, related })
            }
        }
    }

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        crate::draw::draw(position, view, style)
    }
}
