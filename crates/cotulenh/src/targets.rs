//! The actions of a group, as sets of points.

use crate::air::{Air, Flight};
use crate::board::{Board, Sign};
use crate::danger::Caution;
use crate::grid::{DEEP, Direction, GROUND, Point, PointSet, Ray, straight_rays};
use crate::pieces::{Kind, Piece};
use crate::reach::Reach;
use crate::stacks::Stack;
use game::Side;
use std::ops::ControlFlow;

/// The points on which a group may act, by action.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Targets {
    pub moves: PointSet,
    pub captures: PointSet,
    pub stay_captures: PointSet,
    pub suicides: PointSet,
    pub combinations: PointSet,
}

impl Targets {
    /// Finds the actions of a group of this side on a point. The group is the whole stack, or a part of it that is
    /// deployed.
    #[inline]
    pub fn of(board: &Board, side: Side, from: Point, group: Stack, is_deployed: bool) -> Self {
        let carrier = group.carrier();
        match carrier.kind {
            Kind::Commander => Self::of_commander(board, side, from, group),
            Kind::AirForce => Self::of_plane(board, side, from, group, is_deployed),
            _ => Self::on_ground(board, side, from, group, carrier),
        }
    }

    /// The points from which a whole stack can have moved to the point where it stands. The way back is the way there, but for a
    /// plane: its flight may begin under fire, but not end there.
    #[inline]
    pub fn origins(board: &Board, side: Side, to: Point, stack: Stack) -> PointSet {
        let (carrier, zone) = (stack.carrier(), board.air(side.other()).zone);
        let star = Reach::of(carrier, to).path;
        if carrier.kind != Kind::AirForce || carrier.is_heroic || !star.with(to).intersects(zone) {
            return Self::of(board, side, to, stack, false).moves;
        }
        if zone.contains(to) {
            return PointSet::EMPTY;
        }
        let rays = Direction::each(|direction| PointSet::ray_to(to, direction, zone));
        let under_way = rays.into_iter().fold(PointSet::EMPTY, |all, ray| all | ray) & star;
        (under_way & GROUND) - board.all_occupied()
    }

    /// Visits all actions, captures first.
    #[inline]
    pub fn visit<B>(&self, mut visit: impl FnMut(Sign, Point) -> ControlFlow<B>) -> ControlFlow<B> {
        let Self { moves, captures, stay_captures, suicides, combinations } = *self;
        for (sign, points) in [
            (Sign::Capture, captures),
            (Sign::StayCapture, stay_captures),
            (Sign::SuicideCapture, suicides),
            (Sign::Combine, combinations),
            (Sign::Move, moves),
        ] {
            for point in points {
                visit(sign, point)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Removes the whole moves that are legal without a check, and returns their number. The point of the stack
    /// itself must need no check. All other moves are left, and also the suicides, which are few.
    #[inline]
    pub fn take_certain(&mut self, caution: &Caution) -> u32 {
        // Other ships capture a ship from farther away, and so a commander on it.
        let commander = PointSet::of(caution.commander());
        let mut certain = [self.moves, self.combinations - commander, PointSet::EMPTY, PointSet::EMPTY];
        self.moves = PointSet::EMPTY;
        self.combinations &= commander;
        if !caution.of_captures() {
            let uncovering = caution.shields();
            certain[2] = self.captures;
            certain[3] = self.stay_captures - uncovering;
            self.captures = PointSet::EMPTY;
            self.stay_captures &= uncovering;
        }
        PointSet::total(&certain)
    }

    fn on_ground(board: &Board, side: Side, from: Point, group: Stack, carrier: Piece) -> Self {
        let (friends, enemies) = (board.occupied(side), board.occupied(side.other()));
        let all = friends | enemies;
        let Reach { mut path, mut shot } = *Reach::of(carrier, from);
        let is_ship = carrier.kind == Kind::Navy;
        let stops_shots = !carrier.kind.reaches_over();
        for blocker in all & (path | shot) {
            // Only ships block a ship.
            if is_ship && board.stacks[blocker].carrier().kind != Kind::Navy {
                continue;
            }
            let shade = PointSet::ray(blocker, Ray::between(from, blocker).direction);
            path -= shade;
            if stops_shots {
                shot -= shade;
            }
        }
        let mut taken = shot & enemies;
        if is_ship {
            let farther = (Reach::of_ships(carrier.is_heroic, from) - shot) & enemies;
            taken |= farther.iter().filter(|&at| board.stacks[at].carrier().kind == Kind::Navy).collect();
        }
        let ground = carrier.kind.ground();
        Self {
            moves: path - all,
            captures: taken & ground,
            stay_captures: taken - ground,
            suicides: PointSet::EMPTY,
            combinations: joined(board, group, path & friends),
        }
    }

    fn of_plane(board: &Board, side: Side, from: Point, group: Stack, is_deployed: bool) -> Self {
        let (friends, enemies) = (board.occupied(side), board.occupied(side.other()));
        let carrier = group.carrier();
        let star = Reach::of(carrier, from).path;
        let defence = board.air(side.other());
        let (mut free, mut hit) = (star, PointSet::EMPTY);
        if !carrier.is_heroic && star.intersects(defence.zone) {
            free = PointSet::EMPTY;
            for direction in Direction::ALL {
                let ray = PointSet::ray(from, direction) & star;
                if !ray.intersects(defence.zone) {
                    free |= ray;
                    continue;
                }
                for (point, air) in
                    Flight::new(defence, &board.stacks, from, direction).take(ray.len() as usize)
                {
                    match air {
                        Air::Free => free.insert(point),
                        Air::Hit => hit.insert(point),
                        Air::Dead => break,
                    }
                }
            }
        }
        let taken = free & enemies;
        Self {
            moves: (free & GROUND) - friends - enemies,
            captures: taken & GROUND,
            // Where it could land, it may also capture and return, unless it is deployed.
            stay_captures: if is_deployed { taken - GROUND } else { taken },
            suicides: hit & enemies,
            combinations: joined(board, group, free & friends),
        }
    }

    /// The actions of a commander. It stops before the points that the other commander sees.
    fn of_commander(board: &Board, side: Side, from: Point, group: Stack) -> Self {
        let (friends, enemies) = (board.occupied(side), board.occupied(side.other()));
        let carrier = group.carrier();
        let barred = board.sight(side.other(), from) | DEEP;
        let stops = friends | enemies | barred;
        let path = match carrier.is_heroic {
            false => straight_rays(from, stops),
            true => Direction::each(|direction| PointSet::ray_to(from, direction, stops))
                .into_iter()
                .fold(PointSet::EMPTY, |all, ray| all | ray),
        } - barred;
        let taken = Reach::of(carrier, from).shot & enemies;
        Self {
            moves: path - friends - enemies,
            captures: taken & GROUND,
            stay_captures: taken - GROUND,
            suicides: PointSet::EMPTY,
            combinations: joined(board, group, path & friends),
        }
    }
}

/// The friends that a group can join.
#[inline]
fn joined(board: &Board, group: Stack, friends: PointSet) -> PointSet {
    let can_join = |&at: &Point| {
        group.combined(board.stacks[at]).is_some_and(|union| union.carrier().kind.can_stand(at))
    };
    friends.iter().filter(can_join).collect()
}
