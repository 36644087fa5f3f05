//! The positions of a class in rows, and the moves between them.
//!
//! A slab has the positions with one square of the king that does not move. The square is on one of the five files at the
//! left; other positions are mirrored. A block has those with one square of the mover's king. Within a block, the standings
//! of all men but the last select a row. The bits of a row are the standings of the last man: a plane for each owner,
//! promoted or not.

use super::links::{At, Man, Way, goes_back};
use super::planes::{self, BOARD, HAND, ZONE};
use crate::rows::{Image, Lists, Moves, PerpetualCheck, Planes, RowGame};
use game::Side;
use shogi::{Class, Kind, Kings, Piece, Place, Square, SquareSet, Standing};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

/// The positions of a class in rows of the type `R`.
pub struct Board<R> {
    class: Class,
    /// The kind of the last man.
    kind: Kind,
    /// The other men.
    selectors: Vec<Man>,
    /// By selection: the standings of the selectors. The second is 0 if there is only one.
    selections: Vec<[u16; 2]>,
    /// By selection: the first cell of its row within the cells of a block, and the first place that has a cell.
    selection_cells: Vec<(u64, u16)>,
    /// The place of each bit of a row.
    places: Vec<u16>,
    /// All bits of a row, and, by place, those from a place on.
    all: R,
    from_place: Vec<R>,
    /// By slab: the number of its first pair of kings, and at the end the number of all pairs.
    first_kings: Vec<u16>,
    /// By slab and block: the number of the pair of kings, if it has one.
    pairs: Vec<Option<u16>>,
    /// The number of arrangements of the class.
    arrangements: usize,
    /// By slab: the positions, after a move, in which a pawn in front of the king mates. If it was dropped there, the
    /// move was illegal.
    pawn_mates: Vec<HashMap<usize, R>>,
    /// By square: the squares next to it.
    steps: Vec<u128>,
    /// The arrangements that have a mirror image with a smaller number. They are found when they are first needed.
    folded: OnceLock<Vec<u64>>,
}

/// The kings of a row, and the men that select it.
struct Selection<'a> {
    /// The king that does not move, the mover's king, as sets.
    other: u128,
    king: u128,
    king_square: usize,
    /// The squares that the mover's king can reach or come from, as far as the other king lets it.
    king_steps: u128,
    standings: [u16; 2],
    men: &'a [Man],
}

impl Selection<'_> {
    /// Where the selectors stand.
    #[inline(always)]
    fn selectors(&self) -> impl Iterator<Item = At> {
        self.men.iter().zip(self.standings).map(|(man, standing)| man.at[usize::from(standing)])
    }

    /// All occupied squares, without the last man.
    #[inline(always)]
    fn occupied(&self) -> u128 {
        self.selectors().fold(self.king | self.other, |all, at| all | at.square)
    }

    /// The squares of the mover's selectors.
    #[inline(always)]
    fn own(&self) -> u128 {
        self.selectors().filter(|at| at.is_own).fold(0, |all, at| all | at.square)
    }
}

const SQUARES: usize = 81;
/// The squares of the king that does not move: five files.
pub const SLABS: usize = 45;

pub const MIDDLE: u8 = 4;

/// The square of the mover's king.
pub fn block_square(block: usize) -> Square {
    Square::from_index(block as u8).expect("as many blocks as squares")
}

/// The square of the king that does not move.
pub fn slab_square(slab: usize) -> Square {
    Square::at((slab % 5) as u8, (slab / 5) as u8)
}

