//! The material of an endgame: the men of both sides.

use crate::kings::Fold;
use crate::pieces::{Kind, Piece};
use bits::subsets;
use game::Side;
use std::fmt;
use std::ops::Range;

/// The men of an endgame besides the kings. The side with more men, or else with the stronger ones, is White: `KQvKR`.
///
/// Materials are in the order of [`Material::all`]: few men first, then few pawns, then strong ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// The number of men, the number of pawns, and the complement of the [armies](Self::armies), from the highest bits down. So a
    /// comparison of materials is one of numbers; probes search for their table by it.
    order: u64,
}

/// The bits of the number of men of a kind.
const COUNT_BITS: u32 = 4;
/// The bits of an army. White's is above Black's.
const ARMY_BITS: u32 = 5 * COUNT_BITS;
const ARMIES: u64 = (1 << (2 * ARMY_BITS)) - 1;
/// The pawns of an army.
const PAWNS: u64 = (1 << COUNT_BITS) - 1;

/// The kinds within an index. The last man changes fastest. A solver by rows makes the last man its row, and that is
/// fastest for the piece with the most moves.
const INDEX_ORDER: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

impl Material {
    /// The most men of a table, with the kings.
    pub const MOST: usize = 5;

    /// The material with these men besides the kings, and whether the colours were exchanged for it. Returns `None` if there
    /// are none, or more than a table has.
    #[inline]
    pub fn new(count: impl Fn(Piece) -> u32) -> Option<(Self, bool)> {
        // The strongest kind is the last one, and has the highest bits.
        let army = |side| {
            INDEX_ORDER.into_iter().rev().fold((0, 0), |(men, army), kind| {
                let count = count(Piece { side, kind });
                (men + count, army << COUNT_BITS | u64::from(count))
            })
        };
        let (first, second) = (army(Side::First), army(Side::Second));
        let men = first.0 + second.0;
        if !(1..=Self::MOST as u32 - 2).contains(&men) {
            return None;
        }
        let is_exchanged = first < second;
        let (white, black) = if is_exchanged { (second.1, first.1) } else { (first.1, second.1) };
        let armies = white << ARMY_BITS | black;
        let pawns = (white & PAWNS) + (black & PAWNS);
        let order = (u64::from(men) << COUNT_BITS | pawns) << (2 * ARMY_BITS) | (!armies & ARMIES);
        Some((Self { order }, is_exchanged))
    }

    /// How many men each side has of each kind but the king, in [`COUNT_BITS`] each. Black's pawns are in the lowest bits.
    #[inline]
    fn armies(self) -> u64 {
        !self.order & ARMIES
    }

    /// All materials. Each leads only to itself and to earlier ones, by captures and promotions.
    pub fn all() -> Vec<Self> {
        let pieces: Vec<Piece> = Side::ALL
            .into_iter()
            .flat_map(|side| Kind::STRONGEST_FIRST.map(|kind| Piece { side, kind }))
            .collect();
        let (mut all, mut last) = (Vec::new(), vec![Vec::new()]);
        for _ in 2..Self::MOST {
            let longer = |men: &Vec<usize>| {
                let men = men.clone();
                (men.last().copied().unwrap_or(0)..pieces.len())
                    .map(move |piece| [&men[..], &[piece]].concat())
            };
            last = last.iter().flat_map(longer).collect();
            let material = |men: &Vec<usize>| {
                let count = |piece| men.iter().filter(|&&man| pieces[man] == piece).count() as u32;
                // Each material is listed with both colours.
                Self::new(count).filter(|(_, is_exchanged)| !is_exchanged).map(|(material, _)| material)
            };
            all.extend(last.iter().filter_map(material));
        }
        all.sort();
        all
    }

    /// Reads a name such as `KQvKR`. Either side can come first, in upper or lower case, with or without `v`. The men of a side
    /// can have any order if there is a `v`; otherwise its king comes first.
    pub fn parse(name: &str) -> Option<Self> {
        let letters = name.to_ascii_uppercase();
        let (first, second) = match letters.split_once('V') {
            Some(sides) => sides,
            None => letters.split_at(letters.strip_prefix('K')?.find('K')? + 1),
        };
        let mut men: Vec<Piece> = Vec::new();
        for (side, letters) in [(Side::First, first), (Side::Second, second)] {
            for letter in letters.chars() {
                men.push(Piece { side, kind: Kind::from_letter(letter)? });
            }
        }
        let count = |piece: Piece| men.iter().filter(|&&man| man == piece).count() as u32;
        let has_kings = Side::ALL.into_iter().all(|side| count(Piece { side, kind: Kind::King }) == 1);
        Self::new(count).filter(|_| has_kings).map(|(material, _)| material)
    }

    /// The squares on which men of a kind can stand, by their numbers.
    #[inline]
    pub const fn squares(kind: Kind) -> Range<u8> {
        match kind {
            Kind::Pawn => 8..56,
            _ => 0..64,
        }
    }

