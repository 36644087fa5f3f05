//! All plays of a side with few checkers, whatever the opponent's checkers are.
//!
//! For a set of the side to move and a roll, the opponent's set matters in two ways only: it blocks at most one point,
//! because two checkers are needed for that and there are at most three; and its blots are hit where the play lands. So there is
//! a list of plays for each blocked point, which is good for many sets of the opponent at once.

use backgammon::{Few, Field, Roll, Turn};
use game::parallel;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// The number of places of a side: the bar and the points.
const PLACES: usize = 25;

/// A play of a roll.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Play {
    /// The set of the side to move after it.
    pub own: u16,
    /// The number of its [landing](Plays::hits).
    landing: u16,
}

/// The sets, in the order in which they are solved, and their plays.
pub struct Plays {
    /// The numbers of the sets in the tables, in the order of their pips. All other numbers here are places in this order.
    pub numbers: Vec<usize>,
    /// The points with checkers of each set, as the opponent sees them.
    pub seen: Vec<u32>,
    /// The points with checkers of each set, as its own side sees them.
    pub held: Vec<u32>,
    plays: Vec<Play>,
    rolls: Vec<OfRoll>,
    blocked: Vec<(u8, Range<u32>)>,
    /// For each landing, the sets of the opponent with a blot there, and the sets after the hits.
    landings: Vec<Vec<(u16, u16)>>,
    /// The points of each landing.
    points: Vec<u32>,
    /// The sets of the opponent that block each point.
    blockers: Vec<Vec<Blocker>>,
}

/// A set of the opponent that blocks a point.
#[derive(Clone, Copy, Debug)]
pub struct Blocker {
    /// The set.
    pub set: u16,
    /// The set after its blot is hit.
    hit: u16,
    /// The point of its blot, as a set of points, which is empty if there is no blot.
    blot: u32,
}

impl Blocker {
    /// The set after a play that lands on these points.
    #[inline]
    pub fn after(self, points: u32) -> usize {
        usize::from(if self.blot & points == 0 { self.set } else { self.hit })
    }
}

/// The plays of a set with a roll.
#[derive(Clone)]
struct OfRoll {
    /// The plays if no point is blocked on which one of them lands.
    free: Range<u32>,
    /// The points on which they land, with the plays if such a point is blocked.
    blocked: Range<u32>,
}

/// The lists of a set, before they are joined: plays as the set after them and the points on which they land.
type OfSet = Vec<(Vec<(u16, u32)>, Vec<(u8, Vec<(u16, u32)>)>)>;

