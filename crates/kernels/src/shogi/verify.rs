//! Verifies a table by rows: derives each value from those after all moves forward, a whole row at a time.
//!
//! This is not the way of the solver, which goes backwards on bits. Here a row is a list of scores, a byte for each standing of
//! the last man, and a move of another man takes the better of two lists. It shares with the solver the moves of a single man
//! ([`Man`]), the legal positions, and the search for what perpetual check decides. The generic verifier shares nothing.

use super::board::{Board, MIDDLE, SLABS, block_square, slab_square, with};
use super::links::{Man, Way};
use crate::rows::{Planes, RowGame, Space, Tensors, each_slab, perpetual};
use game::{Index, Metric, Plies, Value, parallel};
use shogi::{Class, Kind, Kings};
use solve::{Cell, Verified, Wrong};
use std::io;
use std::sync::{Mutex, PoisonError};
use table::{Entry, Table};

/// The most wrong entries that are shown.
const MOST_SHOWN: usize = 10;

/// The score of a position after the move, for the side that has moved: better values have higher scores.
type Score = u8;

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
fn value(best: Score) -> Value {
    match best {
        ILLEGAL => Value::Loss(Plies(0)),
        DRAWN => Value::Draw,
        won if won > DRAWN => Value::Win(Plies(u16::from(ENDED - won) * 2 + 1)),
        lost => Value::Loss(Plies(u16::from(lost) * 2)),
    }
}

