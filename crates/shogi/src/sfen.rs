//! SFEN: positions as shogi programs write them.

use crate::board::Board;
use crate::grid::Square;
use crate::pieces::{Hand, Kind, Piece};
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use game::{BySide, Position as _, Side, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The start position.
pub(crate) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why a text is not SFEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SfenError {
    /// There are too few fields, or too many.
    #[error(
        "3 or 4 fields are needed, not {found}: board, side to move, hands, move number, as in `{START}`"
    )]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// The board does not have nine ranks.
    #[error("a board has 9 ranks, not {found}")]
    Ranks {
        /// The number of ranks.
        found: usize,
    },
    /// A rank is not nine squares wide.
    #[error("rank {rank}, {}, is not 9 squares wide", quoted(text))]
    Width {
        /// The letter of the rank.
        rank: char,
        /// The text of the rank.
        text: String,
    },
    /// A character stands for no man.
    #[error("{} in rank {rank} is no man: K R B G S N L P, `+` before those that have promoted, lower case for White", quoted(&found.to_string()))]
    Piece {
        /// The letter of the rank.
        rank: char,
        /// The character.
        found: char,
    },
    /// A gold or king is marked as promoted. These kinds do not promote.
    #[error("`+{letter}` in rank {rank}: golds and kings do not promote")]
    Promoted {
        /// The letter of the rank.
        rank: char,
        /// The letter of the man.
        letter: char,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("{} is not a side: `b` or `w`", quoted(found))]
    Turn {
        /// The text of the field.
        found: String,
    },
    /// The hands cannot be read.
    #[error(
        "{} is not a list of men in hand: letters with their number before them, such as `R2Pb`, or `-`",
        quoted(found)
    )]
    Hands {
        /// The text of the field.
        found: String,
    },
    /// The move number is not a number, or too large.
    #[error("{} is not a move number: a whole number up to 65,535", quoted(found))]
    MoveNumber {
        /// The text of the field.
        found: String,
    },
}

/// Why a text is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text is not SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The setup is not a legal position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }
}

/// Reads SFEN. The move number may be missing. As in the command `position` of USI, the word `sfen` may come first,
/// and `startpos` stands for the start position.
impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        let text = text.trim();
        let text = text.strip_prefix("sfen ").unwrap_or(text);
        let text = if text == "startpos" { START } else { text };
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (board, turn, hands, number) = match *fields.as_slice() {
            [board, turn, hands] => (board, turn, hands, "1"),
            [board, turn, hands, number] => (board, turn, hands, number),
            _ => return Err(SfenError::Fields { found: fields.len() }),
        };
        let board = board.parse()?;
        let turn = match turn {
            "b" => Side::First,
            "w" => Side::Second,
            _ => return Err(SfenError::Turn { found: turn.to_owned() }),
        };
        let hands = parse_hands(hands).ok_or_else(|| SfenError::Hands { found: hands.to_owned() })?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let move_number = number
            .parse::<u16>()
            .ok()
            .filter(|_| is_number)
            .ok_or_else(|| SfenError::MoveNumber { found: number.to_owned() })?;
        Ok(Self { board, hands, turn, move_number: move_number.max(1) })
    }
}

/// Reads the first field of SFEN.
impl FromStr for Board {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 9 {
            return Err(SfenError::Ranks { found: ranks.len() });
        }
        let mut board = Self::EMPTY;
        for (text, rank) in ranks.into_iter().zip((0..9u8).rev()) {
            let letter_of_rank = char::from(b'i' - rank);
            let width = || SfenError::Width { rank: letter_of_rank, text: text.to_owned() };
            let mut file = 0u8;
            let mut letters = text.chars();
            while let Some(letter) = letters.next() {
                if let '1'..='9' = letter {
                    file = file.saturating_add(letter as u8 - b'0');
                    continue;
                }
                let (letter, promotes) = match letter {
                    '+' => (letters.next().unwrap_or('+'), true),
                    _ => (letter, false),
                };
                let kind = Kind::from_letter(letter.to_ascii_uppercase())
                    .ok_or(SfenError::Piece { rank: letter_of_rank, found: letter })?;
                let kind = match promotes {
                    false => kind,
                    true => kind.promoted().ok_or(SfenError::Promoted { rank: letter_of_rank, letter })?,
                };
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                if file >= 9 {
                    return Err(width());
                }
                board.set(Square::at(file, rank), Some(Piece { side, kind }));
                file += 1;
            }
            if file != 9 {
                return Err(width());
            }
        }
        Ok(board)
    }
}

/// Reads the hands. Kinds may come in any order and more than once. Returns `None` if the text cannot be read.
fn parse_hands(text: &str) -> Option<BySide<Hand>> {
    let mut hands = BySide::default();
    if text == "-" {
        return Some(hands);
    }
    let mut count = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            count = Some(count.unwrap_or(0u32).checked_mul(10)?.checked_add(digit)?);
            continue;
        }
        let kind = Kind::from_letter(c.to_ascii_uppercase()).filter(|&kind| kind != Kind::King)?;
        let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
        let number = count.take().unwrap_or(1);
        let hand: &mut Hand = &mut hands[side];
        // This bound only keeps the counts small. The check of the position refuses more men than a set has.
        const MOST: u32 = 100;
        if number == 0 || number > MOST - hand.count(kind) {
            return None;
        }
        (0..number).for_each(|_| *hand = hand.with(kind));
    }
    // A number must be followed by the letter that it counts.
    if count.is_some() || text.is_empty() { None } else { Some(hands) }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..9).rev() {
            write_rank(self, rank, f)?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        Ok(())
    }
}

fn write_rank(board: &Board, rank: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for file in 0..9 {
        let Some(Piece { side, kind }) = board.piece_at(Square::at(file, rank)) else {
            empty += 1;
            continue;
        };
        write_gap(&mut empty, f)?;
        if kind.is_promoted() {
            f.write_char('+')?;
        }
        f.write_char(Piece { side, kind }.letter())?;
    }
    write_gap(&mut empty, f)
}

fn write_gap(empty: &mut u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match std::mem::take(empty) {
        0 => Ok(()),
        squares => write!(f, "{squares}"),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = if self.turn() == Side::First { 'b' } else { 'w' };
        write!(f, "{} {turn} ", self.board())?;
        let mut is_empty = true;
        for side in Side::ALL {
            for (kind, count) in self.hand(side).iter().rev() {
                if count > 1 {
                    write!(f, "{count}")?;
                }
                f.write_char(Piece { side, kind }.letter())?;
                is_empty = false;
            }
        }
        if is_empty {
            f.write_char('-')?;
        }
        write!(f, " {}", self.move_number())
    }
}
