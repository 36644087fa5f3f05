//! The index of the one table of the game. Every position that the two lions do not decide has an index.
//!
//! Some pairs of lions decide the game, whatever else stands on the board. They have no index:
//!
//! - The lion of the side to move is on its far row: it has won.
//! - The opponent's lion is on the home row of the side to move: it has won, or it is captured at once.
//! - The lions are next to each other: the side to move captures.
//!
//! 39 of the 132 pairs remain open. Each pair shares its indices with its mirror image, which leaves 21 pairs. Every pair
//! has all arrangements of the small pieces ([`Arrangement`]).
//!
//! The three pairs with both lions on the middle file are their own mirror images. There two mirrored arrangements share
//! the smaller of their two numbers, and the larger one is a hole.

use crate::grid::{far_row, home_row};
use crate::neighbours::{for_each_before, visit_after};
use crate::numbers::{Arrangement, Lions};
use crate::view::View;
use crate::{Dobutsu, Position, Square};
use game::{Catalogue, Endgame, Index, Location, Plies, Position as _, Predecessors, Side, Value, Without};
use std::fmt;
use std::ops::ControlFlow;

/// The only slice. Captured pieces come back, so positions of all kinds lead to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct All;

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("all")
    }
}

/// The indices of a pair of lions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pair {
    /// The pair has its own indices, from this one on.
    Own(u32),
    /// The pair shares the indices of its mirror image, from this one on.
    Mirrored(u32),
    /// The pair is its own mirror image. Of two mirrored arrangements the smaller one is used.
    Middle(u32),
    /// The pair has no indices, because it decides the game.
    Decided,
}

impl Pair {
    #[inline]
    fn of(lions: Lions) -> Self {
        PAIRS[lions.own.index()][lions.other.index()]
    }
}

/// Returns whether the game is still open with these lions.
const fn is_open(Lions { own, other }: Lions) -> bool {
    let beside = own.file().abs_diff(other.file()) <= 1 && own.rank().abs_diff(other.rank()) <= 1;
    own.rank() < 3 && other.rank() > 0 && !beside
}

/// The number of open pairs, with mirror images counted once.
const OPEN_PAIRS: usize = 21;

/// The open pairs in the order of their indices. Of two mirror images, only the first in the order of [`Lions`] is here.
static OPEN: [Lions; OPEN_PAIRS] = {
    let corner = Square::at(0, 0);
    let mut open = [Lions { own: corner, other: corner }; OPEN_PAIRS];
    let mut count = 0;
    let mut number = 0;
    while number < Lions::COUNT {
        let lions = Lions::from_number(number);
        if is_open(lions) && number <= lions.mirror().number() {
            open[count] = lions;
            count += 1;
        }
        number += 1;
    }
    assert!(count == OPEN_PAIRS);
    open
};

/// `PAIRS[own][other]`: the indices of each pair of lions.
static PAIRS: [[Pair; 12]; 12] = {
    let mut pairs = [[Pair::Decided; 12]; 12];
    let mut i = 0;
    while i < OPEN.len() {
        let first = i as u32 * Arrangement::COUNT;
        let (lions, image) = (OPEN[i], OPEN[i].mirror());
        if lions.number() == image.number() {
            pairs[lions.own.index()][lions.other.index()] = Pair::Middle(first);
        } else {
            pairs[lions.own.index()][lions.other.index()] = Pair::Own(first);
            pairs[image.own.index()][image.other.index()] = Pair::Mirrored(first);
        }
        i += 1;
    }
    pairs
};

/// The value of a finished position for the side that has lost.
const BEATEN: Value = Value::Loss(Plies(0));

/// The number of indices.
const SIZE: u32 = OPEN_PAIRS as u32 * Arrangement::COUNT;

/// The index of a view with Black to move. Returns `None` if the lions decide the game.
#[inline(always)] // for the same reason as `Arrangement::of`
pub(crate) fn index_of(view: View) -> Option<Index> {
    let (first, arrangement) = match Pair::of(view.lions) {
        Pair::Own(first) => (first, Arrangement::of(view)),
        Pair::Mirrored(first) => (first, Arrangement::of(view.mirror())),
        Pair::Middle(first) => (first, Arrangement::of(view).min(Arrangement::of(view.mirror()))),
        Pair::Decided => return None,
    };
    Some(Index(u64::from(first + arrangement.number())))
}

