//! What a row's attackers gain from the losses of its neighbours, gathered before it is added to the row's wins.

use super::deals::{Deals, Word};
use super::losses;
use super::mirror;
use super::neighbour::Neighbour;
use super::row::{self, Dense, Row};
use bits::subsets::of_25;
use bits::{pdep, pext};

/// Deals after the attacker's move, by the defender's hand: from neighbours seen directly, and from those seen in the mirror.
pub struct Gained {
    direct: Dense,
    mirrored: Dense,
    /// Is there anything in them?
    any: [bool; 2],
}

impl Gained {
    /// Nothing.
    pub fn new<const A: usize, const B: usize>() -> Self {
        Self { direct: row::dense::<A, B>(), mirrored: row::dense::<A, B>(), any: [false; 2] }
    }

    /// Was there nothing to gain?
    pub fn is_empty(&self) -> bool {
        self.any == [false; 2]
    }

    /// Where the gains from a neighbour go, and the free squares as it sees them.
    fn of<const A: usize>(&mut self, neighbour: &Neighbour<A>, men: u32, any: bool) -> (&mut Dense, u64) {
        let free = !men & row::BOARD;
        self.any[usize::from(neighbour.mirrored)] |= any;
        match neighbour.mirrored {
            false => (&mut self.direct, free.into()),
            true => (&mut self.mirrored, mirror::set(free).into()),
        }
    }

    /// Adds the losses that a quiet move of these men leads to.
    #[inline]
    pub fn pull<const A: usize, const B: usize>(&mut self, list: &[u32], neighbour: &Neighbour<A>, men: u32) {
        let (gained, free) = self.of(neighbour, men, !list.is_empty());
        let target: [u8; 25] = std::array::from_fn(|number| {
            if number < A * B { (number / A * A) as u8 + neighbour.before[number % A] } else { 0 }
        });
        losses::visit(list, |defenders, present, words| {
            if defenders & neighbour.from == 0 {
                let rank = of_25::rank_of::<B>(pext(defenders.into(), free) as u32) as usize;
                let layout = &mut gained[rank * A * B..][..A * B];
                for (number, word) in losses::numbered(present, words) {
                    layout[usize::from(target[number])] |= word & neighbour.deals;
                }
            }
        });
    }

    /// Adds the losses, with one defender less, that the taking of a defender leads to.
    pub fn pull_taking<const A: usize, const B: usize>(
        &mut self,
        list: &[u32],
        neighbour: &Neighbour<A>,
        men: u32,
    ) {
        let (gained, free) = self.of(neighbour, men, !list.is_empty());
        losses::visit(list, |others, present, words| {
            if others & neighbour.from == 0 {
                let defenders = others | neighbour.to;
                let taken = (others & (neighbour.to - 1)).count_ones() as usize;
                let rank = of_25::rank_of::<B>(pext(defenders.into(), free) as u32) as usize;
                for (number, word) in losses::numbered(present, words) {
                    let g = number / A;
                    let g = if g >= taken { g + 1 } else { g };
                    gained[rank * A * B + g * A + usize::from(neighbour.before[number % A])] |=
                        word & neighbour.deals;
                }
            }
        });
    }

    /// Adds all to the wins of the row and forgets it. What is new is told word by word, a layout's together:
    /// the rank of the layout, the number of the word in it, the deals.
    #[inline]
    pub fn settle<const A: usize, const B: usize>(
        &mut self,
        deals: &Deals,
        row: &Row<A, B>,
        won: &mut Dense,
        mut tell: impl FnMut(usize, usize, Word),
    ) {
        let words = row::words::<A, B>();
        let mut add = |rank: usize, number: usize, word: Word| {
            let won = &mut won[rank * A * B + number];
            let new = word & !*won;
            if new != 0 {
                *won |= new;
                tell(rank, number, new);
            }
        };
        let [direct, mirrored] = std::mem::take(&mut self.any);
        if mirrored && let Some(mirror) = deals.mirror() {
            let free = mirror::set(row.free);
            let place_of = mirror::places::<A>(mirror::set(row.men));
            for (rank, gained) in self.mirrored[..words].chunks_exact_mut(A * B).enumerate() {
                if is_zero(gained) {
                    continue;
                }
                let defenders = pdep(Row::<A, B>::layouts()[rank].into(), free.into()) as u32;
                let rank = row.rank_on_board(mirror::set(defenders));
                let group_of = mirror::places::<B>(defenders);
                for (g, gained) in gained.chunks_exact_mut(A).enumerate() {
                    for (lane, gained) in gained.iter_mut().enumerate().filter(|(_, gained)| **gained != 0) {
                        let word = mirror.of(deals.before_attack(std::mem::take(gained)));
                        add(rank, group_of[g] * A + place_of[lane], word);
                    }
                }
            }
        }
        if direct {
            for (rank, gained) in self.direct[..words].chunks_exact_mut(A * B).enumerate() {
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

/// Without a branch for each word.
#[inline]
fn is_zero(words: &[Word]) -> bool {
    words.iter().fold(0, |any, word| any | word) == 0
}
