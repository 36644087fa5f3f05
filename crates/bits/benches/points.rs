//! Benchmarks of sets of 11 x 12 points: as vectors (`PointSet`), and as four words in plain loops.
//!
//! Each benchmark runs an operation a hundred times, on sets that fit into the L1 cache. So a time of 100 ns means 1 ns
//! per operation.

use divan::{Bencher, black_box, counter::ItemsCount};
use endspiel_bits::{Direction, Point, PointSet};

fn main() {
    divan::main();
}

type Set = PointSet<11, 12>;
type At = Point<11, 12>;

/// Pseudo-random sets. Each contains about one of `one_in` points.
fn sets(count: usize, one_in: u64) -> Vec<Set> {
    let mut state = one_in;
    let mut is_in = |_: &At| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40).is_multiple_of(one_in)
    };
    (0..count).map(|_| Point::all().filter(&mut is_in).collect()).collect()
}

/// A hundred points, spread over the board.
fn points() -> Vec<At> {
    let all: Vec<At> = Point::all().collect();
    (0..100).map(|i| all[i * 53 % all.len()]).collect()
}

/// Measures `f` on each input. The calls do not depend on each other.
fn each<I, O: Clone>(bencher: Bencher, inputs: impl IntoIterator<Item = I>, none: O, f: impl Fn(&I) -> O) {
    let inputs: Vec<I> = inputs.into_iter().collect();
    let mut outputs = vec![none; inputs.len()];
    bencher.counter(ItemsCount::new(inputs.len())).bench_local(|| {
        for (output, input) in outputs.iter_mut().zip(black_box(&inputs)) {
            *output = f(input);
        }
        black_box(&mut outputs);
    });
}

/// Measures `f` on its last result and each input. Each call depends on the one before it.
fn chain<I, S: Clone>(
    bencher: Bencher,
    inputs: impl IntoIterator<Item = I>,
    start: S,
    f: impl Fn(S, &I) -> S,
) {
    let inputs: Vec<I> = inputs.into_iter().collect();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .bench_local(|| black_box(&inputs).iter().fold(black_box(start.clone()), &f));
}

/// A simple implementation with four words.
mod plain {
    use super::{At, Direction, Set};

    pub type Words = [u64; 4];

    pub const EMPTY: Words = [0; 4];
    pub const FULL: Words = Set::FULL.words();

    pub fn zip(a: Words, b: Words, f: impl Fn(u64, u64) -> u64) -> Words {
        std::array::from_fn(|i| f(a[i], b[i]))
    }

    pub fn and(a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & b)
    }

    pub fn or(a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a | b)
    }

    pub fn minus(a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & !b)
    }

    pub fn with(mut a: Words, point: At) -> Words {
        a[point.index() / 64] |= 1 << (point.index() % 64);
        a
    }

    pub fn len(a: Words) -> u32 {
        a.iter().map(|word| word.count_ones()).sum()
    }

    pub fn step(a: Words, direction: Direction) -> Words {
        let (dx, dy) = direction.delta();
        let by = 16 * i32::from(dy) + i32::from(dx);
        let distance = by.unsigned_abs();
        let moved: Words = std::array::from_fn(|i| {
            if by > 0 {
                a[i] << distance | if i > 0 { a[i - 1] >> (64 - distance) } else { 0 }
            } else {
                a[i] >> distance | if i < 3 { a[i + 1] << (64 - distance) } else { 0 }
            }
        });
        and(moved, FULL)
    }

    pub fn indices(a: Words, mut visit: impl FnMut(u32)) {
        for (i, mut word) in a.into_iter().enumerate() {
            while word != 0 {
                visit(64 * i as u32 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    pub fn flipped(a: Words) -> Words {
        let mut flipped = EMPTY;
        indices(a, |i| flipped = with(flipped, At::from_index(i as u8).unwrap().flip()));
        flipped
    }

    pub fn ray_to(from: At, direction: Direction, stops: Words) -> Words {
        let (mut ray, mut at) = (EMPTY, from);
        while let Some(next) = at.next(direction) {
            ray = with(ray, next);
            if stops[next.index() / 64] >> (next.index() % 64) & 1 != 0 {
                break;
            }
            at = next;
        }
        ray
    }
}

/// `(a & b) | (c - a)`; the results do not depend on each other.
mod algebra {
    use super::*;

    fn inputs() -> impl Iterator<Item = [Set; 3]> {
        let all = sets(300, 3);
        (0..100).map(move |i| [all[3 * i], all[3 * i + 1], all[3 * i + 2]])
    }

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, inputs(), Set::EMPTY, |&[a, b, c]| (a & b) | (c - a));
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        let inputs = inputs().map(|sets| sets.map(Set::words));
        each(bencher, inputs, plain::EMPTY, |&[a, b, c]| plain::or(plain::and(a, b), plain::minus(c, a)));
    }
}

/// The union of all eight steps of a set.
mod steps {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, sets(100, 8), Set::EMPTY, |set| {
            let steps = Direction::each(|direction| set.step(direction));
            steps.into_iter().fold(Set::EMPTY, |all, step| all | step)
        });
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        each(bencher, sets(100, 8).into_iter().map(Set::words), plain::EMPTY, |set| {
            let steps = Direction::each(|direction| plain::step(*set, direction));
            steps.into_iter().fold(plain::EMPTY, plain::or)
        });
    }
}