    /// How many men of this kind and side there are. Kings are not counted.
    #[inline]
    pub fn count(self, piece: Piece) -> u32 {
        let army = match piece.side {
            Side::First => self.armies() >> ARMY_BITS,
            Side::Second => self.armies() & ((1 << ARMY_BITS) - 1),
        };
        // There is nothing above the queens of White, and those of Black are cut off.
        (army >> (COUNT_BITS * piece.kind as u32)) as u32 & ((1 << COUNT_BITS) - 1)
    }

    /// The number of men, with the two kings.
    #[inline]
    pub fn men(self) -> usize {
        2 + (self.order >> (2 * ARMY_BITS + COUNT_BITS)) as usize
    }

    /// The number of pawns.
    #[inline]
    pub fn pawns(self) -> u32 {
        (self.order >> (2 * ARMY_BITS) & PAWNS) as u32
    }

    /// The numbering of the kings.
    #[inline]
    pub fn fold(self) -> Fold {
        if self.pawns() == 0 { Fold::Eight } else { Fold::Two }
    }

    /// Returns whether both sides have the same men. Such a table has only positions with White to move. The others are the
    /// same with exchanged colours.
    #[inline]
    pub fn is_symmetric(self) -> bool {
        self.armies() >> ARMY_BITS == self.armies() & ((1 << ARMY_BITS) - 1)
    }

    /// The kinds of men and how many there are of each, in the order of an index.
    #[inline]
    pub fn groups(self) -> impl DoubleEndedIterator<Item = (Piece, u32)> + Clone {
        Groups::of(self)
    }

    /// The men besides the kings, in the order of an index.
    pub fn list(self) -> Vec<Piece> {
        self.groups().flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize)).collect()
    }

    /// The number of ways in which the men besides the kings can stand. Men of a kind and side are not told apart. Ways in
    /// which two men share a square are counted too, so that the numbering is simple.
    #[inline]
    pub fn arrangements(self) -> u64 {
        self.ways().product()
    }

    /// The numbers of ways in which the men of each kind and side can stand, in the order of an index. Their product is the number
    /// of [arrangements](Self::arrangements).
    pub fn ways(self) -> impl Iterator<Item = u64> {
        self.groups().map(|(piece, count)| ways(piece.kind, count))
    }

    /// The number of an arrangement. `places` gives the squares of the men of a kind and side, as a word of bits.
    #[inline]
    pub fn rank(self, places: impl Fn(Piece) -> u64) -> u64 {
        self.groups().fold(0, |rank, (piece, count)| {
            rank * ways(piece.kind, count) + subsets::rank(places(piece) >> Self::squares(piece.kind).start)
        })
    }

    /// The arrangement with this number: the squares of the men of each kind and side; the inverse of
    /// [`rank`](Self::rank).
    pub fn unrank(self, mut rank: u64) -> impl Iterator<Item = (Piece, u64)> {
        self.groups().rev().map(move |(piece, count)| {
            let ways = ways(piece.kind, count);
            let places = subsets::unrank(rank % ways, count) << Self::squares(piece.kind).start;
            rank /= ways;
            (piece, places)
        })
    }

    /// The materials that a capture or a promotion can lead to, without two bare kings.
    pub fn leads_to(self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut add = |changes: &[(Piece, i64)]| {
            let change = |piece| changes.iter().filter(|(of, _)| *of == piece).map(|(_, by)| by).sum::<i64>();
            let material = Self::new(|piece| (i64::from(self.count(piece)) + change(piece)) as u32);
            found.extend(material.map(|(material, _)| material));
        };
        for (taken, _) in self.groups() {
            add(&[(taken, -1)]);
        }
        for (pawn, _) in self.groups().filter(|(piece, _)| piece.kind == Kind::Pawn) {
            for kind in Kind::PROMOTIONS {
                let promotion = [(pawn, -1), (Piece { side: pawn.side, kind }, 1)];
                add(&promotion);
                // On the last rank there are no pawns to take.
                let is_taken = |piece: Piece| piece.side != pawn.side && piece.kind != Kind::Pawn;
                for (taken, _) in self.groups().filter(|&(piece, _)| is_taken(piece)) {
                    add(&[promotion[0], promotion[1], (taken, -1)]);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The kinds of men that a material has. Most materials have few, so a loop over all kinds would take longer, and a machine would
/// have to guess which of them there are.
#[derive(Clone)]
struct Groups {
    material: Material,
    /// The kinds that are left: for each, as many bits as its count has. The lowest stands for White, the next for Black.
    left: u64,
}

impl Groups {
    #[inline]
    fn of(material: Material) -> Self {
        /// The lowest bit of each count of an army.
        const LOWEST: u64 = 0x1_1111;
        let armies = material.armies();
        let some = armies | armies >> 1 | armies >> 2 | armies >> 3;
        Self { material, left: some >> ARMY_BITS & LOWEST | (some & LOWEST) << 1 }
    }

    #[inline]
    fn take(&mut self, bit: u32) -> (Piece, u32) {
        self.left &= !(1 << bit);
        let kind = INDEX_ORDER[(bit / COUNT_BITS) as usize];
        let piece = Piece { side: Side::ALL[(bit % COUNT_BITS) as usize], kind };
        (piece, self.material.count(piece))
    }
}

impl Iterator for Groups {
    type Item = (Piece, u32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        (self.left != 0).then(|| self.take(self.left.trailing_zeros()))
    }
}

impl DoubleEndedIterator for Groups {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left.checked_ilog2().map(|bit| self.take(bit))
    }
}

/// The number of ways in which so many men of a kind can stand.
#[inline]
fn ways(kind: Kind, count: u32) -> u64 {
    subsets::count(Material::squares(kind).len() as u32, count)
}

/// Writes the men of both sides, White first: `KQvKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (between, side) in [("", Side::First), ("v", Side::Second)] {
            write!(f, "{between}K")?;
            for kind in Kind::STRONGEST_FIRST {
                for _ in 0..self.count(Piece { side, kind }) {
                    write!(f, "{}", kind.letter())?;
                }
            }
        }
        Ok(())
    }
}

