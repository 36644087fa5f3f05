//! Moves as players write them beside USI: `▲7六歩`, `76歩`, `同　銀右上`, `P-7f`, `Rx2d+`. Such a text names the man and where it
//! goes. It may leave out where the man comes from, if that is clear, or tell it by the way that the man goes.

use crate::grid::Square;
use crate::moves::{Move, name, square};
use crate::pieces::Kind;
use crate::position::Position;
use crate::records::kif::{RANKS, kind_at_start};
use game::{Position as _, Side};
use std::cmp::Ordering;

/// A move as a text describes it. What the text leaves out is `None`.
struct Wanted {
    kind: Kind,
    from: Option<Square>,
    to: Square,
    way: Option<Way>,
    /// Which of several men it is, seen by the player.
    flank: Option<Flank>,
    drops: Option<bool>,
    promotes: Option<bool>,
}

/// How a man goes, seen by the player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// 直: straight forward by one.
    Straight,
    /// 上 or 行: forward.
    Forward,
    /// 寄: along its rank.
    Aside,
    /// 引: back.
    Back,
}

/// One of two or more men of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flank {
    /// 右: the rightmost.
    Right,
    /// 左: the leftmost.
    Left,
}

/// Returns the legal moves that a text describes. More than one if it leaves too much out. A man that stands on the board comes
/// before one in the hand, and a move without promotion before one with it, where the text does not decide. `previous` is
/// the move before it, to which `同` refers.
pub(crate) fn find(position: &Position, previous: Option<Move>, text: &str) -> Vec<Move> {
    let wanted = parse_japanese(text, previous).or_else(|| parse_western(text));
    let Some(wanted) = wanted else { return Vec::new() };
    let turn = position.turn();
    let mut found = Vec::new();
    position.for_each_move(|m| found.extend(wanted.fits(m, turn).then_some(m)));
    if let Some(flank) = wanted.flank {
        keep_flank(&mut found, flank, turn);
    }
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
    fn fits(&self, m: Move, turn: Side) -> bool {
        let (origin, promoted) = match m {
            Move::Step { from, promotes, .. } => (Some(from), promotes),
            Move::Drop { .. } => (None, false),
        };
        let goes = |way| origin.is_some_and(|from| ways(from, m.to(), turn).contains(&Some(way)));
        self.way.is_none_or(goes)
            && m.kind() == self.kind
            && m.to() == self.to
            && (self.from.is_none() || self.from == origin)
            && self.drops.is_none_or(|drops| drops == origin.is_none())
            && self.promotes.is_none_or(|promotes| promotes == promoted)
    }
}

/// The ways in which a step from one square to another goes: one, or two if it goes straight forward by one.
fn ways(from: Square, to: Square, turn: Side) -> [Option<Way>; 2] {
    let ([from_right, from_far], [to_right, to_far]) = (seen(from, turn), seen(to, turn));
    let straight = (from_right == to_right && to_far == from_far + 1).then_some(Way::Straight);
    let way = match to_far.cmp(&from_far) {
        Ordering::Greater => Way::Forward,
        Ordering::Equal => Way::Aside,
        Ordering::Less => Way::Back,
    };
    [Some(way), straight]
}

/// How far right and how far forward a square is for a player.
fn seen(square: Square, turn: Side) -> [u8; 2] {
    let [file, rank] = name(square);
    // Files are numbered from Black's right, ranks from White's side.
    match turn {
        Side::First => [b'9' - file, b'i' - rank],
        Side::Second => [file - b'1', rank - b'a'],
    }
}

/// Keeps the moves of the man that stands farthest to one side.
fn keep_flank(found: &mut Vec<Move>, flank: Flank, turn: Side) {
    found.retain(|m| matches!(m, Move::Step { .. }));
    let right = |m: &Move| match m {
        Move::Step { from, .. } => seen(*from, turn)[0],
        Move::Drop { .. } => 0,
    };
    let farthest = match flank {
        Flank::Right => found.iter().map(right).max(),
        Flank::Left => found.iter().map(right).min(),
    };
    found.retain(|m| Some(right(m)) == farthest);
}

