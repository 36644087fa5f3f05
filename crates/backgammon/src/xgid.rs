//! XGID, eXtreme Gammon's text format for a position: `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10`.
//!
//! | field | meaning |
//! |---|---|
//! | 26 letters | the bar of the top player, the 24 points as the bottom player numbers them, the bar of the bottom player; `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` those of the top player |
//! | cube | how often it was doubled |
//! | owner | of the cube: 1 the bottom player, -1 the top player, 0 nobody |
//! | turn | the player who rolls, has rolled or has doubled: 1 the bottom player, -1 the top player |
//! | dice | `00` not rolled yet, `D` doubled and not answered, or two digits |
//! | two scores | the points of the bottom player and of the top player in a match |
//! | rules | in a match: 1 in the Crawford game; for money: 1 with the Jacoby rule, 2 with beavers, 3 with both |
//! | length | the points that win the match; 0 for money |
//! | limit | how often the cube may be doubled |
//!
//! The bottom player is the first side. Beavers are not supported, and a score for money is not kept: both are read
//! and ignored.

use crate::cube::{Cube, Doublings};
use crate::dice::Roll;
use crate::places::{Human, POINTS};
use crate::position::{Phase, Position};
use crate::stated::{Stated, Table};
use crate::terms::{Score, ScoreError, Stakes};
use game::{BySide, Position as _, Side, quoted};
use std::fmt::Write as _;

/// The prefix of an XGID.
pub(crate) const PREFIX: &str = "XGID=";
const PLACES: usize = 26;
const FIELDS: usize = 10;

/// Why a text is not an XGID.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum XgidError {
    /// There are too few or too many fields.
    #[error("an XGID has {FIELDS} fields with colons between, not {found}")]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// There are too few or too many places.
    #[error("an XGID begins with {PLACES} places, not {found}: {}", quoted(text))]
    Places {
        /// The number of places.
        found: usize,
        /// The text of the field.
        text: String,
    },
    /// A character does not stand for a number of checkers.
    #[error("{} at place {place} of the XGID is neither `-` nor a letter from A to O", quoted(&found.to_string()))]
    Letter {
        /// The place, counted from 0.
        place: usize,
        /// The character.
        found: char,
    },
    /// A checker is on the bar of the other player.
    #[error("{found} at place {place} of the XGID is on the other player's bar")]
    Bar {
        /// The place, counted from 0.
        place: usize,
        /// The character.
        found: char,
    },
    /// A field has an impossible value.
    #[error("the XGID has {} for its {field}, where it takes {expected}", quoted(found))]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The values that it may have.
        expected: &'static str,
        /// The value that was found.
        found: String,
    },
    /// The score is not possible.
    #[error("the score of the XGID: {0}")]
    Score(#[from] ScoreError),
}

/// Reads an XGID without its prefix.
pub(crate) fn parse(text: &str) -> Result<Stated, XgidError> {
    let fields: Vec<&str> = text.splitn(FIELDS + 1, ':').collect();
    let &[places, cube, owner, turn, dice, bottom, top, rules, length, limit] = fields.as_slice() else {
        return Err(XgidError::Fields { found: text.split(':').count() });
    };
    let checkers = parse_places(places)?;
    let doublings = parse_doublings("cube", cube)?;
    let owner = match owner {
        "0" => None,
        "1" => Some(Side::First),
        "-1" => Some(Side::Second),
        found => return Err(wrong("owner", "0, 1 or -1", found)),
    };
    let on_roll = match turn {
        "1" => Side::First,
        "-1" => Side::Second,
        found => return Err(wrong("turn", "1 or -1", found)),
    };
    let table = match dice {
        "00" => Table::Bare,
        "D" => Table::Doubled,
        found => match Roll::parse(found) {
            Some(roll) => Table::Rolled(roll),
            None => return Err(wrong("dice", "00, D or two digits from 1 to 6", found)),
        },
    };
    let points = BySide { first: parse_number("score", bottom)?, second: parse_number("score", top)? };
    let stakes = match (parse_number("length", length)?, rules) {
        (0, "0" | "2") => Stakes::Money { jacoby: false },
        (0, "1" | "3") => Stakes::Money { jacoby: true },
        (0, found) => return Err(wrong("rules", "0 to 3 for money", found)),
        (length, "0" | "1") => Stakes::Match(Score::new(length, points, rules == "1")?),
        (_, found) => return Err(wrong("rules", "0 or 1 in a match", found)),
    };
    let cube_limit = Some(parse_doublings("limit", limit)?);
    Ok(Stated {
        checkers,
        on_roll,
        table,
        cube: Cube::new(doublings, owner),
        stakes: Some(stakes),
        cube_limit,
    })
}

fn wrong(field: &'static str, expected: &'static str, found: &str) -> XgidError {
    XgidError::Field { field, expected, found: found.to_owned() }
}

fn parse_number(field: &'static str, text: &str) -> Result<u32, XgidError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain);
    number.ok_or_else(|| wrong(field, "a number from 0 on", text))
}

fn parse_doublings(field: &'static str, text: &str) -> Result<Doublings, XgidError> {
    let number = parse_number(field, text).ok().and_then(|number| u8::try_from(number).ok());
    number.and_then(Doublings::new).ok_or_else(|| wrong(field, "a number of doublings from 0 to 15", text))
}

