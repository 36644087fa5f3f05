//! The wins of the attacks that a run has solved or has read from tables.

use super::attack::{Attack, AttackError, Means};
use super::deals::Deals;
use super::men::with_men;
use super::row::{self, Row};
use super::store::{Lists, Rows};
use bits::subsets::{self, of_25};
use game::{Endgame, Metric};
use onitama::{Onitama, Slice};
use std::collections::HashMap;
use std::io;

/// The number of attackers and the number of defenders.
pub type Men = (usize, usize);

/// The wins of attacks, by the numbers of men.
#[derive(Default)]
pub struct Known(HashMap<Men, Rows>);

impl Known {
    /// The wins of an attack. Returns `None` if they are not known.
    pub fn get(&self, men: Men) -> Option<&Rows> {
        self.0.get(&men)
    }

    /// Adds the wins of an attack.
    pub fn insert(&mut self, men: Men, rows: Rows) {
        self.0.insert(men, rows);
    }

    /// Removes attacks with fewer than `men` men, because no later attack leads to them.
    pub fn forget_below(&mut self, men: usize) {
        self.0.retain(|(attackers, defenders), _| attackers + defenders >= men);
    }

    /// The wins with one attacker less. Returns `None` if there is only one attacker. Panics if the wins are not known,
    /// because `None` would wrongly mean that nothing can be captured.
    fn fewer_attackers(&self, (a, b): Men) -> Option<&Rows> {
        (a > 1).then(|| &self.0[&(a - 1, b)])
    }

    /// Finds the positions that the defender of a known attack loses.
    pub fn losses(&self, deals: &Deals, men: Men, means: &Means<'_>) -> Result<Lists, AttackError> {
        let (won, fewer_attackers) = (&self.0[&men], self.fewer_attackers(men));
        let (attackers, defenders) = men;
        with_men!(defenders, B => Attack::<B> { attackers, deals, won, fewer_attackers, means }.losses())
    }

    /// Finds the wins of an attack, starting with those that are already in `won`. The attacks that it leads to must be
    /// known.
    pub fn solve(
        &self,
        deals: &Deals,
        men: Men,
        won: &Rows,
        counts: &Rows,
        means: &Means<'_>,
    ) -> Result<(), AttackError> {
        let (attackers, defenders) = men;
        let taken =
            if defenders > 1 { Some(self.losses(deals, (attackers, defenders - 1), means)?) } else { None };
        let fewer_attackers = self.fewer_attackers(men);
        with_men!(defenders, B => {
            Attack::<B> { attackers, deals, won, fewer_attackers, means }.solve(taken.as_ref(), counts)
        })
    }
}

/// The attack that has the wins of a slice: the side to move is the attacker.
pub fn men_of(slice: Slice) -> Men {
    let (mover, opponent) = slice.men();
    (mover as usize, opponent as usize)
}

/// The slice whose wins are those of an attack. The inverse of [`men_of`].
pub fn slice_of((attackers, defenders): Men) -> Slice {
    Slice::new(attackers as u32, defenders as u32).expect("one to five men each")
}

/// The attack with the roles exchanged. It has the losses of a slice: the side to move is the defender.
pub fn turned((a, b): Men) -> Men {
    (b, a)
}

/// Returns whether the slice is stored without the positions won at once.
pub fn is_short(game: &Onitama, slice: Slice) -> bool {
    game.numbering(slice, Metric::Wdl).name != Onitama::INDEX
}

/// The number of positions with these numbers of men. Neither master is on its goal.
pub fn positions((a, b): Men) -> u64 {
    const MASTERS: u64 = 25 * 24 - 24 - 24 + 1;
    let students = |free: u32, men: usize| bits::subsets::count(free, men as u32 - 1);
    MASTERS * students(23, a) * students(24 - a as u32, b) * 30
}

/// The attacks that an attack needs: with one attacker less, with one defender less, and with both less. The last one is
/// needed to find the losses with one defender less.
pub fn leads_to((a, b): Men) -> impl Iterator<Item = Men> {
    [(a, b - 1), (a - 1, b), (a - 1, b - 1)].into_iter().filter(|&(a, b)| a > 0 && b > 0)
}

/// The number of bytes of each row of wins of an attack.
pub fn row_sizes(deals: &Deals, (attackers, defenders): Men) -> Vec<u64> {
    let sets = of_25::of_size(attackers as u32).iter();
    with_men!(defenders, B => {
        let size = |&men: &u32| if deals.keeps(men) { Row::<B>::new(deals, men).packed_bytes() } else { 0 };
        sets.map(size).collect()
    })
}

/// The number of rows of an attack, and the number of placements in each row.
pub fn shape((a, b): Men) -> (usize, usize) {
    (subsets::count(25, a as u32) as usize, subsets::count(25 - a as u32, b as u32) as usize)
}

/// The scratch memory of a thread for solving an attack, in bytes.
pub fn scratch((a, b): Men) -> u64 {
    let (_, placements) = shape((a, b));
    let words = |a: usize, placements: usize| 4 * (placements * a * b) as u64;
    let fewer = if a > 1 { words(a - 1, shape((a - 1, b)).1) } else { 0 };
    // The row itself, two sets of gathered wins, packed rows and lists; the rows with one attacker less, and a spare one.
    6 * words(a, placements) + (2 * a as u64 + 1) * fewer
}

/// Fills the rows of an attack. `source(men, words)` gives the words of each row that is kept.
///
/// # Errors
/// Returns an error if the source returns one, or if an I/O operation fails.
pub fn import<E: From<io::Error> + Send>(
    deals: &Deals,
    (attackers, defenders): Men,
    rows: &Rows,
    source: impl Fn(u32, &mut [u32]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    use rayon::prelude::*;
    of_25::of_size(attackers as u32).par_iter().enumerate().try_for_each_init(
        || (row::dense(attackers, defenders), Vec::new()),
        |(dense, packed), (rank, &men)| {
            if deals.keeps(men) {
                source(men, &mut dense[..row::words(attackers, defenders)])?;
                with_men!(defenders, B => Row::<B>::new(deals, men).pack(dense, packed));
                rows.write(rank, packed)?;
            }
            Ok(())
        },
    )
}
