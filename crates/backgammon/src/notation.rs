//! Positions and moves as backgammon players write them.
//!
//! A position is written as XGID. Sometimes the XGID alone would be read as another phase. Then a word follows it:
//! `roll` (the side to move could double and decided not to), `drop` (the double was declined), `double` (the side to
//! move may double, although the board is that of the start) or `opening` (the first roll, on a board other than that
//! of the start).

use crate::dice::Roll;
use crate::draw::draw;
use crate::match_id::{self, MatchIdError};
use crate::moves::Move;
use crate::position::{Phase, Position, Win};
use crate::position_id::{self, PositionIdError};
use crate::rules::{Backgammon, rules_name};
use crate::setup::{Setup, SetupError};
use crate::stated::{Stated, Table};
use crate::terms::Terms;
use crate::xgid::{self, XgidError};
use crate::{Cube, move_text};
use game::{ChanceError, MoveError, Notation, Position as _, Resignation, Side, Style, quoted};

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text is empty.
    #[error("there is no position in an empty text")]
    Empty,
    /// The XGID is not valid.
    #[error(transparent)]
    Xgid(#[from] XgidError),
    /// The position ID is not valid.
    #[error(transparent)]
    PositionId(#[from] PositionIdError),
    /// The match ID is not valid.
    #[error(transparent)]
    MatchId(#[from] MatchIdError),
    /// The text after the position is neither a roll nor a known word.
    #[error(
        "{} behind the position is neither a roll, such as 31, nor one of the words roll, double, drop and opening",
        quoted(found)
    )]
    Behind {
        /// The text after the position.
        found: String,
    },
    /// A roll or a word follows a position that already has dice or an unanswered double.
    #[error("{found} behind the position: there are dice or a double in it already")]
    Twice {
        /// The roll or the word.
        found: String,
    },
    /// The word `drop` follows a position without a double.
    #[error("drop behind the position: there is no double in it to decline")]
    NothingToDrop,
    /// The text is readable, but the position is not possible.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// What follows a position in its text.
enum Behind {
    Roll(Roll),
    Phase(Phase),
    Drop,
}

impl Roll {
    /// Reads a roll as people write it: `31`, `3-1`, `3 1` or `3,1`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
        match *text.as_bytes() {
            [one, other] | [one, b'-' | b' ' | b',', other] => Self::new(digit(one)?, digit(other)?),
            _ => None,
        }
    }
}

impl Notation for Backgammon {
    type PositionError = PositionError;

    /// Reads an XGID, a position ID, or a position ID and a match ID with a colon between. A roll or a word may
    /// follow.
    ///
    /// What the text does not say comes from the options of this game. A cube that the text shows in use is in play,
    /// whatever the options say. In a position ID without a match ID, the first side is to move.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let text = text.trim_ascii();
        let (first, behind) =
            text.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((text, ""));
        let stated = self.parse_stated(first)?;
        let behind = parse_behind(behind.trim_ascii())?;
        self.complete(&stated, behind)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        xgid::write(position, out);
        let phase = position.phase();
        let word = match phase {
            Phase::Dropped => "drop",
            Phase::Answer | Phase::Play(_) => return,
            _ if phase == self.silent_phase(position) => return,
            Phase::Roll => "roll",
            Phase::Double => "double",
            Phase::Opening => "opening",
        };
        out.push(' ');
        out.push_str(word);
    }

    fn rules_id_of(&self, position: &Position) -> String {
        rules_name(&self.rules(position.terms()))
    }

    /// True if the position has every rule of this game. It may also have a cube or a score that this game does not
    /// have.
    fn keeps_rules(&self, position: &Position) -> bool {
        let found = self.rules(position.terms());
        self.rules(&self.terms).iter().all(|asked| found.contains(asked))
    }

    fn draw_from(&self, position: &Position, view: Side, style: Style) -> String {
        draw(position, view, style)
    }

    fn write_chance(&self, _: &Position, roll: Roll, out: &mut String) {
        out.push_str(&roll.to_string());
    }

    /// Reads a roll with its dice in either order: `31`, `13`, `3-1`.
    fn parse_chance(&self, position: &Position, text: &str) -> Result<Roll, ChanceError> {
        let possible = Roll::parse(text).filter(|&roll| position.play_chance(roll).is_ok());
        possible.ok_or_else(|| ChanceError::new(self, position, text))
    }

    /// A turn is written in up to four words, such as `8/5 6/5`. After it comes a roll, or a word about the cube.
    fn words_of_move(&self, words: &[&str]) -> usize {
        words.iter().take_while(|word| word.contains('/')).count().max(1)
    }

    fn write_move(&self, position: &Position, m: Move, out: &mut String) {
        move_text::write(position, m, out);
    }

    /// A single game, a gammon or a backgammon is resigned: `resign`, `resign gammon`, `resign backgammon`.
    fn resignation(&self, position: &Position, loser: Side, words: &str) -> Option<Resignation> {
        let win = match words.to_ascii_lowercase().as_str() {
            // Who resigns an offered double declines it.
            "" if position.phase() == Phase::Answer => Win::Drop,
            "" | "single" => Win::Single,
            "gammon" => Win::Gammon,
            "backgammon" => Win::Backgammon,
            _ => return None,
        };
        Some(Resignation { points: Some(position.points_of(loser.other(), win)) })
    }

    /// Reads a move with its parts in any order. Marks for hits and points on the way may be left out if the move is
    /// clear without them. If a text without a mark fits both a move that hits and one that does not, it means the
    /// one that does not.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        move_text::parse(position, text)
    }
}