/// Writes the name.
impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        Material::parse(name).unwrap_or_else(|| panic!("{name} is a material"))
    }

    #[test]
    fn names_are_read_in_any_order() {
        for (text, name) in [
            ("KQvKR", "KQvKR"),
            ("krkq", "KQvKR"),
            ("KRKQ", "KQvKR"),
            ("KvKP", "KPvK"),
            ("kpvk", "KPvK"),
            ("RKQvQK", "KQRvKQ"),
            ("KQKBN", "KBNvKQ"),
            ("KNvKB", "KBvKN"),
            ("KPKP", "KPvKP"),
        ] {
            assert_eq!(material(text).to_string(), name, "{text}");
        }
        for text in [
            "",
            "K",
            "KK",
            "KvK",
            "KQ",
            "QvK",
            "KQvR",
            "KQRvKQR",
            "KXvK",
            "KQvKvK",
            "KKQ v",
            "KQQQQvK",
            "♔♕v♔",
        ] {
            assert_eq!(Material::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_material_comes_after_those_it_leads_to() {
        let all = Material::all();
        assert!(all.is_sorted());
        // The order by its definition.
        let men = |material: &Material, side| {
            Kind::STRONGEST_FIRST.map(|kind| std::cmp::Reverse(material.count(Piece { side, kind })))
        };
        assert!(all.is_sorted_by_key(|material| {
            let list = material.list();
            let pawns = list.iter().filter(|man| man.kind == Kind::Pawn).count();
            assert_eq!((material.men(), material.pawns() as usize), (2 + list.len(), pawns));
            (2 + list.len(), pawns, men(material, Side::First), men(material, Side::Second))
        }));
        for (men, count) in [(3, 5), (4, 30), (5, 110)] {
            assert_eq!(all.iter().filter(|material| material.men() == men).count(), count);
        }
        for (i, material) in all.iter().enumerate() {
            let pieces = INDEX_ORDER.into_iter().flat_map(|kind| Side::ALL.map(|side| Piece { side, kind }));
            let groups = pieces.map(|piece| (piece, material.count(piece))).filter(|(_, count)| *count > 0);
            assert!(material.groups().eq(groups.clone()));
            assert!(material.groups().rev().eq(groups.collect::<Vec<_>>().into_iter().rev()));
            assert_eq!(Material::parse(&material.to_string()), Some(*material));
            for next in material.leads_to() {
                assert!(all[..i].contains(&next), "{material} leads to {next}");
            }
        }
        let names = |name| material(name).leads_to().iter().map(Material::to_string).collect::<Vec<_>>();
        assert_eq!(names("KRvK"), Vec::<String>::new());
        assert_eq!(names("KPvK"), ["KQvK", "KRvK", "KBvK", "KNvK"]);
        assert_eq!(names("KQvKR"), ["KQvK", "KRvK"]);
    }

    #[test]
    fn arrangements_are_numbered_without_gaps() {
        for material in Material::all() {
            let all = material.arrangements();
            for number in (0..500).map(|n| n * (all / 500)).chain([all - 1]) {
                let places: Vec<(Piece, u64)> = material.unrank(number).collect();
                let at = |piece| places.iter().find(|(of, _)| *of == piece).map_or(0, |(_, places)| *places);
                assert_eq!(material.rank(at), number, "{material}");
            }
        }
        assert_eq!(material("KQQvKP").arrangements(), 64 * 63 / 2 * 48);
    }
}
