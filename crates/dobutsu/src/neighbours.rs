//! The successors and predecessors of a position as indices: the two walks of a solver.
//!
//! Both walks visit positions with Black to move, so that these can be ranked without turning the board. The given view is
//! already mirrored if the indices of its lions are those of the mirror image. So only a step of a lion can require
//! another mirroring.

use crate::grid::far_row;
use crate::index::{index_of, location_of};
use crate::lanes::Lanes;
use crate::moves::{TARGETS, grown};
use crate::view::View;
use crate::{All, Hand, Kind, SquareSet};
use game::{Index, Location, Plies, Side, Value};
use std::ops::ControlFlow;

/// The side to move in the positions that are visited.
const US: Side = Side::First;
const THEM: Side = Side::Second;

/// The value of a position in which the lion can be captured, for the side to move.
const CATCH: Value = Value::Win(Plies(1));

/// Visits the location after each move of White. White must not be able to capture the lion. Moves after which Black can capture the
/// lion are visited once, as the value [`CATCH`] and not as indices.
///
/// There are no sliders. So a lion that is attacked has to step away, or its only attacker has to be captured.
#[inline]
pub(crate) fn visit_after<B>(
    view: View,
    mut visit: impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let attackers = view.attackers(US);
    let mut is_caught = visit_lion_steps(view, &mut visit)?;
    let targets = match attackers.len() {
        0 => !SquareSet::EMPTY,
        1 => attackers.squares(),
        _ => SquareSet::EMPTY,
    };
    is_caught |= visit_steps(view, targets, &mut visit)?;
    if attackers.is_empty() {
        visit_drops(view, &mut visit)?;
    } else {
        is_caught |= !drops(view).is_empty();
    }
    if is_caught { visit(Location::Over(CATCH)) } else { ControlFlow::Continue(()) }
}

/// Visits the steps of the small pieces to some targets. Returns whether there are other steps.
#[inline]
fn visit_steps<B>(
    view: View,
    targets: SquareSet,
    visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B, bool> {
    let theirs = view.others();
    let mut are_others = false;
    for (kind, from) in view.lanes & Lanes::every(theirs) {
        let left = view.lanes.without(from.into());
        let steps = TARGETS[THEM][kind][from] & !theirs;
        are_others |= !(steps & !targets).is_empty();
        for to in steps & targets {
            let to = SquareSet::from(to);
            let lanes = left.without(to) | Lanes::only(grown(kind, THEM, to), to);
            visit(location_of(View { lanes, own: view.own & !to, ..view }))?;
        }
    }
    ControlFlow::Continue(are_others)
}

/// Visits the steps of the lion after which it cannot be captured. Returns whether there are others.
#[inline]
fn visit_lion_steps<B>(
    view: View,
    visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B, bool> {
    let mut are_others = false;
    for other in TARGETS[THEM][Kind::Lion][view.lions.other] & !view.others() {
        let mut next = view;
        next.lions.other = other;
        next.lanes = view.lanes.without(other.into());
        next.own &= !SquareSet::from(other);
        match location_of(next) {
            Location::At(..) if !next.attackers(US).is_empty() => are_others = true,
            location => visit(location)?,
        }
    }
    ControlFlow::Continue(are_others)
}

/// The drops of White.
#[inline]
fn drops(view: View) -> Lanes {
    Kind::IN_HAND.into_iter().fold(Lanes::EMPTY, |drops, kind| {
        match view.lanes.count(kind) + view.held.count(kind) {
            2 => drops,
            _ => drops | Lanes::only(kind, !view.occupied()),
        }
    })
}

#[inline]
fn visit_drops<B>(view: View, visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>) -> ControlFlow<B> {
    for (kind, to) in drops(view) {
        visit(location_of(View { lanes: view.lanes | Lanes::only(kind, to.into()), ..view }))?;
    }
    ControlFlow::Continue(())
}

/// Visits each index from which a move of Black leads to this view, unless Black could have captured the lion instead. If White can
/// capture the lion now, nothing is visited: the value of a position before it does not need that of this one.
///
/// There are no sliders, so no piece blocks another. A piece that attacks the lion now also attacked it before the move,
/// unless it is the piece that moved.
#[inline]
pub(crate) fn for_each_before(view: View, mut visit: impl FnMut(All, Index)) {
    if !view.attackers(THEM).is_empty() {
        return;
    }
    let attackers = view.attackers(US);
    let movers = match attackers.len() {
        0 => view.lanes & Lanes::every(view.own),
        1 => attackers,
        _ => return,
    };
    let mut show = |before: View| {
        // Before a step of a lion, the lions may have decided the game.
        if let Some(index) = index_of(before) {
            visit(All, index);
        }
    };
    let empty = !view.occupied();
    let (taken, ways) = may_have_taken(view.held);
    let taken = &taken[..ways];
    for (kind, to) in movers {
        let left = view.lanes.without(to.into());
        let mut unsteps = |was: Kind| {
            // A step taken back is a step of the other side's piece of the same kind.
            let towards = &TARGETS[THEM][was];
            for from in towards[to] & empty & !towards[view.lions.other] {
                let from = SquareSet::from(from);
                let left = left | Lanes::only(was, from);
                let own = view.own ^ (from | to.into());
                for &(lane, held) in taken {
                    show(View { lanes: left | lane & Lanes::every(to.into()), own, held, ..view });
                }
            }
        };
        match (kind, far_row(US).contains(to)) {
            // A chick that steps there becomes a hen, so this one was dropped.
            (Kind::Chick, true) => {}
            (Kind::Hen, true) => {
                unsteps(Kind::Hen);
                unsteps(Kind::Chick);
            }
            _ => unsteps(kind),
        }
        if kind != Kind::Hen {
            let (lanes, own) = (left, view.own & !SquareSet::from(to));
            show(View { lanes, own, held: view.held.with(kind), ..view });
        }
    }
    if attackers.is_empty() {
        let to = SquareSet::from(view.lions.own);
        for from in TARGETS[THEM][Kind::Lion][view.lions.own] & empty {
            let mut before = view;
            before.lions.own = from;
            before.own ^= to | from.into();
            for &(lane, held) in taken {
                show(View { lanes: view.lanes | lane & Lanes::every(to), held, ..before });
            }
        }
    }
}

/// The pieces that the last move may have captured, and their number. An item has the lane to which the piece returns and
/// the hand without it. The first item stands for no capture.
#[inline]
fn may_have_taken(hand: Hand) -> ([(Lanes, Hand); 5], usize) {
    let mut taken = [(Lanes::EMPTY, hand); 5];
    let mut ways = 1;
    for kind in Kind::SMALL {
        let held = if kind == Kind::Hen { Kind::Chick } else { kind };
        if hand.count(held) > 0 {
            taken[ways] = (Lanes::every_of(kind), hand.without(kind));
            ways += 1;
        }
    }
    (taken, ways)
}
