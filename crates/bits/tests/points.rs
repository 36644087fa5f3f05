//! Compares every operation on sets of points with a slow version: a plain set of ranks and files.

use endspiel_bits::{Direction, Point, PointSet, side_by_side};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet, VecDeque};

/// Points as (rank, file), so that they have the same order as the points of the board.
type Slow = BTreeSet<(u8, u8)>;

/// Converts a slow set into a `PointSet`, by its bits.
fn fast<const FILES: u8, const RANKS: u8>(slow: &Slow) -> PointSet<FILES, RANKS> {
    let mut words = [0; 4];
    for &(rank, file) in slow {
        words[usize::from(rank / 4)] |= 1 << (rank % 4 * 16 + file);
    }
    PointSet::from_words(words).expect("points of the board")
}

fn point<const FILES: u8, const RANKS: u8>((rank, file): (u8, u8)) -> Point<FILES, RANKS> {
    Point::at(file, rank)
}

/// Every point of the board.
fn full<const FILES: u8, const RANKS: u8>() -> Slow {
    (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| (rank, file))).collect()
}

/// The next point in a direction, or `None` if that is off the board.
fn stepped<const FILES: u8, const RANKS: u8>(
    (rank, file): (u8, u8),
    direction: Direction,
) -> Option<(u8, u8)> {
    let (dx, dy) = direction.delta();
    let to = (rank.checked_add_signed(dy)?, file.checked_add_signed(dx)?);
    (to.0 < RANKS && to.1 < FILES).then_some(to)
}

/// The points in a direction, up to and including the first of the stops.
fn walked<const FILES: u8, const RANKS: u8>(from: (u8, u8), direction: Direction, stops: &Slow) -> Slow {
    let mut points = Slow::new();
    let mut at = from;
    while let Some(next) = stepped::<FILES, RANKS>(at, direction) {
        points.insert(next);
        if stops.contains(&next) {
            break;
        }
        at = next;
    }
    points
}

/// Two sets and a point of the board.
fn any_pair<const FILES: u8, const RANKS: u8>() -> impl Strategy<Value = (Slow, Slow, (u8, u8))> {
    let any_point = || (0..RANKS, 0..FILES);
    let count = usize::from(FILES) * usize::from(RANKS);
    let any_set = move || {
        // Few points for long rays, many for full words. The last strategy removes a few points from the full board.
        let points = |most| prop::collection::btree_set(any_point(), 0..=most);
        prop_oneof![
            points(count.min(12)),
            points(count),
            points(12).prop_map(|set| &full::<FILES, RANKS>() - &set)
        ]
    };
    (any_set(), any_set(), any_point())
}

