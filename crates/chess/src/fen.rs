//! Boards and positions in Forsyth-Edwards notation: FEN, X-FEN and Shredder-FEN.

use crate::board::Board;
use crate::castling;
use crate::grid::{Square, SquareSet, home_rank, rank};
use crate::pieces::{Kind, Piece};
use crate::position::{Clock, Position};
use crate::setup::{Setup, SetupError};
use game::{BySide, Side, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

const TURN_LETTERS: BySide<char> = BySide { first: 'w', second: 'b' };

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text cannot be read.
    #[error(transparent)]
    Syntax(#[from] FenError),
    /// The text can be read, but the position is not legal.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// A text that is not written as FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error(
        "4 to 6 fields are needed, not {found}: pieces, side to move, castling, en passant, quiet plies, move number, as in \
         `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`"
    )]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// Too few or too many ranks.
    #[error("8 ranks separated by `/` are needed, not {found} as in {}", quoted(text))]
    Ranks {
        /// The field with the pieces.
        text: String,
        /// The number of ranks.
        found: usize,
    },
    /// A rank that is not eight squares wide.
    #[error("rank {rank} {} has a width of {found} squares instead of 8", quoted(text))]
    RankWidth {
        /// The number of the rank, from 1.
        rank: u8,
        /// The rank.
        text: String,
        /// The width of the rank.
        found: usize,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error(
        "{} in rank {rank} {} is not a piece; pieces are P N B R Q K for White, p n b r q k for Black, and 1 to 8 stand for \
         empty squares", quoted(&found.to_string()), quoted(text)
    )]
    Piece {
        /// The number of the rank, from 1.
        rank: u8,
        /// The rank.
        text: String,
        /// The character that was found.
        found: char,
    },
    /// The second field is wrong.
    #[error("side to move is {}; it is either `w` (White) or `b` (Black)", quoted(found))]
    Turn {
        /// The text that was found.
        found: String,
    },
    /// The third field is wrong.
    #[error(
        "castling rights are {}; they are `-`, or letters K Q k q, or the files of the rooks (A to H for White, a to h for Black)",
        quoted(found)
    )]
    Castling {
        /// The text that was found.
        found: String,
    },
    /// The fourth field is wrong.
    #[error("en-passant square is {}; it is `-` or a square, as in `e3`", quoted(found))]
    EnPassant {
        /// The text that was found.
        found: String,
    },
    /// The fifth or sixth field is wrong.
    #[error("{what} is {}; it is a whole number up to 65,535", quoted(found))]
    Clock {
        /// The name of the field.
        what: &'static str,
        /// The text that was found.
        found: String,
    },
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let wrong_ranks = || FenError::Ranks { text: text.to_owned(), found: text.split('/').count() };
        let mut board = Self::EMPTY;
        let mut ranks = text.split('/');
        for rank in (0..8).rev() {
            let text = ranks.next().ok_or_else(wrong_ranks)?;
            board.read_rank(rank, text).map_err(|error| {
                // A text with a wrong number of ranks is usually not a board at all, so that error is more useful.
                if ranks.clone().count() == usize::from(rank) { error } else { wrong_ranks() }
            })?;
        }
        if ranks.next().is_some() { Err(wrong_ranks()) } else { Ok(board) }
    }
}

impl Board {
    /// Puts the pieces of a rank on the board. The rank must still be empty.
    #[inline]
    fn read_rank(&mut self, rank: u8, text: &str) -> Result<(), FenError> {
        let mut file = 0;
        for letter in text.bytes() {
            match PIECES[usize::from(letter)] {
                _ if letter.is_ascii_digit() && !matches!(letter, b'0' | b'9') => {
                    file += usize::from(letter - b'0');
                }
                piece @ Some(_) => {
                    if file < 8 {
                        self.set(Square::at(file as u8, rank), piece);
                    }
                    file += 1;
                }
                None => {
                    let is_wrong = |&c: &char| !matches!(c, '1'..='8') && Piece::from_letter(c).is_none();
                    let found = text.chars().find(is_wrong).unwrap_or(char::REPLACEMENT_CHARACTER);
                    return Err(FenError::Piece { rank: rank + 1, text: text.to_owned(), found });
                }
            }
        }
        match file {
            8 => Ok(()),
            found => Err(FenError::RankWidth { rank: rank + 1, text: text.to_owned(), found }),
        }
    }
}

/// The piece for each letter. This is a table because millions of positions are read.
static PIECES: [Option<Piece>; 256] = {
    let mut pieces = [None; 256];
    let mut i = 0;
    while i < Kind::ALL.len() {
        let kind = Kind::ALL[i];
        let (white, black) = (Piece { side: Side::First, kind }, Piece { side: Side::Second, kind });
        pieces[white.letter() as usize] = Some(white);
        pieces[black.letter() as usize] = Some(black);
        i += 1;
    }
    pieces
};

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        write_gap(f, &mut gap)?;
                        f.write_char(piece.letter())?;
                    }
                }
            }
            write_gap(f, &mut gap)?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        Ok(())
    }
}

fn write_gap(f: &mut fmt::Formatter<'_>, gap: &mut u8) -> fmt::Result {
    match std::mem::take(gap) {
        0 => Ok(()),
        squares => write!(f, "{squares}"),
    }
}