/// Verifies the table of a class. Returns `None` if it has a distance that does not fit a byte.
///
/// # Errors
/// Returns an error if the table is damaged.
pub fn verify<R: Planes>(
    class: Class,
    table: &Table,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Verified>, table::Error> {
    let metric = table.description().metric;
    let Some(codes) = table.different_entries().iter().map(|&entry| cell(entry)).collect::<Option<Vec<u8>>>()
    else {
        return Ok(None);
    };
    let cells = read(table, &codes)?;
    let board = Board::<R>::new(class);
    let forward =
        Forward { last: Man::new(*class.men().last().expect("a man")), places: places(&board), board, cells };
    let wrong_by_slab = parallel::map(SLABS, |slab| {
        let verified = forward.check_slab(slab, metric);
        progress(forward.board.cells(slab).len() as u64);
        verified
    });
    let mut verified = wrong_by_slab.into_iter().fold(nothing(), |mut sum, slab| {
        sum.positions += slab.positions;
        sum.wrong.extend(slab.wrong);
        sum
    });
    if verified.wrong.is_empty() {
        let wrong = forward.check_perpetual(metric);
        verified.wrong = wrong.unwrap_or_else(|error| unreachable!("rows in memory need no files: {error}"));
    }
    verified.wrong.truncate(MOST_SHOWN);
    Ok(Some(verified))
}

fn nothing() -> Verified {
    Verified { positions: 0, wrong: Vec::new() }
}

/// The cell of an entry. Without distances, a win counts as one in one ply, and a loss as one without moves.
fn cell(entry: Entry) -> Option<u8> {
    match entry {
        Entry::Nothing => Some(u8::HOLE),
        Entry::WinByRule => Some(u8::WIN_BY_RULE),
        Entry::LossByRule => Some(u8::LOSS_BY_RULE),
        Entry::Draw => Some(u8::UNKNOWN),
        Entry::Win(plies) => u8::of(Value::Win(plies.unwrap_or(Plies(1)))),
        Entry::Loss(plies) => u8::of(Value::Loss(plies.unwrap_or(Plies(0)))),
        Entry::NotWon => None,
    }
}

/// Reads all cells. `codes` has the cell of each entry of the palette.
fn read(table: &Table, codes: &[u8]) -> Result<Vec<u8>, table::Error> {
    let mut cells = vec![0; table.entries() as usize];
    let per_block = table.layout().entries_per_block as usize;
    let blocks: Vec<Mutex<&mut [u8]>> = cells.chunks_mut(per_block).map(Mutex::new).collect();
    parallel::try_map(blocks.len(), |block| {
        let symbols = table.block(block as u64)?;
        let mut cells = blocks[block].lock().unwrap_or_else(PoisonError::into_inner);
        cells.iter_mut().zip(symbols.symbols()).for_each(|(cell, symbol)| *cell = codes[symbol]);
        Ok(())
    })?;
    drop(blocks);
    Ok(cells)
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
struct Forward<R> {
    board: Board<R>,
    last: Man,
    places: Vec<u32>,
    cells: Vec<u8>,
}

impl<R: Planes> Forward<R> {
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

    fn check_slab(&self, slab: usize, metric: Metric) -> Verified {
        let scores = self.scores(slab);
        let (mut verified, mut best) = (nothing(), vec![ILLEGAL; self.width()]);
        let first = self.board.cells(slab).start;
        for row in 0..self.board.rows() {
            let Some((cells, with_cells)) = self.board.row_cells(slab, row) else { continue };
            let legal = self.board.legal(slab, row).and(with_cells);
            best.fill(ILLEGAL);
            if !legal.is_empty() {
                self.best_moves(slab, row, &scores, &mut best);
            }
            let is_middle = self.is_middle(slab, row);
            with_cells.each(|bit| {
                let place = usize::from(self.board.places()[bit]);
                let index = first + cells + place;
                let stored = self.cells[index];
                if is_middle && legal.has(bit) && self.has_smaller_image(row, place) {
                    return self.compare(index, stored, None, metric, &mut verified);
                }
                let expected = legal.has(bit).then(|| value(best[place]));
                self.compare(index, stored, expected, metric, &mut verified);
            });
        }
        verified
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

    fn compare(
        &self,
        index: usize,
        stored: u8,
        expected: Option<Value>,
        metric: Metric,
        verified: &mut Verified,
    ) {
        let is_by_rule = stored == u8::WIN_BY_RULE || stored == u8::LOSS_BY_RULE;
        let value = match stored {
            u8::HOLE => None,
            cell => Some(cell.value().unwrap_or(Value::Draw)),
        };
        verified.positions += u64::from(expected.is_some());
        let is_right = match metric {
            Metric::Wdl => value.map(Value::wdl) == expected.map(Value::wdl),
            _ => value == expected,
        };
        if (!is_right || (is_by_rule && expected != Some(Value::Draw))) && verified.wrong.len() < MOST_SHOWN {
            let expected = Entry::new(expected, metric);
            verified.wrong.push(Wrong { index: Index(index as u64), stored: stored.entry(metric), expected });
        }
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

    /// Finds again what perpetual check decides, from all draws of the table, and compares.
    fn check_perpetual(&self, metric: Metric) -> io::Result<Vec<Wrong>> {
        let tensors = Tensors::empty(&self.board, &Space::Memory)?;
        let is_draw = |cell: u8| [u8::UNKNOWN, u8::WIN_BY_RULE, u8::LOSS_BY_RULE].contains(&cell);
        each_slab(&self.board, |slab| {
            let draws = (0..self.board.rows()).map(|row| {
                let mut draws = R::EMPTY;
                self.board.legal(slab, row).each(|bit| {
                    if is_draw(self.cells[self.cell_of(slab, row, bit)]) {
                        draws = draws.or(R::of_bit(bit));
                    }
                });
                draws
            });
            tensors.unknown.put(slab, draws.collect())
        })?;
        let by_rule = perpetual::decide(&self.board, &tensors)?;
        let mut expected = std::collections::BTreeMap::new();
        for (few, code) in [(by_rule.won, u8::WIN_BY_RULE), (by_rule.lost, u8::LOSS_BY_RULE)] {
            for ((slab, row), bits) in few {
                bits.each(|bit| {
                    expected.insert(self.cell_of(slab, row, bit), code);
                });
            }
        }
        let stored = |&(_, &cell): &(usize, &u8)| cell == u8::WIN_BY_RULE || cell == u8::LOSS_BY_RULE;
        let stored = self.cells.iter().enumerate().filter(stored).map(|(index, _)| index);
        let mut indices: Vec<usize> = stored.chain(expected.keys().copied()).collect();
        indices.sort_unstable();
        indices.dedup();
        let wrong = indices.into_iter().filter_map(|index| {
            let (stored, expected) =
                (self.cells[index], expected.get(&index).copied().unwrap_or(u8::UNKNOWN));
            let entry = |cell: u8| cell.entry(metric);
            (stored != expected).then(|| Wrong {
                index: Index(index as u64),
                stored: entry(stored),
                expected: entry(expected),
            })
        });
        Ok(wrong.take(MOST_SHOWN).collect())
    }

    /// The cell of a legal position.
    fn cell_of(&self, slab: usize, row: usize, bit: usize) -> usize {
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