impl<R: Planes> Board<R> {
    /// Lays out a class in rows. The rows must have two planes if the last man is a gold, and four otherwise.
    pub fn new(class: Class) -> Self {
        let mut men = class.men();
        let kind = men.pop().expect("a class has a man");
        let selectors: Vec<Man> = men.iter().map(|&kind| Man::new(kind)).collect();
        let selections = match &selectors[..] {
            [] => vec![[0, 0]],
            [man] => (0..man.standings() as u16).map(|standing| [standing, 0]).collect(),
            [first, second] => {
                let same = first.kind == second.kind;
                let from = |a: u16| if same { a } else { 0 }..second.standings() as u16;
                (0..first.standings() as u16).flat_map(|a| from(a).map(move |b| [a, b])).collect()
            }
            _ => unreachable!("a class has at most {} men", Class::MOST),
        };
        let count = selectors.len();
        let selection_cells = selections.iter().map(|standings: &[u16; 2]| {
            let least = if men.last() == Some(&kind) { standings[count - 1] } else { 0 };
            let mut all = standings[..count].to_vec();
            all.push(least);
            (class.rank(&all) - u64::from(least), least)
        });
        let bits: Vec<u16> = (0..Standing::count(kind))
            .map(|number| {
                let Standing { side, place } = Standing::numbered(kind, number).expect("no gaps");
                let plane = if side == Side::First { 0 } else { R::PLANES / 2 };
                (match place {
                    Place::Hand => plane * 128 + HAND as usize,
                    Place::Plain(square) => plane * 128 + square.index(),
                    Place::Promoted(square) => (plane + 1) * 128 + square.index(),
                }) as u16
            })
            .collect();
        let mut from_place = vec![R::EMPTY; bits.len()];
        let mut all = R::EMPTY;
        for (place, &bit) in bits.iter().enumerate().rev() {
            all = all.or(R::of_bit(bit.into()));
            from_place[place] = all;
        }
        let first_kings =
            |slab| Square::all().find_map(|own| Kings { own, other: slab_square(slab) }.number());
        let first_kings = (0..SLABS).filter_map(first_kings).chain([Kings::COUNT as u16]).collect();
        let mut places = vec![0; R::PLANES * 128];
        for (place, &bit) in (0..).zip(&bits) {
            places[usize::from(bit)] = place;
        }
        let king = Piece { side: Side::First, kind: Kind::King };
        let pair = |number: usize| {
            Kings { own: block_square(number % SQUARES), other: slab_square(number / SQUARES) }.number()
        };
        Self {
            class,
            kind,
            selection_cells: selection_cells.collect(),
            selectors,
            selections,
            places,
            all,
            from_place,
            first_kings,
            pairs: (0..SLABS * SQUARES).map(pair).collect(),
            arrangements: class.arrangements() as usize,
            pawn_mates: (0..SLABS).map(|_| HashMap::new()).collect(),
            steps: Square::all().map(|square| king.attacks(square, SquareSet::EMPTY).word()).collect(),
            folded: OnceLock::new(),
        }
    }

    /// The men that select rows.
    pub fn selectors(&self) -> &[Man] {
        &self.selectors
    }

    /// The standings of the selectors of every selection.
    pub fn all_selections(&self) -> impl Iterator<Item = &[u16]> {
        self.selections.iter().map(|standings| &standings[..self.selectors.len()])
    }

    /// The standings of a selection. The second is 0 if there is only one.
    pub fn standings(&self, selection: usize) -> [u16; 2] {
        self.selections[selection]
    }

    /// The squares next to a square, as a set.
    pub fn king_steps(&self, square: usize) -> u128 {
        self.steps[square]
    }

    /// The block of a row, and the number of its selection.
    #[inline(always)]
    fn split(&self, row: usize) -> (usize, usize) {
        (row / self.selections.len(), row % self.selections.len())
    }

    /// The number of rows with one pair of kings.
    fn selections(&self) -> usize {
        self.selections.len()
    }

    /// The number of a selection.
    #[inline(always)]
    pub fn selection_of(&self, standings: [u16; 2]) -> usize {
        let [a, b] = standings.map(usize::from);
        match &self.selectors[..] {
            [first, second] if first.kind == second.kind => {
                let (low, high) = (a.min(b), a.max(b));
                low * first.standings() - low * (low + 1) / 2 + high
            }
            [_, second] => a * second.standings() + b,
            _ => a,
        }
    }