/// Reads four to six fields: the clocks may be left out, as in EPD.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut next = || fields.next();
        let (Some(board), Some(turn), Some(castling), Some(en_passant), quiet_plies, move_number, None) =
            (next(), next(), next(), next(), next(), next(), next())
        else {
            return Err(FenError::Fields { found: text.split_ascii_whitespace().count() });
        };
        let board: Board = board.parse()?;
        let turn = match turn {
            "w" => Side::First,
            "b" => Side::Second,
            _ => return Err(FenError::Turn { found: turn.to_owned() }),
        };
        let castling = parse_castling(&board, castling)
            .ok_or_else(|| FenError::Castling { found: castling.to_owned() })?;
        let en_passant = match en_passant {
            "-" => None,
            _ => Some(en_passant.parse().map_err(|_| FenError::EnPassant { found: en_passant.to_owned() })?),
        };
        let mut clock = Clock::default();
        let slots = [
            ("the number of quiet plies", &mut clock.quiet_plies, quiet_plies),
            ("the move number", &mut clock.move_number, move_number),
        ];
        for (what, slot, text) in slots {
            let Some(text) = text else { break };
            *slot = parse_clock(text).ok_or_else(|| FenError::Clock { what, found: text.to_owned() })?;
        }
        // Some programs count the moves from 0.
        clock.move_number = clock.move_number.max(1);
        Ok(Self { board, turn, castling, en_passant, clock })
    }
}

/// Reads a number without a sign.
pub(crate) fn parse_clock(text: &str) -> Option<u16> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Finds the rooks that a castling field names. `K` and `Q` mean the outermost rook on that side of the king, the letter of
/// a file means the rook on that file. If there is no such rook, `K` and `Q` mean the corner; the check of the setup refuses it.
fn parse_castling(board: &Board, text: &str) -> Option<SquareSet> {
    let mut rooks = SquareSet::EMPTY;
    if text == "-" {
        return Some(rooks);
    }
    for letter in text.chars() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let at = |file| Square::at(file, home_rank(side));
        let home = rank(home_rank(side));
        let own = board.of(side, Kind::Rook) & home;
        let king = (board.of(side, Kind::King) & home).first();
        let rook = match letter.to_ascii_lowercase() {
            'k' => king
                .and_then(|king| own.iter().filter(|rook| rook.index() > king.index()).last())
                .unwrap_or(at(7)),
            'q' => king.and_then(|king| own.iter().find(|rook| rook.index() < king.index())).unwrap_or(at(0)),
            file @ 'a'..='h' => at(file as u8 - b'a'),
            _ => return None,
        };
        rooks |= SquareSet::from(rook);
    }
    (!text.is_empty()).then_some(rooks)
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }
}

/// Writes FEN, or X-FEN if a rook that may castle is not the outermost: then its file is written.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", FenFields { position: self, castling: Castling::Outermost })?;
        write!(f, "{} {}", self.clock.quiet_plies, self.clock.move_number)
    }
}

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Castling {
    /// `KQkq`, and files only where these letters would be ambiguous: FEN and X-FEN.
    Outermost,
    /// Always files: Shredder-FEN.
    Files,
}

/// Writes the first four fields of FEN.
struct FenFields<'a> {
    position: &'a Position,
    castling: Castling,
}

impl fmt::Display for FenFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        write!(f, "{} {} ", position.board(), TURN_LETTERS[position.turn])?;
        if position.castling_rooks().is_empty() {
            f.write_char('-')?;
        }
        for side in Side::ALL {
            let rooks = position.castling_rooks() & rank(home_rank(side));
            for rook in rooks.iter().collect::<Vec<_>>().into_iter().rev() {
                let letter = castling_letter(position, side, rook, self.castling);
                f.write_char(if side == Side::First { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        match position.en_passant() {
            None => f.write_str(" -"),
            Some(square) => write!(f, " {square}"),
        }
    }
}

/// The letter of a castling right, in lower case.
fn castling_letter(position: &Position, side: Side, rook: Square, castling: Castling) -> char {
    let king = position.king(side).index();
    let is_short = rook.index() > king;
    let beyond = |other: Square| match is_short {
        true => other.index() > rook.index(),
        false => other.index() < rook.index(),
    };
    let rooks = position.board().of(side, Kind::Rook) & rank(home_rank(side));
    match (castling, rooks.iter().any(beyond)) {
        (Castling::Outermost, false) if is_short => 'k',
        (Castling::Outermost, false) => 'q',
        _ => char::from(b'a' + rook.file()),
    }
}

impl Position {
    /// The position as Shredder-FEN: the files of the rooks stand for the castling rights.
    pub fn shredder_fen(&self) -> String {
        let fields = FenFields { position: self, castling: Castling::Files };
        format!("{fields} {} {}", self.clock.quiet_plies, self.clock.move_number)
    }

    /// Returns whether a side has a castling right that only Chess960 knows: with a king that is not on the e-file, or with
    /// a rook that is not in a corner.
    pub fn castles_as_in_chess960(&self) -> bool {
        Side::ALL.into_iter().any(|side| {
            let mut rooks = (self.castling_rooks() & rank(home_rank(side))).iter();
            rooks.any(|rook| !castling::is_standard(self.king(side), rook))
        })
    }

    /// The first four fields of FEN, with which EPD begins: everything but the clocks.
    pub fn epd_fields(&self) -> String {
        FenFields { position: self, castling: Castling::Outermost }.to_string()
    }
}
