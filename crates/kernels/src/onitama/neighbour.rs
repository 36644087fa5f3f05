//! The rows that the attackers of a row move to. Wins of the row follow from losses of these neighbours.

use super::deals::{Deals, Word};
use super::mirror;
use super::row::{MOST_MEN, place, squares};
use bits::subsets::of_25;

/// A row that a move of the attacker leads to.
pub struct Neighbour {
    /// The rank of the row that is kept: this one or its mirror image.
    pub rank: usize,
    /// True if the mirror image is kept. Then all other fields are mirrored.
    pub mirrored: bool,
    /// The square of the man before the move, as a set.
    pub from: u32,
    /// The square of the man after the move, as a set.
    pub to: u32,
    /// The deals after such a move, by the defender's hand.
    pub deals: Word,
    /// The place of each man before the move, indexed by its place after the move.
    pub before: [u8; MOST_MEN],
}

impl Neighbour {
    /// The number of each word of a placement before the move, by the one after it.
    #[inline]
    pub fn words_before(&self, attackers: usize) -> [u8; MOST_MEN * MOST_MEN] {
        let mut before = [0; MOST_MEN * MOST_MEN];
        for (g, before) in before.chunks_exact_mut(attackers).enumerate() {
            for (before, lane) in before.iter_mut().zip(self.before) {
                *before = (g * attackers) as u8 + lane;
            }
        }
        before
    }
}

/// The neighbours of a row: the rows that a move of one of the attacker's men leads to.
pub fn of(deals: &Deals, men: u32) -> Vec<Neighbour> {
    let attackers = men.count_ones() as usize;
    let mut neighbours = Vec::new();
    let seen = |mirrored: bool, from: usize, to: usize, rank: usize, cards: usize| {
        let men = if mirrored { mirror::set(men) } else { men };
        let others = men ^ 1 << from;
        let i = (men & ((1 << from) - 1)).count_ones() as usize;
        let j = (others & ((1 << to) - 1)).count_ones() as usize;
        let mut before = [0; MOST_MEN];
        for g in 0..attackers {
            before[place(i, j, g)] = g as u8;
        }
        let (from, to, deals) = (1 << from, 1 << to, deals.beside_by_defender(cards));
        Neighbour { rank, mirrored, from, to, deals, before }
    };
    for &from in &squares::<MOST_MEN>(men)[..attackers] {
        for to in (0..25).filter(|to| men >> to & 1 == 0) {
            let cards = deals.attacks(from, to);
            if cards == 0 {
                continue;
            }
            let moved = men ^ 1 << from ^ 1 << to;
            neighbours.push(if deals.keeps(moved) {
                seen(false, from, to, of_25::rank(moved) as usize, cards)
            } else {
                let (from, to) = (mirror::square(from), mirror::square(to));
                let rank = of_25::rank(mirror::set(moved)) as usize;
                seen(true, from, to, rank, deals.attacks(from, to))
            });
        }
    }
    neighbours
}
