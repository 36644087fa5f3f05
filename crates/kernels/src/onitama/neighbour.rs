//! The rows that a row's attackers move to: where its wins come from.

use super::deals::{Deals, Word};
use super::mirror;
use super::row::{place, squares};
use bits::subsets::of_25;

/// A row that a move of the attacker leads to.
pub struct Neighbour<const A: usize> {
    /// Its rank.
    pub rank: usize,
    /// Seen in the mirror?
    pub mirrored: bool,
    /// The man's square before the move, as a set,
    pub from: u32,
    /// and after it.
    pub to: u32,
    /// Deals after such a move, by the defender's hand.
    pub deals: Word,
    /// The place of each man before the move, by the one after it.
    pub before: [u8; A],
}

/// Where the quiet moves of the attacker's men lead: rows that are kept, seen in the mirror where the row itself is not.
pub fn of<const A: usize>(deals: &Deals, men: u32) -> Vec<Neighbour<A>> {
    let mut neighbours = Vec::new();
    let seen = |mirrored: bool, from: usize, to: usize, rank: usize, cards: usize| {
        let men = if mirrored { mirror::set(men) } else { men };
        let others = men ^ 1 << from;
        let i = (men & ((1 << from) - 1)).count_ones() as usize;
        let j = (others & ((1 << to) - 1)).count_ones() as usize;
        let mut before = [0; A];
        for g in 0..A {
            before[place(i, j, g)] = g as u8;
        }
        let (from, to, deals) = (1 << from, 1 << to, deals.beside_by_defender(cards));
        Neighbour { rank, mirrored, from, to, deals, before }
    };
    for from in squares::<A>(men) {
        for to in (0..25).filter(|to| men >> to & 1 == 0) {
            let cards = deals.attacks(from, to);
            if cards == 0 {
                continue;
            }
            let moved = men ^ 1 << from ^ 1 << to;
            neighbours.push(if deals.keeps(moved) {
                seen(false, from, to, of_25::rank_of::<A>(moved) as usize, cards)
            } else {
                let (from, to) = (mirror::square(from), mirror::square(to));
                let rank = of_25::rank_of::<A>(mirror::set(moved)) as usize;
                seen(true, from, to, rank, deals.attacks(from, to))
            });
        }
    }
    neighbours
}
