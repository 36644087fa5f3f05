//! Moves forward from a row, with their scores: conversions into finished tables, and other moves if their values are known.
//!
//! Moves that leave the own king in check need no care. They lead to positions that have no value.

use super::board::{Board, Selection};
use super::rays::{at, attackers};
use super::targets::{Change, MEN, Men, Target, each, material_after};
use super::values::{Codes, Unpacked, before_conversion, scores, value_of};
use crate::rows::Score;
use chess::{Chess, Clock, Kind, Material, Piece, Position, Setup, Square, SquareSet, sliders, steps};
use game::{BySide, Endgame as _, Location, Metric, Position as _, Side, Value};
use std::collections::BTreeMap;
use table::Entry;

/// The tables of other materials that a board leads to.
pub type Tables = BTreeMap<Material, Unpacked>;

/// The moves forward from the rows of a board.
pub struct Forward<'a> {
    board: &'a Board,
    tables: &'a Tables,
    metric: Metric,
    /// By mover: moves of pawns within the material, and all other moves within it.
    pushes: BySide<Target<'a>>,
    quiet: BySide<Target<'a>>,
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
    fn target(&self, change: Change) -> &Target<'a> {
        self.changes[place(change)].as_ref().expect("every change has its target")
    }

    /// Raises the scores of some positions of a row to those of their best conversions.
    pub fn raise_by_conversions(&self, slab: usize, row: usize, positions: u64, scores: &mut [Score]) {
        let mut row = RowMoves::new(self, slab, row, positions, scores);
        row.king_captures();
        for i in 0..self.board.selectors().len() {
            let piece = self.board.selectors()[i];
            if piece.side != row.at.mover {
                continue;
            }
            match piece.kind {
                Kind::Pawn => row.pawn_moves(i),
                kind => row.selector_captures(i, kind),
            }
        }
        if self.board.last().side == row.at.mover {
            match self.board.last().kind {
                Kind::Pawn => each(positions, |square| row.last_pawn_moves(square as u8)),
                _ => row.last_captures(),
            }
        }
    }

    /// Raises the scores of some positions of a row to those of their best moves that are no conversions.
    pub fn raise_by_quiet_moves(&self, slab: usize, row: usize, positions: u64, scores: &mut [Score]) {
        let row = RowMoves::new(self, slab, row, positions, scores);
        let (at_row, last) = (&row.at, row.last);
        let target = &self.quiet[at_row.mover];
        let occupied = at_row.occupied;
        each(steps::king(at(at_row.king)).word() & !occupied, |king| {
            let free = positions & !(1 << king);
            target.raise_row(slab, king as u8, row.men, last, free, row.scores);
        });
        for i in (0..last).filter(|&i| self.board.selectors()[i].side == at_row.mover) {
            for ray in self.board.rays(i).from(row.men[i]) {
                let mut free = positions;
                for &to in ray.iter().take_while(|&&to| occupied >> to & 1 == 0) {
                    free &= !(1 << to);
                    let mut men = row.men;
                    men[i] = to;
                    target.raise_row(slab, at_row.king, men, last, free, row.scores);
                }
            }
        }
        let piece = self.board.last();
        if piece.side == at_row.mover && piece.kind != Kind::Pawn {
            let mut after = [Score::NONE; 64];
            target.raise_row(slab, at_row.king, row.men, last, !occupied, &mut after);
            each(positions, |from| {
                let to = attacks(piece.kind, from as u8, occupied) & !occupied;
                let mut best = row.scores[from];
                each(to, |to| best = best.max(after[to]));
                row.scores[from] = best;
            });
        }
    }
}

/// The squares that a piece attacks.
#[inline(always)]
fn attacks(kind: Kind, from: u8, occupied: u64) -> u64 {
    let (from, occupied) = (at(from), SquareSet::from_word(occupied));
    match kind {
        Kind::Knight => steps::knight(from),
        Kind::Bishop => sliders::bishop(from, occupied),
        Kind::Rook => sliders::rook(from, occupied),
        Kind::Queen => sliders::bishop(from, occupied) | sliders::rook(from, occupied),
        Kind::King => steps::king(from),
        Kind::Pawn => SquareSet::EMPTY,
    }
    .word()
}

/// The moves of one row.
struct RowMoves<'a, 'b> {
    forward: &'b Forward<'a>,
    slab: usize,
    at: Selection,
    /// The squares of the men. That of the last man varies.
    men: Men,
    /// The place of the last man among the men.
    last: usize,
    positions: u64,
    scores: &'b mut [Score],
}

impl<'a, 'b> RowMoves<'a, 'b> {
    fn new(
        forward: &'b Forward<'a>,
        slab: usize,
        row: usize,
        positions: u64,
        scores: &'b mut [Score],
    ) -> Self {
        let at = forward.board.selection(slab, row);
        let last = forward.board.selectors().len();
        let mut men = [0; MEN];
        men[..last].copy_from_slice(&at.squares[..last]);
        Self { forward, slab, at, men, last, positions, scores }
    }

    /// The men with one of them moved.
    #[inline(always)]
    fn moved(&self, man: usize, to: u8) -> Men {
        let mut men = self.men;
        men[man] = to;
        men
    }