    #[inline(always)]
    fn selection(&self, slab: usize, row: usize) -> Selection<'_> {
        let other = slab_square(slab);
        let (king_square, selected) = self.split(row);
        let other_steps = self.steps[other.index()];
        let other = 1 << other.index();
        Selection {
            other,
            king: 1 << king_square,
            king_square,
            king_steps: self.steps[king_square] & !other_steps & !other,
            standings: self.selections[selected],
            men: &self.selectors,
        }
    }

    /// The plane of the opponent's plain men. The planes of the mover come before it.
    const OPPONENT: usize = R::PLANES / 2;
    const PROMOTES: bool = R::PLANES == 4;

    /// A row with the same set in every plane.
    #[inline(always)]
    fn everywhere(set: u128) -> R {
        R::from_planes(|_| set)
    }

    /// The bits of a row before a move that captures the last man on a square, if it is in the mover's hand afterwards.
    #[inline(always)]
    fn captured(after: &R, square: u128) -> R {
        if after.plane(0) >> HAND & 1 == 0 {
            return R::EMPTY;
        }
        R::from_planes(|plane| if plane >= Self::OPPONENT { square } else { 0 })
    }

    /// The bits of a row before a step of the last man, which leads to some bits of the same row without a capture.
    #[inline(always)]
    fn before_step(&self, after: &R, empty: u128, moves: Moves) -> R {
        let plain = if moves.include(goes_back(self.kind)) { after.plane(0) & BOARD } else { 0 };
        let mut before = planes::before_plain(self.kind, plain, empty);
        let mut promoted_before = 0;
        if Self::PROMOTES && after.plane(1) != 0 {
            let promoted = after.plane(1);
            if moves.include(true) {
                promoted_before = planes::before_promoted(self.kind, promoted, empty);
            }
            if moves.include(false) {
                before |= planes::before_plain(self.kind, promoted, empty) & ZONE
                    | planes::before_plain(self.kind, promoted & ZONE, empty);
            }
        }
        R::from_planes(|plane| match plane {
            0 => before,
            1 if Self::PROMOTES => promoted_before,
            _ => 0,
        })
    }

    /// The bits of a row before a move of the last man that stays in the row: a step, or a drop.
    #[inline(always)]
    fn before_in_row(&self, slab: usize, row: usize, after: &R, empty: u128, moves: Moves) -> R {
        let stepped = self.before_step(after, empty, moves);
        if !moves.include(false) {
            return stepped;
        }
        let mut dropped = after.plane(0) & BOARD;
        if self.kind == Kind::Pawn
            && let Some(mates) = self.pawn_mates[slab].get(&row)
        {
            dropped &= !(mates.plane(0) & self.in_front(slab));
        }
        let hand = if dropped != 0 { 1 << HAND } else { 0 };
        stepped.or(R::from_planes(|plane| if plane == 0 { hand } else { 0 }))
    }

    /// The square in front of the king that does not move, from which the mover's pawn gives check.
    #[inline(always)]
    fn in_front(&self, slab: usize) -> u128 {
        (1 << slab_square(slab).index()) >> 9
    }

    /// The bits after a drop of a man on a square: without the mates, if it is a pawn that gives check.
    #[inline(always)]
    fn after_drop(&self, slab: usize, row: usize, man: &Man, square: u8, after: R) -> R {
        if man.kind == Kind::Pawn && self.in_front(slab) == 1 << square {
            self.pawn_mates[slab].get(&row).map_or(after, |mates| after.and_not(*mates))
        } else {
            after
        }
    }

    /// Notes the positions of a slab without moves in which a pawn in front of the king gives check. `ended` has all positions
    /// after a move in which the side to move has no moves.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn note_pawn_mates(&mut self, slab: usize, ended: &Lists<R>) -> io::Result<()> {
        let in_front = self.in_front(slab);
        let mut mates = HashMap::new();
        ended.each(slab, 0..usize::MAX, |row, here| {
            let is_pawn = |at: At| at.kind == Kind::Pawn && at.is_own && at.square == in_front;
            let by_selector = in_front != 0 && self.selection(slab, row).selectors().any(is_pawn);
            let by_last = if self.kind == Kind::Pawn { in_front } else { 0 };
            let by_last = R::from_planes(|plane| if plane == 0 { by_last } else { 0 });
            let mated = if by_selector { here } else { here.and(by_last) };
            if !mated.is_empty() {
                mates.insert(row, mated);
            }
        })?;
        self.pawn_mates[slab] = mates;
        Ok(())
    }

    /// The cells of a pair of kings that are holes if both kings are on the middle file: the mirror image has a smaller
    /// index.
    fn folded_arrangements(&self) -> Vec<u64> {
        let kinds = self.class.kinds();
        let men = self.class.men();
        let mirrored: Vec<Vec<u16>> = men.iter().map(|&kind| mirrored_standings(kind)).collect();
        let mut folded = Vec::new();
        for arrangement in 0..self.class.arrangements() {
            let standings = self.class.unrank(arrangement).into_iter();
            let mut image: Vec<u16> = standings
                .zip(&mirrored)
                .map(|(standing, mirrored)| mirrored[usize::from(standing)])
                .collect();
            let mut first = 0;
            for (_, count) in kinds.clone() {
                image[first..first + count].sort_unstable();
                first += count;
            }
            if self.class.rank(&image) < arrangement {
                folded.push(arrangement);
            }
        }
        folded
    }

    /// Visits the cells of a range that are holes because a mirror image has a smaller index.
    pub fn each_folded_cell(&self, cells: Range<usize>, mut visit: impl FnMut(usize)) {
        let arrangements = self.arrangements;
        let folded = self.folded.get_or_init(|| self.folded_arrangements());
        for number in cells.start / arrangements..cells.end / arrangements {
            if Kings::numbered(number as u16).is_some_and(Kings::are_in_the_middle) {
                folded.iter().for_each(|&arrangement| visit(number * arrangements + arrangement as usize));
            }
        }
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }
}

