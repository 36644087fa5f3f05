//! Positions with things to say about them: EPD, a line of four FEN fields and operations such as `bm Qb8+;`.

use crate::fen::{self, PositionError};
use crate::moves::Move;
use crate::position::{Clock, Position};
use crate::san::SanError;
use game::{Position as _, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A position and operations on it.
///
/// ```
/// use endspiel_chess::Epd;
///
/// let text = r#"4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - bm Qb8+; id "opera";"#;
/// let epd: Epd = text.parse()?;
/// assert_eq!(epd.moves("bm")?, [epd.position.parse_san("Qb8+")?]);
/// assert_eq!(epd.operand("id"), Some("opera"));
/// assert_eq!(epd.to_string(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position. Its clocks are those of the operations `hmvc` and `fmvn`.
    pub position: Position,
    /// What is said about it, in order.
    pub operations: Vec<Operation>,
}

/// A word and what it is applied to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// A word, or a text in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    is_quoted: bool,
}

/// What is wrong with a line of EPD.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The name of an operation.
    #[error("{} is not the name of an operation: a letter, then letters, digits and `_`", quoted(found))]
    Opcode {
        /// What was found.
        found: String,
    },
    /// A text without its end.
    #[error("the text {} of `{opcode}` has no quotation mark at its end", quoted(found))]
    UnclosedText {
        /// The operation.
        opcode: String,
        /// The text.
        found: String,
    },
    /// A clock that is no number.
    #[error("`{opcode}` is {}; it is a whole number up to 65,535", quoted(found))]
    Clock {
        /// The operation.
        opcode: &'static str,
        /// What was found.
        found: String,
    },
    /// A move that cannot be played.
    #[error("`{opcode}`: {source}")]
    Move {
        /// The operation.
        opcode: String,
        /// What is wrong with the move.
        source: SanError,
    },
}

const HALF_MOVES: &str = "hmvc";
const MOVE_NUMBER: &str = "fmvn";

impl From<Position> for Epd {
    /// The position with its clocks.
    fn from(position: Position) -> Self {
        let Clock { quiet_plies, move_number } = position.clock();
        let clock = |opcode: &str, n: u16| Operation {
            opcode: opcode.to_owned(),
            operands: vec![Operand::from(n.to_string().as_str())],
        };
        Self { position, operations: vec![clock(HALF_MOVES, quiet_plies), clock(MOVE_NUMBER, move_number)] }
    }
}

impl Epd {
    /// The first operation of this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of an operation, such as the text of `id`.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(|operand| operand.text.as_str())
    }

    /// The moves of an operation that offers them side by side: `bm` (best), `am` (to avoid). None without it.
    ///
    /// # Errors
    /// If one is not legal in the position.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        self.sans(opcode).map(|san| self.parse_move(&self.position, opcode, san)).collect()
    }

    /// The moves of an operation that plays them one after the other: `pv`. None without it.
    ///
    /// # Errors
    /// If one is not legal where it is played.
    pub fn line(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        let mut position = self.position;
        let mut next = |san| {
            let m = self.parse_move(&position, opcode, san)?;
            position = position.play_unchecked(m);
            Ok(m)
        };
        self.sans(opcode).map(&mut next).collect()
    }

    /// What the operation is applied to, each time it is there: some write `bm` once for each move.
    fn sans<'a>(&'a self, opcode: &'a str) -> impl Iterator<Item = &'a str> {
        self.operations
            .iter()
            .filter(move |operation| operation.opcode == opcode)
            .flat_map(|operation| &operation.operands)
            .map(|operand| operand.text.as_str())
    }

    fn parse_move(&self, position: &Position, opcode: &str, san: &str) -> Result<Move, EpdError> {
        position.parse_san(san).map_err(|source| EpdError::Move { opcode: opcode.to_owned(), source })
    }

    /// The number that an operation gives, if it is there.
    fn clock(&self, opcode: &'static str) -> Result<Option<u16>, EpdError> {
        if self.operation(opcode).is_none() {
            return Ok(None);
        }
        let found = self.operand(opcode).unwrap_or_default();
        let number = fen::parse_clock(found);
        number.map(Some).ok_or_else(|| EpdError::Clock { opcode, found: found.to_owned() })
    }
}

