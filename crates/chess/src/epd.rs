//! Annotated positions in EPD: a line of four FEN fields and operations such as `bm Qb8+;`.

use crate::fen::{self, PositionError};
use crate::moves::Move;
use crate::position::{Clock, Position};
use crate::san::SanError;
use game::{Position as _, quoted};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A position with operations, such as its best moves.
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
    /// The operations, in the order of the text.
    pub operations: Vec<Operation>,
}

/// An operation: its name and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    opcode: String,
    operands: Vec<Operand>,
}

/// An operand: a word, or a text in quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    text: String,
    is_quoted: bool,
}

/// An error in a line of EPD.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The name of an operation is wrong.
    #[error("{} is not the name of an operation: a letter, then letters, digits and `_`", quoted(found))]
    Opcode {
        /// The text that was found.
        found: String,
    },
    /// A quoted text has no closing quotation mark.
    #[error("the text {} of `{opcode}` has no quotation mark at its end", quoted(found))]
    UnclosedText {
        /// The operation.
        opcode: String,
        /// The text.
        found: String,
    },
    /// A clock is not a number.
    #[error("`{opcode}` is {}; it is a whole number up to 65,535", quoted(found))]
    Clock {
        /// The operation.
        opcode: &'static str,
        /// The text that was found.
        found: String,
    },
    /// A move cannot be read or is not legal.
    #[error("`{opcode}`: {source}")]
    Move {
        /// The operation.
        opcode: String,
        /// The error in the move.
        source: SanError,
    },
}

const HALF_MOVES: &str = "hmvc";
const MOVE_NUMBER: &str = "fmvn";

impl From<Position> for Epd {
    /// Creates an EPD line with the clocks of the position as its operations.
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
    /// The first operation with this name.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of an operation, such as the text of `id`.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(|operand| operand.text.as_str())
    }

    /// The moves of an operation that lists alternatives: `bm` (best moves), `am` (moves to avoid). Empty if the
    /// operation is missing.
    ///
    /// # Errors
    /// Returns an error if a move is not legal in the position.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        self.sans(opcode).map(|san| self.parse_move(&self.position, opcode, san)).collect()
    }

    /// The moves of an operation that lists a line: `pv`. Empty if the operation is missing.
    ///
    /// # Errors
    /// Returns an error if a move is not legal where it is played.
    pub fn line(&self, opcode: &str) -> Result<Vec<Move>, EpdError> {
        let mut position = self.position;
        let mut next = |san| {
            let m = self.parse_move(&position, opcode, san)?;
            position = position.play_unchecked(m);
            Ok(m)
        };
        self.sans(opcode).map(&mut next).collect()
    }

    /// The operands of all operations with this name: some programs write `bm` once for each move.
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

    /// The number in an operation; `None` if the operation is missing.
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
    /// Creates an operation.
    ///
    /// # Errors
    /// Returns an error if `opcode` is not a valid name.
    pub fn new(opcode: &str, operands: impl IntoIterator<Item = Operand>) -> Result<Self, EpdError> {
        let is_word = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match is_word {
            true => Ok(Self { opcode: opcode.to_owned(), operands: operands.into_iter().collect() }),
            false => Err(EpdError::Opcode { found: opcode.to_owned() }),
        }
    }

    /// The name of the operation.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands of the operation.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }
}

impl Operand {
    /// Creates an operand that is written in quotation marks. Control characters become spaces, because a text must not
    /// contain a line end.
    pub fn quoted(text: &str) -> Self {
        let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Self { text, is_quoted: true }
    }

    /// The text of the operand, without quotation marks.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<&str> for Operand {
    /// Creates a word if the text can be one, otherwise a text in quotation marks.
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

/// Also accepts the clocks of FEN after the four fields, and semicolons before the operations instead of after them, as in
/// collections of perft counts.
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

/// Splits off the first `count` words. Returns them and the rest.
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

/// Parses an operation up to its semicolon or the end of the line. Returns it and the rest.
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
