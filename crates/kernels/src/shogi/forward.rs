//! Moves forward from rows, with the values after them: a row is a list of scores, a byte for each standing of the last man, and a
//! move of another man takes the better of two lists.

use super::board::{Board, MIDDLE, block_square, slab_square, with};
use super::links::{Man, Way};
use crate::rows::{Planes, RowGame};
use game::{Plies, Value};
use shogi::{Class, Kind, Kings};
use solve::Cell;
use std::cell::LazyCell;

/// The score of a position after the move, for the side that has moved: better values have higher scores.
pub type Score = u8;

/// There is no such position, so the move is illegal.
const ILLEGAL: Score = 0;
const DRAWN: Score = 128;
/// The other side has no moves.
const ENDED: Score = 254;

fn score(cell: u8) -> Score {
    match cell.value() {
        _ if cell == u8::HOLE => ILLEGAL,
        // The other side loses: the sooner, the better. Losses are even, wins are odd.
        Some(Value::Loss(plies)) => ENDED - (plies.0 / 2) as u8,
        Some(Value::Win(plies)) => 1 + (plies.0 / 2) as u8,
        // What a rule decides is a draw here.
        Some(Value::Draw) | None => DRAWN,
    }
}

/// The value of a position whose best move has this score. Without moves it is lost.
pub fn value(best: Score) -> Value {
    match best {
        ILLEGAL => Value::Loss(Plies(0)),
        DRAWN => Value::Draw,
        won if won > DRAWN => Value::Win(Plies(u16::from(ENDED - won) * 2 + 1)),
        lost => Value::Loss(Plies(u16::from(lost) * 2)),
    }
}

/// By selection and standing of the last man: the number of the arrangement.
fn places<R: Planes>(board: &Board<R>) -> Vec<u32> {
    let class = board.class();
    let last = *class.men().last().expect("a man");
    let mut places = Vec::new();
    for selection in board.all_selections() {
        for place in 0..shogi::Standing::count(last) {
            let mut standings = [selection, &[place]].concat();
            let mut first = 0;
            for (_, count) in class.kinds() {
                standings[first..first + count].sort_unstable();
                first += count;
            }
            places.push(u32::try_from(class.rank(&standings)).expect("a class of three men at most"));
        }
    }
    places
}

/// The forward moves over the cells of a table.
pub struct Forward<R> {
    /// The rows.
    pub board: Board<R>,
    last: Man,
    places: Vec<u32>,
    /// By index.
    pub cells: Vec<u8>,
}

impl<R: Planes> Forward<R> {
    /// The forward moves of a class, over these cells.
    pub fn new(class: Class, cells: Vec<u8>) -> Self {
        let board = Board::<R>::new(class);
        Self { last: Man::new(*class.men().last().expect("a man")), places: places(&board), board, cells }
    }

    /// The number of standings of the last man.
    fn width(&self) -> usize {
        self.last.standings()
    }

    /// The scores of all rows of a slab after the move.
    fn scores(&self, slab: usize) -> Vec<Score> {
        let (width, per_block) = (self.width(), self.board.rows_per_block());
        let mut scores = vec![ILLEGAL; self.board.rows() * width];
        for block in 0..self.board.blocks() {
            // It is the other side's turn, so it sees the board turned.
            let kings = Kings { own: slab_square(slab).rotate(), other: block_square(block).rotate() };
            let mirrored = kings.are_folded_away();
            let Some(pair) = (if mirrored { kings.mirrored() } else { kings }).number() else { continue };
            let first = usize::from(pair) * self.board.class().arrangements() as usize;
            let cells = &self.cells[first..][..self.board.class().arrangements() as usize];
            // If both kings are on the middle file, only one of two mirror images has a cell.
            let in_the_middle = kings.are_in_the_middle();
            for row in 0..per_block {
                let images = [mirrored, !mirrored].map(|mirrored| self.board.turned_row(row, mirrored));
                let scores = &mut scores[(block * per_block + row) * width..][..width];
                for (standing, found) in (0..).zip(scores) {
                    let at = |image: usize, mirrored: bool| {
                        let place = image * width + usize::from(self.last.turned(standing, mirrored));
                        cells[self.places[place] as usize]
                    };
                    let mut cell = at(images[0], mirrored);
                    if in_the_middle && cell == u8::HOLE {
                        cell = at(images[1], !mirrored);
                    }
                    *found = score(cell);
                }
            }
        }
        scores
    }

