//! The wins of attacks that a run knows: solved by it, or read from tables.

use super::attack::{Attack, Means, Stop};
use super::deals::Deals;
use super::men::{with_few_men, with_men};
use super::row::{self, Row};
use super::store::{Lists, Rows};
use bits::subsets::{self, of_25};
use game::{Endgame, Metric};
use onitama::{Onitama, Slice};
use std::collections::HashMap;
use std::io;

/// So many attackers against so many defenders.
pub type Men = (usize, usize);

/// The wins of attacks, by the numbers of men.
#[derive(Default)]
pub struct Known(HashMap<Men, Rows>);

impl Known {
    /// Those of an attack.
    pub fn get(&self, men: Men) -> Option<&Rows> {
        self.0.get(&men)
    }

    /// Adds those of an attack.
    pub fn insert(&mut self, men: Men, rows: Rows) {
        self.0.insert(men, rows);
    }

    /// Forgets attacks with fewer men than these: nothing leads to them any more.
    pub fn forget_below(&mut self, men: usize) {
        self.0.retain(|(attackers, defenders), _| attackers + defenders >= men);
    }

    /// With one attacker less, if there is one. Not to know it then would mean that nothing can be taken.
    fn fewer_attackers(&self, (a, b): Men) -> Option<&Rows> {
        (a > 1).then(|| &self.0[&(a - 1, b)])
    }

    /// The positions that the defender of a known attack has lost.
    pub fn losses(&self, deals: &Deals, men: Men, means: &Means<'_>) -> Result<Lists, Stop> {
        let (won, fewer_attackers) = (&self.0[&men], self.fewer_attackers(men));
        with_men!(men, A B FEWER => Attack::<A, B, FEWER> { deals, won, fewer_attackers, means }.losses())
    }

    /// Finds the wins of an attack, beginning with what `won` says already. What it leads to is known.
    pub fn solve(
        &self,
        deals: &Deals,
        men: Men,
        won: &Rows,
        counts: &Rows,
        means: &Means<'_>,
    ) -> Result<(), Stop> {
        let (a, b) = men;
        let taken = if b > 1 { Some(self.losses(deals, (a, b - 1), means)?) } else { None };
        let fewer_attackers = self.fewer_attackers(men);
        with_men!(men, A B FEWER => {
            Attack::<A, B, FEWER> { deals, won, fewer_attackers, means }.solve(taken.as_ref(), counts)
        })
    }
}

/// The wins of a slice's mover are those of an attack.
pub fn men_of(slice: Slice) -> Men {
    let (mover, opponent) = slice.men();
    (mover as usize, opponent as usize)
}

/// And the other way.
pub fn slice_of((attackers, defenders): Men) -> Slice {
    Slice::new(attackers as u32, defenders as u32).expect("one to five men each")
}

/// His losses are those of the attack on him.
pub fn turned((a, b): Men) -> Men {
    (b, a)
}

/// Is it stored without the positions won at once?
pub fn is_short(game: &Onitama, slice: Slice) -> bool {
    game.numbering(slice, Metric::Wdl).name != Onitama::INDEX
}

/// Positions with these numbers of men: neither master is at its goal.
pub fn positions((a, b): Men) -> u64 {
    const MASTERS: u64 = 25 * 24 - 24 - 24 + 1;
    let students = |free: u32, men: usize| bits::subsets::count(free, men as u32 - 1);
    MASTERS * students(23, a) * students(24 - a as u32, b) * 30
}

/// The attacks that an attack leads to: with a defender less, whose losses are wanted, and so all that those lead to.
pub fn leads_to((a, b): Men) -> impl Iterator<Item = Men> {
    [(a, b - 1), (a - 1, b), (a - 1, b - 1)].into_iter().filter(|&(a, b)| a > 0 && b > 0)
}

/// The bytes of an attack's rows of wins.
pub fn row_sizes(deals: &Deals, men: Men) -> Vec<u64> {
    with_men!(men, A B FEWER => Attack::<A, B, FEWER>::row_sizes(deals))
}

/// The number of rows, and of layouts in each.
pub fn shape((a, b): Men) -> (usize, usize) {
    (subsets::count(25, a as u32) as usize, subsets::count(25 - a as u32, b as u32) as usize)
}

/// What a thread needs to solve an attack, in bytes.
pub fn scratch((a, b): Men) -> u64 {
    let (_, layouts) = shape((a, b));
    let words = |a: usize, layouts: usize| 4 * (layouts * a * b) as u64;
    let fewer = if a > 1 { words(a - 1, shape((a - 1, b)).1) } else { 0 };
    // The row itself, what it gains, twice, packed rows and lists; the rows with an attacker less, and a spare one.
    6 * words(a, layouts) + (2 * a as u64 + 1) * fewer
}

/// Fills the rows of an attack of up to three men each from a source of words: `words(men, words)` for each row that is kept.
///
/// # Errors
/// Those of the source, and if the disk refuses.
pub fn import<E: From<io::Error> + Send>(
    deals: &Deals,
    men: Men,
    rows: &Rows,
    source: impl Fn(u32, &mut [u32]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    use rayon::prelude::*;
    with_few_men!(men, A B FEWER => {
        of_25::of_size(A as u32).par_iter().enumerate().try_for_each_init(
            || (row::dense::<A, B>(), Vec::new()),
            |(dense, packed), (rank, &men)| {
                if deals.keeps(men) {
                    source(men, &mut dense[..row::words::<A, B>()])?;
                    Row::<A, B>::new(deals, men).pack(dense, packed);
                    rows.write(rank, packed)?;
                }
                Ok(())
            },
        )
    })
}
