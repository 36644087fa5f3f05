//! Moves forward from a row, with their scores: conversions into finished tables, and other moves if their values are known.
//!
//! Moves that leave the own king in check need no care. They lead to positions that have no value.

use super::board::Board;
use super::row_moves::RowMoves;
use super::targets::{Change, MEN, Target, material_after};
use super::values::{Codes, Unpacked, before_conversion, score, scores, value_of};
use crate::rows::{Row as _, Row1, RowGame as _, Score};
use chess::{Chess, Kind, Material, Piece, Position};
use game::{BySide, Endgame as _, Location, Metric, Plies, Side, Value};
use std::collections::BTreeMap;
use table::Entry;

/// The tables of other materials that a board leads to.
pub type Tables = BTreeMap<Material, Unpacked>;

/// The moves forward from the rows of a board.
pub struct Forward<'a> {
    /// The board.
    pub board: &'a Board,
    tables: &'a Tables,
    metric: Metric,
    /// By mover: moves of pawns within the material.
    pub pushes: BySide<Target<'a>>,
    /// By mover: all other moves within the material.
    pub quiet: BySide<Target<'a>>,
    /// By captured man and by promoted pawn and kind; see [`place`].
    changes: Vec<Option<Target<'a>>>,
}

/// The number of the target of a change.
#[inline(always)]
fn place(change: Change) -> usize {
    let promoted =
        change.promoted.map_or(0, |(pawn, kind)| 1 + 4 * pawn + kind as usize - Kind::Knight as usize);
    promoted * (MEN + 1) + change.captured.map_or(0, |man| man + 1)
}

impl<'a> Forward<'a> {
    /// The moves from the rows of a board into the tables of other materials, and within the own one: `own` gives the codes of
    /// indices, the first and their number, and `entries` what the codes mean.
    pub fn new(
        board: &'a Board,
        tables: &'a Tables,
        metric: Metric,
        entries: &[Entry],
        own: impl Fn(usize, usize) -> Codes<'a>,
    ) -> Self {
        let within = |before: &dyn Fn(Value) -> Value| {
            let target = |mover| Target::new(board, mover, Change::default(), scores(entries, before), &own);
            BySide { first: target(Side::First), second: target(Side::Second) }
        };
        let mut this = Self {
            board,
            tables,
            metric,
            pushes: within(&|value| before_conversion(value, metric)),
            quiet: within(&Value::before_move),
            changes: Vec::new(),
        };
        this.add_changes();
        this
    }

    fn add_changes(&mut self) {
        let men: Vec<Piece> = self.board.selectors().iter().copied().chain([self.board.last()]).collect();
        let mut changes: Vec<(Side, Change)> = Vec::new();
        let captures = |mover: Side| {
            let taken = |i: &usize| men[*i].side != mover;
            (0..men.len()).filter(taken).map(Some).collect::<Vec<_>>()
        };
        for mover in Side::ALL {
            changes.extend(
                captures(mover).into_iter().map(|captured| (mover, Change { captured, promoted: None })),
            );
            let pawns = (0..men.len()).filter(|&i| men[i] == Piece { side: mover, kind: Kind::Pawn });
            for promoted in pawns.flat_map(|pawn| Kind::PROMOTIONS.map(|kind| Some((pawn, kind)))) {
                // No pawn is captured on the last rank.
                let pieces =
                    captures(mover).into_iter().filter(|man| man.is_none_or(|i| men[i].kind != Kind::Pawn));
                changes.extend(pieces.chain([None]).map(|captured| (mover, Change { captured, promoted })));
            }
        }
        for (mover, change) in changes {
            let table = material_after(self.board, change).map(|(material, _)| &self.tables[&material]);
            let empty: &[Entry] = &[];
            let entries = table.map_or(empty, |table| &table.entries);
            let scores = scores(entries, |value| before_conversion(value, self.metric));
            let codes = |first: usize, count: usize| match table {
                Some(table) => table.codes().part(first, count),
                None => Codes::Bytes(&[]),
            };
            let target = Target::new(self.board, mover, change, scores, codes);
            let place = place(change);
            if self.changes.len() <= place {
                self.changes.resize_with(place + 1, || None);
            }
            self.changes[place] = Some(target);
        }
    }

    #[inline(always)]
    pub fn target(&self, change: Change) -> &Target<'a> {
        self.changes[place(change)].as_ref().expect("every change has its target")
    }

    /// Raises the scores of some positions of a row to those of their best captures and promotions. These lead into other tables.
    pub fn raise_by_changes(&self, slab: usize, row: usize, positions: u64, scores: &mut [Score]) {
        RowMoves::new(self, slab, row, positions, scores).changes();
    }

    /// Raises the scores of some positions of a row to those of their best conversions: captures and moves of pawns.
    pub fn raise_by_conversions(&self, slab: usize, row: usize, positions: u64, scores: &mut [Score]) {
        let mut moves = RowMoves::new(self, slab, row, positions, scores);
        moves.changes();
        moves.pushes();
    }

    /// Raises the scores of some positions of a row to those of their best moves that are no conversions.
    pub fn raise_by_quiet_moves(&self, slab: usize, row: usize, positions: u64, scores: &mut [Score]) {
        RowMoves::new(self, slab, row, positions, scores).quiet_moves();
    }

    /// The values of some positions of a row, from those after all their moves.
    pub fn values(&self, slab: usize, row: usize, positions: Row1) -> [Option<Value>; 64] {
        let mut values = [None; 64];
        if positions.is_empty() {
            return values;
        }
        let mut scores = [Score::NONE; 64];
        self.raise_by_conversions(slab, row, positions.bits(), &mut scores);
        self.raise_by_quiet_moves(slab, row, positions.bits(), &mut scores);
        let lost = self.board.lost_without_moves(slab, row, positions);
        positions.each(|bit| {
            let without_moves = if lost.has(bit) { Value::Loss(Plies(0)) } else { Value::Draw };
            values[bit] = Some(scores[bit].value().unwrap_or(without_moves));
        });
        values
    }

    /// The score of a move of a pawn, and a capture as the answer, that lead to this position. `None` if its table is wrong, and
    /// has no value there.
    pub fn score_two_moves_later(&self, position: &Position) -> Option<Score> {
        let value = match Chess::STANDARD.locate(position) {
            Location::Over(value) => value,
            Location::At(material, index) => {
                let table = &self.tables[&material];
                value_of(table.entries[table.codes().get(index.0 as usize)])?
            }
            Location::Through | Location::Beyond(_) => return None,
        };
        Some(score(before_conversion(before_conversion(value, self.metric), self.metric)))
    }
}
