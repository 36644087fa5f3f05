//! Moves, men and squares as KIF writes them.

use crate::grid::Square;
use crate::moves::{Move, name, square};
use crate::pieces::Kind;

pub(super) const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
pub(crate) const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Reads a move at the beginning of a text, legal or not. Returns it with the rest of the text.
pub(super) fn parse(text: &str, previous: Option<Move>) -> Option<(Move, &str)> {
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (previous?.to(), rest.trim_start()),
        None => parse_square(text)?,
    };
    let (kind, rest) = parse_kind(rest)?;
    if let Some(rest) = rest.strip_prefix('打') {
        return Some((Move::Drop { kind, to }, rest));
    }
    let (rest, promotes) = match rest.strip_prefix('成') {
        Some(rest) => (rest, true),
        None => (rest.strip_prefix("不成").unwrap_or(rest), false),
    };
    let (from, rest) = rest.strip_prefix('(')?.split_once(')')?;
    let &[file, rank] = from.as_bytes() else { return None };
    let from = square(file, b'a' + rank.checked_sub(b'1')?)?;
    Some((Move::Step { kind, from, to, promotes }, rest))
}

fn parse_square(text: &str) -> Option<(Square, &str)> {
    let mut letters = text.chars();
    let file = letters.next()?;
    let file = match file.to_digit(10) {
        Some(file) => file as usize,
        None => 1 + place(&FILES, file)?,
    };
    let rank = place(&RANKS, letters.next()?)?;
    let square = square(b'0' + file as u8, b'a' + rank as u8)?;
    Some((square, letters.as_str()))
}

/// Reads a man at the beginning of a text. Returns it with the rest of the text.
pub(crate) fn parse_kind(text: &str) -> Option<(Kind, &str)> {
    let (text, promoted) = text.strip_prefix('成').map_or((text, false), |rest| (rest, true));
    let mut letters = text.chars();
    let kind = kind(letters.next()?)?;
    Some((if promoted { kind.promoted()? } else { kind }, letters.as_str()))
}

/// Returns the kind with this character. Some kinds have two characters.
pub(super) fn kind(sign: char) -> Option<Kind> {
    match sign {
        '王' => Some(Kind::King),
        '竜' => Some(Kind::Dragon),
        _ => Kind::ALL.into_iter().find(|kind| kind.kanji() == sign),
    }
}

pub(super) fn place(signs: &[char], sign: char) -> Option<usize> {
    signs.iter().position(|&known| known == sign)
}

/// Writes a move in KIF.
pub(super) fn text(m: Move, previous: Option<Move>) -> String {
    let to = m.to();
    let place = match previous {
        Some(previous) if previous.to() == to => "同　".to_owned(),
        _ => [FILES[usize::from(8 - to.file())], RANKS[usize::from(8 - to.rank())]].iter().collect(),
    };
    let man = match m.kind() {
        // Their single characters are used in diagrams only.
        Kind::PromotedLance => "成香".to_owned(),
        Kind::PromotedKnight => "成桂".to_owned(),
        Kind::PromotedSilver => "成銀".to_owned(),
        kind => kind.kanji().to_string(),
    };
    match m {
        Move::Drop { .. } => format!("{place}{man}打"),
        Move::Step { from, promotes, .. } => {
            let [file, rank] = name(from);
            let promotion = if promotes { "成" } else { "" };
            format!("{place}{man}{promotion}({}{})", char::from(file), rank - b'a' + 1)
        }
    }
}
