//! The armies of small endgames, and a number for every way in which an army can stand.
//!
//! An army is a commander with up to two other pieces. It stands in one of a few *shapes*: each piece on its own, or
//! some carried by others. Within a shape every stack has a digit. The digit is made of the number of its point,
//! among those where its carrier can stand, and of the marks of its heroes. The digits of the stacks together are the
//! number of the army.
//!
//! A guard is a stack other than the commander alone. A last guard of one piece is always a hero after a turn, so
//! that its mark is not part of the number.

use crate::board::Board;
use crate::grid::Point;
use crate::pieces::Kind;
use crate::shapes::{Part, Shape, part, partitions};
use crate::stacks::Stack;
use game::Side;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

/// The most stacks of an army: one for each piece.
pub(crate) const MOST_STACKS: usize = 3;

/// A commander and its pieces, as a place among [`all`](Self::all) armies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Army(u8);

impl Army {
    /// A commander alone.
    pub const BARE: Self = Self(0);

    /// Returns the army of a commander and these pieces. Returns `None` if there are more than two pieces, or if no
    /// game has them: each side has only one militia and one missile.
    pub fn new(pieces: &[Kind]) -> Option<Self> {
        let mut pieces = pieces.to_vec();
        pieces.sort();
        Self::all().find(|army| army.pieces() == pieces)
    }

    /// All armies, the small ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..NUMBERING.armies.len()).map(|number| Self(number as u8))
    }

    #[inline]
    fn numbered(self) -> &'static Numbered {
        &NUMBERING.armies[usize::from(self.0)]
    }

    /// Its pieces beside the commander.
    pub fn pieces(self) -> &'static [Kind] {
        &self.numbered().pieces
    }

    /// The armies that can be left when pieces are lost, this army included.
    pub fn parts(self) -> Vec<Self> {
        let is_part = |part: &Self| {
            let mut left = self.pieces().to_vec();
            part.pieces().iter().all(|piece| {
                let at = left.iter().position(|other| other == piece);
                at.map(|at| left.remove(at)).is_some()
            })
        };
        Self::all().filter(is_part).collect()
    }

    /// How many numbers the army has.
    #[inline]
    pub fn size(self) -> u64 {
        self.numbered().size
    }

    /// The ways in which its pieces carry each other.
    pub(crate) fn shapes(self) -> &'static [Shape] {
        &NUMBERING.shapes[self.numbered().shapes.clone()]
    }

    /// Returns the stacks with this number. Returns `None` if two of them stand on one point.
    pub(crate) fn stacks(self, number: u64) -> Option<Standing> {
        let shape = self.shapes().iter().rev().find(|shape| shape.start <= number)?;
        shape.standing(number - shape.start)
    }
}

/// Writes the letters of the army, such as `C`, `CT` or `CNT`.
impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.pieces().iter().map(|kind| kind.letter()).collect();
        write!(f, "C{letters}")
    }
}

impl fmt::Debug for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The point on a board that is turned so that the side to move plays Red.
#[inline]
pub(crate) fn seen_by(turn: Side, point: Point) -> Point {
    match turn {
        Side::First => point,
        Side::Second => point.flip(),
    }
}

/// Up to three stacks with their points. Unused places have an empty stack.
#[derive(Clone, Copy)]
pub(crate) struct Standing(pub [(Point, Stack); MOST_STACKS]);

impl Standing {
    /// No stacks.
    pub const NOBODY: Self = Self([(Point::at(0, 0), Stack::EMPTY); MOST_STACKS]);

    /// Returns the stacks of `side` on a board that is turned so that `turn` plays Red. Returns `None` if there are
    /// more stacks than an army has.
    #[inline]
    pub fn of(board: &Board, side: Side, turn: Side) -> Option<Self> {
        let points = board.occupied(side);
        let mut free = MOST_STACKS.checked_sub(points.len() as usize)?;
        let mut standing = Self::NOBODY;
        points.iter().for_each(|point| {
            standing.0[free % MOST_STACKS] = (seen_by(turn, point), board.stacks[point]);
            free += 1;
        });
        Some(standing)
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Point, Stack)> {
        self.0.iter().copied().filter(|(_, stack)| !stack.is_empty())
    }

