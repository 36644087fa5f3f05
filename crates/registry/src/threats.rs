//! The threats in a position: who attacks what, checks, pins, and what captures win.

use crate::error::Error;
use crate::json;
use crate::rules::answer_positions;
use crate::session::{Session, position_of};
use chess::{Board, Chess, Position, Square};
use game::{Game, Notation, Position as _, Side, Style};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Tells the threats in positions of a game.
pub trait Threats: Send + Sync {
    /// The threats in the position of a session.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game.
    fn report(&self, session: &dyn Session) -> Result<ThreatReport, Error>;

    /// Draws how many men of each side attack each square in the position of a session.
    ///
    /// # Errors
    /// Returns an error if the session belongs to another game.
    fn draw(&self, session: &dyn Session, style: Style) -> Result<String, Error>;

    /// Reads one position per line and writes one line of JSON for each: its threats, or the error.
    fn report_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;
}

/// The threats in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ThreatReport {
    /// The side to move.
    pub turn: &'static str,
    /// The men that give check to the side to move.
    pub checkers: Vec<Man>,
    /// The pinned men of both sides.
    pub pins: Vec<PinnedMan>,
    /// The men of both sides that the enemy wins material by capturing: in its move, or if the side to move passed.
    pub hanging: Vec<HangingMan>,
    /// The legal moves, sorted.
    pub moves: Vec<WeighedMove>,
    /// By side and by square: the squares of the men that attack it. Squares that nobody attacks are left out.
    pub attacks: BTreeMap<&'static str, BTreeMap<String, Vec<String>>>,
}

/// The threats in a position, together with its text.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ThreatsAsked<'a> {
    /// The position as text, as it was given in the question.
    pub position: &'a str,
    /// The threats.
    #[serde(flatten)]
    pub report: &'a ThreatReport,
}

/// A man on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Man {
    /// The name of its side.
    pub side: &'static str,
    /// The name of its kind, such as `knight`.
    pub kind: &'static str,
    /// Its square.
    pub square: String,
}

/// A pinned man.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PinnedMan {
    /// The man.
    #[serde(flatten)]
    pub man: Man,
    /// The man that pins it.
    pub by: Man,
    /// The squares on which it shields its king, in order from the king to the man that pins it, whose square is the last.
    pub line: Vec<String>,
}

/// A man that the enemy wins material by capturing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HangingMan {
    /// The man.
    #[serde(flatten)]
    pub man: Man,
    /// The man that captures it.
    pub by: Man,
    /// The capture.
    #[serde(rename = "move")]
    pub capture: String,
    /// What it wins, in hundredths of a pawn.
    pub wins: i32,
}

/// A legal move, and what it wins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WeighedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The move as players write it.
    pub san: String,
    /// Whether it captures.
    pub capture: bool,
    /// What it wins or loses in captures on its target square, in hundredths of a pawn.
    pub exchange: i32,
}

/// The threats in chess.
pub(crate) struct ChessThreats(pub(crate) Arc<Chess>);

impl Threats for ChessThreats {
    fn report(&self, session: &dyn Session) -> Result<ThreatReport, Error> {
        Ok(report(&self.0, position_of::<Chess>(session)?))
    }

    fn draw(&self, session: &dyn Session, style: Style) -> Result<String, Error> {
        Ok(position_of::<Chess>(session)?.board().draw_attacks(style))
    }

    fn report_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        answer_positions(&*self.0, input, output, |position, out| {
            json::push_members(out, &report(&self.0, &position));
            Ok(())
        })
    }
}

fn report(chess: &Chess, position: &Position) -> ThreatReport {
    let board = position.board();
    let mut moves = Vec::new();
    position.for_each_move(|m| {
        moves.push(WeighedMove {
            text: chess.move_text(position, m),
            san: position.san(m).to_string(),
            capture: position.is_capture(m),
            exchange: position.see(m).0,
        });
    });
    moves.sort_by(|a, b| a.text.cmp(&b.text));
    ThreatReport {
        turn: name(position.turn()),
        checkers: position.checkers().iter().map(|square| man_on(board, square)).collect(),
        pins: Side::ALL.into_iter().flat_map(|side| pins(board, side)).collect(),
        hanging: Side::ALL.into_iter().flat_map(|side| hanging(chess, position, side)).collect(),
        moves,
        attacks: Side::ALL.into_iter().map(|side| (name(side), attacks(board, side))).collect(),
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::First => Chess::INFO.sides.first,
        Side::Second => Chess::INFO.sides.second,
    }
}

fn man_on(board: &Board, square: Square) -> Man {
    let piece = board.piece_at(square).expect("threats are between men");
    Man { side: name(piece.side), kind: piece.kind.name(), square: square.to_string() }
}

fn pins(board: &Board, side: Side) -> impl Iterator<Item = PinnedMan> {
    board.pins(side).map(|pin| {
        let mut line: Vec<_> = pin.line.iter().map(|square| square.to_string()).collect();
        if pin.pinner < pin.king {
            line.reverse();
        }
        PinnedMan { man: man_on(board, pin.pinned), by: man_on(board, pin.pinner), line }
    })
}

fn hanging(chess: &Chess, position: &Position, side: Side) -> impl Iterator<Item = HangingMan> {
    position.hanging(side).into_iter().map(|hanging| HangingMan {
        man: man_on(position.board(), hanging.man),
        by: man_on(position.board(), hanging.capture.from()),
        capture: chess.move_text(position, hanging.capture),
        wins: hanging.wins.0,
    })
}

fn attacks(board: &Board, side: Side) -> BTreeMap<String, Vec<String>> {
    let by = |square| board.attackers(square, side).iter().map(|square| square.to_string()).collect();
    board.attack_map(side).iter().map(|square| (square.to_string(), by(square))).collect()
}