/// A chain of steps to the north-east. After each step, a set of free points is added.
mod walk {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        chain(bencher, sets(100, 2), Set::FULL, |at, free| at.step(Direction::NorthEast) | *free);
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        let sets = sets(100, 2).into_iter().map(Set::words);
        chain(bencher, sets, plain::FULL, |at, free| plain::or(plain::step(at, Direction::NorthEast), *free));
    }
}

/// Flood fill: all points that can be reached from one point by steps in the eight directions.
mod flood {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, points().into_iter().zip(sets(100, 2)), Set::EMPTY, |&(from, free)| {
            let mut reached = Set::of(from);
            loop {
                let sideways = reached | reached.step(Direction::East) | reached.step(Direction::West);
                let around = sideways.step(Direction::North) | sideways.step(Direction::South) | sideways;
                let next = around & free | reached;
                if next == reached {
                    return reached;
                }
                reached = next;
            }
        });
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        use plain::{EMPTY, and, or, step};
        let sets = sets(100, 2).into_iter().map(Set::words);
        each(bencher, points().into_iter().zip(sets), EMPTY, |&(from, free)| {
            let mut reached = plain::with(EMPTY, from);
            loop {
                let sideways =
                    or(reached, or(step(reached, Direction::East), step(reached, Direction::West)));
                let around =
                    or(sideways, or(step(sideways, Direction::North), step(sideways, Direction::South)));
                let next = or(and(around, free), reached);
                if next == reached {
                    return reached;
                }
                reached = next;
            }
        });
    }
}

/// Adds points one after another.
mod with {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        chain(bencher, points(), Set::EMPTY, |set, &point| set.with(point));
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        chain(bencher, points(), plain::EMPTY, |set, &point| plain::with(set, point));
    }
}

mod len {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, sets(100, 2), 0, |set| set.len());
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        each(bencher, sets(100, 2).into_iter().map(Set::words), 0, |set| plain::len(*set));
    }
}

/// The total number of points of a few sets, as for the pieces of a position, and of many.
mod total {
    use super::*;

    #[divan::bench(args = [5, 20, 1_000])]
    fn vectors(bencher: Bencher, count: usize) {
        let sets = sets(count, 2);
        bencher.counter(ItemsCount::new(count)).bench_local(|| Set::total(black_box(&sets)));
    }

    #[divan::bench(args = [5, 20, 1_000])]
    fn words(bencher: Bencher, count: usize) {
        let sets: Vec<_> = sets(count, 2).into_iter().map(Set::words).collect();
        bencher
            .counter(ItemsCount::new(count))
            .bench_local(|| black_box(&sets).iter().map(|set| plain::len(*set)).sum::<u32>());
    }
}

/// The sum of the numbers of all points of a set. A set has about sixteen points.
mod iteration {
    use super::*;

    #[divan::bench]
    fn by_next(bencher: Bencher) {
        each(bencher, sets(100, 8), 0, |set| {
            let mut sum = 0;
            for point in *set {
                sum += black_box(point).index() as u32;
            }
            sum
        });
    }

    #[divan::bench]
    fn by_fold(bencher: Bencher) {
        each(bencher, sets(100, 8), 0, |set| {
            set.iter().fold(0, |sum, point| sum + black_box(point).index() as u32)
        });
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        each(bencher, sets(100, 8).into_iter().map(Set::words), 0, |set| {
            let mut sum = 0;
            plain::indices(*set, |index| sum += black_box(index));
            sum
        });
    }

    #[divan::bench]
    fn booleans(bencher: Bencher) {
        let has = |set: Set| -> Vec<bool> {
            (0..192).map(|i| Point::from_index(i).is_some_and(|point| set.contains(point))).collect()
        };
        each(bencher, sets(100, 8).into_iter().map(has), 0, |set| {
            let indices = set.iter().enumerate().filter(|(_, is_in)| **is_in);
            indices.map(|(index, _)| black_box(index) as u32).sum()
        });
    }
}

/// The union of all eight rays from a point.
mod rays {
    use super::*;

    fn inputs() -> impl Iterator<Item = (At, Set)> {
        points().into_iter().zip(sets(100, 6))
    }

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, inputs(), Set::EMPTY, |&(from, stops)| {
            let rays = Direction::each(|direction| Set::ray_to(from, direction, stops));
            rays.into_iter().fold(Set::EMPTY, |all, ray| all | ray)
        });
    }

    #[divan::bench]
    fn vectors_in_a_loop(bencher: Bencher) {
        each(bencher, inputs(), Set::EMPTY, |&(from, stops)| {
            Direction::ALL
                .into_iter()
                .fold(Set::EMPTY, |all, direction| all | Set::ray_to(from, direction, stops))
        });
    }

    #[divan::bench]
    fn words_walking(bencher: Bencher) {
        let inputs = inputs().map(|(from, stops)| (from, stops.words()));
        each(bencher, inputs, plain::EMPTY, |&(from, stops)| {
            let rays = Direction::each(|direction| plain::ray_to(from, direction, stops));
            rays.into_iter().fold(plain::EMPTY, plain::or)
        });
    }
}

mod flipped {
    use super::*;

    #[divan::bench]
    fn vectors(bencher: Bencher) {
        each(bencher, sets(100, 8), Set::EMPTY, |set| set.flipped());
    }

    #[divan::bench]
    fn words(bencher: Bencher) {
        each(bencher, sets(100, 8).into_iter().map(Set::words), plain::EMPTY, |set| plain::flipped(*set));
    }
}
