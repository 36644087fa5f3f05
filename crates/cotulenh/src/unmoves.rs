//! Turns taken back: the positions of the same group from which a turn leads to a position.
//!
//! A turn within a group captures nothing, so only the stacks of the side that made it change. It did one of three things:
//!
//! - It moved a whole stack. Ways are the same in both directions, but for a plane's, so all origins of the stack are found
//!   as a set of points.
//! - It joined two stacks.
//! - It deployed pieces of a stack.
//!
//! The last two are rare. There each position from which the turn might have begun is set up, and the turn is made.
//!
//! Besides, pieces that attack the other commander became heroes, and so did a last guard. They may have been heroes before.

use crate::army::{Army, MOST_STACKS, Ranked, seen_by};
use crate::board::{Board, Sign};
use crate::danger::Target;
use crate::grid::{DEEP, Direction, Point, PointSet, Ray};
use crate::index::{place, rank};
use crate::pieces::{Kind, Piece};
use crate::position::Position;
use crate::reach::Reach;
use crate::stacks::{Kinds, Stack};
use crate::targets::Targets;
use crate::{CoTuLenh, Slice};
use game::{Index, Location, Predecessors, Side};

impl Predecessors<Self> for CoTuLenh {
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(Slice, Index)) {
        let (board, turn) = (position.board(), position.turn);
        let Some(back) = Retraction::new(board, turn.other()) else { return };
        let Ok(other) = rank(board, turn, turn.other()) else { return };
        let other = other.number();
        back.each(&mut |own| {
            if let Location::At(slice, index) = place(own, other) {
                visit(slice, index);
            }
        });
    }
}

/// A turn that is taken back.
struct Retraction<'a> {
    /// The board after the turn.
    after: &'a Board,
    /// The side that made the turn.
    side: Side,
    /// The commander of the other side.
    target: Target,
    /// Its point.
    enemy: Point,
    /// The pieces of the side.
    men: Men,
}

/// A piece and its point.
#[derive(Clone, Copy)]
struct Man {
    /// Its number among the pieces of its army, as a bit.
    bit: u32,
    piece: Piece,
    at: Point,
}

/// The pieces of an army.
#[derive(Clone, Copy)]
struct Men {
    all: [Man; MOST_STACKS],
    len: usize,
}

impl Men {
    /// Returns `None` if an army does not have so many pieces.
    #[inline]
    fn of(board: &Board, side: Side) -> Option<Self> {
        let mut men = Self {
            all: [Man { bit: 0, piece: Piece::from_number(0), at: Point::at(0, 0) }; MOST_STACKS],
            len: 0,
        };
        for at in board.occupied(side) {
            for piece in board.stacks[at].pieces() {
                *men.all.get_mut(men.len)? = Man { bit: 1 << men.len, piece, at };
                men.len += 1;
            }
        }
        Some(men)
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = Man> + Clone {
        self.all.iter().take(self.len).copied()
    }

    /// The pieces with these bits.
    #[inline]
    fn chosen(&self, bits: u32) -> impl Iterator<Item = Man> + Clone {
        self.iter().filter(move |man| bits & man.bit != 0)
    }

    /// The bits of the pieces for which this is true.
    #[inline]
    fn bits(&self, is_chosen: impl Fn(&Man) -> bool) -> u32 {
        self.iter().filter(is_chosen).fold(0, |bits, man| bits | man.bit)
    }
}

impl<'a> Retraction<'a> {
    /// Returns `None` if no turn led to the board, because a piece attacks the other commander and is not a hero.
    fn new(after: &'a Board, side: Side) -> Option<Self> {
        let target = Target::commander(after, side.other())?;
        let enemy = after.commander(side.other())?;
        let is_late = |at: Point| {
            let stack = after.stacks[at];
            target.attackers(after, side, at, stack).0 & !stack.heroes().0 != 0
        };
        if target.near(after, side).iter().any(is_late) {
            return None;
        }
        Some(Self { after, side, target, enemy, men: Men::of(after, side)? })
    }

    /// Visits the army of the side before each turn, with its number.
    fn each(&self, visit: &mut impl FnMut((Army, u64))) {
        let fresh = self.fresh();
        self.without_deployments(self.after, visit);
        for since in subsets(fresh).skip(1) {
            self.without_deployments(&self.demoted(since), visit);
        }
        self.deployments(visit);
    }

    /// The pieces that the last step made heroes, if they were not heroes before: a bit for each. Whether a piece attacks does not
    /// depend on the marks of others.
    fn fresh(&self) -> u32 {
        let near = self.target.near(self.after, self.side);
        if near.is_empty() {
            return 0;
        }
        self.men.bits(|man| {
            let plain = Stack::one(man.piece.kind, false);
            let attacks = || self.target.attackers(self.after, self.side, man.at, plain) != Kinds::default();
            man.piece.is_heroic && near.contains(man.at) && attacks()
        })
    }