impl Operation {
    /// An operation.
    ///
    /// # Errors
    /// If that is no name for one.
    pub fn new(opcode: &str, operands: impl IntoIterator<Item = Operand>) -> Result<Self, EpdError> {
        let is_word = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match is_word {
            true => Ok(Self { opcode: opcode.to_owned(), operands: operands.into_iter().collect() }),
            false => Err(EpdError::Opcode { found: opcode.to_owned() }),
        }
    }

    /// Its name.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// What it is applied to.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }
}

impl Operand {
    /// A text, written in quotation marks. A line must not end in it: control characters become spaces.
    pub fn quoted(text: &str) -> Self {
        let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Self { text, is_quoted: true }
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<&str> for Operand {
    /// A word, if it can be one, else a text.
    fn from(text: &str) -> Self {
        let ends_a_word = |c: char| c.is_whitespace() || c.is_control() || c == ';' || c == '"';
        match text.is_empty() || text.contains(ends_a_word) {
            true => Self::quoted(text),
            false => Self { text: text.to_owned(), is_quoted: false },
        }
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position.epd_fields())?;
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        self.operands.iter().try_for_each(|operand| write!(f, " {operand}"))?;
        f.write_char(';')
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_quoted { crate::quotes::write(f, &self.text) } else { f.write_str(&self.text) }
    }
}

/// Also with the clocks of FEN behind the four fields, and with semicolons before the operations instead of after them, as
/// collections of perft counts have it.
impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        let (fields, mut rest) = split_fields(text, 4);
        let position = fields.parse()?;
        let mut epd = Self { position, operations: Vec::new() };
        for opcode in [HALF_MOVES, MOVE_NUMBER] {
            let (digits, behind) = split_digits(rest.trim_start());
            if !digits.is_empty() && behind.chars().next().is_none_or(|c| c.is_whitespace() || c == ';') {
                epd.operations.push(Operation::new(opcode, [digits.into()])?);
                rest = behind;
            }
        }
        let is_between = |c: char| c.is_whitespace() || c == ';';
        rest = rest.trim_start_matches(is_between);
        while !rest.is_empty() {
            let operation;
            (operation, rest) = parse_operation(rest)?;
            epd.operations.push(operation);
            rest = rest.trim_start_matches(is_between);
        }
        let Clock { quiet_plies, move_number } = epd.position.clock;
        epd.position.clock = Clock {
            quiet_plies: epd.clock(HALF_MOVES)?.unwrap_or(quiet_plies),
            // Some programs count the moves from 0.
            move_number: epd.clock(MOVE_NUMBER)?.unwrap_or(move_number).max(1),
        };
        Ok(epd)
    }
}

/// The first words, and what follows.
fn split_fields(text: &str, count: usize) -> (&str, &str) {
    let mut rest = text;
    for _ in 0..count {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
    }
    text.split_at(text.len() - rest.len())
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// An operation up to its semicolon or the end of the line, and what follows.
fn parse_operation(text: &str) -> Result<(Operation, &str), EpdError> {
    let ends_a_word = |c: char| c.is_whitespace() || c == ';' || c == '"';
    let split_word = |text| str::split_at(text, text.find(ends_a_word).unwrap_or(text.len()));
    let (opcode, mut rest) = split_word(text);
    let mut operation = Operation::new(opcode, [])?;
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with(';') {
            return Ok((operation, rest));
        }
        let operand;
        if rest.starts_with('"') {
            let (text, behind) = crate::quotes::split(rest).ok_or_else(|| EpdError::UnclosedText {
                opcode: opcode.to_owned(),
                found: rest.to_owned(),
            })?;
            (operand, rest) = (Operand::quoted(&text), behind);
        } else {
            let (word, behind) = split_word(rest);
            (operand, rest) = (word.into(), behind);
        }
        operation.operands.push(operand);
    }
}