    /// Finds the army and the digit of each stack.
    #[inline]
    pub fn ranked(mut self) -> Result<Ranked, Unranked> {
        // Sort the stacks by their kinds, as in shapes, by exchanging neighbours. Empty places come first.
        for n in [0, 1, 0] {
            if self.0[n].1.set() > self.0[n + 1].1.set() {
                self.0.swap(n, n + 1);
            }
        }
        let key = self.0.iter().fold(0, |key, (_, stack)| key * Stack::SETS + stack.set());
        let shape = NUMBERING.shapes.get(usize::from(NUMBERING.by_sets[key])).ok_or(Unranked::TooLarge)?;
        let mut ranked = Ranked { shape, points: [None; MOST_STACKS], digits: [0; MOST_STACKS] };
        for (n, ((point, stack), part)) in self.iter().zip(&shape.parts).enumerate() {
            ranked.points[n] = Some(point);
            ranked.digits[n] = part.digit(point, stack).ok_or_else(|| {
                let is_commander_hero = self.iter().any(|(_, stack)| stack.has_hero(Kind::Commander));
                if is_commander_hero { Unranked::CommanderHero } else { Unranked::Unpromoted(shape.army) }
            })?;
        }
        Ok(ranked)
    }
}

/// An army on the board, as digits.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    shape: &'static Shape,
    points: [Option<Point>; MOST_STACKS],
    digits: [u64; MOST_STACKS],
}

/// Why an army has no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unranked {
    /// It has a last guard that is not a hero yet. Any turn makes it a hero.
    Unpromoted(Army),
    /// It has too many pieces, or pieces that no numbered army has.
    TooLarge,
    /// Its commander is a hero, which cannot happen in play.
    CommanderHero,
}

impl Ranked {
    /// The army and its number.
    #[inline]
    pub fn number(&self) -> (Army, u64) {
        self.shape.number(self.digits)
    }

    /// The army and its number after a stack has moved and nothing else has changed.
    #[inline]
    pub fn number_after(&self, from: Point, to: Point) -> (Army, u64) {
        let mut digits = self.digits;
        for (n, part) in self.shape.parts.iter().enumerate() {
            if self.points[n] == Some(from) {
                digits[n] = part.digit_after(digits[n], to);
            }
        }
        self.shape.number(digits)
    }

    /// Returns whether all pieces that can become heroes are heroes.
    #[inline]
    pub fn is_heroic(&self) -> bool {
        // The marks are the lowest bits of a digit.
        self.shape.parts.iter().zip(self.digits).all(|(part, digit)| !digit & part.marks() == 0)
    }
}

/// An army with its shapes.
struct Numbered {
    pieces: Vec<Kind>,
    shapes: Range<usize>,
    size: u64,
}

struct Numbering {
    armies: Vec<Numbered>,
    shapes: Vec<Shape>,
    /// The index of the shape that has stacks of these kinds, or `u16::MAX` if no shape has.
    by_sets: Vec<u16>,
}

static NUMBERING: LazyLock<Numbering> = LazyLock::new(|| {
    let by_sets = vec![u16::MAX; Stack::SETS.pow(MOST_STACKS as u32)];
    let mut numbering = Numbering { armies: Vec::new(), shapes: Vec::new(), by_sets };
    let kinds = Kind::ALL.into_iter().filter(|&kind| kind != Kind::Commander);
    let is_single = |kind: Kind| matches!(kind, Kind::Militia | Kind::Missile);
    let pairs = kinds.clone().flat_map(|first| kinds.clone().map(move |second| vec![first, second]));
    let pairs = pairs.filter(|pair| pair[0] < pair[1] || pair[0] == pair[1] && !is_single(pair[0]));
    numbering.add(Vec::new());
    kinds.clone().for_each(|kind| numbering.add(vec![kind]));
    pairs.for_each(|pair| numbering.add(pair));
    numbering
});

impl Numbering {
    fn add(&mut self, pieces: Vec<Kind>) {
        let army = Army(self.armies.len() as u8);
        let first = self.shapes.len();
        let mut size = 0;
        for stacks in partitions(&[&[Kind::Commander], &pieces[..]].concat()) {
            let mut parts: Vec<Part> = stacks.iter().map(|&stack| part(stack, &stacks)).collect();
            for n in 1..parts.len() {
                parts[n - 1].is_twin = parts[n - 1].set == parts[n].set;
            }
            let key = parts.iter().fold(0, |key, part| key * Stack::SETS + part.set);
            self.by_sets[key] = self.shapes.len() as u16;
            let shape = Shape { army, parts, start: size };
            size += shape.size();
            self.shapes.push(shape);
        }
        self.armies.push(Numbered { pieces, shapes: first..self.shapes.len(), size });
    }
}
