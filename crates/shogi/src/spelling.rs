//! Moves as players write them beside USI: `▲7六歩`, `76歩`, `P-7f`, `Rx2d+`. Such a text names the man and where it goes. It may
//! leave out where the man comes from, if that is clear.

use crate::grid::Square;
use crate::moves::{Move, square};
use crate::pieces::Kind;
use crate::position::Position;
use crate::records::kif::{RANKS, kind_at_start};
use game::Position as _;

/// A move as a text describes it. What the text leaves out is `None`.
struct Wanted {
    kind: Kind,
    from: Option<Square>,
    to: Square,
    drops: Option<bool>,
    promotes: Option<bool>,
}

/// Returns the legal moves that a text describes. More than one if it leaves too much out. A man that stands on the board comes
/// before one in the hand, and a move without promotion before one with it, where the text does not decide.
pub(crate) fn find(position: &Position, text: &str) -> Vec<Move> {
    let Some(wanted) = parse_japanese(text).or_else(|| parse_western(text)) else { return Vec::new() };
    let mut found = Vec::new();
    position.for_each_move(|m| found.extend(wanted.fits(m).then_some(m)));
    let prefer = |found: &mut Vec<Move>, is_preferred: fn(&Move) -> bool| {
        if found.iter().any(is_preferred) {
            found.retain(is_preferred);
        }
    };
    prefer(&mut found, |m| matches!(m, Move::Step { .. }));
    prefer(&mut found, |m| !matches!(m, Move::Step { promotes: true, .. }));
    found
}

impl Wanted {
    fn fits(&self, m: Move) -> bool {
        let (origin, promoted) = match m {
            Move::Step { from, promotes, .. } => (Some(from), promotes),
            Move::Drop { .. } => (None, false),
        };
        m.kind() == self.kind
            && m.to() == self.to
            && (self.from.is_none() || self.from == origin)
            && self.drops.is_none_or(|drops| drops == origin.is_none())
            && self.promotes.is_none_or(|promotes| promotes == promoted)
    }
}

/// Reads `▲7六歩`, `７六歩(77)`, `24飛成`, `5五角打`.
fn parse_japanese(text: &str) -> Option<Wanted> {
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let mut letters = text.chars();
    let (file, rank) = (number(letters.next()?)?, letters.next()?);
    let rank =
        RANKS.iter().position(|&known| known == rank).map(|at| at as u8 + 1).or_else(|| number(rank))?;
    let to = at(file, rank)?;
    let (kind, rest) = kind_at_start(letters.as_str().trim_start())?;
    let (rest, from) = match rest.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((rest, from)) => (rest, Some(parse_square(from)?)),
        None => (rest, None),
    };
    let (drops, promotes) = match rest {
        "" => (None, None),
        "打" => (Some(true), None),
        "成" => (None, Some(true)),
        "不成" => (None, Some(false)),
        _ => return None,
    };
    Some(Wanted { kind, from, to, drops, promotes })
}

/// Reads `P-7f`, `P76`, `Rx2d+`, `G6i-5h`, `+R-2b`, `N'5c`.
fn parse_western(text: &str) -> Option<Wanted> {
    let (rest, is_promoted) = text.strip_prefix('+').map_or((text, false), |rest| (rest, true));
    let kind = Kind::from_letter(rest.chars().next()?.to_ascii_uppercase())?;
    let kind = if is_promoted { kind.promoted()? } else { kind };
    // `from_letter` knows only ASCII letters.
    let rest = &rest[1..];
    let (rest, promotes) = match (rest.strip_suffix('+'), rest.strip_suffix('=')) {
        (Some(rest), _) => (rest, Some(true)),
        (_, Some(rest)) => (rest, Some(false)),
        (None, None) => (rest, None),
    };
    let at = rest.len().checked_sub(2)?;
    let (before, to) = (rest.get(..at)?, parse_square(rest.get(at..)?)?);
    let (before, drops) = match before.strip_suffix(['*', '\'']) {
        Some(before) => (before, Some(true)),
        None => (before.strip_suffix(['-', 'x']).unwrap_or(before), None),
    };
    let from = if before.is_empty() { None } else { Some(parse_square(before)?) };
    Some(Wanted { kind, from, to, drops, promotes })
}

