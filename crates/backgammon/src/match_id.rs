//! GNU Backgammon's match ID: 72 bits in 12 letters. It says everything except where the checkers are.
//!
//! From the lowest bit: the doublings of the cube (4), its owner (2), the player on roll (1), Crawford (1), the state
//! of the game (3), the player who decides (1), whether that player was doubled (1), the resignation offered (2), two
//! dice (3 each), the length of the match (15), the points of player 0 and of player 1 (15 each), and one bit that is
//! set if gammons always count. Older IDs were written without this last bit. They are read as version 1.07.001 reads
//! them: with the Jacoby rule.

use crate::base64;
use crate::cube::{Cube, Doublings};
use crate::dice::Roll;
use crate::position::{Phase, Position};
use crate::stated::Table;
use crate::terms::{Score, ScoreError, Stakes};
use game::{BySide, Position as _, Side, quoted};

/// The number of letters in an ID.
const LENGTH: usize = 12;
const BYTES: usize = 9;

/// The contents of an ID. Player 1, at the bottom, is the first side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MatchId {
    /// The side that rolls, has rolled or has doubled.
    pub(crate) on_roll: Side,
    pub(crate) table: Table,
    pub(crate) cube: Cube,
    pub(crate) stakes: Stakes,
}

/// Why a text is not the match ID of a game in progress.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatchIdError {
    /// The text is not base64 of the right length.
    #[error("{} is no match ID: that is 12 letters, digits, `+` and `/`, such as cAkAAAAAAAAE", quoted(text))]
    NotAnId {
        /// The text.
        text: String,
    },
    /// A field has an impossible value.
    #[error("the match ID {text} has the invalid value {value} for {field}")]
    Field {
        /// The text.
        text: String,
        /// The name of the field.
        field: &'static str,
        /// The value of the field.
        value: u32,
    },
    /// The wrong player decides. It must be the player on roll, or after a double the other player.
    #[error("the match ID {text} does not agree with itself on whose turn it is")]
    Turn {
        /// The text.
        text: String,
    },
    /// The game has ended, or a resignation was offered. The score of such an ID already includes the game, so the
    /// stakes are not known any more.
    #[error("the match ID {text} is that of a game that has ended, or in which a resignation was offered")]
    Ended {
        /// The text.
        text: String,
    },
    /// The score is not possible.
    #[error("the match ID {text}: {error}")]
    Score {
        /// The text.
        text: String,
        /// What is wrong with the score.
        error: ScoreError,
    },
}

/// The states of a game in an ID.
const NOT_BEGUN: u32 = 0;
const PLAYING: u32 = 1;
const OVER: u32 = 2;
const DROPPED: u32 = 4;
/// The owner in an ID if the cube is in the middle.
const CENTRED: u32 = 3;

/// The player number of a side.
const fn player(side: Side) -> u32 {
    match side {
        Side::First => 1,
        Side::Second => 0,
    }
}

const fn side(player: u32) -> Side {
    if player == 1 { Side::First } else { Side::Second }
}

/// Reads numbers, from the lowest bits up.
struct Bits(u128);

impl Bits {
    fn take(&mut self, width: u32) -> u32 {
        let value = self.0 as u32 & ((1 << width) - 1);
        self.0 >>= width;
        value
    }
}

pub(crate) fn parse(text: &str) -> Result<MatchId, MatchIdError> {
    let owned = || text.to_owned();
    let bytes: [u8; BYTES] = base64::decode(text).map_err(|_| MatchIdError::NotAnId { text: owned() })?;
    let mut bits = Bits(bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte)));
    let wrong = |field, value| MatchIdError::Field { text: owned(), field, value };

    let value = bits.take(4);
    let doublings = u8::try_from(value).ok().and_then(Doublings::new);
    let doublings = doublings.ok_or_else(|| wrong("the cube", value))?;
    let owner = match bits.take(2) {
        CENTRED => None,
        owner @ 0..=1 => Some(side(owner)),
        value => return Err(wrong("the owner of the cube", value)),
    };
    let on_roll = side(bits.take(1));
    let crawford = bits.take(1) != 0;
    let state = bits.take(3);
    let decides = side(bits.take(1));
    let is_doubled = bits.take(1) != 0;
    let resignation = bits.take(2);
    let dice = [bits.take(3), bits.take(3)];
    let length = bits.take(15);
    let points = [bits.take(15), bits.take(15)];
    let jacoby = bits.take(1) == 0;
    match bits.take(5) {
        0 => {}
        value => return Err(wrong("the unused bits", value)),
    }

    if !matches!(state, NOT_BEGUN | PLAYING) || resignation != 0 {
        return Err(MatchIdError::Ended { text: owned() });
    }
    let roll = match dice {
        [0, 0] => None,
        [one, other] => {
            let die = |value: u32| u8::try_from(value).unwrap_or(0);
            Some(Roll::new(die(one), die(other)).ok_or_else(|| wrong("the dice", one * 10 + other))?)
        }
    };
    let table = match (is_doubled, roll) {
        (false, None) => Table::Bare,
        (false, Some(roll)) => Table::Rolled(roll),
        (true, None) => Table::Doubled,
        (true, Some(_)) => return Err(wrong("the dice, after a double", dice[0] * 10 + dice[1])),
    };
    if (decides != on_roll) != is_doubled {
        return Err(MatchIdError::Turn { text: owned() });
    }
    let stakes = match length {
        0 => Stakes::Money { jacoby },
        _ => {
            let points = BySide { first: points[1], second: points[0] };
            let score = Score::new(length, points, crawford);
            Stakes::Match(score.map_err(|error| MatchIdError::Score { text: owned(), error })?)
        }
    };
    Ok(MatchId { on_roll, table, cube: Cube::new(doublings, owner), stakes })
}