fn parse_places(text: &str) -> Result<BySide<[u8; 25]>, XgidError> {
    let found = text.chars().count();
    if found != PLACES {
        return Err(XgidError::Places { found, text: text.to_owned() });
    }
    let mut checkers = BySide { first: [0; 25], second: [0; 25] };
    for (place, found) in text.chars().enumerate() {
        let (side, count) = match found {
            '-' => continue,
            'A'..='O' => (Side::First, found as u8 - b'A' + 1),
            'a'..='o' => (Side::Second, found as u8 - b'a' + 1),
            _ => return Err(XgidError::Letter { place, found }),
        };
        // The opponent's bar has the number that is off the board for this side, so `get_mut` finds no place there.
        match human(place, side)
            .and_then(|human| checkers[side].get_mut(usize::from(human.canonical().number())))
        {
            Some(there) => *there = count,
            None => return Err(XgidError::Bar { place, found }),
        }
    }
    Ok(checkers)
}

/// The place at this index of the text, in the numbering of a side.
fn human(place: usize, side: Side) -> Option<Human> {
    let number = u8::try_from(place).ok()?;
    Human::new(match side {
        Side::First => number,
        Side::Second => (POINTS + 1).checked_sub(number)?,
    })
}

/// Appends the XGID of a position. If a double was declined, it is the same as before the answer.
pub(crate) fn write(position: &Position, out: &mut String) {
    out.push_str(PREFIX);
    for place in 0..PLACES {
        let letter = Side::ALL.into_iter().find_map(|side| {
            let source = human(place, side)?.canonical();
            let counts = position.board().counts(side);
            let count = *counts.get(usize::from(source.number()))?;
            let before = match side {
                Side::First => b'A' - 1,
                Side::Second => b'a' - 1,
            };
            (count > 0).then(|| char::from(before + count))
        });
        out.push(letter.unwrap_or('-'));
    }
    let sign = |side: Side| match side {
        Side::First => "1",
        Side::Second => "-1",
    };
    let (cube, terms, turn) = (position.cube(), position.terms(), position.turn());
    let (on_roll, dice) = match position.phase() {
        Phase::Answer | Phase::Dropped => (turn.other(), "D".to_owned()),
        Phase::Play(roll) => (turn, roll.to_string()),
        Phase::Roll | Phase::Opening | Phase::Double => (turn, "00".to_owned()),
    };
    let (points, rules, length) = match &terms.stakes {
        Stakes::Money { jacoby } => (BySide::default(), *jacoby, 0),
        Stakes::Match(score) => {
            (BySide::from_fn(|side| score.points(side)), score.is_crawford(), score.length())
        }
    };
    let _ = write!(
        out,
        ":{}:{}:{}:{dice}:{}:{}:{}:{length}:{}",
        cube.doublings().number(),
        cube.owner().map_or("0", sign),
        sign(on_roll),
        points.first,
        points.second,
        u8::from(rules),
        terms.cube_limit.number()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        const START: &str = "-b----E-C---eE---c-e----B-";
        let fault = |text: &str| parse(text).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(fault(&format!("{START}:0:0:1:31:0:0:0:7:10")), Ok(()));
        let with = |fields: &str| fault(&format!("{START}:{fields}"));
        for (fields, part) in [
            ("0:0:1:31:0:0:0:7", "10 fields"),
            ("0:0:1:31:0:0:0:7:10:", "10 fields"),
            ("16:0:1:31:0:0:0:7:10", "for its cube,"),
            ("-1:0:1:31:0:0:0:7:10", "for its cube,"),
            ("0:2:1:31:0:0:0:7:10", "for its owner,"),
            ("0:0:0:31:0:0:0:7:10", "for its turn,"),
            ("0:0:1:37:0:0:0:7:10", "for its dice,"),
            ("0:0:1:3\u{661}:0:0:0:7:10", "for its dice,"),
            ("0:0:1:31:-1:0:0:7:10", "for its score,"),
            ("0:0:1:31:+1:0:0:7:10", "for its score,"),
            ("0:0:1:31:7:0:0:7:10", "it is over"),
            ("0:0:1:31:0:99999999999999:0:7:10", "for its score,"),
            ("0:0:1:31:0:0:2:7:10", "for its rules,"),
            ("0:0:1:31:0:0:4:0:10", "for its rules,"),
            ("0:0:1:31:0:0:1:7:10", "Crawford"),
            ("0:0:1:31:0:0:0:40000:10", "not to 40000"),
            ("0:0:1:31:0:0:0:7:256", "for its limit,"),
        ] {
            assert!(with(fields).is_err_and(|error| error.contains(part)), "{fields}: {:?}", with(fields));
        }
        for (places, part) in [
            ("", "26 places, not 0"),
            ("-b----E-C---eE---c-e----B", "not 25"),
            ("-b----E-C---eE---c-e----B--", "not 27"),
            ("-b----E-C---eE---c-e----P-", "place 24"),
            ("-b----E-C---eE---c-e----\u{1F3B2}-", "place 24"),
            ("Bb----E-C---eE---c-e------", "place 0"),
            ("-b----E-C---eE---c-e----Ba", "place 25"),
        ] {
            let error = fault(&format!("{places}:0:0:1:31:0:0:0:7:10"));
            assert!(error.clone().is_err_and(|error| error.contains(part)), "{places}: {error:?}");
        }
    }
}
