//! The new wins of a row that follow from the losses of its neighbours. They are gathered here before they are added to the
//! row.

use super::deals::{Deals, Word};
use super::losses;
use super::mirror;
use super::neighbour::Neighbour;
use super::row::{self, Dense, MOST_MEN, Row};
use bits::subsets::of_25;
use bits::{pdep, pext};

/// Gathered wins as deals after the attacker's move, by the defender's hand: from neighbours that are kept, and from
/// neighbours of which the mirror image is kept.
pub struct Gained {
    direct: Dense,
    mirrored: Dense,
    /// Whether `direct` and `mirrored` have anything.
    any: [bool; 2],
}

impl Gained {
    /// No gathered wins.
    pub fn new(attackers: usize, defenders: usize) -> Self {
        let nothing = || row::dense(attackers, defenders);
        Self { direct: nothing(), mirrored: nothing(), any: [false; 2] }
    }

    /// Returns whether nothing was gathered.
    pub fn is_empty(&self) -> bool {
        self.any == [false; 2]
    }

    /// The words to which the wins from a neighbour are added, and the free squares, mirrored if the neighbour is.
    fn of(&mut self, neighbour: &Neighbour, men: u32, any: bool) -> (&mut Dense, u64) {
        let free = !men & row::BOARD;
        self.any[usize::from(neighbour.mirrored)] |= any;
        match neighbour.mirrored {
            false => (&mut self.direct, free.into()),
            true => (&mut self.mirrored, mirror::set(free).into()),
        }
    }

    /// Adds the losses of a neighbour that a move of these men without a capture leads to.
    #[inline]
    pub fn pull<const B: usize>(&mut self, list: &[u32], neighbour: &Neighbour, men: u32) {
        let a = men.count_ones() as usize;
        let (gained, free) = self.of(neighbour, men, !list.is_empty());
        let before = neighbour.words_before(a);
        losses::visit(list, |defenders, present, words| {
            if defenders & neighbour.from == 0 {
                let rank = of_25::rank_of::<B>(pext(defenders.into(), free) as u32) as usize;
                let placement = &mut gained[rank * a * B..][..a * B];
                for (number, word) in losses::numbered(present, words) {
                    placement[usize::from(before[number])] |= word & neighbour.deals;
                }
            }
        });
    }

    /// Adds the losses, with one defender less, that the capture of a defender leads to.
    pub fn pull_taking<const B: usize>(&mut self, list: &[u32], neighbour: &Neighbour, men: u32) {
        let a = men.count_ones() as usize;
        let (gained, free) = self.of(neighbour, men, !list.is_empty());
        let before = neighbour.words_before(a);
        losses::visit(list, |others, present, words| {
            if others & neighbour.from == 0 {
                let defenders = others | neighbour.to;
                let taken = (others & (neighbour.to - 1)).count_ones() as usize;
                let rank = of_25::rank_of::<B>(pext(defenders.into(), free) as u32) as usize;
                let placement = &mut gained[rank * a * B..][..a * B];
                for (number, word) in losses::numbered(present, words) {
                    // The defenders after the taken one move up by a place.
                    let moved_up = if number >= taken * a { a } else { 0 };
                    placement[usize::from(before[number]) + moved_up] |= word & neighbour.deals;
                }
            }
        });
    }

    /// Adds all gathered wins to the row and clears them. Calls `tell` for each word with new wins: the rank of the
    /// placement, the number of the word in it, and the new deals. The calls for a placement follow each other.
    #[inline]
    pub fn settle<const B: usize>(
        &mut self,
        deals: &Deals,
        row: &Row<B>,
        won: &mut Dense,
        mut tell: impl FnMut(usize, usize, Word),
    ) {
        let a = row.attackers;
        let words = row::words(a, B);
        let mut add = |rank: usize, number: usize, word: Word| {
            let won = &mut won[rank * a * B + number];
            let new = word & !*won;
            if new != 0 {
                *won |= new;
                tell(rank, number, new);
            }
        };
        let [direct, mirrored] = std::mem::take(&mut self.any);
        if mirrored && let Some(mirror) = deals.mirror() {
            let free = mirror::set(row.free);
            let place_of = mirror::places::<MOST_MEN>(mirror::set(row.men));
            for (rank, gained) in self.mirrored[..words].chunks_exact_mut(a * B).enumerate() {
                if is_zero(gained) {
                    continue;
                }
                let defenders = pdep(row.placements()[rank].into(), free.into()) as u32;
                let rank = row.rank_on_board(mirror::set(defenders));
                let defender_of = mirror::places::<B>(defenders);
                for (g, gained) in gained.chunks_exact_mut(a).enumerate() {
                    for (lane, gained) in gained.iter_mut().enumerate().filter(|(_, gained)| **gained != 0) {
                        let word = mirror.of(deals.before_attack(std::mem::take(gained)));
                        add(rank, defender_of[g] * a + place_of[lane], word);
                    }
                }
            }
        }
        if direct {
            for (rank, gained) in self.direct[..words].chunks_exact_mut(a * B).enumerate() {
                if is_zero(gained) {
                    continue;
                }
                for (number, gained) in gained.iter_mut().enumerate().filter(|(_, gained)| **gained != 0) {
                    add(rank, number, deals.before_attack(std::mem::take(gained)));
                }
            }
        }
    }
}

/// Returns whether all words are zero, without a branch for each word.
#[inline]
fn is_zero(words: &[Word]) -> bool {
    words.iter().fold(0, |any, word| any | word) == 0
}
