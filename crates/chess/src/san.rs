//! Moves as players write them: standard algebraic notation (SAN), `Nbd2`, `exd6`, `e8=Q+`, `O-O`.
//!
//! Moves are written as the PGN standard asks: with no more than is needed to tell the legal moves of the position apart.
//! Reading accepts more spellings, as long as exactly one legal move fits.

use crate::grid::Square;
use crate::moves::Move;
use crate::pieces::Kind;
use crate::position::Position;
use crate::uci::Uci;
use game::{Position as _, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A parsed SAN text. The move that it means depends on the position: see [`Position::parse_san`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San {
    action: Action,
    attack: Attack,
}

/// The part of the text before `+` and `#`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Action {
    Castle {
        short: bool,
    },
    Step {
        kind: Kind,
        /// The file and the rank of the start square, if the text names them.
        file: Option<u8>,
        rank: Option<u8>,
        takes: bool,
        to: Square,
        promotion: Option<Kind>,
    },
}

/// Whether the move gives check or mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Attack {
    None,
    Check,
    Mate,
}

/// The reason why a text is not a move in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// The text is not written as a move.
    #[error("{} is not written as a move, such as `Nf3`, `exd5`, `e8=Q` or `O-O`", quoted(text))]
    Syntax {
        /// The text.
        text: String,
    },
    /// No legal move fits the text.
    #[error("{} is not a legal move here", quoted(text))]
    Illegal {
        /// The text.
        text: String,
    },
    /// Several legal moves fit the text.
    #[error("{} could be {}", quoted(text), moves.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit, in SAN.
        moves: Vec<String>,
    },
}

impl SanError {
    /// The text that is wrong.
    pub fn text(&self) -> &str {
        match self {
            Self::Syntax { text } | Self::Illegal { text } | Self::Ambiguous { text, .. } => text,
        }
    }
}

impl Position {
    /// Returns the SAN text of a legal move.
    ///
    /// ```
    /// use endspiel_chess::Position;
    ///
    /// let opera: Position = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16".parse()?;
    /// let sacrifice = opera.parse_san("Qb8")?;
    /// assert_eq!(opera.san(sacrifice).to_string(), "Qb8+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, m: Move) -> San {
        let next = self.play_unchecked(m);
        let attack = match next.is_check() {
            false => Attack::None,
            true if next.count_moves() > 0 => Attack::Check,
            true => Attack::Mate,
        };
        San { action: self.action(m), attack }
    }

    fn action(&self, m: Move) -> Action {
        if m.is_castling() {
            return Action::Castle { short: m.is_short_castling() };
        }
        let (kind, to, takes) = (m.kind(), m.to(), self.is_capture(m));
        let (file, rank) = match kind {
            Kind::Pawn => (takes, false),
            Kind::King => (false, false),
            _ => self.told_apart(m),
        };
        let (file, rank) = (file.then_some(m.from().file()), rank.then_some(m.from().rank()));
        Action::Step { kind, file, rank, takes, to, promotion: m.promotion() }
    }

    /// Returns whether the file and whether the rank is needed to tell the move from those of other pieces of the same kind
    /// to the same square. The file is preferred.
    fn told_apart(&self, m: Move) -> (bool, bool) {
        let (mut others, mut on_file, mut on_rank) = (false, false, false);
        self.for_each_move(|other| {
            if other.to() == m.to() && other.step() == m.step() && other.from() != m.from() {
                others = true;
                on_file |= other.from().file() == m.from().file();
                on_rank |= other.from().rank() == m.from().rank();
            }
        });
        (others && (!on_file || on_rank), on_file)
    }

    /// Finds the legal move that a text means. Many spellings are accepted where they do no harm: `+`, `#`, `x` and `=` may
    /// be missing or superfluous, the start square may be given without need (`Ng1f3`, `g1-f3`), `0-0` and `e1g1` mean
    /// castling, and `n`, `r`, `q`, `k` and `♘` are pieces too. But `b` always means the file.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, if no legal move fits, or if several legal moves fit.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let san: San = text.parse()?;
        let (mut fitting, mut count) = (None, 0);
        self.for_each_move(|m| {
            if san.fits(m) {
                (fitting, count) = (Some(m), count + 1);
            }
        });
        if count > 1 {
            let mut moves = Vec::new();
            self.for_each_move(|m| moves.extend(san.fits(m).then(|| self.san(m).to_string())));
            return Err(SanError::Ambiguous { text: text.to_owned(), moves });
        }
        fitting.or_else(|| self.parse_long(text)).ok_or_else(|| SanError::Illegal { text: text.to_owned() })
    }

    /// Reads a move from one square to another without a letter for the piece: `g1-f3`, `e1g1`.
    fn parse_long(&self, text: &str) -> Option<Move> {
        let bare: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        Uci::parse(&bare)?.find(self)
    }
}