fn behaves_like_a_set_of_points<const FILES: u8, const RANKS: u8>(a: &Slow, b: &Slow, at: (u8, u8)) {
    type Set<const FILES: u8, const RANKS: u8> = PointSet<FILES, RANKS>;
    let set = fast::<FILES, RANKS>;
    let (fast_a, fast_b, fast_at) = (set(a), set(b), point::<FILES, RANKS>(at));

    // One set
    assert_eq!(Set::from_words(fast_a.words()), Some(fast_a));
    assert_eq!(fast_a == fast_b, a == b);
    assert_eq!(HashSet::from([fast_a, fast_b, fast_a]).len(), if a == b { 1 } else { 2 });
    assert_eq!(a.iter().map(|&p| point(p)).collect::<Set<FILES, RANKS>>(), fast_a);
    assert_eq!(fast_a.len() as usize, a.len());
    assert_eq!(fast_a.is_empty(), a.is_empty());
    assert_eq!(fast_a.first(), a.first().map(|&p| point(p)));
    assert_eq!(fast_a.last(), a.last().map(|&p| point(p)));

    // A set and a point
    let one = Slow::from([at]);
    assert_eq!(Set::of(fast_at), set(&one));
    assert_eq!(Set::from(fast_at), set(&one));
    assert_eq!(fast_a.contains(fast_at), a.contains(&at));
    assert_eq!(fast_a.with(fast_at), set(&(a | &one)));
    assert_eq!(fast_a.without(fast_at), set(&(a - &one)));
    let mut changed = fast_a;
    changed.insert(fast_at);
    assert_eq!(changed, set(&(a | &one)));
    changed.remove(fast_at);
    assert_eq!(changed, set(&(a - &one)));

    // Two sets
    assert_eq!(fast_a & fast_b, set(&(a & b)));
    assert_eq!(fast_a | fast_b, set(&(a | b)));
    assert_eq!(fast_a ^ fast_b, set(&(a ^ b)));
    assert_eq!(fast_a - fast_b, set(&(a - b)));
    assert_eq!(!fast_a, set(&(&full::<FILES, RANKS>() - a)));
    assert_eq!(fast_a.intersects(fast_b), !a.is_disjoint(b));
    let assigned = |change: fn(&mut Set<FILES, RANKS>, Set<FILES, RANKS>)| {
        let mut set = fast_a;
        change(&mut set, fast_b);
        set
    };
    assert_eq!(assigned(|a, b| *a &= b), fast_a & fast_b);
    assert_eq!(assigned(|a, b| *a |= b), fast_a | fast_b);
    assert_eq!(assigned(|a, b| *a ^= b), fast_a ^ fast_b);
    assert_eq!(assigned(|a, b| *a -= b), fast_a - fast_b);

    // Steps, rays and flips
    for direction in Direction::ALL {
        let steps = a.iter().filter_map(|&p| stepped::<FILES, RANKS>(p, direction)).collect();
        assert_eq!(fast_a.step(direction), set(&steps), "{direction:?}");
        let ray = walked::<FILES, RANKS>(at, direction, &Slow::new());
        assert_eq!(Set::ray(fast_at, direction), set(&ray), "{direction:?}");
        let ray = walked::<FILES, RANKS>(at, direction, a);
        assert_eq!(Set::ray_to(fast_at, direction, fast_a), set(&ray), "{direction:?}");
    }
    assert_eq!(fast_a.flipped(), set(&a.iter().map(|&(rank, file)| (RANKS - 1 - rank, file)).collect()));

    // Texts and drawings
    let names: Vec<String> = fast_a.iter().map(|p| p.to_string()).collect();
    assert_eq!(fast_a.names(), names.join(" "));
    assert_eq!(format!("{fast_a:?}"), format!("{{{}}}", names.join(", ")));
    let drawn = side_by_side(&[("a", fast_a), ("b", fast_b)]);
    assert_eq!(drawn.lines().count(), usize::from(RANKS) + 2);
    let edge = drawn.len() - drawn.trim_start().len();
    for (line, rank) in drawn.lines().skip(1).zip((0..RANKS).rev()) {
        let places: Vec<char> = line[edge..].chars().collect();
        for file in 0..FILES {
            let place = |slow: &Slow| if slow.contains(&(rank, file)) { 'x' } else { '.' };
            assert_eq!(places[2 * usize::from(file)], place(a));
            assert_eq!(places[2 * usize::from(FILES) + 3 + 2 * usize::from(file)], place(b));
        }
    }
    let alone = side_by_side(&[("", fast_a)]);
    assert_eq!(alone.split_once('\n').unwrap().1, fast_a.to_string());
}

/// Iterates from the front or the back as the coins say, and over the rest with `fold`.
fn iterates_like_a_queue<const FILES: u8, const RANKS: u8>(a: &Slow, coins: &[bool]) {
    let set = fast::<FILES, RANKS>(a);
    let mut slow: VecDeque<Point<FILES, RANKS>> = a.iter().map(|&p| point(p)).collect();
    assert!(set.iter().eq(slow.iter().copied()));
    assert!(set.iter().rev().eq(slow.iter().rev().copied()));
    let mut iter = set.into_iter();
    for &coin in coins {
        assert_eq!((iter.len(), iter.size_hint()), (slow.len(), (slow.len(), Some(slow.len()))));
        if coin {
            assert_eq!(iter.next(), slow.pop_front());
        } else {
            assert_eq!(iter.next_back(), slow.pop_back());
        }
    }
    let rest = iter.clone().fold(VecDeque::new(), |mut all, point| {
        all.push_back(point);
        all
    });
    assert_eq!(rest, slow);
    let rest = iter.rfold(VecDeque::new(), |mut all, point| {
        all.push_front(point);
        all
    });
    assert_eq!(rest, slow);
}

