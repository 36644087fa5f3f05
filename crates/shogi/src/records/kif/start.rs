//! The start position of a game in KIF: the name of a handicap, or a diagram.

use super::moves::{FILES, RANKS, kind};
use crate::board::Board;
use crate::grid::Square;
use crate::pieces::{Hand, Kind, Piece};
use crate::position::Position;
use crate::records::draft::usual_start;
use crate::records::error::RecordErrorKind;
use crate::records::headers::{self, HANDICAP};
use crate::setup::Setup;
use game::{BySide, Position as _, Side};

/// The usual handicaps, with the two ranks on White's edge of the board. White moves first.
const HANDICAPS: [(&str, &str); 15] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("三枚落ち", "lnsgkgsn1/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("五枚落ち", "2sgkgsn1/9"),
    ("左五枚落ち", "1nsgkgs2/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("左七枚落ち", "2sgkg3/9"),
    ("右七枚落ち", "3gkgs2/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
];
const NO_HANDICAP: &str = "平手";
const NOTHING: &str = "なし";
const EMPTY: char = '・';
const EDGE: &str = "+---------------------------+";
const TENS: char = '十';

/// The start position, as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct Start {
    handicap: Option<String>,
    board: Board,
    ranks: usize,
    hands: BySide<Hand>,
    turn: Option<Side>,
}

impl Start {
    pub(super) fn set_handicap(&mut self, name: &str) {
        self.handicap = Some(name.to_owned());
    }

    pub(super) fn set_turn(&mut self, side: Side) {
        self.turn = Some(side);
    }

    /// Reads the hand of a side, such as `飛　金二　歩十八`.
    pub(super) fn set_hand(&mut self, side: Side, text: &str) -> Result<(), RecordErrorKind> {
        let wrong = || RecordErrorKind::Start { found: text.to_owned() };
        let mut hand = Hand::EMPTY;
        for word in text.split_whitespace().filter(|&word| word != NOTHING) {
            let (kind, count) = held(word).ok_or_else(wrong)?;
            if hand.count(kind) + count > Kind::Pawn.supply() {
                return Err(wrong());
            }
            (0..count).for_each(|_| hand = hand.with(kind));
        }
        self.hands[side] = hand;
        Ok(())
    }

    /// Reads the next rank of a diagram, such as `|v香v桂v銀v金v玉v金v銀v桂v香|一`.
    pub(super) fn add_rank(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        self.read_rank(text).ok_or_else(|| RecordErrorKind::Start { found: text.to_owned() })?;
        self.ranks += 1;
        Ok(())
    }

    fn read_rank(&mut self, text: &str) -> Option<()> {
        let (men, _) = text.strip_prefix('|')?.split_once('|')?;
        let rank = 8u8.checked_sub(u8::try_from(self.ranks).ok()?)?;
        let (mut file, mut side) = (0, Side::First);
        for sign in men.chars().filter(|sign| !sign.is_whitespace()) {
            if sign == 'v' {
                side = Side::Second;
                continue;
            }
            let man = match sign {
                EMPTY => None,
                _ => Some(Piece { side, kind: kind(sign)? }),
            };
            if file == 9 {
                return None;
            }
            self.board.set(Square::at(file, rank), man);
            file += 1;
            side = Side::First;
        }
        (file == 9).then_some(())
    }

    /// Returns the start position. A diagram comes before a handicap, but the side to move may follow from the
    /// handicap.
    pub(super) fn position(&self) -> Result<Position, RecordErrorKind> {
        let name = self.handicap.as_deref().unwrap_or(NO_HANDICAP);
        let named = named(name);
        match self.ranks {
            0 => named.ok_or_else(|| RecordErrorKind::Handicap { found: name.to_owned() }),
            9 => {
                let turn = self.turn.or(named.map(|start| start.turn())).unwrap_or(Side::First);
                let setup = Setup { board: self.board, hands: self.hands, turn, move_number: 1 };
                Ok(setup.try_into()?)
            }
            found => Err(RecordErrorKind::Ranks { found }),
        }
    }
}

/// Reads the men of one kind in hand, such as `歩`, `歩二` or `歩十八`.
fn held(word: &str) -> Option<(Kind, u32)> {
    let mut signs = word.chars();
    let kind = kind(signs.next()?).filter(|kind| Kind::IN_HAND.contains(kind))?;
    let number = signs.as_str();
    if number.is_empty() {
        return Some((kind, 1));
    }
    (1..=Kind::Pawn.supply()).find(|&count| numeral(count) == number).map(|count| (kind, count))
}

/// Writes a number below twenty.
fn numeral(number: u32) -> String {
    let tens = (number >= 10).then_some(TENS);
    let ones = (number % 10).checked_sub(1).map(|ones| RANKS[ones as usize]);
    tens.into_iter().chain(ones).collect()
}

fn handicap(white: &str) -> Position {
    let sfen = format!("{white}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    sfen.parse().expect("a handicap is a position")
}

fn named(name: &str) -> Option<Position> {
    match name {
        NO_HANDICAP => Some(usual_start()),
        _ => HANDICAPS.iter().find(|(known, _)| *known == name).map(|(_, white)| handicap(white)),
    }
}

/// Returns the handicap with this start position.
pub(super) fn handicap_of(start: &Position) -> Option<&'static str> {
    HANDICAPS.iter().find(|(_, white)| handicap(white) == *start).map(|&(name, _)| name)
}

/// Writes the start position.
pub(super) fn write(start: &Position, out: &mut String) {
    let name = if *start == usual_start() { Some(NO_HANDICAP) } else { handicap_of(start) };
    if let Some(name) = name {
        out.push_str(&format!("{HANDICAP}：{name}\n"));
        return;
    }
    out.push_str(&format!("{}の持駒：{}\n ", headers::WHITE, hand_text(start.hand(Side::Second))));
    FILES.iter().rev().for_each(|file| out.extend([' ', *file]));
    out.push_str(&format!("\n{EDGE}\n"));
    for (rank, name) in (0..9).rev().zip(RANKS) {
        out.push('|');
        for file in 0..9 {
            out.extend(match start.board().piece_at(Square::at(file, rank)) {
                None => [' ', EMPTY],
                Some(Piece { side: Side::First, kind }) => [' ', kind.kanji()],
                Some(Piece { side: Side::Second, kind }) => ['v', kind.kanji()],
            });
        }
        out.push_str(&format!("|{name}\n"));
    }
    out.push_str(&format!("{EDGE}\n{}の持駒：{}\n", headers::BLACK, hand_text(start.hand(Side::First))));
    let mover = if start.turn() == Side::First { headers::BLACK } else { headers::WHITE };
    out.push_str(&format!("{mover}番\n"));
}

/// Writes a hand, with the most valuable men first.
fn hand_text(hand: Hand) -> String {
    let men = hand.iter().rev().map(|(kind, count)| match count {
        1 => kind.kanji().to_string(),
        _ => format!("{}{}", kind.kanji(), numeral(count)),
    });
    let text = men.collect::<Vec<_>>().join("　");
    if text.is_empty() { NOTHING.to_owned() } else { text }
}