/// Reads `▲7六歩`, `７六歩(77)`, `24飛成`, `5五角打`, `同　銀左不成`, `5八金右上`.
fn parse_japanese(text: &str, previous: Option<Move>) -> Option<Wanted> {
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (previous?.to(), rest),
        None => {
            let mut letters = text.chars();
            let (file, rank) = (number(letters.next()?)?, letters.next()?);
            let known = RANKS.iter().position(|&known| known == rank).map(|at| at as u8 + 1);
            (at(file, known.or_else(|| number(rank))?)?, letters.as_str())
        }
    };
    let (kind, rest) = kind_at_start(rest.trim_start())?;
    let (mut rest, from) = match rest.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((rest, from)) => (rest, Some(parse_square(from)?)),
        None => (rest, None),
    };
    let mut wanted = Wanted { kind, from, to, way: None, flank: None, drops: None, promotes: None };
    if let Some(before) = rest.strip_suffix("不成") {
        (wanted.promotes, rest) = (Some(false), before);
    } else if let Some(before) = rest.strip_suffix('成') {
        (wanted.promotes, rest) = (Some(true), before);
    } else if let Some(before) = rest.strip_suffix('打') {
        (wanted.drops, rest) = (Some(true), before);
    }
    for sign in rest.chars() {
        let is_new = match sign {
            '右' => wanted.flank.replace(Flank::Right).is_none(),
            '左' => wanted.flank.replace(Flank::Left).is_none(),
            '直' => wanted.way.replace(Way::Straight).is_none(),
            '上' | '行' => wanted.way.replace(Way::Forward).is_none(),
            '寄' => wanted.way.replace(Way::Aside).is_none(),
            '引' => wanted.way.replace(Way::Back).is_none(),
            _ => false,
        };
        if !is_new {
            return None;
        }
    }
    Some(wanted)
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
    Some(Wanted { kind, from, to, way: None, flank: None, drops, promotes })
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

    /// Texts of another program for moves of men that stand near others of their kind.
    #[test]
    fn one_of_several_men_is_told_by_its_way() {
        for line in fixtures::text("shogi/spelled.tsv").lines() {
            let &[sfen, text, usi] = line.split('\t').collect::<Vec<_>>().as_slice() else {
                panic!("{line}")
            };
            assert_eq!(read(sfen, text).as_deref(), Ok(usi), "{line}");
        }
    }

    #[test]
    fn too_little_or_too_much_is_said() {
        let golds = "8k/9/9/9/9/9/9/9/3GGG2K b - 1";
        for (text, usi) in
            [("5八金左", "6i5h"), ("5八金直", "5i5h"), ("58金右", "4i5h"), ("5八金左上", "6i5h")]
        {
            assert_eq!(read(golds, text).as_deref(), Ok(usi), "{text}");
        }
        for text in ["5八金", "5八金上"] {
            assert!(matches!(read(golds, text), Err(MoveFault::Ambiguous)), "{text}");
        }
        for text in ["5八金右右", "5八金右左", "5八金上引", "5八金右打", "5八金外", "5八金寄"]
        {
            assert!(matches!(read(golds, text), Err(MoveFault::NotFound { .. })), "{text}");
        }
    }

    /// `同` is the square of the move before.
    #[test]
    fn the_same_square_is_that_of_the_move_before() {
        let game = Shogi::default();
        let position: Position =
            "lnsgkgsnl/1r5b1/pppppp1pp/6P2/9/9/PPPPPP1PP/1B5R1/LNSGKGSNL w - 4".parse().expect("legal");
        let previous = game.parse_move(
            &"lnsgkgsnl/1r5b1/pppppp1pp/9/6P2/9/PPPPPP1PP/1B5R1/LNSGKGSNL b - 3".parse().expect("legal"),
            "3e3d",
        );
        let previous = previous.expect("legal");
        let read = |previous, text| game.parse_reply(&position, previous, text).map(|m| m.to_string());
        assert!(read(Some(previous), "同歩").is_err(), "no pawn takes it");
        assert!(read(None, "3三角").is_ok());
        let behind: Position =
            "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPRPP/1B7/LNSGKGSNL b - 5".parse().expect("legal");
        let pushed = game.parse_move(
            &"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPRPP/1B7/LNSGKGSNL w - 4".parse().expect("legal"),
            "3c3d",
        );
        for text in ["同飛", "△同　飛", "同 飛"] {
            let m = game.parse_reply(&behind, pushed.clone().ok(), text).map(|m| m.to_string());
            assert_eq!(m.as_deref(), Ok("3g3d"), "{text}");
        }
        assert!(game.parse_reply(&behind, None, "同飛").is_err(), "nothing came before");
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