/// The view or its mirror image, whichever has the index. Returns `None` if the lions decide the game.
#[inline]
fn folded(view: View) -> Option<View> {
    match Pair::of(view.lions) {
        Pair::Own(_) | Pair::Middle(_) => Some(view),
        Pair::Mirrored(_) => Some(view.mirror()),
        Pair::Decided => None,
    }
}

/// The location of a view with Black to move. Black must have a move.
#[inline(always)] // for the same reason as `Arrangement::of`
pub(crate) fn location_of(view: View) -> Location<All> {
    match index_of(view) {
        Some(index) => Location::At(All, index),
        None => Location::Over(value_by_lions(view)),
    }
}

/// The value of a view that the lions decide, with Black to move.
#[inline]
fn value_by_lions(view: View) -> Value {
    if far_row(Side::First).contains(view.lions.own) {
        Value::Win(Plies(0))
    } else if home_row(Side::First).contains(view.lions.other) && !view.can_catch(Side::First) {
        BEATEN
    } else {
        Value::Win(Plies(1))
    }
}

impl Endgame for Dobutsu {
    type Slice = All;
    type Unmoves = Self;
    type Short = Without;

    const INDEX: &'static str = "lions-mirror-1";
    const FOLDS: bool = true;

    #[inline]
    fn unmoves(&self) -> Option<&Self> {
        Some(self)
    }

    fn groups(&self) -> Vec<Vec<All>> {
        vec![vec![All]]
    }

    fn needs(&self, All: All) -> Vec<All> {
        Vec::new()
    }

    fn size(&self, All: All) -> u64 {
        SIZE.into()
    }

    #[inline]
    fn locate(&self, position: &Position) -> Location<All> {
        let Some(view) = View::of(position, position.turn) else {
            return Location::Over(BEATEN);
        };
        match location_of(view) {
            Location::At(..) if position.is_stuck() => Location::Over(BEATEN),
            location => location,
        }
    }

    #[inline(always)] // so that a position is not written to memory before its moves are found: 8 % of the walk
    fn unrank(&self, All: All, Index(index): Index) -> Option<Position> {
        let index = u32::try_from(index).ok().filter(|&index| index < SIZE)?;
        let lions = OPEN[(index / Arrangement::COUNT) as usize];
        let number = Arrangement::from_number(index % Arrangement::COUNT)?;
        let position = number.place(lions);
        let is_hole = position.is_stuck()
            || matches!(Pair::of(lions), Pair::Middle(_))
                && View::of(&position, Side::First)
                    .is_some_and(|view| Arrangement::of(view.mirror()) < number);
        (!is_hole).then_some(position)
    }

    fn multiplicity(&self, position: &Position) -> u64 {
        if *position == position.mirror() { 1 } else { 2 }
    }

    /// If the side to move can capture the lion, only this move is visited: no other move can change the value, which is
    /// `Win(1)`. Otherwise every move is visited, but those after which the lion can be captured are visited once, by that value.
    #[inline]
    fn successors<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Location<All>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match View::of(position, position.turn.other()).and_then(folded) {
            Some(view) if view.can_catch(Side::Second) => visit(Location::Over(BEATEN)),
            Some(view) => visit_after(view, visit),
            None if position.outcome().is_some() => ControlFlow::Continue(()),
            // The game is not finished and the lions decide it: the side to move captures the lion.
            None => visit(Location::Over(BEATEN)),
        }
    }
}

impl Predecessors<Self> for Dobutsu {
    /// The inverse of [`successors`](Endgame::successors). Positions in which the lion could be captured instead are not
    /// visited, because they are won in one ply whatever else they lead to. This halves the number of predecessors. A position in
    /// which the lion can be captured has no predecessors here, nor has one without an index.
    #[inline]
    fn predecessors(&self, position: &Position, visit: impl FnMut(All, Index)) {
        if let Some(view) = View::of(position, position.turn.other()).and_then(folded) {
            for_each_before(view, visit);
        }
    }
}

/// There is no starter set of tables, because solving takes minutes.
impl Catalogue for Dobutsu {}