    /// The board after the turn, if these pieces were no heroes.
    fn demoted(&self, since: u32) -> Board {
        let mut board = *self.after;
        for man in self.men.chosen(since) {
            let stack = board.stacks[man.at];
            let heroes = Kinds(stack.heroes().0 & !Kinds::one(man.piece.kind).0);
            let plain = Stack::of(stack.kinds(), heroes).expect("the same kinds");
            board.set(self.side, man.at, plain);
        }
        board
    }

    /// Takes back turns of whole stacks. `board` is the one after the turn, but without the heroes that it made.
    fn without_deployments(&self, board: &Board, visit: &mut impl FnMut((Army, u64))) {
        if let Ok(own) = rank(board, self.side, self.side) {
            self.moves(board, &own, visit);
        }
        self.joins(board, visit);
    }

    /// Takes back moves of whole stacks to empty points.
    fn moves(&self, board: &Board, own: &Ranked, visit: &mut impl FnMut((Army, u64))) {
        let side = self.side;
        for to in board.occupied(side) {
            let stack = board.stacks[to];
            let asks = self.asks(board, to, stack);
            // The board before the turn, without the stack.
            let mut before = None;
            for from in Targets::origins(board, side, to, stack) {
                if asks.contains(from) {
                    let before = before.get_or_insert_with(|| {
                        let mut board = *board;
                        board.set(side, to, Stack::EMPTY);
                        board
                    });
                    before.set(side, from, stack);
                    let is_in_danger = before.is_in_danger(side.other());
                    before.set(side, from, Stack::EMPTY);
                    if is_in_danger {
                        continue;
                    }
                }
                visit(own.number_after(seen_by(side, to), seen_by(side, from)));
            }
        }
    }

    /// The points on which a stack may have stood only if the other commander was not in danger then, which must be checked.
    fn asks(&self, board: &Board, to: Point, stack: Stack) -> PointSet {
        let is_near = |at: Point| {
            let ray = Ray::between(at, self.enemy);
            ray.distance <= board.stacks[at].reach(ray.direction.is_diagonal())
        };
        let others = self.target.near(board, self.side).without(to);
        let has_commander = stack.has(Kind::Commander);
        let is_alone = stack == Stack::one(Kind::Commander, false);
        let shields = board.between_commanders();
        if others.iter().any(is_near)
            || has_commander && !is_alone
            || !has_commander && shields.is_some_and(|shields| shields.without(to).is_empty())
        {
            PointSet::FULL
        } else if is_alone {
            // It never stands in sight of the other commander, and attacks nothing else.
            PointSet::EMPTY
        } else {
            Reach::star(self.enemy)
        }
    }

    /// Takes back moves of whole stacks to stacks of their side.
    fn joins(&self, board: &Board, visit: &mut impl FnMut((Army, u64))) {
        for to in board.occupied(self.side) {
            let union = board.stacks[to];
            for moved in union.kinds().parts() {
                let (group, joined) = (union.only(moved), union.without(moved));
                if !joined.carrier().kind.can_stand(to) {
                    continue;
                }
                let carrier = group.carrier().kind;
                for from in (super_reach(carrier, to) & carrier.ground()) - board.all_occupied() {
                    let mut before = *board;
                    before.set(self.side, to, joined);
                    before.set(self.side, from, group);
                    let Some(number) = self.number(&before) else { continue };
                    if Targets::of(&before, self.side, from, group, false).combinations.contains(to) {
                        before.act(self.side, from, moved, Sign::Combine, to);
                        if before == *self.after {
                            visit(number);
                        }
                    }
                }
            }
        }
    }

    /// The number of the army of the side before its turn. Returns `None` if there is no such position.
    fn number(&self, before: &Board) -> Option<(Army, u64)> {
        let own = rank(before, self.side, self.side).ok()?;
        (!before.is_in_danger(self.side.other())).then(|| own.number())
    }

    /// Takes back deployments.
    fn deployments(&self, visit: &mut impl FnMut((Army, u64))) {
        for deployed in 1..1 << self.men.len {
            let stack = self
                .men
                .chosen(deployed)
                .try_fold(Stack::EMPTY, |stack, man| stack.combined(Stack::one(man.piece.kind, false)));
            if let Some(stack) = stack.filter(|stack| stack.len() > 1) {
                self.deployments_of(deployed, stack, visit);
            }
        }
    }

    /// Takes back deployments of these pieces, which together are this stack.
    fn deployments_of(&self, deployed: u32, stack: Stack, visit: &mut impl FnMut((Army, u64))) {
        let carrier = stack.carrier().kind;
        let men = self.men.chosen(deployed);
        let others: PointSet = self.men.chosen(!deployed).map(|man| man.at).collect();
        // Some pieces stayed, or all have gone: then all came from one empty point.
        let stood: PointSet = men.clone().map(|man| man.at).collect();
        let mut from = PointSet::FULL - self.after.all_occupied();
        for at in stood {
            let here = men.clone().filter(|man| man.at == at);
            from &= here.fold(PointSet::EMPTY, |from, man| from | super_reach(man.piece.kind, at));
        }
        if stood.len() > 1 {
            from |= stood - others;
        }
        for from in from & carrier.ground() {
            self.deployments_from(deployed, stack, from, visit);
        }
    }