/// The mirror image of each standing of a kind.
fn mirrored_standings(kind: Kind) -> Vec<u16> {
    let mirrored = |number| Standing::numbered(kind, number)?.mirrored().number(kind);
    (0..Standing::count(kind)).filter_map(mirrored).collect()
}

/// The standings with that of one man replaced.
#[inline(always)]
pub fn with(mut standings: [u16; 2], man: usize, standing: u16) -> [u16; 2] {
    standings[man] = standing;
    standings
}

/// The file of a square, both as sets.
fn file_of(square: u128) -> u128 {
    const RANK: u128 = 0x1ff;
    (BOARD / RANK) << (square.trailing_zeros() % 9)
}

/// The numbers of the squares in a set.
#[inline(always)]
fn each(mut set: u128, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

impl<R: Planes> RowGame for Board<R> {
    type Row = R;
    /// Whether left and right are exchanged.
    type Symmetry = bool;

    fn slabs(&self) -> usize {
        SLABS
    }

    fn blocks(&self) -> usize {
        SQUARES
    }

    fn rows_per_block(&self) -> usize {
        self.selections()
    }

    fn legal(&self, slab: usize, row: usize) -> R {
        let selection = self.selection(slab, row);
        if (self.steps[selection.king_square] | selection.king) & selection.other != 0 {
            return R::EMPTY;
        }
        let mut occupied = selection.king | selection.other;
        // The files on which a side has a pawn, the mover's side first.
        let mut pawn_files = [0; 2];
        for at in selection.selectors() {
            if occupied & at.square != 0 {
                return R::EMPTY;
            }
            occupied |= at.square;
            if at.kind == Kind::Pawn && at.square != 0 {
                let files = &mut pawn_files[usize::from(!at.is_own)];
                if *files & file_of(at.square) != 0 {
                    return R::EMPTY;
                }
                *files |= file_of(at.square);
            }
        }
        let placed = R::from_planes(|plane| {
            let (is_own, is_promoted) = (plane < Self::OPPONENT, Self::PROMOTES && plane % 2 == 1);
            let is_pawn = self.kind == Kind::Pawn && !is_promoted;
            let files = if is_pawn { pawn_files[usize::from(!is_own)] } else { 0 };
            self.all.plane(plane) & !occupied & !files
        });
        placed.and_not(self.checks(slab, row))
    }

    #[inline(always)]
    fn visit_before(&self, slab: usize, row: usize, after: R, moves: Moves, mut visit: impl FnMut(usize, R)) {
        let selection = self.selection(slab, row);
        let (standings, men) = (selection.standings, selection.men);
        let per_block = self.selections();
        let block = selection.king_square * per_block;
        let occupied = selection.occupied();
        let empty = BOARD & !occupied;
        // The bits before a move that ends on a square, without and with a capture of the last man.
        let stepped = |after: R, quiet: R, is_reversible: bool, square: u128| {
            let quiet = if moves.include(is_reversible) { quiet } else { R::EMPTY };
            let captured = if moves.include(false) { Self::captured(&after, square) } else { R::EMPTY };
            quiet.or(captured)
        };
        let king_moves = stepped(after, after, true, selection.king);
        each(selection.king_steps & empty, |from| visit(row - block + from * per_block, king_moves));
        for (i, man) in men.iter().enumerate() {
            if standings[i] == man.in_hand && moves.include(false) {
                // The king has captured this man.
                for &taken in &man.opponents[selection.king_square] {
                    let selected = self.selection_of(with(standings, i, taken));
                    each(selection.king_steps & empty, |from| visit(from * per_block + selected, after));
                }
                // The last man has captured it.
                for plane in 0..Self::OPPONENT {
                    each(after.plane(plane) & BOARD, |square| {
                        let one = R::from_planes(|at| if at == plane { 1 << square } else { 0 });
                        let before = self.before_step(&one, empty, Moves::All);
                        for &taken in &man.opponents[square] {
                            visit(block + self.selection_of(with(standings, i, taken)), before);
                        }
                    });
                }
            }
            for link in &man.unmoves[usize::from(standings[i])] {
                let before = with(standings, i, link.to);
                match link.way {
                    Way::Step { path, square, is_reversible } => {
                        if path & occupied != 0 {
                            continue;
                        }
                        let quiet = after.and_not(Self::everywhere(path));
                        let bits = stepped(after, quiet, is_reversible, 1 << square);
                        visit(block + self.selection_of(before), bits);
                        if !moves.include(false) {
                            continue;
                        }
                        // This man has captured another selector.
                        for (j, other) in men.iter().enumerate() {
                            if j != i && standings[j] == other.in_hand {
                                for &taken in &other.opponents[usize::from(square)] {
                                    visit(block + self.selection_of(with(before, j, taken)), quiet);
                                }
                            }
                        }
                    }
                    Way::Drop { square } if moves.include(false) => {
                        let bits = self.after_drop(slab, row, man, square, after);
                        visit(block + self.selection_of(before), bits);
                    }
                    Way::Drop { .. } => {}
                }
            }
        }
        visit(row, self.before_in_row(slab, row, &after, empty, moves));
    }

    #[inline(always)]
    fn stuck(&self, slab: usize, row: usize, positions: R, moves: Moves, after: impl Fn(usize) -> R) -> R {
        let selection = self.selection(slab, row);
        let (standings, men) = (selection.standings, selection.men);
        let per_block = self.selections();
        let block = selection.king_square * per_block;
        let occupied = selection.occupied();
        let empty = BOARD & !occupied;
        let own = selection.own();
        let mut left = positions;
        // The bits that escape by a step to a square. `moved` are the standings after it, if it captures no selector.
        let escapes = |first: usize, moved: [u16; 2], path: u128, is_reversible: bool, square: usize| {
            let blocked = Self::everywhere(path);
            let is_captured = |i: &usize| {
                let at = men[*i].at[usize::from(standings[*i])];
                !at.is_own && at.square >> square & 1 != 0
            };
            match (0..men.len()).find(is_captured) {
                Some(_) if !moves.include(false) => R::EMPTY,
                Some(i) => after(first + self.selection_of(with(moved, i, men[i].in_hand))).and_not(blocked),
                None => {
                    let after = after(first + self.selection_of(moved));
                    let quiet = if moves.include(is_reversible) { after.and_not(blocked) } else { R::EMPTY };
                    match moves.include(false) {
                        true => quiet.or(Self::captured(&after, 1 << square)),
                        false => quiet,
                    }
                }
            }
        };
        let mut king_steps = selection.king_steps & !own;
        while king_steps != 0 {
            let square = king_steps.trailing_zeros() as usize;
            king_steps &= king_steps - 1;
            left = left.and_not(escapes(square * per_block, standings, 0, true, square));
            if left.is_empty() {
                return left;
            }
        }
        left = left.and_not(self.before_in_row(slab, row, &after(row), empty, moves));
        if left.is_empty() {
            return left;
        }
        for (i, man) in men.iter().enumerate() {
            let at = man.at[usize::from(standings[i])];
            if !at.is_own && at.square != 0 && moves.include(false) {
                // The last man captures this one.
                let after = after(block + self.selection_of(with(standings, i, man.in_hand)));
                let there = R::from_planes(|plane| if plane < Self::OPPONENT { at.square } else { 0 });
                left = left.and_not(self.before_step(&after.and(there), empty, Moves::All));
            }
            for link in &man.moves[usize::from(standings[i])] {
                let moved = with(standings, i, link.to);
                let escapes = match link.way {
                    Way::Step { path, square, is_reversible } => {
                        if path & occupied != 0 || 1 << square & (own | selection.king | selection.other) != 0
                        {
                            continue;
                        }
                        escapes(block, moved, path, is_reversible, square.into())
                    }
                    Way::Drop { square } => {
                        if occupied >> square & 1 != 0 || !moves.include(false) {
                            continue;
                        }
                        let target = block + self.selection_of(moved);
                        self.after_drop(slab, target, man, square, after(target))
                    }
                };
                left = left.and_not(escapes);
                if left.is_empty() {
                    return left;
                }
            }
        }
        left
    }

    fn source(&self, slab: usize, block: usize) -> Image<bool> {
        let (king, other) = (slab_square(slab).rotate(), block_square(block).rotate());
        let mirrored = other.file() > MIDDLE;
        let (king, other) = if mirrored { (king.mirror(), other.mirror()) } else { (king, other) };
        let slab = usize::from(other.rank()) * 5 + usize::from(other.file());
        Image { slab, block: king.index(), symmetry: mirrored }
    }

    #[inline]
    fn turned_row(&self, row: usize, mirrored: bool) -> usize {
        let [a, b] = self.selections[row];
        let turned = |i: usize, standing: u16| {
            self.selectors.get(i).map_or(0, |man: &Man| man.turned(standing, mirrored))
        };
        self.selection_of([turned(0, a), turned(1, b)])
    }

    #[inline(always)]
    fn turned(&self, bits: R, mirrored: bool) -> R {
        R::from_planes(|plane| {
            let turned = planes::turned(bits.plane((plane + Self::OPPONENT) % R::PLANES));
            if mirrored { planes::mirrored(turned) } else { turned }
        })
    }

    fn cells(&self, slab: usize) -> Range<usize> {
        let first = |slab: usize| usize::from(self.first_kings[slab]) * self.class.arrangements() as usize;
        first(slab)..first(slab + 1)
    }

    #[inline]
    fn row_cells(&self, slab: usize, row: usize) -> Option<(usize, R)> {
        let (block, selected) = self.split(row);
        let number = self.pairs[slab * SQUARES + block]?;
        let (first, least) = self.selection_cells[selected];
        let block = usize::from(number - self.first_kings[slab]) * self.arrangements;
        Some((block + first as usize, self.from_place[usize::from(least)]))
    }

    fn places(&self) -> &[u16] {
        &self.places
    }
}

impl<R: Planes> PerpetualCheck for Board<R> {
    fn checks(&self, slab: usize, row: usize) -> R {
        let selection = self.selection(slab, row);
        let other = slab_square(slab);
        let occupied = selection.occupied();
        let by_last = |plane: usize| match (plane, Self::PROMOTES) {
            (0, _) => planes::before_plain(self.kind, selection.other, BOARD & !occupied),
            (1, true) => planes::before_promoted(self.kind, selection.other, BOARD & !occupied),
            _ => 0,
        };
        let mut checks = R::from_planes(by_last);
        for at in selection.selectors().filter(|at| at.is_own) {
            let Some(from) = Square::from_index(at.square.trailing_zeros() as u8) else { continue };
            let piece = Piece { side: Side::First, kind: at.kind };
            if piece.attacks(from, SquareSet::from_word(occupied)).contains(other) {
                // The last man can only block the check.
                let blocks = shogi::between(from, other).word();
                checks = checks.or(self.all.and_not(Self::everywhere(blocks)));
            }
        }
        checks
    }

    fn each_image(&self, slab: usize, block: usize, mut visit: impl FnMut(Image<bool>)) {
        let image = self.source(slab, block);
        visit(image);
        // A slab of the middle file has both a block and its mirror image.
        if slab_square(image.slab).file() == MIDDLE && slab_square(slab).file() != MIDDLE {
            let block = block_square(image.block).mirror().index();
            visit(Image { block, symmetry: !image.symmetry, ..image });
        }
    }
}
