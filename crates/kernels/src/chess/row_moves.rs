//! The moves forward from one row.

use super::board::Selection;
use super::forward::Forward;
use super::rays::{at, attackers, attacks};
use super::targets::{Change, MEN, Men, each};
use crate::rows::Score;
use chess::{Clock, Kind, Piece, Position, Setup, Square, SquareSet, steps};
use game::{Position as _, Side};

/// The moves of one row.
pub struct RowMoves<'a, 'b> {
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
    /// The moves from some positions of a row. They raise the scores of these positions.
    pub fn new(
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

    /// Captures and promotions.
    pub fn changes(&mut self) {
        self.king_captures();
        for man in 0..self.last {
            let piece = self.piece(man);
            match piece.kind {
                _ if piece.side != self.at.mover => {}
                Kind::Pawn => self.pawn_changes(man),
                kind => self.selector_captures(man, kind),
            }
        }
        match self.piece(self.last).kind {
            _ if self.last_is_enemy() => {}
            Kind::Pawn => each(self.positions, |square| self.last_pawn_changes(square as u8)),
            _ => self.last_captures(),
        }
    }

    /// Moves of pawns within the material.
    pub fn pushes(&mut self) {
        let mover = self.at.mover;
        let is_own_pawn = |piece: Piece| piece == Piece { side: mover, kind: Kind::Pawn };
        for man in 0..self.last {
            if is_own_pawn(self.piece(man)) {
                self.pawn_pushes(man);
            }
        }
        if is_own_pawn(self.piece(self.last)) {
            each(self.positions, |square| self.last_pawn_pushes(square as u8));
        }
    }

    /// All other moves.
    pub fn quiet_moves(&mut self) {
        let Selection { mover, king, occupied, .. } = self.at;
        let (slab, men, last, positions) = (self.slab, self.men, self.last, self.positions);
        let target = &self.forward.quiet[mover];
        each(steps::king(at(king)).word() & !occupied, |king| {
            target.raise_row(slab, king as u8, men, last, positions & !(1 << king), self.scores);
        });
        for (man, &from) in men[..last].iter().enumerate() {
            if self.piece(man).side != mover {
                continue;
            }
            for ray in self.forward.board.rays(man).from(from) {
                let mut free = positions;
                for &to in ray.iter().take_while(|&&to| occupied >> to & 1 == 0) {
                    free &= !(1 << to);
                    target.raise_row(slab, king, self.moved(man, to), last, free, self.scores);
                }
            }
        }
        let piece = self.piece(last);
        if !self.last_is_enemy() && piece.kind != Kind::Pawn {
            let mut after = [Score::NONE; 64];
            target.raise_row(slab, king, men, last, !occupied, &mut after);
            each(positions, |from| {
                each(attacks(piece.kind, from as u8, occupied) & !occupied, |to| self.raise(from, after[to]));
            });
        }
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
    fn changes_by_pawn(
        &self,
        pawn: usize,
        to: u8,
        captured: Option<usize>,
    ) -> impl Iterator<Item = Change> + use<> {
        let is_last_rank = is_last_rank(to);
        let promotions = Kind::PROMOTIONS.map(|kind| Change { captured, promoted: Some((pawn, kind)) });
        let plain = Change { captured, promoted: None };
        promotions.into_iter().filter(move |_| is_last_rank).chain((!is_last_rank).then_some(plain))
    }

    /// The captures and promotions of a selector that is a pawn.
    fn pawn_changes(&mut self, pawn: usize) {
        let from = self.men[pawn];
        let (side, king) = (self.at.mover, self.at.king);
        let attacked = steps::pawn(side, at(from)).word();
        for (enemy, to) in self.enemies().filter(|&(_, square)| attacked >> square & 1 != 0) {
            for change in self.changes_by_pawn(pawn, to, Some(enemy)) {
                self.raise_row(change, king, self.moved(pawn, to), self.positions);
            }
        }
        if self.last_is_enemy() {
            each(attacked & self.positions, |square| {
                for change in self.changes_by_pawn(pawn, square as u8, Some(self.last)) {
                    let score = self.score(change, king, self.moved(pawn, square as u8));
                    self.raise(square, score);
                }
            });
        }
        if let Some(to) = pushes(side, from, self.at.occupied).once.filter(|&to| is_last_rank(to)) {
            let free = self.positions & !(1 << to);
            for change in self.changes_by_pawn(pawn, to, None) {
                self.raise_row(change, king, self.moved(pawn, to), free);
            }
        }
    }

    /// The other moves of a selector that is a pawn.
    fn pawn_pushes(&mut self, pawn: usize) {
        let from = self.men[pawn];
        let Pushes { once, twice } = pushes(self.at.mover, from, self.at.occupied);
        if let Some(to) = once.filter(|&to| !is_last_rank(to)) {
            let free = self.positions & !(1 << to);
            self.push_row(pawn, to, free);
            if let Some(twice) = twice {
                let free = free & !(1 << twice);
                let may_be_taken = match self.has_enemy_pawn_beside(twice) {
                    true => free,
                    false if self.last_is_enemy() && self.piece(self.last).kind == Kind::Pawn => {
                        free & squares_beside(twice)
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

    /// The captures and promotions of the last man, a pawn, from one square.
    fn last_pawn_changes(&mut self, from: u8) {
        let (side, last) = (self.at.mover, self.last);
        let attacked = steps::pawn(side, at(from)).word();
        for (enemy, to) in self.enemies().filter(|&(_, square)| attacked >> square & 1 != 0) {
            self.last_pawn_goes(from, to, self.changes_by_pawn(last, to, Some(enemy)));
        }
        if let Some(to) = pushes(side, from, self.at.occupied).once.filter(|&to| is_last_rank(to)) {
            self.last_pawn_goes(from, to, self.changes_by_pawn(last, to, None));
        }
    }

    fn last_pawn_goes(&mut self, from: u8, to: u8, changes: impl Iterator<Item = Change>) {
        for change in changes {
            let score = self.score(change, self.at.king, self.moved(self.last, to));
            self.raise(from.into(), score);
        }
    }

    /// The other moves of the last man, a pawn, from one square.
    fn last_pawn_pushes(&mut self, from: u8) {
        let (side, king) = (self.at.mover, self.at.king);
        let Pushes { once, twice } = pushes(side, from, self.at.occupied);
        for to in once.into_iter().chain(twice).filter(|&to| !is_last_rank(to)) {
            let men = self.moved(self.last, to);
            let score = match Some(to) == twice && self.has_enemy_pawn_beside(to) {
                true => self.score_of_double_push(from, to, men),
                false => self.forward.pushes[side].score(self.slab, king, men),
            };
            self.raise(from.into(), score);
        }
    }

    /// Returns whether a selector is a pawn of the other side beside a square.
    fn has_enemy_pawn_beside(&self, square: u8) -> bool {
        let is_beside = |at: u8| squares_beside(square) >> at & 1 != 0;
        self.enemies().any(|(enemy, at)| self.piece(enemy).kind == Kind::Pawn && is_beside(at))
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
        // If there is no such position, the table that has a value for it is wrong.
        let position = Position::try_from(setup).ok().filter(|position| position.en_passant().is_some());
        let Some(position) = position else { return plain };
        let (captures, others): (Vec<_>, Vec<_>) =
            position.moves().into_iter().partition(|m| m.is(chess::Step::EnPassant));
        // The other side takes what is worst for the mover. Without the right, it may have no moves at all.
        let captures = captures.into_iter();
        let captures = captures.filter_map(|m| forward.score_two_moves_later(&position.play_unchecked(m)));
        let plain_move = (!others.is_empty()).then_some(plain);
        captures.chain(plain_move).min().unwrap_or(plain)
    }
}

/// Returns whether pawns promote on a square.
fn is_last_rank(square: u8) -> bool {
    matches!(square / 8, 0 | 7)
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

/// The squares to the left and to the right.
fn squares_beside(square: u8) -> u64 {
    let beside = [-1, 1].into_iter().filter_map(|dx| at(square).offset(dx, 0));
    beside.fold(0, |set, square| set | 1 << square.index())
}