impl Backgammon {
    /// The position ID, as the side to move sees it, if everything else is as this game begins: it is read as the same position,
    /// or as the one with exchanged colours. Otherwise the XGID, which has the cube, the score, the dice and the winner.
    pub fn short_text(&self, position: &Position) -> String {
        let is_bare = *position.terms() == self.terms
            && position.cube() == Cube::CENTRED
            && position.won().is_none()
            && position.phase() == self.silent_phase_of_unfinished(position);
        if is_bare { position.board().position_id(position.turn()) } else { self.position_text(position) }
    }

    fn parse_stated(&self, text: &str) -> Result<Stated, PositionError> {
        if text.is_empty() {
            return Err(PositionError::Empty);
        }
        let prefix = text.get(..xgid::PREFIX.len());
        if prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(xgid::PREFIX)) {
            return Ok(xgid::parse(&text[xgid::PREFIX.len()..])?);
        }
        match text.split_once(':') {
            Some((_, rest)) if rest.contains(':') => Ok(xgid::parse(text)?),
            Some((position, id)) => {
                let id = match_id::parse(id)?;
                Ok(Stated {
                    checkers: position_id::parse(position, id.on_roll)?,
                    on_roll: id.on_roll,
                    table: id.table,
                    cube: id.cube,
                    stakes: Some(id.stakes),
                    cube_limit: None,
                })
            }
            None => Ok(Stated {
                checkers: position_id::parse(text, Side::First)?,
                on_roll: Side::First,
                table: Table::Bare,
                cube: Cube::CENTRED,
                stakes: None,
                cube_limit: None,
            }),
        }
    }

    /// Builds the position. What the text does not say comes from the options of this game.
    fn complete(&self, stated: &Stated, behind: Option<Behind>) -> Result<Position, PositionError> {
        let &Stated { checkers, on_roll, table, cube, stakes, cube_limit } = stated;
        let brings_cube = stakes.is_some_and(|stakes| self.cube.is_with(&stakes));
        let shows_cube = cube != Cube::CENTRED || table == Table::Doubled;
        let terms = Terms {
            stakes: stakes.unwrap_or(self.terms.stakes),
            with_cube: self.terms.with_cube || brings_cube || shows_cube,
            cube_limit: cube_limit.unwrap_or(self.terms.cube_limit),
            dice: self.terms.dice,
            variant: self.terms.variant,
        };
        let bare = Setup { checkers, turn: on_roll, phase: Phase::Roll, cube, terms };
        let with = |phase| Position::try_from(Setup { phase, ..bare });
        let answered = || Position::try_from(Setup { turn: on_roll.other(), phase: Phase::Answer, ..bare });
        match (table, behind) {
            (Table::Rolled(roll), None) | (Table::Bare, Some(Behind::Roll(roll))) => {
                Ok(with(Phase::Play(roll))?)
            }
            (Table::Doubled, None) => Ok(answered()?),
            (Table::Doubled, Some(Behind::Drop)) => Ok(answered()?.play_unchecked(Move::Drop)),
            (Table::Bare, None) => {
                let position = with(Phase::Roll)?;
                Ok(with(self.silent_phase(&position))?)
            }
            (Table::Bare, Some(Behind::Phase(phase))) => Ok(with(phase)?),
            (_, Some(Behind::Drop)) => Err(PositionError::NothingToDrop),
            (_, Some(Behind::Roll(roll))) => Err(PositionError::Twice { found: roll.to_string() }),
            (_, Some(Behind::Phase(phase))) => {
                Err(PositionError::Twice { found: format!("{phase:?}").to_lowercase() })
            }
        }
    }

    /// The phase of a position without dice, if no word follows its text.
    fn silent_phase(&self, position: &Position) -> Phase {
        if position.won().is_some() { Phase::Roll } else { self.silent_phase_of_unfinished(position) }
    }

    /// The phase of an unfinished position without dice, if no word follows its text.
    #[inline]
    fn silent_phase_of_unfinished(&self, position: &Position) -> Phase {
        // Nobody may double before the first roll.
        if *position.board() == self.start_board() && position.cube() == Cube::CENTRED {
            return self.opening.phase();
        }
        if position.may_double(position.turn()) { Phase::Double } else { Phase::Roll }
    }
}

fn parse_behind(text: &str) -> Result<Option<Behind>, PositionError> {
    let word = |word: &str| text.eq_ignore_ascii_case(word);
    Ok(Some(match Roll::parse(text) {
        Some(roll) => Behind::Roll(roll),
        None if text.is_empty() => return Ok(None),
        None if word("roll") => Behind::Phase(Phase::Roll),
        None if word("double") => Behind::Phase(Phase::Double),
        None if word("opening") => Behind::Phase(Phase::Opening),
        None if word("drop") => Behind::Drop,
        None => return Err(PositionError::Behind { found: text.to_owned() }),
    }))
}
