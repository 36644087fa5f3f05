//! The shapes of armies: how their pieces carry each other, and a digit for each stack.

use crate::army::{Army, MOST_STACKS, Standing};
use crate::grid::{ByPoint, GROUND, NAVIGABLE, Point, PointSet};
use crate::pieces::Kind;
use crate::stacks::{Kinds, Stack};
use std::sync::LazyLock;

/// A stack of a shape.
pub(crate) struct Part {
    /// The number of its set of kinds, among the sets that can be a stack.
    pub set: usize,
    kinds: Kinds,
    /// The kinds whose marks are part of the digit.
    marked: Kinds,
    /// The points where it can stand.
    ground: &'static Ground,
    /// The number of different digits.
    size: u64,
    /// Whether the next part has the same set of kinds.
    pub is_twin: bool,
}

impl Part {
    /// Returns the digit of such a stack on a point. Returns `None` if its heroes do not fit the shape.
    #[inline]
    pub fn digit(&self, point: Point, stack: Stack) -> Option<u64> {
        let heroes = stack.heroes();
        if heroes.0 & !self.marked.0 != self.always_heroic().0 {
            return None;
        }
        let marks = bits::pext(heroes.0.into(), self.marked.0.into());
        Some(self.digit_after(marks, point))
    }

    /// The lowest bits of a digit: one for each kind whose mark is part of it.
    #[inline]
    pub fn marks(&self) -> u64 {
        (1 << self.marked.0.count_ones()) - 1
    }

    /// The digit after the stack has moved to a point.
    #[inline]
    pub fn digit_after(&self, before: u64, to: Point) -> u64 {
        u64::from(self.ground.numbers[to]) << self.marked.0.count_ones() | before & self.marks()
    }

    /// The kinds that are always heroes: those whose mark is not part of the digit. A commander never is a hero.
    fn always_heroic(&self) -> Kinds {
        Kinds(self.kinds.0 & !self.marked.0 & !Kinds::one(Kind::Commander).0)
    }

    fn stack(&self, digit: u64) -> (Point, Stack) {
        let heroes = bits::pdep(digit & self.marks(), self.marked.0.into()) as u16;
        let point = self.ground.points[(digit >> self.marked.0.count_ones()) as usize];
        let stack = Stack::of(self.kinds, Kinds(heroes | self.always_heroic().0));
        (point, stack.expect("a shape is made of stacks"))
    }
}

/// A way in which the pieces of an army carry each other.
pub(crate) struct Shape {
    pub army: Army,
    pub parts: Vec<Part>,
    /// Its first number.
    pub start: u64,
}

impl Shape {
    /// Returns the army, and its number for these digits.
    #[inline]
    pub fn number(&self, digits: [u64; MOST_STACKS]) -> (Army, u64) {
        let mut number = 0;
        let mut twin = None;
        for (digit, part) in digits.into_iter().zip(&self.parts) {
            number = match twin.take() {
                // The order of two equal stacks does not matter.
                Some((before, other)) => before * pairs(part.size) + pair(other, digit),
                None if part.is_twin => {
                    twin = Some((number, digit));
                    continue;
                }
                None => number * part.size + digit,
            };
        }
        (self.army, self.start + number)
    }

    /// How many numbers the shape has.
    pub fn size(&self) -> u64 {
        let mut parts = self.parts.iter();
        let mut size = 1;
        while let Some(part) = parts.next() {
            size *= match part.is_twin {
                true => parts.next().map_or(1, |twin| pairs(twin.size)),
                false => part.size,
            };
        }
        size
    }

    /// Returns the stacks with this number, counted from the first number of the shape. Returns `None` if two of them
    /// stand on one point.
    pub fn standing(&self, mut number: u64) -> Option<Standing> {
        let mut standing = Standing::NOBODY;
        let mut other_twin = None;
        for (n, part) in self.parts.iter().enumerate().rev() {
            let digit = match other_twin.take() {
                Some(digit) => digit,
                None if n > 0 && self.parts[n - 1].is_twin => {
                    let (small, large) = unpair(number % pairs(part.size));
                    number /= pairs(part.size);
                    other_twin = Some(small);
                    large
                }
                None => {
                    let digit = number % part.size;
                    number /= part.size;
                    digit
                }
            };
            standing.0[n] = part.stack(digit);
        }
        let points: PointSet = standing.iter().map(|(point, _)| point).collect();
        (points.len() as usize == self.parts.len() && number == 0).then_some(standing)
    }
}

/// The number of pairs of different digits below `size`.
const fn pairs(size: u64) -> u64 {
    size * (size - 1) / 2
}

/// The number of a pair of different digits, in any order.
#[inline]
fn pair(a: u64, b: u64) -> u64 {
    pairs(a.max(b)) + a.min(b)
}

/// Returns the pair with this number; the inverse of `pair`.
fn unpair(number: u64) -> (u64, u64) {
    let mut large = (8 * number + 1).isqrt().div_ceil(2);
    // The square root is rounded down, so that `large` may be too small.
    while pairs(large + 1) <= number {
        large += 1;
    }
    (number - pairs(large), large)
}

/// Points and their numbers.
struct Ground {
    points: Vec<Point>,
    numbers: ByPoint<u8>,
}

impl Ground {
    fn new(set: PointSet) -> Self {
        let points: Vec<Point> = set.iter().collect();
        let mut numbers = ByPoint([0; Point::NUMBERS]);
        for (n, &point) in points.iter().enumerate() {
            numbers[point] = n as u8;
        }
        Self { points, numbers }
    }
}

static WATERS: LazyLock<Ground> = LazyLock::new(|| Ground::new(NAVIGABLE));
static LANDS: LazyLock<Ground> = LazyLock::new(|| Ground::new(GROUND));

/// Creates the part of a shape for one of its stacks. `all` are the stacks of the shape.
pub(crate) fn part(stack: Stack, all: &[Stack]) -> Part {
    let commander = Stack::one(Kind::Commander, false);
    let guards = all.iter().filter(|&&stack| stack != commander).count();
    let is_last_guard = guards == 1 && stack.len() == 1;
    let marked = match is_last_guard {
        true => Kinds::default(),
        false => Kinds(stack.kinds().0 & !Kinds::one(Kind::Commander).0),
    };
    let ground = if stack.carrier().kind == Kind::Navy { &*WATERS } else { &*LANDS };
    let size = (ground.points.len() as u64) << marked.0.count_ones();
    Part { set: stack.set(), kinds: stack.kinds(), marked, ground, size, is_twin: false }
}

/// Returns every way to make stacks of some pieces. The stacks of each way are sorted by their sets of kinds.
pub(crate) fn partitions(pieces: &[Kind]) -> Vec<Vec<Stack>> {
    let Some((&last, others)) = pieces.split_last() else { return vec![Vec::new()] };
    let last = Stack::one(last, false);
    let mut all = Vec::new();
    for stacks in partitions(others) {
        for n in 0..stacks.len() {
            if let Some(joined) = stacks[n].combined(last) {
                let mut stacks = stacks.clone();
                stacks[n] = joined;
                all.push(stacks);
            }
        }
        all.push([stacks, vec![last]].concat());
    }
    for stacks in &mut all {
        stacks.sort_by_key(|stack| stack.set());
    }
    all.sort();
    all.dedup();
    all
}
