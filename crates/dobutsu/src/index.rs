//! The game as one table: every position that its two lions leave open has an index.
//!
//! Some pairs of lions decide the game whatever else stands on the board, and have no index: the mover's lion on its far
//! row has won; the other lion on the mover's home row has won unless the mover takes it at once; and where the lions
//! stand beside each other the mover takes. 39 of the 132 pairs remain. Each is folded onto its mirror image, which
//! leaves 21, and every pair has all arrangements of the small pieces ([`Arrangement`]).
//!
//! The three pairs with both lions on the middle file are their own mirror images. There two arrangements that
//! mirror each other share the smaller number of the two, and the larger stands for nothing.

use crate::grid::{far_row, home_row};
use crate::neighbours::{for_each_before, visit_after};
use crate::numbers::{Arrangement, Lions};
use crate::view::View;
use crate::{Dobutsu, Position, Square};
use game::{Catalogue, Endgame, Index, Location, Plies, Position as _, Predecessors, Side, Value, Without};
use std::fmt;
use std::ops::ControlFlow;

/// The one slice there is: pieces come back, so every position leads to every other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct All;

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("all")
    }
}

/// How the indices of a pair of lions are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pair {
    /// It has its own, from this one on.
    Own(u32),
    /// It has those of its mirror image.
    Mirrored(u32),
    /// It is its own mirror image: of two arrangements the smaller counts.
    Middle(u32),
    /// It has none, since it decides the game.
    Decided,
}

impl Pair {
    #[inline]
    fn of(lions: Lions) -> Self {
        PAIRS[lions.own.index()][lions.other.index()]
    }
}

/// Do these lions leave the game open?
const fn is_open(Lions { own, other }: Lions) -> bool {
    let beside = own.file().abs_diff(other.file()) <= 1 && own.rank().abs_diff(other.rank()) <= 1;
    own.rank() < 3 && other.rank() > 0 && !beside
}

/// Number of open pairs, mirror images counted once.
const OPEN_PAIRS: usize = 21;

/// The open pairs in the order of their indices; of two mirror images the one that comes first in the order of [`Lions`].
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

/// `PAIRS[own][other]`.
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

/// The value of a finished position to the player who has been beaten.
const BEATEN: Value = Value::Loss(Plies(0));

/// Number of indices.
const SIZE: u32 = OPEN_PAIRS as u32 * Arrangement::COUNT;

/// The index of what Black sees at his turn; nothing if the lions decide.
#[inline(always)] // as `Arrangement::of`
pub(crate) fn index_of(view: View) -> Option<Index> {
    let (first, arrangement) = match Pair::of(view.lions) {
        Pair::Own(first) => (first, Arrangement::of(view)),
        Pair::Mirrored(first) => (first, Arrangement::of(view.mirror())),
        Pair::Middle(first) => (first, Arrangement::of(view).min(Arrangement::of(view.mirror()))),
        Pair::Decided => return None,
    };
    Some(Index(u64::from(first + arrangement.number())))
}

/// The view or its mirror image, whichever has the index; nothing if the lions decide.
#[inline]
fn folded(view: View) -> Option<View> {
    match Pair::of(view.lions) {
        Pair::Own(_) | Pair::Middle(_) => Some(view),
        Pair::Mirrored(_) => Some(view.mirror()),
        Pair::Decided => None,
    }
}

/// Where the value of what Black sees at his turn is found, if he has a move at all.
#[inline(always)] // as `Arrangement::of`
pub(crate) fn location_of(view: View) -> Location<All> {
    match index_of(view) {
        Some(index) => Location::At(All, index),
        None => Location::Over(value_by_lions(view)),
    }
}

/// What the lions decide, seen by Black at his turn.
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
    type MovesBack = Self;
    type Short = Without;

    const INDEX: &'static str = "lions-mirror-1";
    const FOLDS: bool = true;

    #[inline]
    fn moves_back(&self) -> Option<&Self> {
        Some(self)
    }

    fn batches(&self) -> Vec<Vec<All>> {
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

    #[inline(always)] // so that a position need not go through memory on its way to its moves: 8 % of the walk
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

    /// Where the mover can take the lion, that is all that is shown: no other move can change the value, which is
    /// `Win(1)`. Elsewhere every move is.
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
            // Unfinished, and the lions decide: the mover takes.
            None => visit(Location::Over(BEATEN)),
        }
    }
}

impl Predecessors<Self> for Dobutsu {
    /// The inverse of [`successors`](Endgame::successors): positions in which the lion could have been taken instead are
    /// won in one whatever else they lead to, and not shown. That halves the number and spares a solver 7 % of its
    /// time. A position without an index has no predecessors.
    #[inline]
    fn predecessors(&self, position: &Position, visit: impl FnMut(All, Index)) {
        if let Some(view) = View::of(position, position.turn.other()).and_then(folded) {
            for_each_before(view, visit);
        }
    }
}

/// No starter set: solving takes minutes.
impl Catalogue for Dobutsu {}
