//! The armies of small endgames, and a number for every way in which one can stand.
//!
//! An army is a commander with up to two other pieces. It stands in one of a few *shapes*: each piece on its own, or
//! some carried by others. Within a shape every stack has a number, of its point among those where its carrier can
//! stand and of the marks of its heroes; these numbers are the digits of the army's.
//!
//! A last guard that stands alone is always a hero after a turn, so that its mark takes no number.

use crate::grid::{ByPoint, GROUND, NAVIGABLE, Point, PointSet};
use crate::pieces::{Kind, Kinds, Stack};
use std::fmt;
use std::sync::LazyLock;

/// The most pieces beside the commander.
const MOST: usize = 2;
/// The most stacks that they and the commander are.
const STACKS: usize = MOST + 1;

/// A commander and its pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Army([Option<Kind>; MOST]);

impl Army {
    /// A commander alone.
    pub const BARE: Self = Self([None; MOST]);

    /// With these pieces, if a game can have them all: there is only one militia and one missile a side.
    pub fn new(pieces: &[Kind]) -> Option<Self> {
        let mut pieces = pieces.to_vec();
        pieces.sort();
        let is_single = |kind| matches!(kind, Kind::Militia | Kind::Missile);
        let has_too_many = pieces.windows(2).any(|pair| pair[0] == pair[1] && is_single(pair[0]));
        if has_too_many || pieces.contains(&Kind::Commander) || pieces.len() > MOST {
            return None;
        }
        Some(Self(std::array::from_fn(|n| pieces.get(n).copied())))
    }

    /// Its pieces beside the commander.
    pub fn pieces(self) -> impl Iterator<Item = Kind> {
        self.0.into_iter().flatten()
    }

    /// All armies, the small ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        NUMBERING.armies.iter().map(|numbered| numbered.army)
    }

    /// What is left of it when some pieces are lost, itself included.
    pub fn parts(self) -> Vec<Self> {
        let pieces: Vec<Kind> = self.pieces().collect();
        let part = |kept: usize| {
            let kept: Vec<Kind> = (0..pieces.len()).filter(|n| kept >> n & 1 == 1).map(|n| pieces[n]).collect();
            Self::new(&kept).expect("a part of an army is one")
        };
        let mut parts: Vec<Self> = (0..1 << pieces.len()).map(part).collect();
        parts.sort();
        parts.dedup();
        parts
    }

    /// The number of ways in which it can stand.
    pub fn size(self) -> u64 {
        self.numbered().size
    }

    fn numbered(self) -> &'static Numbered {
        NUMBERING.armies.iter().find(|numbered| numbered.army == self).expect("every army is numbered")
    }

    /// The stacks with this number; nothing if two of them stand on one point.
    pub(crate) fn stacks(self, number: u64) -> Option<Standing> {
        let numbered = self.numbered();
        let shape = numbered.shapes.iter().rev().find(|shape| shape.start <= number)?;
        shape.standing(number - shape.start)
    }
}

/// `C`, `CT`, `CNT`.
impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.pieces().map(Kind::letter).collect();
        write!(f, "C{letters}")
    }
}

impl fmt::Debug for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Some stacks and where they stand.
#[derive(Clone, Copy, Default)]
pub(crate) struct Standing {
    stacks: [Option<(Point, Stack)>; STACKS],
    len: usize,
}

impl Standing {
    /// These stacks, unless they are more than an army has.
    #[inline]
    pub fn new(stacks: impl Iterator<Item = (Point, Stack)>) -> Option<Self> {
        let mut standing = Self::default();
        for stack in stacks {
            *standing.stacks.get_mut(standing.len)? = Some(stack);
            standing.len += 1;
        }
        Some(standing)
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Point, Stack)> {
        self.stacks.iter().flatten().copied()
    }

    /// Which army it is, and its number.
    #[inline]
    pub fn numbered(mut self) -> Rank {
        // The stacks in the order of their kinds, as shapes have them.
        let set = |entry: &Option<(Point, Stack)>| entry.map_or(usize::MAX, |(_, stack)| stack.set());
        self.stacks[..self.len].sort_unstable_by_key(set);
        let key = self.iter().fold(0, |key, (_, stack)| key * Stack::SETS + stack.set());
        let Some(&(army, shape)) = NUMBERING.by_sets.get(key).and_then(Option::as_ref) else {
            return Rank::Beyond;
        };
        let numbered = &NUMBERING.armies[usize::from(army)];
        let shape = &numbered.shapes[usize::from(shape)];
        let mut number = 0;
        let mut twin = None;
        for ((point, stack), part) in self.iter().zip(&shape.parts) {
            let Some(digit) = part.digit(point, stack) else {
                return if stack.has_hero(Kind::Commander) { Rank::Beyond } else { Rank::Unpromoted };
            };
            number = match twin.take() {
                // Of two that are alike, which is the first does not matter.
                Some((before, other)) => before * pairs(part.size) + pair(other, digit),
                None if part.is_twin => {
                    twin = Some((number, digit));
                    continue;
                }
                None => number * part.size + digit,
            };
        }
        Rank::Number(numbered.army, shape.start + number)
    }
}