impl Plays {
    /// Finds the plays of all sets, with the rules of the game.
    pub fn new(few: Few) -> Self {
        let counts = |number: usize| few.set(number).expect("a set has this number");
        let pips =
            |counts: &[u8; PLACES]| (0..).zip(counts).map(|(at, &count)| (25 - at) * u32::from(count)).sum();
        let mut numbers: Vec<usize> = (0..few.sets()).collect();
        numbers.sort_by_key(|&number| -> (u32, usize) { (pips(&counts(number)), number) });
        let sets: Vec<[u8; PLACES]> = numbers.iter().map(|&number| counts(number)).collect();
        let mut places = vec![0u16; sets.len()];
        (0..).zip(&numbers).for_each(|(place, &number)| places[number] = place);
        let place = |counts: &[u8; PLACES]| places[few.set_number(counts).expect("no checker was added")];

        let of_sets = parallel::map(sets.len(), |set| plays_of_set(&sets[set], &place));
        let mut landing_numbers = BTreeMap::new();
        let mut landing = |points: u32| -> u16 {
            let next = u16::try_from(landing_numbers.len()).expect("few points are landed on at once");
            *landing_numbers.entry(points).or_insert(next)
        };
        let (mut plays, mut rolls, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
        let mut join = |list: Vec<(u16, u32)>, plays: &mut Vec<Play>| {
            let from = plays.len() as u32;
            plays.extend(list.into_iter().map(|(own, points)| Play { own, landing: landing(points) }));
            from..plays.len() as u32
        };
        for of_set in of_sets {
            for (free, by_point) in of_set {
                let free = join(free, &mut plays);
                let from = blocked.len() as u32;
                for (point, list) in by_point {
                    blocked.push((point, join(list, &mut plays)));
                }
                rolls.push(OfRoll { free, blocked: from..blocked.len() as u32 });
            }
        }
        let mut points_of_landing = vec![0; landing_numbers.len()];
        landing_numbers.iter().for_each(|(&points, &number)| points_of_landing[usize::from(number)] = points);
        let landings =
            parallel::map(points_of_landing.len(), |number| hits(&sets, points_of_landing[number], &place));
        let blocker = |set: usize| {
            let (mut after, mut blot) = (sets[set], 0);
            if let Some(at) = (1..PLACES).find(|&at| after[at] == 1) {
                blot = 1 << (PLACES - at);
                after[at] = 0;
                after[0] += 1;
            }
            Blocker { set: set as u16, hit: place(&after), blot }
        };
        let blockers = (0..PLACES).map(|point| {
            let blocks = |set: &usize| point > 0 && sets[*set][PLACES - point] > 1;
            (0..sets.len()).filter(blocks).map(blocker).collect()
        });
        let held =
            |counts: &[u8; PLACES]| (1..PLACES).filter(|&at| counts[at] > 0).map(|at| 1u32 << at).sum();
        let seen = |counts: &[u8; PLACES]| {
            (1..PLACES).filter(|&at| counts[at] > 0).map(|at| 1u32 << (PLACES - at)).sum()
        };
        Self {
            seen: sets.iter().map(seen).collect(),
            held: sets.iter().map(held).collect(),
            blockers: blockers.collect(),
            numbers,
            plays,
            rolls,
            blocked,
            landings,
            points: points_of_landing,
        }
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether there is a position with these sets.
    #[inline]
    pub fn is_position(&self, mine: usize, theirs: usize) -> bool {
        // The first set has no checkers.
        mine > 0 && theirs > 0 && self.held[mine] & self.seen[theirs] == 0
    }

    /// The plays of a set with the roll of this number, against opponents who block none of the points where they land.
    #[inline]
    pub fn free(&self, set: usize, roll: usize) -> &[Play] {
        self.list(&self.rolls[set * Roll::ALL.len() + roll].free)
    }

    /// The sets of the opponent that block a point where a play could land, with the plays against them.
    #[inline]
    pub fn blocked(&self, set: usize, roll: usize) -> impl Iterator<Item = (&[Blocker], &[Play])> {
        let Range { start, end } = self.rolls[set * Roll::ALL.len() + roll].blocked;
        let lists = self.blocked[start as usize..end as usize].iter();
        lists.map(|(point, plays)| (self.blockers[usize::from(*point)].as_slice(), self.list(plays)))
    }

    /// The sets of the opponent with a blot where a play lands, with the sets after the hits, in the order of the sets.
    #[inline]
    pub fn hits(&self, play: Play) -> &[(u16, u16)] {
        &self.landings[usize::from(play.landing)]
    }

    /// The points where a play lands.
    #[inline]
    pub fn points(&self, play: Play) -> u32 {
        self.points[usize::from(play.landing)]
    }

    fn list(&self, range: &Range<u32>) -> &[Play] {
        &self.plays[range.start as usize..range.end as usize]
    }

    /// The memory of the lists, in bytes.
    pub fn bytes(&self) -> u64 {
        let hits: usize = self.landings.iter().map(Vec::len).sum();
        (size_of_val(&*self.plays) + size_of_val(&*self.rolls) + size_of_val(&*self.blocked) + 4 * hits)
            as u64
    }
}

/// The plays of a set with every roll.
fn plays_of_set(set: &[u8; PLACES], place: &impl Fn(&[u8; PLACES]) -> u16) -> OfSet {
    let is_off = set.iter().all(|&count| count == 0);
    let of_roll = |roll: Roll| {
        if is_off {
            return (Vec::new(), Vec::new());
        }
        let free = plays_of_roll(set, roll, 0, place);
        let points = free.iter().fold(0, |points, &(_, landing)| points | landing);
        // A blocked point where no play lands changes nothing.
        let blocked = (1..PLACES as u8).filter(|point| points >> point & 1 != 0);
        let by_point = blocked.map(|point| (point, plays_of_roll(set, roll, 1 << point, place))).collect();
        (free, by_point)
    };
    Roll::ALL.into_iter().map(of_roll).collect()
}

/// The plays of a set with a roll if these points are blocked, sorted.
fn plays_of_roll(
    set: &[u8; PLACES],
    roll: Roll,
    blocked: u32,
    place: &impl Fn(&[u8; PLACES]) -> u16,
) -> Vec<(u16, u32)> {
    let mut plays = Vec::new();
    let _ = Field::among_blots(set, blocked).visit_turns(roll, |turn: Turn| {
        let (mut own, mut points) = (*set, 0);
        turn.for_each_step(roll, |from, die| {
            let to = from.after(die).number();
            // The step of the higher die comes first, also if it moves the checker on that the lower die has moved. Then a count
            // is below zero in between.
            let before = &mut own[usize::from(from.number())];
            *before = before.wrapping_sub(1);
            if let Some(count) = own.get_mut(usize::from(to)) {
                *count = count.wrapping_add(1);
                points |= 1u32 << to;
            }
        });
        plays.push((place(&own), points));
        ControlFlow::<()>::Continue(())
    });
    plays.sort_unstable();
    plays.dedup();
    plays
}

/// The sets of the opponent with a blot on one of these points, and the sets after the blots were hit.
fn hits(sets: &[[u8; PLACES]], points: u32, place: &impl Fn(&[u8; PLACES]) -> u16) -> Vec<(u16, u16)> {
    let mut hits = Vec::new();
    for (number, set) in (0..).zip(sets) {
        let mut after = *set;
        for at in (1..PLACES).filter(|&at| points >> (PLACES - at) & 1 != 0 && set[at] == 1) {
            after[at] = 0;
            after[0] += 1;
        }
        if after != *set {
            hits.push((number, place(&after)));
        }
    }
    hits
}