    fn piece(&self, man: usize) -> Piece {
        self.forward.board.selectors().get(man).copied().unwrap_or(self.forward.board.last())
    }

    /// The selectors of the other side, with their squares.
    fn enemies(&self) -> impl Iterator<Item = (usize, u8)> + use<> {
        let (men, mover) = (self.men, self.at.mover);
        let is_enemy: [bool; MEN] = std::array::from_fn(|i| i < self.last && self.piece(i).side != mover);
        (0..self.last).filter(move |&i| is_enemy[i]).map(move |i| (i, men[i]))
    }

    fn last_is_enemy(&self) -> bool {
        self.piece(self.last).side != self.at.mover
    }

    #[inline(always)]
    fn raise(&mut self, square: usize, score: Score) {
        self.scores[square] = self.scores[square].max(score);
    }

    #[inline(always)]
    fn raise_row(&mut self, change: Change, king: u8, men: Men, squares: u64) {
        if squares != 0 {
            let target = self.forward.target(change);
            target.raise_row(self.slab, king, men, self.last, squares, self.scores);
        }
    }

    #[inline(always)]
    fn score(&self, change: Change, king: u8, men: Men) -> Score {
        self.forward.target(change).score(self.slab, king, men)
    }

    fn king_captures(&mut self) {
        let steps = steps::king(at(self.at.king)).word();
        for (enemy, square) in self.enemies() {
            if steps >> square & 1 != 0 {
                self.raise_row(capture(enemy), square, self.men, self.positions);
            }
        }
        if self.last_is_enemy() {
            each(steps & self.positions, |square| {
                let score = self.score(capture(self.last), square as u8, self.men);
                self.raise(square, score);
            });
        }
    }

    fn selector_captures(&mut self, man: usize, kind: Kind) {
        let from = self.men[man];
        let attacked = attacks(kind, from, self.at.occupied);
        for (enemy, square) in self.enemies() {
            if attacked >> square & 1 != 0 {
                // The last man can stand in the way.
                let free = self.positions & !steps::between(at(from), at(square)).word();
                self.raise_row(capture(enemy), self.at.king, self.moved(man, square), free);
            }
        }
        if self.last_is_enemy() {
            each(attacked & self.positions, |square| {
                let score = self.score(capture(self.last), self.at.king, self.moved(man, square as u8));
                self.raise(square, score);
            });
        }
    }

    fn last_captures(&mut self) {
        for (enemy, square) in self.enemies() {
            let from = attackers(self.piece(self.last), square, !self.at.occupied) & self.positions;
            if from != 0 {
                let score = self.score(capture(enemy), self.at.king, self.moved(self.last, square));
                each(from, |from| self.raise(from, score));
            }
        }
    }

    /// The changes by a pawn that goes to a square: four if it promotes.
    fn changes(&self, pawn: usize, to: u8, captured: Option<usize>) -> impl Iterator<Item = Change> + use<> {
        let is_last_rank = matches!(to / 8, 0 | 7);
        let promotions = Kind::PROMOTIONS.map(|kind| Change { captured, promoted: Some((pawn, kind)) });
        let plain = Change { captured, promoted: None };
        promotions.into_iter().filter(move |_| is_last_rank).chain((!is_last_rank).then_some(plain))
    }

    /// The moves of a selector that is a pawn.
    fn pawn_moves(&mut self, pawn: usize) {
        let from = self.men[pawn];
        let (side, king) = (self.at.mover, self.at.king);
        let attacked = steps::pawn(side, at(from)).word();
        for (enemy, to) in self.enemies().filter(|&(_, square)| attacked >> square & 1 != 0) {
            for change in self.changes(pawn, to, Some(enemy)) {
                self.raise_row(change, king, self.moved(pawn, to), self.positions);
            }
        }
        if self.last_is_enemy() {
            each(attacked & self.positions, |square| {
                for change in self.changes(pawn, square as u8, Some(self.last)) {
                    let score = self.score(change, king, self.moved(pawn, square as u8));
                    self.raise(square, score);
                }
            });
        }
        let Pushes { once, twice } = pushes(side, from, self.at.occupied);
        if let Some(to) = once {
            let free = self.positions & !(1 << to);
            match to / 8 {
                0 | 7 => {
                    for change in self.changes(pawn, to, None) {
                        self.raise_row(change, king, self.moved(pawn, to), free);
                    }
                }
                _ => self.push_row(pawn, to, free),
            }
            if let Some(twice) = twice {
                let free = free & !(1 << twice);
                let beside = self.squares_beside(twice);
                let is_beside = |(enemy, square): (usize, u8)| {
                    self.piece(enemy).kind == Kind::Pawn && beside >> square & 1 != 0
                };
                let may_be_taken = match self.enemies().any(is_beside) {
                    true => free,
                    false if self.last_is_enemy() && self.piece(self.last).kind == Kind::Pawn => {
                        free & beside
                    }
                    false => 0,
                };
                self.push_row(pawn, twice, free & !may_be_taken);
                each(may_be_taken, |square| {
                    let mut men = self.moved(pawn, twice);
                    men[self.last] = square as u8;
                    let score = self.score_of_double_push(from, twice, men);
                    self.raise(square, score);
                });
            }
        }
    }

