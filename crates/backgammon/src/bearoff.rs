//! Bear-offs: the boards of one side that has all its checkers on its first points, as numbers, and the plays between them.
//!
//! The numbers are GNU Backgammon's. The empty board is 0, and every play leads to a smaller number. A board with fewer
//! checkers has a smaller number, so that the boards with up to ten checkers are the first of those with up to fifteen.

use crate::board::{Board, CHECKERS};
use crate::dice::Roll;
use crate::places::Canonical;
use bits::subsets;
use game::Side;

/// The most points from which a bear-off may begin.
pub const MOST_POINTS: usize = 10;
/// The points of the home board. No checker is borne off while another one is farther away.
const HOME: usize = 6;

/// The checkers of one side on its first points. The ace point comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HomeBoard(pub [u8; MOST_POINTS]);

/// The numbering of the boards of one side with at most so many checkers, all on its first points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BearOff {
    points: u8,
    checkers: u8,
}

impl HomeBoard {
    /// The number of checkers.
    pub fn checkers(&self) -> u8 {
        self.0.iter().sum()
    }

    /// The sum of the pips that each checker needs to be borne off.
    pub fn pips(&self) -> u32 {
        self.0.iter().zip(1..).map(|(&count, pips)| u32::from(count) * pips).sum()
    }
}

impl BearOff {
    /// The numbering of boards with up to `checkers` checkers on the first `points` points. Returns `None` if there are
    /// not 1 to 10 points, or not 1 to 15 checkers.
    pub const fn new(points: u8, checkers: u8) -> Option<Self> {
        let exists = points >= 1 && points as usize <= MOST_POINTS && checkers >= 1 && checkers <= CHECKERS;
        if exists { Some(Self { points, checkers }) } else { None }
    }

    /// The number of points.
    pub const fn points(self) -> u8 {
        self.points
    }

    /// The most checkers.
    pub const fn checkers(self) -> u8 {
        self.checkers
    }

    /// The number of boards.
    pub fn boards(self) -> u32 {
        subsets::count((self.points + self.checkers).into(), self.points.into()) as u32
    }

    /// The number of a board. Returns `None` if the board has too many checkers, or one that is too far away.
    pub fn rank(self, board: &HomeBoard) -> Option<u32> {
        let points = usize::from(self.points);
        let fits = board.0[points..].iter().all(|&count| count == 0)
            && board.0.iter().all(|&count| count <= self.checkers)
            && board.checkers() <= self.checkers;
        fits.then(|| Sums::of(board).rank(points))
    }

    /// The board with a number.
    ///
    /// # Panics
    /// Panics if there is no such board.
    pub fn unrank(self, number: u32) -> HomeBoard {
        assert!(number < self.boards(), "the number of a board");
        Sums::with_rank(number, self.points.into()).board()
    }

    /// All boards, in the order of their numbers. This is quicker than to [unrank](Self::unrank) each.
    pub fn iter(self) -> impl Iterator<Item = HomeBoard> {
        let first = Some(Sums([0; MOST_POINTS + 1]));
        std::iter::successors(first, move |sums| sums.next(self.points.into(), self.checkers))
            .map(Sums::board)
    }

    /// Visits each die, and the number of each board to which a step with it leads. Of each die, the rearmost checker comes first.
    /// `number` is that of the board. This is quicker than to rank the boards.
    #[inline]
    pub fn each_step(self, board: &HomeBoard, number: u32, mut visit: impl FnMut(u8, u32)) {
        let (sums, points) = (Sums::of(board), usize::from(self.points));
        // How much smaller the number gets if a checker passes all points up to this one. On each point, the sum is one less, and so is
        // the element of the subset.
        let mut passed = [0; MOST_POINTS + 1];
        for point in (0..points).filter(|&point| sums.0[point] > 0) {
            let element = points + usize::from(sums.0[point]) - 2 - point;
            let less = subsets::count(element as u32, (points - 1 - point) as u32) as u32;
            passed[point + 1] = passed[point] + less;
        }
        for from in (0..points).rev().filter(|&point| board.0[point] > 0) {
            for die in (1..=6).filter(|&die| sums.may_step(from, die)) {
                let to = (from + 1).saturating_sub(die);
                visit(die as u8, number - (passed[from + 1] - passed[to]));
            }
        }
    }

    /// The number of the board of a side. Returns `None` if the side has too many checkers on the board, or one that is too far
    /// away.
    pub fn number(self, board: &Board, side: Side) -> Option<u32> {
        let mut home = HomeBoard::default();
        for (place, count) in Canonical::sources().zip(board.counts(side)) {
            match home.0.get_mut(usize::from(place.human().number()) - 1) {
                Some(there) => *there = count,
                None if count == 0 => {}
                None => return None,
            }
        }
        self.rank(&home)
    }