    /// Visits the indices of a slab that are in rows. Positions come with the score of their best move, if `is_wanted` tells of one in
    /// the row that it is wanted.
    pub fn each_position(
        &self,
        slab: usize,
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, Option<Score>),
    ) {
        // They are made for all rows at once, and nothing may be wanted.
        let scores = LazyCell::new(|| self.scores(slab));
        let mut best = vec![ILLEGAL; self.width()];
        let first = self.board.cells(slab).start;
        for row in 0..self.board.rows() {
            let Some((cells, with_cells)) = self.board.row_cells(slab, row) else { continue };
            let legal = self.board.legal(slab, row).and(with_cells);
            let index = |bit: usize| first + cells + usize::from(self.board.places()[bit]);
            let mut wanted = false;
            legal.each(|bit| wanted |= is_wanted(index(bit)));
            best.fill(ILLEGAL);
            if wanted {
                self.best_moves(slab, row, &scores, &mut best);
            }
            let is_middle = self.is_middle(slab, row);
            with_cells.each(|bit| {
                let place = usize::from(self.board.places()[bit]);
                let is_position = legal.has(bit) && !(is_middle && self.has_smaller_image(row, place));
                visit(index(bit), is_position.then(|| best[place]));
            });
        }
    }

    fn is_middle(&self, slab: usize, row: usize) -> bool {
        let own = block_square(row / self.board.rows_per_block());
        slab_square(slab).file() == MIDDLE && own.file() == MIDDLE
    }

    /// Returns whether the mirror image of a position has a smaller index. Both kings are on the middle file.
    fn has_smaller_image(&self, row: usize, place: usize) -> bool {
        let (row, width) = (row % self.board.rows_per_block(), self.width());
        let mirrored = self.board.turned_row(self.board.turned_row(row, false), true);
        let place_mirrored = self.last.turned(self.last.turned(place as u16, false), true);
        self.places[mirrored * width + usize::from(place_mirrored)] < self.places[row * width + place]
    }

    /// For each standing of the last man, the best score of all moves from a row.
    fn best_moves(&self, slab: usize, row: usize, scores: &[Score], best: &mut [Score]) {
        let width = self.width();
        let per_block = self.board.rows_per_block();
        let (king, selection) = (row / per_block, row % per_block);
        let standings = self.board.standings(selection);
        let men = self.board.selectors();
        let at = |i: usize| men[i].at[usize::from(standings[i])];
        let kings = 1 << king | 1 << slab_square(slab).index();
        let occupied = (0..men.len()).fold(kings, |all, i| all | at(i).square);
        let own = (0..men.len()).filter(|&i| at(i).is_own).fold(kings, |all, i| all | at(i).square);
        let in_front = (1u128 << slab_square(slab).index()) >> 9;
        let row_of = |king: usize, standings: [u16; 2]| {
            &scores[(king * per_block + self.board.selection_of(standings)) * width..][..width]
        };
        let captured =
            |square: usize| (0..men.len()).find(|&i| !at(i).is_own && at(i).square >> square & 1 != 0);
        let hand = usize::from(self.last.in_hand);
        // A king or selector goes to a square. The last man must not be on the path, and is captured on the square.
        let go = |best: &mut [Score], king: usize, moved: [u16; 2], path: u128, square: usize| {
            let taken = captured(square);
            let moved = taken.map_or(moved, |i| with(moved, i, men[i].in_hand));
            let after = row_of(king, moved);
            let blocked: Vec<(usize, Score)> =
                self.standings_on(path).map(|standing| (standing, best[standing])).collect();
            best.iter_mut().zip(after).for_each(|(best, after)| *best = (*best).max(*after));
            blocked.into_iter().for_each(|(standing, score)| best[standing] = score);
            if taken.is_none() {
                for &standing in &self.last.opponents[square] {
                    let best = &mut best[usize::from(standing)];
                    *best = (*best).max(after[hand]);
                }
            }
        };
        let mut steps = self.board.king_steps(king) & !own;
        while steps != 0 {
            let square = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            go(best, square, standings, 0, square);
        }
        for (i, man) in men.iter().enumerate() {
            for link in &man.moves[usize::from(standings[i])] {
                let moved = with(standings, i, link.to);
                match link.way {
                    Way::Step { path, square, .. } if path & occupied == 0 && own >> square & 1 == 0 => {
                        go(best, king, moved, path, square.into());
                    }
                    Way::Drop { square } if occupied >> square & 1 == 0 => {
                        let may_mate = man.kind != Kind::Pawn || in_front >> square & 1 == 0;
                        for (best, &after) in best.iter_mut().zip(row_of(king, moved)) {
                            if may_mate || after != ENDED {
                                *best = (*best).max(after);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        for (links, best) in self.last.moves.iter().zip(best) {
            for link in links {
                let score = match link.way {
                    Way::Step { path, square, .. } if path & occupied == 0 && own >> square & 1 == 0 => {
                        let taken = captured(square.into());
                        let moved = taken.map_or(standings, |i| with(standings, i, men[i].in_hand));
                        row_of(king, moved)[usize::from(link.to)]
                    }
                    Way::Drop { square } if occupied >> square & 1 == 0 => {
                        let score = row_of(king, standings)[usize::from(link.to)];
                        let is_pawn_check = self.last.kind == Kind::Pawn && in_front >> square & 1 != 0;
                        if is_pawn_check && score == ENDED { ILLEGAL } else { score }
                    }
                    _ => continue,
                };
                *best = (*best).max(score);
            }
        }
    }

    /// The standings of the last man on some squares.
    fn standings_on(&self, mut squares: u128) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let square = (squares != 0).then(|| squares.trailing_zeros() as usize)?;
            squares &= squares - 1;
            Some(square)
        })
        .flat_map(|square| self.last.own[square].iter().chain(&self.last.opponents[square]))
        .map(|&standing| standing.into())
    }

    /// The cell of a legal position.
    pub fn cell_of(&self, slab: usize, row: usize, bit: usize) -> usize {
        let (width, per_block) = (self.width(), self.board.rows_per_block());
        let kings = Kings { own: block_square(row / per_block), other: slab_square(slab) };
        let mirror = |row: usize| self.board.turned_row(self.board.turned_row(row, false), true);
        let mirror_place = |place: u16| self.last.turned(self.last.turned(place, false), true);
        let (row, place) = (row % per_block, self.board.places()[bit]);
        let at = |row: usize, place: u16| self.places[row * width + usize::from(place)];
        let own = at(row, place);
        let image = at(mirror(row), mirror_place(place));
        let (kings, arrangement) = match (kings.are_folded_away(), kings.are_in_the_middle()) {
            (true, _) => (kings.mirrored(), image),
            (_, true) => (kings, own.min(image)),
            _ => (kings, own),
        };
        let pair = usize::from(kings.number().expect("kings of a legal position"));
        pair * self.board.class().arrangements() as usize + arrangement as usize
    }
}