    fn push_row(&mut self, pawn: usize, to: u8, squares: u64) {
        let (target, men) = (&self.forward.pushes[self.at.mover], self.moved(pawn, to));
        if squares != 0 {
            target.raise_row(self.slab, self.at.king, men, self.last, squares, self.scores);
        }
    }

    /// The moves of the last man, a pawn, from one square.
    fn last_pawn_moves(&mut self, from: u8) {
        let (side, king, last) = (self.at.mover, self.at.king, self.last);
        let attacked = steps::pawn(side, at(from)).word();
        for (enemy, to) in self.enemies().filter(|&(_, square)| attacked >> square & 1 != 0) {
            for change in self.changes(last, to, Some(enemy)) {
                let score = self.score(change, king, self.moved(last, to));
                self.raise(from.into(), score);
            }
        }
        let Pushes { once, twice } = pushes(side, from, self.at.occupied);
        for to in once.into_iter().chain(twice) {
            let men = self.moved(last, to);
            let beside = self.squares_beside(to);
            let is_beside = |(enemy, square): (usize, u8)| {
                self.piece(enemy).kind == Kind::Pawn && beside >> square & 1 != 0
            };
            if matches!(to / 8, 0 | 7) {
                for change in self.changes(last, to, None) {
                    let score = self.score(change, king, men);
                    self.raise(from.into(), score);
                }
            } else {
                let score = match Some(to) == twice && self.enemies().any(is_beside) {
                    true => self.score_of_double_push(from, to, men),
                    false => self.forward.pushes[side].score(self.slab, king, men),
                };
                self.raise(from.into(), score);
            }
        }
    }

    /// The squares to the left and to the right.
    fn squares_beside(&self, square: u8) -> u64 {
        let beside = [-1, 1].into_iter().filter_map(|dx| at(square).offset(dx, 0));
        beside.fold(0, |set, square| set | 1 << square.index())
    }

    /// The score of a double push to a square beside which there is a pawn of the other side. That pawn may capture it en
    /// passant, if it is not pinned. `men` are the men after the push.
    fn score_of_double_push(&self, from: u8, to: u8, men: Men) -> Score {
        let (mover, forward) = (self.at.mover, self.forward);
        let plain = forward.pushes[mover].score(self.slab, self.at.king, men);
        if plain == Score::NONE {
            return plain;
        }
        let mut board = chess::Board::EMPTY;
        board.set(at(self.at.king), Some(Piece { side: mover, kind: Kind::King }));
        board.set(at(self.at.other), Some(Piece { side: mover.other(), kind: Kind::King }));
        (0..=self.last).for_each(|man| board.set(at(men[man]), Some(self.piece(man))));
        let setup = Setup {
            board,
            turn: mover.other(),
            castling: SquareSet::EMPTY,
            en_passant: Some(at((from + to) / 2)),
            clock: Clock::default(),
        };
        let position = Position::try_from(setup).expect("the position without the right has a value");
        if position.en_passant().is_none() {
            return plain;
        }
        let (mut worst, mut others) = (Score::of(Value::Win(game::Plies(0))), 0);
        let _ = position.visit_moves(|m| {
            match m.is(chess::Step::EnPassant) {
                true => worst = worst.min(Some(forward.score_two_moves_later(&position.play_unchecked(m)))),
                false => others += 1,
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        let captured = worst.unwrap_or(plain);
        // Without the right, the other side may have no moves at all.
        if others == 0 { captured } else { captured.min(plain) }
    }
}

impl Forward<'_> {
    /// The score of a move of a pawn, and a capture as the answer, that lead to this position.
    fn score_two_moves_later(&self, position: &Position) -> Score {
        let value = match Chess::STANDARD.locate(position) {
            Location::Over(value) => Some(value),
            Location::At(material, index) => {
                let table = &self.tables[&material];
                value_of(table.entries[table.codes().get(index.0 as usize)])
            }
            Location::Through | Location::Beyond(_) => None,
        };
        let value = value.expect("a capture leads to a finished table");
        let twice = before_conversion(before_conversion(value, self.metric), self.metric);
        Score::of(twice).expect("no distance is that long")
    }
}

fn capture(man: usize) -> Change {
    Change { captured: Some(man), promoted: None }
}

/// The squares that a pawn can be pushed to, as far as the kings and selectors let it.
struct Pushes {
    once: Option<u8>,
    twice: Option<u8>,
}

fn pushes(side: Side, from: u8, occupied: u64) -> Pushes {
    let (dy, start) = if side == Side::First { (1, 1) } else { (-1, 6) };
    let is_empty = |square: &Square| occupied >> square.index() & 1 == 0;
    let once = at(from).offset(0, dy).filter(is_empty);
    let twice = once.filter(|_| from / 8 == start).and_then(|once| once.offset(0, dy)).filter(is_empty);
    let number = |square: Square| square.index() as u8;
    Pushes { once: once.map(number), twice: twice.map(number) }
}
