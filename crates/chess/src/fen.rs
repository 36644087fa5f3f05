//! Boards and positions in Forsyth-Edwards notation: FEN, X-FEN and Shredder-FEN.

use crate::board::Board;
use crate::castling;
use crate::grid::{Square, SquareSet, home_rank, rank};
use crate::pieces::{Kind, Piece};
use crate::position::{Clock, Position};
use crate::setup::{Setup, SetupError, name};
use game::{BySide, Side, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

const TURN_LETTERS: BySide<char> = BySide { first: 'w', second: 'b' };

/// What is wrong with the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text cannot be read.
    #[error(transparent)]
    Syntax(#[from] FenError),
    /// It can, but no game has such a position.
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
        /// Their number.
        found: usize,
    },
    /// Too few or too many ranks.
    #[error("8 ranks separated by `/` are needed, not {found} as in {}", quoted(text))]
    Ranks {
        /// The field.
        text: String,
        /// Their number.
        found: usize,
    },
    /// A rank that is not eight squares wide.
    #[error("rank {rank} {} has a width of {found} squares instead of 8", quoted(text))]
    RankWidth {
        /// Its number, from 1.
        rank: u8,
        /// The rank.
        text: String,
        /// Its width.
        found: usize,
    },
    /// Something that is neither a piece nor a number of empty squares.
    #[error(
        "{} in rank {rank} {} is not a piece; pieces are P N B R Q K for White, p n b r q k for Black, and 1 to 8 stand for \
         empty squares", quoted(&found.to_string()), quoted(text)
    )]
    Piece {
        /// The rank's number, from 1.
        rank: u8,
        /// The rank.
        text: String,
        /// What was found.
        found: char,
    },
    /// The second field is wrong.
    #[error("side to move is {}; it is either `w` (White) or `b` (Black)", quoted(found))]
    Turn {
        /// What was found.
        found: String,
    },
    /// The third field is wrong.
    #[error(
        "castling rights are {}; they are `-`, or letters K Q k q, or the files of the rooks (A to H for White, a to h for Black)",
        quoted(found)
    )]
    Castling {
        /// What was found.
        found: String,
    },
    /// A right to castle that belongs to no rook.
    #[error("castling rights say `{letter}`, but {} has no king and rook for that on the home rank", name(*side))]
    NoCastlingRook {
        /// The letter.
        letter: char,
        /// Whose.
        side: Side,
    },
    /// The fourth field is wrong.
    #[error("en-passant square is {}; it is `-` or a square, as in `e3`", quoted(found))]
    EnPassant {
        /// What was found.
        found: String,
    },
    /// The fifth or sixth field is wrong.
    #[error("{what} is {}; it is a whole number up to 65,535", quoted(found))]
    Clock {
        /// Which of the two.
        what: &'static str,
        /// What was found.
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
                // What has too few or too many ranks is mostly no board at all.
                if ranks.clone().count() == usize::from(rank) { error } else { wrong_ranks() }
            })?;
        }
        if ranks.next().is_some() { Err(wrong_ranks()) } else { Ok(board) }
    }
}

impl Board {
    /// Puts the pieces of a rank on it, which is empty yet.
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

/// The piece of each letter. Positions are read by the million.
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

/// Four to six fields: the clocks may be left out, as in EPD.
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
        let castling = parse_castling(&board, castling)?;
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

/// A number without a sign.
pub(crate) fn parse_clock(text: &str) -> Option<u16> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// The rooks that a castling field names: K and Q are the outermost of their side, a letter of a file is the rook on it.
fn parse_castling(board: &Board, text: &str) -> Result<SquareSet, FenError> {
    let mut rooks = SquareSet::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    let error = || FenError::Castling { found: text.to_owned() };
    if text.is_empty() {
        return Err(error());
    }
    for letter in text.chars() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let home = rank(home_rank(side));
        let own = board.of(side, Kind::Rook) & home;
        let king = (board.of(side, Kind::King) & home).first();
        let rook = match (letter.to_ascii_lowercase(), king) {
            ('k', Some(king)) => own.iter().filter(|rook| rook.index() > king.index()).last(),
            ('q', Some(king)) => own.iter().find(|rook| rook.index() < king.index()),
            (file @ 'a'..='h', Some(_)) => {
                Some(Square::at(file as u8 - b'a', home_rank(side))).filter(|&rook| own.contains(rook))
            }
            ('k' | 'q' | 'a'..='h', None) => None,
            _ => return Err(error()),
        };
        rooks |= SquareSet::from(rook.ok_or(FenError::NoCastlingRook { letter, side })?);
    }
    Ok(rooks)
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }
}

/// FEN, or X-FEN where a rook that may castle is not the outermost: then its file stands for it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", FenFields { position: self, castling: Castling::Outermost })?;
        write!(f, "{} {}", self.clock.quiet_plies, self.clock.move_number)
    }
}

/// How rights to castle are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Castling {
    /// `KQkq`, files only where that is not clear: FEN and X-FEN.
    Outermost,
    /// Files always: Shredder-FEN.
    Files,
}

/// The first four fields.
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

/// The letter of a right, in lower case.
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
    /// The position as Shredder-FEN: the files of the rooks stand for the rights to castle.
    pub fn shredder_fen(&self) -> String {
        let fields = FenFields { position: self, castling: Castling::Files };
        format!("{fields} {} {}", self.clock.quiet_plies, self.clock.move_number)
    }

    /// May a side castle as only Chess960 knows it: from another square than the e-file's, or with a rook out of a corner?
    pub fn castles_as_in_chess960(&self) -> bool {
        Side::ALL.into_iter().any(|side| {
            let mut rooks = (self.castling_rooks() & rank(home_rank(side))).iter();
            rooks.any(|rook| !castling::is_standard(self.king(side), rook))
        })
    }

    /// The first four fields of FEN, as EPD begins: everything but the clocks.
    pub fn epd_fields(&self) -> String {
        FenFields { position: self, castling: Castling::Outermost }.to_string()
    }
}
