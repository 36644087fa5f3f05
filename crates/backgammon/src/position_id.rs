//! GNU Backgammon's position ID: 80 bits in 14 letters. It says where the checkers are, and nothing else.
//!
//! The bits of the player who is not on roll come first, then those of the player on roll. For each place from the
//! player's ace point to the bar, there is a one for each checker, followed by a zero.

use crate::base64::{self, Undecodable};
use crate::board::Board;
use game::{BySide, Side, quoted};

/// The number of letters in an ID.
pub(crate) const LENGTH: usize = 14;
const BYTES: usize = 10;

/// Why a text is not a position ID.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionIdError {
    /// The text is not base64 of the right length.
    #[error(
        "{} is no position ID: that is 14 letters, digits, `+` and `/`, such as 4HPwATDgc/ABMA",
        quoted(text)
    )]
    NotAnId {
        /// The text.
        text: String,
    },
    /// There are ones after the last place.
    #[error("the position ID {text} has bits left over when all checkers are on their points")]
    LeftOver {
        /// The text.
        text: String,
    },
    /// There are more checkers than the bits can hold.
    #[error(
        "the position ID {text} does not end within its 80 bits: a side would have more than 15 checkers"
    )]
    TooMany {
        /// The text.
        text: String,
    },
}

/// Reads the checkers of both sides, each on its own [`Canonical`](crate::Canonical) places. `on_roll` is the side on
/// roll.
pub(crate) fn parse(text: &str, on_roll: Side) -> Result<BySide<[u8; 25]>, PositionIdError> {
    let bytes: [u8; BYTES] = base64::decode(text).map_err(|why| match why {
        Undecodable::Letters => PositionIdError::NotAnId { text: text.to_owned() },
        Undecodable::Surplus => PositionIdError::LeftOver { text: text.to_owned() },
    })?;
    let mut bits = (0..base64::MOST_BITS).map(|at| bytes[at / 8] >> (at % 8) & 1);
    let too_many = || PositionIdError::TooMany { text: text.to_owned() };
    let mut checkers = BySide { first: [0u8; 25], second: [0; 25] };
    for side in [on_roll.other(), on_roll] {
        // The ID goes from the ace point to the bar, against the direction of play.
        for count in checkers[side].iter_mut().rev() {
            while bits.next().ok_or_else(too_many)? != 0 {
                *count += 1;
            }
        }
    }
    match bits.any(|bit| bit != 0) {
        true => Err(PositionIdError::LeftOver { text: text.to_owned() }),
        false => Ok(checkers),
    }
}

/// Appends the position ID of a board.
pub(crate) fn write(board: &Board, on_roll: Side, out: &mut String) {
    let mut bytes = [0; BYTES];
    let mut at = 0;
    for side in [on_roll.other(), on_roll] {
        for &count in board.counts(side).iter().rev() {
            for _ in 0..count {
                bytes[at / 8] |= 1 << (at % 8);
                at += 1;
            }
            at += 1;
        }
    }
    base64::encode(&bytes, out);
}

impl Board {
    /// GNU Backgammon's position ID of the board, with this side on roll.
    pub fn position_id(&self, on_roll: Side) -> String {
        let mut out = String::with_capacity(LENGTH);
        write(self, on_roll, &mut out);
        out
    }
}
