//! FEN: positions as text.

use crate::board::Board;
use crate::grid::{FILES, Point, RANKS};
use crate::pieces::Kind;
use crate::position::Position;
use crate::setup::{Setup, SetupError};
use crate::stacks::Stack;
use game::{Position as _, Side, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The start position.
pub(crate) const START: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// There are too few fields, or too many.
    #[error(
        "6 fields are needed, not {found}: stacks, side to move, `-`, `-`, quiet turns, number, as in `{START}`"
    )]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// The board does not have twelve ranks.
    #[error("a board has 12 ranks, not {found}")]
    Ranks {
        /// The number of ranks.
        found: usize,
    },
    /// A rank is not eleven points wide.
    #[error("rank {rank}, {}, is not 11 points wide", quoted(text))]
    Width {
        /// The number of the rank.
        rank: u8,
        /// The text of the rank.
        text: String,
    },
    /// A character is no piece, or a stack has no end.
    #[error(
        "{} in rank {rank} is not a piece, nor a stack in parentheses, nor a number of empty points",
        quoted(found)
    )]
    Piece {
        /// The number of the rank.
        rank: u8,
        /// The text that was found.
        found: String,
    },
    /// The pieces in parentheses are not a stack.
    #[error(
        "{} on {point} is not a stack: these pieces do not carry each other, or not in this order",
        quoted(found)
    )]
    Stack {
        /// The point.
        point: Point,
        /// The text of the stack.
        found: String,
    },
    /// The side to move is neither `r` nor `b`.
    #[error("{} is not a side: `r` or `b`", quoted(found))]
    Turn {
        /// The text that was found.
        found: String,
    },
    /// A field that has no meaning in this game is not `-`.
    #[error("{} stands where FEN of this game has `-`", quoted(found))]
    Dash {
        /// The text that was found.
        found: String,
    },
    /// A clock is not a number.
    #[error("{} is not a whole number up to 65,535", quoted(found))]
    Clock {
        /// The text that was found.
        found: String,
    },
}

/// Why a text is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text is not FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
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

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [board, turn, dash, other_dash, quiet_turns, number] = *fields.as_slice() else {
            return Err(FenError::Fields { found: fields.len() });
        };
        let board: Board = board.parse()?;
        let turn = match turn {
            "r" => Side::First,
            "b" => Side::Second,
            _ => return Err(FenError::Turn { found: turn.to_owned() }),
        };
        if let Some(found) = [dash, other_dash].into_iter().find(|&field| field != "-") {
            return Err(FenError::Dash { found: found.to_owned() });
        }
        Ok(Self { board, turn, quiet_turns: clock(quiet_turns)?, number: clock(number)? })
    }
}

fn clock(text: &str) -> Result<u16, FenError> {
    let is_plain = text == "0" || !text.starts_with(['+', '0']);
    let number = text.parse().ok().filter(|_| is_plain);
    number.ok_or_else(|| FenError::Clock { found: text.to_owned() })
}

/// Reads the first field of FEN. The stacks need not be legal on their points.
impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != usize::from(RANKS) {
            return Err(FenError::Ranks { found: ranks.len() });
        }
        let mut board = Self::EMPTY;
        for (text, rank) in ranks.into_iter().zip((0..RANKS).rev()) {
            read_rank(&mut board, text, rank)?;
        }
        board.find_commanders();
        Ok(board)
    }
}

fn read_rank(board: &mut Board, text: &str, rank: u8) -> Result<(), FenError> {
    let width = || FenError::Width { rank: rank + 1, text: text.to_owned() };
    let mut file = 0u8;
    let mut rest = text;
    let mut is_after_number = false;
    while !rest.is_empty() {
        let wrong = || FenError::Piece { rank: rank + 1, found: rest.chars().take(1).collect() };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let number =
                rest[..digits].parse::<u8>().ok().filter(|&n| n > 0 && n <= FILES && !is_after_number);
            file = file.saturating_add(number.filter(|_| !rest.starts_with('0')).ok_or_else(width)?);
            rest = &rest[digits..];
            is_after_number = true;
            continue;
        }
        is_after_number = false;
        let length = match rest.starts_with('(') {
            true => rest.find(')').ok_or_else(wrong)? + 1,
            false => rest
                .find(|c: char| c != '+')
                .map_or(rest.len(), |at| at + rest[at..].chars().next().map_or(0, char::len_utf8)),
        };
        let (found, behind) = rest.split_at(length);
        if file >= FILES {
            return Err(width());
        }
        let point = Point::at(file, rank);
        let (side, stack) = read_stack(found).ok_or_else(wrong)?;
        let stack = stack
            .filter(|stack| stack.text(side) == found)
            .ok_or_else(|| FenError::Stack { point, found: found.to_owned() })?;
        board.set(side, point, stack);
        file += 1;
        rest = behind;
    }
    if file == FILES { Ok(()) } else { Err(width()) }
}

/// Reads pieces of one side, such as `n`, `+F` or `(NFT)`. Returns the side, and the stack if these pieces may be
/// one.
fn read_stack(text: &str) -> Option<(Side, Option<Stack>)> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let mut stack = Some(Stack::EMPTY);
    let mut owner = None;
    let mut is_heroic = false;
    for c in inside.chars() {
        if c == '+' && !is_heroic {
            is_heroic = true;
            continue;
        }
        let kind = Kind::from_letter(c.to_ascii_uppercase())?;
        let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
        if *owner.get_or_insert(side) != side {
            return None;
        }
        let piece = Stack::one(kind, std::mem::take(&mut is_heroic));
        stack = stack.and_then(|stack| stack.combined(piece));
    }
    owner.filter(|_| !is_heroic).map(|side| (side, stack))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            let gap = |empty: &mut u8, f: &mut fmt::Formatter<'_>| match std::mem::take(empty) {
                0 => Ok(()),
                points => write!(f, "{points}"),
            };
            for file in 0..FILES {
                match self.at(Point::at(file, rank)) {
                    None => empty += 1,
                    Some((side, stack)) => {
                        gap(&mut empty, f)?;
                        f.write_str(&stack.text(side))?;
                    }
                }
            }
            gap(&mut empty, f)?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = if self.turn() == Side::First { 'r' } else { 'b' };
        write!(f, "{} {turn} - - {} {}", self.board, self.quiet_turns, self.number)
    }
}