/// Reads a square with its rank as a letter or a digit: `7f`, `76`.
fn parse_square(text: &str) -> Option<Square> {
    let &[file, rank] = text.as_bytes() else { return None };
    let rank = rank.to_ascii_lowercase();
    square(file, if rank.is_ascii_digit() { rank.checked_sub(b'1')? + b'a' } else { rank })
}

fn at(file: u8, rank: u8) -> Option<Square> {
    square(b'0' + file, b'a' + rank.checked_sub(1)?)
}

/// The value of a digit, which may have the width of a kanji.
fn number(digit: char) -> Option<u8> {
    let wide = ('１'..='９').position(|known| known == digit).map(|at| at as u8 + 1);
    wide.or_else(|| digit.to_digit(10).map(|digit| digit as u8))
}

#[cfg(test)]
mod tests {
    use crate::{Position, Shogi};
    use game::{MoveFault, Notation};

    fn read(sfen: &str, text: &str) -> Result<String, MoveFault> {
        let (game, position) = (Shogi::default(), sfen.parse::<Position>().expect(sfen));
        game.parse_move(&position, text).map(|m| m.to_string()).map_err(|error| error.fault)
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    /// The notations of a first move are those of shogi books and of the English Wikipedia's page on shogi notation.
    #[test]
    fn a_move_is_read_as_players_write_it() {
        for text in [
            "▲7六歩",
            "☗７六歩",
            "76歩",
            "７六歩(77)",
            "7六歩",
            "P-7f",
            "P7f",
            "P76",
            "P-76",
            "p7g-7f",
            "P77-76",
        ] {
            assert_eq!(read(START, text).as_deref(), Ok("7g7f"), "{text}");
        }
        let gold = "4k4/9/9/9/9/9/9/9/3GKG3 b G 1";
        assert!(matches!(read(gold, "5八金"), Err(MoveFault::Ambiguous)));
        assert!(matches!(read(gold, "G-5h"), Err(MoveFault::Ambiguous)));
        for (text, usi) in [
            ("5八金(69)", "6i5h"),
            ("G4i-5h", "4i5h"),
            ("5八金打", "G*5h"),
            ("G'58", "G*5h"),
            ("5五金", "G*5e"),
        ] {
            assert_eq!(read(gold, text).as_deref(), Ok(usi), "{text}");
        }
    }

    #[test]
    fn a_promotion_is_named_or_must_be() {
        let near = "4k4/9/9/2R6/9/9/9/9/4K4 b - 1";
        for (text, usi) in [
            ("7二飛成", "7d7b+"),
            ("7二飛不成", "7d7b"),
            ("72飛", "7d7b"),
            ("R-7b+", "7d7b+"),
            ("Rx7b=", "7d7b"),
        ] {
            assert_eq!(read(near, text).as_deref(), Ok(usi), "{text}");
        }
        let last = "4k4/2P6/9/9/9/9/9/9/4K4 b - 1";
        assert_eq!(read(last, "7一歩").as_deref(), Ok("7b7a+"));
        let dragon = "4k4/9/9/2+R6/9/9/9/9/4K4 b - 1";
        for text in ["7三竜", "7三龍", "73成飛", "+R-7c"] {
            assert_eq!(read(dragon, text).as_deref(), Ok("7d7c"), "{text}");
        }
        for text in
            ["", "▲", "7", "76", "P", "P-", "+", "+P", "9九", "0一歩", "P-0a", "é7f", "7六歩?", "Pé", "P-é"]
        {
            assert!(matches!(read(START, text), Err(MoveFault::NotFound { .. })), "{text}");
        }
    }
}