fn numbers_and_names<const FILES: u8, const RANKS: u8>() {
    let mut all = Point::<FILES, RANKS>::all();
    assert_eq!(Point::<FILES, RANKS>::NUMBERS, 16 * usize::from(RANKS));
    for index in 0..=255u8 {
        let mut words = [0; 4];
        words[usize::from(index / 64)] = 1 << (index % 64);
        let set = PointSet::<FILES, RANKS>::from_words(words);
        let on_board = index % 16 < FILES && index / 16 < RANKS;
        assert_eq!(set.is_some(), on_board, "bit {index}");
        let Some(point) = Point::<FILES, RANKS>::from_index(index) else {
            assert!(!on_board, "number {index}");
            continue;
        };
        assert_eq!((set, all.next()), (Some(PointSet::of(point)), Some(point)));
        assert_eq!((point.index(), point.file(), point.rank()), (index.into(), index % 16, index / 16));
        assert_eq!(Point::at(point.file(), point.rank()), point);
        assert_eq!(point.to_string().parse(), Ok(point));
        assert_eq!(format!("{point:?}"), point.to_string());
        assert_eq!((point.flip().rank(), point.flip().file()), (RANKS - 1 - point.rank(), point.file()));
        assert_eq!(point.flip().flip(), point);
        for direction in Direction::ALL {
            let next = stepped::<FILES, RANKS>((point.rank(), point.file()), direction);
            assert_eq!(point.next(direction), next.map(self::point));
        }
        for dx in i8::MIN..=i8::MAX {
            let to = i16::from(point.file()) + i16::from(dx);
            let is_file = (0..i16::from(FILES)).contains(&to);
            assert_eq!(point.offset(dx, 0).map(|p| i16::from(p.file())), is_file.then_some(to));
            let to = i16::from(point.rank()) + i16::from(dx);
            let is_rank = (0..i16::from(RANKS)).contains(&to);
            assert_eq!(point.offset(0, dx).map(|p| i16::from(p.rank())), is_rank.then_some(to));
        }
    }
    assert_eq!(all.next(), None);
    let beyond = [format!("{}1", char::from(b'a' + FILES)), format!("a{}", RANKS + 1)];
    for text in ["", "a", "a0", "a01", "a1 ", "1a", "a+1", "aa1", "A1", "\u{e1}1", "a257"] {
        assert!(text.parse::<Point<FILES, RANKS>>().is_err(), "{text}");
    }
    for text in beyond {
        assert!(text.parse::<Point<FILES, RANKS>>().is_err(), "{text}");
    }
    assert_eq!(PointSet::<FILES, RANKS>::FULL, fast(&full::<FILES, RANKS>()));
    assert_eq!(PointSet::<FILES, RANKS>::default(), PointSet::EMPTY);
}

/// Runs the same tests on several boards: the board of CoTuLenh, the largest board, a board whose last word is not
/// full, and a board of one point.
macro_rules! on_board {
    ($($name:ident: $files:literal x $ranks:literal),*) => {$(
        mod $name {
            use super::*;

            proptest! {
                #[test]
                fn sets_behave_like_sets((a, b, at) in any_pair::<$files, $ranks>()) {
                    behaves_like_a_set_of_points::<$files, $ranks>(&a, &b, at);
                }

                #[test]
                fn points_come_in_order(
                    (a, _, _) in any_pair::<$files, $ranks>(),
                    coins in prop::collection::vec(any::<bool>(), 0..260),
                ) {
                    iterates_like_a_queue::<$files, $ranks>(&a, &coins);
                }

                #[test]
                fn totals_are_sums(
                    (a, b, _) in any_pair::<$files, $ranks>(),
                    which in prop::collection::vec(0usize..3, 0..100),
                ) {
                    let sets = [fast::<$files, $ranks>(&a), fast(&b), PointSet::FULL];
                    let sets: Vec<_> = which.into_iter().map(|i| sets[i]).collect();
                    prop_assert_eq!(PointSet::total(&sets), sets.iter().map(|set| set.len()).sum::<u32>());
                }

                #[test]
                fn words_beyond_the_board_are_no_set(words: [u64; 4], few: bool) {
                    let full = fast::<$files, $ranks>(&full::<$files, $ranks>()).words();
                    let words = if few { [words[0] & full[0], words[1] & full[1], 0, 0] } else { words };
                    let on_board = words.iter().zip(full).all(|(word, full)| word & !full == 0);
                    prop_assert_eq!(PointSet::<$files, $ranks>::from_words(words).is_some(), on_board);
                }
            }

            #[test]
            fn points_have_numbers_and_names() {
                numbers_and_names::<$files, $ranks>();
            }

            #[test]
            fn rays_end_at_any_single_stop() {
                for from in full::<$files, $ranks>() {
                    for stop in full::<$files, $ranks>() {
                        let stops = Slow::from([stop]);
                        for direction in Direction::ALL {
                            let ray = PointSet::ray_to(point::<$files, $ranks>(from), direction, fast(&stops));
                            assert_eq!(ray, fast(&walked::<$files, $ranks>(from, direction, &stops)));
                        }
                    }
                }
            }
        }
    )*};
}

on_board!(eleven_by_twelve: 11 x 12, fifteen_by_sixteen: 15 x 16, five_by_six: 5 x 6, one_by_one: 1 x 1);

#[test]
fn directions_have_ways_back() {
    for direction in Direction::ALL {
        let (dx, dy) = direction.delta();
        assert_eq!(direction.reversed().delta(), (-dx, -dy));
        assert_eq!(direction.is_diagonal(), dx != 0 && dy != 0);
    }
    assert_eq!(Direction::ALL.map(|direction| direction as u8), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(Direction::each(|direction| direction), Direction::ALL);
}