    /// The numbers of both sides, first that of the side to move. Returns `None` if one of them has no number. Sides on
    /// their first ten points have passed each other.
    pub fn numbers(self, board: &Board, turn: Side) -> Option<(u32, u32)> {
        Some((self.number(board, turn)?, self.number(board, turn.other())?))
    }

    /// Finds the numbers of all boards to which a roll can lead, in ascending order. They replace the contents of `found`.
    pub fn plays(self, board: &HomeBoard, roll: Roll, found: &mut Vec<u32>) {
        found.clear();
        let (sums, points) = (Sums::of(board), usize::from(self.points));
        if roll.is_double() {
            sums.play_double(points, roll.high().into(), points, 4, found);
        } else {
            // As long as there are checkers, each die moves one. So both dice are played, except to bear off the last checker.
            for (first, second) in [(roll.high(), roll.low()), (roll.low(), roll.high())] {
                sums.each_step(first.into(), points, |after, _| {
                    after.play_double(points, second.into(), points, 1, found);
                });
            }
            if found.is_empty() {
                found.push(0);
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}

/// How many checkers are on each point or farther away.
#[derive(Clone, Copy)]
struct Sums([u8; MOST_POINTS + 1]);

impl Sums {
    fn of(board: &HomeBoard) -> Self {
        let mut sums = [0; MOST_POINTS + 1];
        for point in (0..MOST_POINTS).rev() {
            sums[point] = sums[point + 1] + board.0[point];
        }
        Self(sums)
    }

    fn board(self) -> HomeBoard {
        HomeBoard(std::array::from_fn(|point| self.0[point] - self.0[point + 1]))
    }

    /// The board with the next number, if there is one.
    fn next(self, points: usize, checkers: u8) -> Option<Self> {
        let grows = |&point: &usize| self.0[point] < if point == 0 { checkers } else { self.0[point - 1] };
        let last = (0..points).rev().find(grows)?;
        let mut next = Self([0; MOST_POINTS + 1]);
        next.0[..=last].copy_from_slice(&self.0[..=last]);
        next.0[last] += 1;
        Some(next)
    }

    /// The number of this board among the boards on so many points. A board is a subset of points + checkers elements: an
    /// element for each point, and as many elements below it as there are checkers on it or farther away.
    #[inline]
    fn rank(self, points: usize) -> u32 {
        let element = |point: usize| 1 << (points - 1 - point + usize::from(self.0[point]));
        subsets::rank((0..points).map(element).sum()) as u32
    }

    fn with_rank(rank: u32, points: usize) -> Self {
        let mut sums = [0; MOST_POINTS + 1];
        let mut subset = subsets::unrank(rank.into(), points as u32);
        for point in (0..points).rev() {
            sums[point] = (subset.trailing_zeros() as usize - (points - 1 - point)) as u8;
            subset &= subset - 1;
        }
        Self(sums)
    }

    /// Returns whether a checker on a point can move by a die. Points count from 0. It may be borne off by more than it needs only if no
    /// checker is behind it, and at all only if all checkers are at home.
    #[inline]
    fn may_step(self, from: usize, die: usize) -> bool {
        from >= die || self.0[from + 1] == 0 || (from + 1 == die && self.0[HOME] == 0)
    }

    /// Visits the board after each step with a die, and the point that the checker left. Only checkers below `end` step.
    #[inline]
    fn each_step(self, die: usize, end: usize, mut visit: impl FnMut(Self, usize)) {
        for from in (0..end).filter(|&point| self.0[point] > self.0[point + 1]) {
            if self.may_step(from, die) {
                let mut after = self;
                after.0[(from + 1).saturating_sub(die)..=from].iter_mut().for_each(|sum| *sum -= 1);
                visit(after, from);
            }
        }
    }

    /// Finds the boards after several steps with the same die. Steps go from the rear to the front, because different steps in
    /// this order lead to different boards. Nothing is left to step when all checkers are off.
    fn play_double(self, points: usize, die: usize, end: usize, steps: u32, found: &mut Vec<u32>) {
        if steps == 0 || self.0[0] == 0 {
            found.push(self.rank(points));
            return;
        }
        self.each_step(die, end, |after, from| {
            after.play_double(points, die, from + 1, steps - 1, found);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use game::{BySide, Rng};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    fn numbering(points: u8, checkers: u8) -> BearOff {
        BearOff::new(points, checkers).expect("a numbering")
    }

    /// The board on which one side has these checkers, and the other one has a single checker on its ace point.
    fn board(home: &HomeBoard) -> Board {
        let mut counts = BySide { first: [0; 25], second: [0; 25] };
        for (point, &count) in (1..).zip(&home.0) {
            counts.first[25 - point] = count;
        }
        counts.second[24] = 1;
        Board::from_counts(&counts)
    }

    #[test]
    fn every_number_leads_back() {
        for (points, checkers, boards) in
            [(6, 6, 924), (6, 15, 54_264), (7, 15, 170_544), (10, 15, 3_268_760)]
        {
            let numbering = numbering(points, checkers);
            assert_eq!((numbering.boards(), numbering.iter().count()), (boards, boards as usize));
            for (number, home) in (0..).zip(numbering.iter()) {
                assert_eq!(home, numbering.unrank(number));
                assert_eq!(numbering.rank(&home), Some(number));
                if number % 97 == 0 {
                    assert_eq!(numbering.number(&board(&home), Side::First), Some(number));
                }
            }
        }
        assert_eq!(
            BearOff::new(11, 15).or(BearOff::new(0, 15)).or(BearOff::new(6, 16)).or(BearOff::new(6, 0)),
            None
        );
    }

    #[test]
    fn fewer_checkers_come_first() {
        let (few, many) = (numbering(6, 7), numbering(6, 15));
        assert!((0..few.boards()).all(|number| few.unrank(number) == many.unrank(number)));
        assert_eq!(few.rank(&many.unrank(few.boards())), None, "eight checkers");
        assert_eq!(
            few.rank(&numbering(7, 7).unrank(numbering(7, 7).boards() - 1)),
            None,
            "on the seventh point"
        );
    }

    /// The numbers of the boards that the move generator finds.
    fn generated(numbering: BearOff, home: &HomeBoard, roll: Roll) -> BTreeSet<u32> {
        let (board, mut found) = (board(home), BTreeSet::new());
        let _ = Field::new(&board, Side::First).visit_turns(roll, |turn| {
            found.insert(
                numbering.number(&board.after(Side::First, roll, turn), Side::First).expect("nearer"),
            );
            ControlFlow::<()>::Continue(())
        });
        found
    }

    #[test]
    fn plays_are_those_of_the_move_generator() {
        let mut rng = Rng::new(3);
        for (points, checkers, every) in [(6, 6, 1), (6, 15, 41), (7, 15, 211), (10, 15, 4_001)] {
            let (numbering, mut found) = (numbering(points, checkers), Vec::new());
            for number in (0..numbering.boards()).filter(|_| rng.below(every) == 0) {
                let home = numbering.unrank(number);
                for roll in Roll::ALL {
                    numbering.plays(&home, roll, &mut found);
                    let expected = generated(numbering, &home, roll);
                    assert!(found.iter().eq(&expected), "{home:?} {roll}: {found:?}, not {expected:?}");
                    assert!(number == 0 || found.iter().all(|&after| after < number));
                }
            }
        }
    }

    #[test]
    fn steps_lead_where_their_numbers_say() {
        for (points, checkers) in [(6, 6), (10, 4)] {
            let numbering = numbering(points, checkers);
            for (number, home) in (0..).zip(numbering.iter()) {
                let (mut found, mut expected) = (BTreeSet::new(), BTreeSet::new());
                numbering.each_step(&home, number, |die, after| assert!(found.insert((die, after))));
                for die in 1..=6 {
                    let all = usize::from(points);
                    Sums::of(&home).each_step(die.into(), all, |after, _| {
                        expected.insert((die, after.rank(all)));
                    });
                }
                assert_eq!(found, expected, "{home:?}");
                assert_eq!(found.is_empty(), number == 0);
            }
        }
    }

    #[test]
    fn both_sides_have_numbers_after_they_have_passed() {
        let six = numbering(6, 15);
        assert_eq!(six.numbers(&Board::START, Side::First), None);
        let mut counts = BySide { first: [0; 25], second: [0; 25] };
        (counts.first[24], counts.second[19]) = (2, 1);
        let passed = Board::from_counts(&counts);
        assert_eq!(
            six.numbers(&passed, Side::Second),
            Some((6, 7)),
            "one on the sixth point, two on the first"
        );
        assert_eq!(numbering(5, 15).numbers(&passed, Side::First), None);
        assert_eq!(numbering(6, 1).numbers(&passed, Side::First), None);
    }
}
