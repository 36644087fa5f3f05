//! A class of endgames: the men besides the kings. Captured men change sides, so no move leaves a class.

use crate::pieces::Kind;
use crate::standing::Standing;
use std::fmt;

/// The men of an endgame besides the kings, without their owners: `R`, `PG`, `GGG`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// How many men there are of each kind, in the order of [`Kind::IN_HAND`].
    counts: [u8; Kind::IN_HAND.len()],
}

/// The order of the kinds within an index. The last man changes fastest. A solver by rows makes the last man its row,
/// and that is fastest for sliders, and slowest for golds.
const INDEX_ORDER: [Kind; 7] =
    [Kind::Gold, Kind::Knight, Kind::Pawn, Kind::Silver, Kind::Lance, Kind::Bishop, Kind::Rook];

impl Class {
    /// The most men of a class, without the kings.
    pub const MOST: usize = 3;

    /// The class with these men. Returns `None` if there is no man, a king, or more men than a table or a set has.
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Option<Self> {
        let mut class = Self { counts: [0; 7] };
        let mut men = 0;
        for kind in kinds {
            let count = class.counts.get_mut(kind.original() as usize)?;
            *count += 1;
            men += 1;
            if u32::from(*count) > kind.supply() || men > Self::MOST {
                return None;
            }
        }
        (men > 0).then_some(class)
    }

    /// All classes: those with few men first, then in the order of their names' letters: P, L, N, S, G, B, R.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        let mut last: Vec<Vec<Kind>> = vec![Vec::new()];
        for _ in 0..Self::MOST {
            let longer = |men: &Vec<Kind>| {
                let men = men.clone();
                let least = men.last().map_or(0, |&kind| kind as usize);
                Kind::IN_HAND[least..].iter().map(move |&kind| [&men[..], &[kind]].concat())
            };
            last = last.iter().flat_map(longer).collect();
            all.extend(last.iter().filter_map(|men| Self::new(men.iter().copied())));
        }
        all
    }

    /// Reads the letters of the men, in any order and in upper or lower case. The names that people use for endgames
    /// are read as well: `KRvK`, `KGvKP`, `krk`.
    pub fn parse(name: &str) -> Option<Self> {
        let letters = name.to_ascii_uppercase();
        let kinds = letters.chars().filter(|&letter| letter != 'V').map(Kind::from_letter);
        let kinds = kinds.collect::<Option<Vec<_>>>()?;
        let is_king = |kind: &Kind| *kind == Kind::King;
        let kings = kinds.iter().filter(|kind| is_king(kind)).count();
        let named_by_sides = letters.matches('V').count() <= 1 && kings == 2;
        let named_by_men = !letters.contains('V') && kings == 0;
        let men = kinds.into_iter().filter(|kind| !is_king(kind));
        if named_by_men || named_by_sides { Self::new(men) } else { None }
    }

    /// How many men there are of a kind. Promoted kinds count as their originals.
    #[inline]
    pub fn count(self, kind: Kind) -> usize {
        self.counts.get(kind.original() as usize).map_or(0, |&count| count.into())
    }

    /// The number of pieces, with the two kings.
    pub fn pieces(self) -> usize {
        2 + self.counts.iter().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// The kinds of the class and how many men there are of each, in the order of an index.
    #[inline]
    pub fn kinds(self) -> impl DoubleEndedIterator<Item = (Kind, usize)> + Clone {
        INDEX_ORDER.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }

    /// The kind of each man, in the order of an index.
    pub fn men(self) -> Vec<Kind> {
        self.kinds().flat_map(|(kind, count)| std::iter::repeat_n(kind, count)).collect()
    }

    /// The number of ways in which the men can stand. Men of a kind are not told apart.
    pub fn arrangements(self) -> u64 {
        self.ways().product()
    }

    /// The numbers of ways in which the men of each kind can stand, in the order of an index.
    pub fn ways(self) -> impl Iterator<Item = u64> {
        self.kinds().map(|(kind, count)| choices(Standing::count(kind).into(), count))
    }

    /// The number of an arrangement. `standings` has the number of each man's standing, in the order of
    /// [`men`](Self::men), and those of a kind ascend.
    #[inline]
    pub fn rank(self, standings: &[u16]) -> u64 {
        let (mut rank, mut rest) = (0, standings);
        for (kind, count) in self.kinds() {
            let of_kind;
            (of_kind, rest) = rest.split_at(count);
            let states = u64::from(Standing::count(kind));
            rank = rank * choices(states, count) + rank_of_kind(states, of_kind);
        }
        rank
    }

    /// The arrangement with this number; the inverse of [`rank`](Self::rank).
    pub fn unrank(self, mut rank: u64) -> Vec<u16> {
        let mut standings = Vec::new();
        for (kind, count) in self.kinds().rev() {
            let states = u64::from(Standing::count(kind));
            let ways = choices(states, count);
            let of_kind = unrank_of_kind(states, count, rank % ways);
            standings.splice(0..0, of_kind);
            rank /= ways;
        }
        standings
    }
}