/// What there is to say of how an army stands.
pub(crate) enum Rank {
    /// It has this number.
    Number(Army, u64),
    /// It has a last guard that any turn makes a hero.
    Unpromoted,
    /// It is no army that is numbered.
    Beyond,
}

/// A stack of a shape.
struct Part {
    set: usize,
    kinds: Kinds,
    /// The kinds whose marks are told.
    marked: Kinds,
    /// Where it can stand.
    ground: &'static Ground,
    /// The number of its digits.
    size: u64,
    /// Is the next one of the same kind?
    is_twin: bool,
}

impl Part {
    #[inline]
    fn digit(&self, point: Point, stack: Stack) -> Option<u64> {
        let heroes = stack.heroes();
        if heroes.0 & !self.marked.0 != self.always_heroic().0 {
            return None;
        }
        let marks = bits::pext(heroes.0.into(), self.marked.0.into());
        Some(u64::from(self.ground.numbers[point]) << self.marked.0.count_ones() | marks)
    }

    /// A single piece whose mark is not told is a hero; a commander never is.
    fn always_heroic(&self) -> Kinds {
        Kinds(self.kinds.0 & !self.marked.0 & !Kinds::one(Kind::Commander).0)
    }

    fn stack(&self, digit: u64) -> (Point, Stack) {
        let marks = self.marked.0.count_ones();
        let heroes = bits::pdep(digit & ((1 << marks) - 1), self.marked.0.into()) as u16;
        let point = self.ground.points[(digit >> marks) as usize];
        let stack = Stack::of(self.kinds, Kinds(heroes | self.always_heroic().0));
        (point, stack.expect("a shape is made of stacks"))
    }
}

/// A way in which the pieces of an army carry each other.
struct Shape {
    parts: Vec<Part>,
    /// Its first number.
    start: u64,
}

impl Shape {
    fn size(&self) -> u64 {
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

    fn standing(&self, mut number: u64) -> Option<Standing> {
        let mut stacks = Vec::with_capacity(self.parts.len());
        let mut parts = self.parts.iter().enumerate().rev();
        while let Some((n, part)) = parts.next() {
            if n > 0 && self.parts[n - 1].is_twin {
                let (small, large) = unpair(number % pairs(part.size));
                number /= pairs(part.size);
                stacks.extend([part.stack(small), part.stack(large)]);
                parts.next();
            } else {
                stacks.push(part.stack(number % part.size));
                number /= part.size;
            }
        }
        let points: PointSet = stacks.iter().map(|&(point, _)| point).collect();
        let are_apart = points.len() as usize == stacks.len();
        Standing::new(stacks.into_iter()).filter(|_| are_apart && number == 0)
    }
}

/// The number of pairs of different digits below this one.
const fn pairs(size: u64) -> u64 {
    size * (size - 1) / 2
}

/// The number of a pair of different digits, in any order.
#[inline]
fn pair(a: u64, b: u64) -> u64 {
    pairs(a.max(b)) + a.min(b)
}

/// The pair with this number.
fn unpair(number: u64) -> (u64, u64) {
    let mut large = (1 + (8 * number + 1).isqrt()) / 2;
    // The root is rounded down.
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

/// An army with its shapes.
struct Numbered {
    army: Army,
    shapes: Vec<Shape>,
    size: u64,
}

struct Numbering {
    armies: Vec<Numbered>,
    /// The army and the shape that has stacks of these kinds.
    by_sets: Vec<Option<(u8, u8)>>,
}

static NUMBERING: LazyLock<Numbering> = LazyLock::new(|| {
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|&kind| kind != Kind::Commander).collect();
    let mut armies = vec![Army::BARE];
    armies.extend(kinds.iter().filter_map(|&kind| Army::new(&[kind])));
    for (n, &first) in kinds.iter().enumerate() {
        armies.extend(kinds[n..].iter().filter_map(|&second| Army::new(&[first, second])));
    }
    let armies: Vec<Numbered> = armies.into_iter().map(number).collect();
    let mut by_sets = vec![None; Stack::SETS.pow(STACKS as u32)];
    for (a, numbered) in armies.iter().enumerate() {
        for (s, shape) in numbered.shapes.iter().enumerate() {
            let key = shape.parts.iter().fold(0, |key, part| key * Stack::SETS + part.set);
            by_sets[key] = Some((a as u8, s as u8));
        }
    }
    Numbering { armies, by_sets }
});

fn number(army: Army) -> Numbered {
    let pieces: Vec<Kind> = std::iter::once(Kind::Commander).chain(army.pieces()).collect();
    let mut shapes = Vec::new();
    let mut size = 0;
    for stacks in partitions(&pieces) {
        let mut shape = Shape { parts: stacks.iter().map(|&stack| part(stack, &stacks)).collect(), start: size };
        for n in 1..shape.parts.len() {
            shape.parts[n - 1].is_twin = shape.parts[n - 1].set == shape.parts[n].set;
        }
        size += shape.size();
        shapes.push(shape);
    }
    Numbered { army, shapes, size }
}

fn part(stack: Stack, all: &[Stack]) -> Part {
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

/// Every way to make stacks of some pieces, each in the order of the kinds of its stacks.
fn partitions(pieces: &[Kind]) -> Vec<Vec<Stack>> {
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