impl San {
    /// Returns whether the text fits this move.
    fn fits(&self, m: Move) -> bool {
        match self.action {
            Action::Castle { short } => m.is_castling() && m.is_short_castling() == short,
            Action::Step { kind, file, rank, takes, to, promotion } => {
                // A pawn move without a start square and without a capture sign goes straight ahead.
                let ahead = kind == Kind::Pawn && !takes && rank.is_none();
                let file = file.or(ahead.then_some(to.file()));
                m.kind() == kind
                    && m.to() == to
                    && !m.is_castling()
                    && m.promotion() == promotion
                    && file.is_none_or(|file| file == m.from().file())
                    && rank.is_none_or(|rank| rank == m.from().rank())
            }
        }
    }

    /// The kind of the piece that moves.
    pub(crate) fn kind(&self) -> Kind {
        match self.action {
            Action::Castle { .. } => Kind::King,
            Action::Step { kind, .. } => kind,
        }
    }

    /// The target square; `None` for castling.
    pub(crate) fn to(&self) -> Option<Square> {
        match self.action {
            Action::Castle { .. } => None,
            Action::Step { to, .. } => Some(to),
        }
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Action::Castle { short } => f.write_str(if short { "O-O" } else { "O-O-O" })?,
            Action::Step { kind, file, rank, takes, to, promotion } => {
                if kind != Kind::Pawn {
                    f.write_char(kind.letter())?;
                }
                if let Some(file) = file {
                    f.write_char(char::from(b'a' + file))?;
                }
                if let Some(rank) = rank {
                    f.write_char(char::from(b'1' + rank))?;
                }
                if takes {
                    f.write_char('x')?;
                }
                write!(f, "{to}")?;
                if let Some(kind) = promotion {
                    f.write_char('=')?;
                    f.write_char(kind.letter())?;
                }
            }
        }
        match self.attack {
            Attack::None => Ok(()),
            Attack::Check => f.write_char('+'),
            Attack::Mate => f.write_char('#'),
        }
    }
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        parse(text).ok_or_else(|| SanError::Syntax { text: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<San> {
    let judged = text.trim().trim_end_matches(['!', '?']);
    let bare = judged.trim_end_matches(['+', '#', '=']); // a final `=` offers a draw
    let attack = match &judged[bare.len()..] {
        "" => Attack::None,
        signs if signs.contains('#') => Attack::Mate,
        _ => Attack::Check,
    };
    let bare = ["e.p.", "ep"].iter().find_map(|sign| bare.strip_suffix(sign)).unwrap_or(bare).trim_end();
    let action = match bare {
        "O-O" | "0-0" | "o-o" | "OO" | "00" => Action::Castle { short: true },
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" | "000" => Action::Castle { short: false },
        _ if bare.is_ascii() => parse_step(bare.as_bytes())?,
        _ => parse_step(bare.chars().map(without_figurine).collect::<String>().as_bytes())?,
    };
    Some(San { action, attack })
}

/// Replaces a chess symbol with the letter of its piece.
fn without_figurine(c: char) -> char {
    match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        _ => c,
    }
}

/// Parses a move from right to left: promotion, target square, capture sign, start square, piece.
fn parse_step(text: &[u8]) -> Option<Action> {
    let (text, promotion) = match *text {
        [ref text @ .., b'(', kind, b')'] | [ref text @ .., b'=' | b'/', kind] => (text, Some(kind)),
        [ref text @ .., kind] if kind.is_ascii_alphabetic() => (text, Some(kind)),
        _ => (text, None),
    };
    let promotion = match promotion {
        None => None,
        Some(letter) => {
            Some(Kind::from_letter(letter.into()).filter(|kind| Kind::PROMOTIONS.contains(kind))?)
        }
    };
    let (text, to) = text.split_last_chunk::<2>()?;
    let to = std::str::from_utf8(to).ok()?.parse().ok()?;
    let (text, takes) = match *text {
        [ref text @ .., sign @ (b'x' | b'X' | b':' | b'-')] => (text, sign != b'-'),
        _ => (text, false),
    };
    let (kind, origin) = match *text {
        [letter, ref origin @ ..] if letter != b'b' => match Kind::from_letter(letter.into()) {
            Some(kind) => (kind, origin),
            None => (Kind::Pawn, text),
        },
        _ => (Kind::Pawn, text),
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    if promotion.is_some() && kind != Kind::Pawn {
        return None;
    }
    Some(Action::Step { kind, file, rank, takes, to, promotion })
}
