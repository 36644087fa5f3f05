//! Where moves lead and where they come from, in numbers: the two walks of a solver.
//!
//! Both show positions of which Black is the mover, so these can be ranked as they are; and both first mirror the
//! board if that is how its lions are folded, so that only a step of a lion makes one think of it again.

use crate::grid::far_row;
use crate::index::{index_of, location_of};
use crate::lanes::Lanes;
use crate::moves::{TARGETS, grown};
use crate::view::View;
use crate::{All, Hand, Kind, SquareSet};
use game::{Index, Location, Side};
use std::ops::ControlFlow;

/// Who is to move in the positions that are shown.
const US: Side = Side::First;
const THEM: Side = Side::Second;

/// Shows where each move of White leads, who cannot take the lion.
///
/// Likely defences come first, for a solver stops at the first one: an attacked lion steps away. That spares it a
/// quarter of its looks.
#[inline]
pub(crate) fn visit_after<B>(
    view: View,
    mut visit: impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let is_attacked = !view.attackers(US).is_empty();
    if is_attacked {
        visit_lion_steps(view, &mut visit)?;
    }
    visit_steps(view, &mut visit)?;
    if !is_attacked {
        visit_lion_steps(view, &mut visit)?;
    }
    visit_drops(view, &mut visit)
}

#[inline]
fn visit_steps<B>(view: View, visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>) -> ControlFlow<B> {
    let theirs = view.others();
    for (kind, from) in view.lanes & Lanes::every(theirs) {
        let left = view.lanes.without(from.into());
        for to in TARGETS[THEM][kind][from] & !theirs {
            let to = SquareSet::from(to);
            let lanes = left.without(to) | Lanes::only(grown(kind, THEM, to), to);
            visit(location_of(View { lanes, own: view.own & !to, ..view }))?;
        }
    }
    ControlFlow::Continue(())
}

#[inline(always)] // called twice, so it would not be: 4 % of the walk
fn visit_lion_steps<B>(
    view: View,
    visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for other in TARGETS[THEM][Kind::Lion][view.lions.other] & !view.others() {
        let mut next = view;
        next.lions.other = other;
        next.lanes = view.lanes.without(other.into());
        next.own &= !SquareSet::from(other);
        visit(location_of(next))?;
    }
    ControlFlow::Continue(())
}

#[inline]
fn visit_drops<B>(view: View, visit: &mut impl FnMut(Location<All>) -> ControlFlow<B>) -> ControlFlow<B> {
    let drops = Kind::IN_HAND.into_iter().fold(Lanes::EMPTY, |drops, kind| {
        match view.lanes.count(kind) + view.held.count(kind) {
            2 => drops,
            _ => drops | Lanes::only(kind, !view.occupied()),
        }
    });
    for (kind, to) in drops {
        visit(location_of(View { lanes: view.lanes | Lanes::only(kind, to.into()), ..view }))?;
    }
    ControlFlow::Continue(())
}

/// Shows each index from which a move of Black leads here, if he could not have taken the lion instead.
///
/// Pieces never stand in each other's way. So what attacks the lion attacked it before, unless it is what moved.
#[inline]
pub(crate) fn for_each_before(view: View, mut visit: impl FnMut(All, Index)) {
    let attackers = view.attackers(US);
    let movers = match attackers.len() {
        0 => view.lanes & Lanes::every(view.own),
        1 => attackers,
        _ => return,
    };
    let mut show = |before: View| {
        // A lion may come from where the lions decide the game.
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
            // A step back is a step of the other side's piece of that kind.
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
            // It would have grown up: it was dropped.
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

/// What the last move may have taken, and how many ways there are: the lane to which a piece returns, and the hand
/// without it. The first is nothing at all.
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
