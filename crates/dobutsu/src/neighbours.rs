//! Where moves lead and where they come from, in numbers: the two walks of a solver.
//!
//! Both show positions of which Black is the mover, so these can be ranked as they are; and both first mirror the
//! board if that is how its lions are folded, so that only a step of a lion makes one think of it again.

use crate::board::far_row;
use crate::endgame::{index_of, location_of};
use crate::lanes::Lanes;
use crate::moves::{TARGETS, grown};
use crate::view::View;
use crate::{All, Kind, SquareSet};
use game::{Index, Location, Side};
use std::ops::ControlFlow;

/// Who is to move in the positions that are shown.
const US: Side = Side::First;
const THEM: Side = Side::Second;

/// Shows where each move of White leads, who cannot take the lion.
#[inline]
pub(crate) fn visit_after<B>(
    view: View,
    mut visit: impl FnMut(Location<All>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let occupied = view.occupied();
    let theirs = occupied & !view.own;
    for (kind, from) in view.lanes & Lanes::every(theirs) {
        let left = view.lanes.without(from.into());
        for to in TARGETS[THEM][kind][from.index()] & !theirs {
            let to = SquareSet::from(to);
            let lanes = left.without(to) | Lanes::only(grown(kind, THEM, to), to);
            visit(location_of(View { lanes, own: view.own & !to, ..view }))?;
        }
    }
    for other in TARGETS[THEM][Kind::Lion][view.lions.other.index()] & !theirs {
        let mut next = view;
        next.lions.other = other;
        next.lanes = view.lanes.without(other.into());
        next.own &= !SquareSet::from(other);
        visit(location_of(next))?;
    }
    let drops = Kind::IN_HAND.into_iter().fold(Lanes::EMPTY, |drops, kind| {
        match view.lanes.count(kind) + view.held.count(kind) {
            2 => drops,
            _ => drops | Lanes::only(kind, !occupied),
        }
    });
    for (kind, to) in drops {
        visit(location_of(View { lanes: view.lanes | Lanes::only(kind, to.into()), ..view }))?;
    }
    ControlFlow::Continue(())
}

/// Shows the views before each move that Black may have made, if he could not have taken the lion instead.
///
/// Pieces never stand in each other's way. So a piece that attacks the lion attacked it before, unless it is the one
/// that moved.
#[inline]
pub(crate) fn for_each_before(view: View, mut visit: impl FnMut(All, Index)) {
    let attackers = view.attackers(US);
    let movers = match attackers.len() {
        0 => view.lanes & Lanes::every(view.own),
        1 => attackers,
        _ => return,
    };
    let mut show = |before: View| {
        if let Some(index) = index_of(before) {
            visit(All, index);
        }
    };
    // What may have been taken: the piece that comes back, and what is in hand without it.
    let mut taken = [(Lanes::EMPTY, view.held); 5];
    let mut ways = 1;
    for kind in Kind::SMALL {
        let held = if kind == Kind::Hen { Kind::Chick } else { kind };
        if view.held.count(held) > 0 {
            taken[ways] = (Lanes::every_of(kind), view.held.without(held));
            ways += 1;
        }
    }
    let taken = &taken[..ways];
    let empty = !view.occupied();
    for (kind, to) in movers {
        let on_far_row = far_row(US).contains(to);
        let left = view.lanes.without(to.into());
        let mut unsteps = |was: Kind| {
            let towards = &TARGETS[THEM][was];
            for from in towards[to.index()] & empty & !towards[view.lions.other.index()] {
                let from = SquareSet::from(from);
                let left = left | Lanes::only(was, from);
                let own = view.own ^ (from | to.into());
                for &(lane, held) in taken {
                    show(View { lanes: left | lane & Lanes::every(to.into()), own, held, ..view });
                }
            }
        };
        if !(kind == Kind::Chick && on_far_row) {
            unsteps(kind);
        }
        if kind == Kind::Hen && on_far_row {
            unsteps(Kind::Chick);
        }
    }
    if attackers.is_empty() {
        let to = SquareSet::from(view.lions.own);
        for from in TARGETS[THEM][Kind::Lion][view.lions.own.index()] & empty {
            let mut before = view;
            before.lions.own = from;
            before.own ^= to | from.into();
            for &(lane, held) in taken {
                show(View { lanes: view.lanes | lane & Lanes::every(to), held, ..before });
            }
        }
    }
    for (kind, to) in movers {
        if kind != Kind::Hen {
            let to = SquareSet::from(to);
            show(View {
                lanes: view.lanes.without(to),
                own: view.own & !to,
                held: view.held.with(kind),
                ..view
            });
        }
    }
}