/// The number of ascending lists of `count` numbers below `states`, where a number may occur again.
#[inline]
fn choices(states: u64, count: usize) -> u64 {
    match count {
        0 => 1,
        1 => states,
        2 => states * (states + 1) / 2,
        _ => states * (states + 1) * (states + 2) / 6,
    }
}

/// The place of an ascending list in the order of the dictionary.
#[inline]
fn rank_of_kind(states: u64, standings: &[u16]) -> u64 {
    let (mut rank, mut last) = (0, 0);
    for (i, &standing) in standings.iter().enumerate() {
        let left = standings.len() - i;
        rank += choices(states - last, left) - choices(states - u64::from(standing), left);
        last = standing.into();
    }
    rank
}

/// The inverse of [`rank_of_kind`].
fn unrank_of_kind(states: u64, count: usize, mut rank: u64) -> Vec<u16> {
    let (mut standings, mut last) = (Vec::with_capacity(count), 0u16);
    for left in (1..=count).rev() {
        let before = |standing: u16| {
            choices(states - u64::from(last), left) - choices(states - u64::from(standing), left)
        };
        // The largest standing that does not come behind the list.
        let (mut low, mut high) = (last, states as u16 - 1);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if before(middle) <= rank {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        rank -= before(low);
        standings.push(low);
        last = low;
    }
    standings
}

/// Writes the letters of the men: `PG`.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kind in Kind::IN_HAND {
            for _ in 0..self.count(kind) {
                write!(f, "{}", kind.letter())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_order() {
        let name = |text: &str| Class::parse(text).map(|class| class.to_string());
        for (text, class) in [
            ("R", "R"),
            ("gp", "PG"),
            ("KRvK", "R"),
            ("KGvKP", "PG"),
            ("krk", "R"),
            ("KKGGG", "GGG"),
            ("rbp", "PBR"),
        ] {
            assert_eq!(name(text).as_deref(), Some(class), "{text}");
        }
        for text in
            ["", "K", "KK", "KvK", "KR", "RvK", "RRR", "GGGG", "X", "KRvKvK", "KKKR", "R v", "RvB", "Rr2"]
        {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn arrangements_are_numbered_without_gaps() {
        for name in ["G", "GG", "GGG", "NN"] {
            let class = Class::parse(name).expect("a class");
            let step = if class.pieces() > 4 { 97 } else { 1 };
            let mut last = None;
            for rank in (0..class.arrangements()).step_by(step) {
                let standings = class.unrank(rank);
                assert!(standings.is_sorted() && Some(&standings) > last.as_ref(), "{name} {rank}");
                assert_eq!(class.rank(&standings), rank, "{name} {standings:?}");
                last = Some(standings);
            }
        }
        for class in Class::all() {
            for rank in (0..1000).map(|n| n * (class.arrangements() / 1000)).chain([class.arrangements() - 1])
            {
                assert_eq!(class.rank(&class.unrank(rank)), rank, "{class}");
            }
        }
    }
}