/// Appends the match ID of a position. If the game is over, the score includes it, as in GNU Backgammon.
pub(crate) fn write(position: &Position, out: &mut String) {
    let (mut number, mut at) = (0u128, 0);
    let mut put = |value: u32, width: u32| {
        number |= (u128::from(value) & ((1 << width) - 1)) << at;
        at += width;
    };
    let turn = position.turn();
    let (phase, cube, stakes) = (position.phase(), position.cube(), position.terms().stakes);
    let on_roll = match phase {
        Phase::Answer | Phase::Dropped => turn.other(),
        _ => turn,
    };
    let (one, other) = position.roll().map_or((0, 0), |roll| (roll.high(), roll.low()));
    put(u32::from(cube.doublings().number()), 4);
    put(cube.owner().map_or(CENTRED, player), 2);
    put(player(on_roll), 1);
    put(u32::from(stakes.score().is_some_and(Score::is_crawford)), 1);
    put(
        match (phase, position.won()) {
            (Phase::Dropped, _) => DROPPED,
            (_, Some(_)) => OVER,
            (_, None) => PLAYING,
        },
        3,
    );
    put(player(turn), 1);
    put(u32::from(phase == Phase::Answer), 1);
    put(0, 2);
    put(u32::from(one), 3);
    put(u32::from(other), 3);
    put(stakes.score().map_or(0, |score| u32::from(score.length())), 15);
    for side in [Side::Second, Side::First] {
        let before = stakes.score().map_or(0, |score| u32::from(score.points(side)));
        let won = position.won().filter(|&(winner, _)| winner == side).and(position.points());
        // In a match the sum is at most its length, which fits. For money it can be too large; then the largest
        // number is written.
        put((before + won.unwrap_or(0)).min(u32::from(Score::LONGEST)), 15);
    }
    put(u32::from(stakes != (Stakes::Money { jacoby: true })), 1);
    let bytes: [u8; 16] = number.to_le_bytes();
    base64::encode(&bytes[..BYTES], out);
}

impl Position {
    /// GNU Backgammon's ID: the position ID and the match ID, with a colon between.
    ///
    /// The side on roll (or the side that has doubled) becomes player 1, as when GNU Backgammon loads a position. So
    /// a position and the same position [turned](Position::turned) round have the same ID. If the game is over, the
    /// score includes it.
    ///
    /// ```
    /// use endspiel_backgammon::Backgammon;
    /// use game::Side;
    ///
    /// let game = Backgammon::default();
    /// assert_eq!(game.begin(Side::First).gnubg_id(), "4HPwATDgc/ABMA:cAkAAAAAAAAE");
    /// assert_eq!(game.begin(Side::Second).gnubg_id(), "4HPwATDgc/ABMA:cAkAAAAAAAAE");
    /// ```
    pub fn gnubg_id(&self) -> String {
        let on_roll = match self.phase() {
            Phase::Answer | Phase::Dropped => self.turn().other(),
            _ => self.turn(),
        };
        let labelled = if on_roll == Side::First { *self } else { self.turned() };
        let mut out = labelled.board().position_id(Side::First);
        out.reserve(1 + LENGTH);
        out.push(':');
        write(&labelled, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let fault = |text: &str| parse(text).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(fault("cAkAAAAAAAAE"), Ok(()));
        for (text, part) in [
            ("", "is no match ID"),
            ("cAkAAAAAAAA", "is no match ID"),
            ("cAkAAAAAAAA\u{e9}", "is no match ID"),
            ("YAkAAAAAAAAE", "the owner of the cube"),
            ("cAEAAAAAAAAE", "whose turn"),
            ("cATgAAAACAAE", "has ended"),
            ("cIEAAAAAAAAE", "the dice"),
            ("8AngAAAAAAAE", "Crawford"),
            ("cAkgAEAAAAAE", "it is over"),
            ("cAkAAAAAAAA/", "the unused bits"),
        ] {
            assert!(fault(text).is_err_and(|error| error.contains(part)), "{text}: {:?}", fault(text));
        }
    }
}