    /// Takes back deployments of these pieces from a point.
    fn deployments_from(
        &self,
        deployed: u32,
        stack: Stack,
        from: Point,
        visit: &mut impl FnMut((Army, u64)),
    ) {
        let heroes = self.men.bits(|man| man.piece.is_heroic);
        // Any step can make a last guard a hero, which is the only other piece of its army.
        let fresh = self.men.bits(|man| {
            let hits = |at| self.hits(man.piece.kind, at);
            man.piece.is_heroic
                && (self.men.len == 2 || hits(man.at) || deployed & man.bit != 0 && hits(from))
        });
        for since in subsets(fresh) {
            if let Some((before, number)) = self.before_deployment(deployed, stack, from, heroes & !since)
                && self.deploys(&before, from, deployed, true)
            {
                visit(number);
            }
        }
    }

    /// Returns whether a piece on a point might attack the other commander if it is not a hero.
    fn hits(&self, kind: Kind, at: Point) -> bool {
        let piece = Piece { kind, is_heroic: false };
        Reach::of(piece, at).shot.contains(self.enemy)
            || kind == Kind::Navy && Reach::of_ships(false, at).contains(self.enemy)
    }

    /// The board before a deployment of these pieces from a point, and the number of the army. Returns `None` if there is no such
    /// position.
    fn before_deployment(
        &self,
        deployed: u32,
        stack: Stack,
        from: Point,
        heroes: u32,
    ) -> Option<(Board, (Army, u64))> {
        let mut before = *self.after;
        for at in self.after.occupied(self.side) {
            before.set(self.side, at, Stack::EMPTY);
        }
        for man in self.men.chosen(!deployed) {
            if !man.piece.kind.can_stand(man.at) {
                return None;
            }
            before.set(self.side, man.at, Stack::one(man.piece.kind, heroes & man.bit != 0));
        }
        let marks = self.men.chosen(deployed & heroes).map(|man| Kinds::one(man.piece.kind)).collect();
        before.set(self.side, from, stack.promoted(marks));
        let number = self.number(&before)?;
        Some((before, number))
    }

    /// Returns whether a deployment, of which these pieces have not acted yet, can lead to the board after the turn.
    fn deploys(&self, board: &Board, from: Point, idle: u32, is_first: bool) -> bool {
        // A step of all pieces at once is a whole move.
        let mut groups = subsets(idle).skip(1).filter(|&group| !(is_first && group == idle));
        groups.any(|group| {
            self.step(board, from, group).is_some_and(|next| {
                let rest = idle & !group;
                next == *self.after || rest != 0 && self.deploys(&next, from, rest, false)
            })
        })
    }

    /// The board after a step of these pieces to the point where they stand after the turn. Returns `None` if they cannot step there
    /// together.
    fn step(&self, board: &Board, from: Point, group: u32) -> Option<Board> {
        let men = self.men.chosen(group);
        let to = men.clone().next()?.at;
        if to == from || !men.clone().all(|man| man.at == to) {
            return None;
        }
        let kinds: Kinds = men.map(|man| Kinds::one(man.piece.kind)).collect();
        let targets = Targets::of(board, self.side, from, board.stacks[from].only(kinds), true);
        let sign = if targets.moves.contains(to) {
            Sign::Move
        } else if targets.combinations.contains(to) {
            Sign::Combine
        } else {
            return None;
        };
        let mut next = *board;
        next.act(self.side, from, kinds, sign, to);
        Some(next)
    }
}

/// The subsets of some bits, from the smallest number up.
fn subsets(of: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(0u32), move |part| Some(part.wrapping_sub(of) & of).filter(|&next| next != 0))
}

/// The points from which a piece of this kind may have come, whatever stands in its way, also from deep water.
fn super_reach(kind: Kind, to: Point) -> PointSet {
    if kind == Kind::Commander {
        return [Direction::North, Direction::East, Direction::South, Direction::West]
            .into_iter()
            .fold(PointSet::EMPTY, |all, direction| all | PointSet::ray(to, direction));
    }
    let Reach { path, shot } = *Reach::of(Piece { kind, is_heroic: true }, to);
    path | shot & DEEP
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Endgame, Rng, laws};

    const ROUNDS: u32 = 5;

    /// All shapes of armies occur equally often here. Among all numbers, laden ships and planes are rare.
    #[test]
    fn turns_of_all_shapes_are_taken_back() {
        let (game, mut rng) = (CoTuLenh::default(), Rng::new(1));
        let mut positions = 0;
        for slice in game.groups().concat() {
            for _ in 0..ROUNDS {
                let [own, other] = slice.armies().map(|army| {
                    let shapes = army.shapes();
                    let shape = &shapes[rng.below(shapes.len() as u64) as usize];
                    shape.start + rng.below(shape.size())
                });
                let [_, others] = slice.armies().map(Army::size);
                let index = Index(own * others + other);
                positions += u32::from(game.unrank(slice, index).is_some());
                laws::of_index(&game, slice, index);
            }
        }
        assert!(positions > 100 * ROUNDS, "{positions}");
    }
}
