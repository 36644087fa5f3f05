//! The start position of a game in CSA.

use super::pieces::{Place, code, kind, place, side, sign};
use crate::board::Board;
use crate::grid::Square;
use crate::pieces::{Hand, Kind, Piece};
use crate::position::Position;
use crate::records::draft::usual_start;
use crate::records::error::RecordErrorKind;
use crate::setup::Setup;
use game::{BySide, Position as _, Side};

/// The start position, as far as it has been read.
#[derive(Debug, Default)]
pub(super) struct Start {
    /// `None` if the text gives no start position: then it is the usual one.
    men: Option<Men>,
}

#[derive(Debug, Default)]
struct Men {
    board: Board,
    hands: BySide<Hand>,
}

impl Start {
    /// Reads one part of the start position: `PI`, `P1` to `P9`, `P+` or `P-`.
    pub(super) fn read(&mut self, text: &str) -> Result<(), RecordErrorKind> {
        self.told(text).ok_or_else(|| RecordErrorKind::Start { found: text.to_owned() })
    }

    fn told(&mut self, text: &str) -> Option<()> {
        let men = self.men.get_or_insert_default();
        let mut letters = text.strip_prefix('P')?.chars();
        let (what, rest) = (letters.next()?, letters.as_str());
        match what {
            'I' => {
                men.board = *usual_start().board();
                men.remove(rest)
            }
            '1'..='9' => men.put_rank(b'9' - what as u8, rest),
            _ => men.put(side(what)?, rest),
        }
    }

    pub(super) fn position(&self, turn: Side) -> Result<Position, RecordErrorKind> {
        let usual = || Men { board: *usual_start().board(), hands: BySide::default() };
        let &Men { board, hands } = self.men.as_ref().unwrap_or(&usual());
        Ok(Setup { board, hands, turn, move_number: 1 }.try_into()?)
    }
}

impl Men {
    /// Removes the listed men, such as `82HI22KA`.
    fn remove(&mut self, text: &str) -> Option<()> {
        men(text).try_for_each(|man| match man? {
            (Place::On(square), code) if self.board.piece_at(square)?.kind == kind(code)? => {
                self.board.set(square, None);
                Some(())
            }
            _ => None,
        })
    }

    /// Reads the nine squares of a rank, such as `-KY-KE * `. The number of spaces does not matter, because some
    /// programs lose them.
    fn put_rank(&mut self, rank: u8, text: &str) -> Option<()> {
        let mut rest = text.trim();
        for file in 0..9 {
            let man = match rest.strip_prefix('*') {
                Some(behind) => {
                    rest = behind.trim_start();
                    None
                }
                None => {
                    let (man, behind) = rest.split_at_checked(3)?;
                    rest = behind.trim_start();
                    let (sign, code) = man.split_at_checked(1)?;
                    Some(Piece { side: side(sign.chars().next()?)?, kind: kind(code)? })
                }
            };
            self.board.set(Square::at(file, rank), man);
        }
        rest.is_empty().then_some(())
    }

    /// Adds the listed men, such as `55OU00FU00AL`: on squares, in hand, and (`AL`) all men that are left in hand.
    fn put(&mut self, side: Side, text: &str) -> Option<()> {
        men(text).try_for_each(|man| match man? {
            (Place::Hand, "AL") => {
                for kind in Kind::IN_HAND {
                    let hands = self.hands.first.count(kind) + self.hands.second.count(kind);
                    let used = self.board.of_original(kind).len() + hands;
                    (used..kind.supply()).for_each(|_| self.hold(side, kind));
                }
                Some(())
            }
            (Place::Hand, code) => {
                let kind = kind(code).filter(|kind| Kind::IN_HAND.contains(kind))?;
                let has_room = self.hands[side].count(kind) < kind.supply();
                has_room.then(|| self.hold(side, kind))
            }
            (Place::On(square), code) => {
                self.board.set(square, Some(Piece { side, kind: kind(code)? }));
                Some(())
            }
        })
    }

    fn hold(&mut self, side: Side, kind: Kind) {
        let hand = &mut self.hands[side];
        *hand = hand.with(kind);
    }
}

/// Splits a list of men of four letters each: two for the place, two for the kind. Yields `None` for a man that
/// cannot be read.
fn men(text: &str) -> impl Iterator<Item = Option<(Place, &str)>> {
    let mut rest = text.trim_end();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let man = std::mem::take(&mut rest).split_at_checked(4).and_then(|(man, behind)| {
            rest = behind;
            let (square, code) = man.split_at_checked(2)?;
            Some((place(square)?, code))
        });
        Some(man)
    })
}

/// Writes the start position and the side to move.
pub(super) fn write(start: &Position, out: &mut String) {
    let hands = Side::ALL.map(|side| start.hand(side));
    if start.board() == usual_start().board() && hands.iter().all(|hand| hand.is_empty()) {
        out.push_str("PI\n");
    } else {
        for rank in (0..9).rev() {
            out.push_str(&format!("P{}", 9 - rank));
            for file in 0..9 {
                match start.board().piece_at(Square::at(file, rank)) {
                    None => out.push_str(" * "),
                    Some(Piece { side, kind }) => out.push_str(&format!("{}{}", sign(side), code(kind))),
                }
            }
            out.push('\n');
        }
        for (side, hand) in Side::ALL.into_iter().zip(hands).filter(|(_, hand)| !hand.is_empty()) {
            let men: String =
                hand.iter().map(|(kind, n)| format!("00{}", code(kind)).repeat(n as usize)).collect();
            out.push_str(&format!("P{}{men}\n", sign(side)));
        }
    }
    out.push_str(&format!("{}\n", sign(start.turn())));
}
