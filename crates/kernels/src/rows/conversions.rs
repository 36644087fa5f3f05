//! Conversions: moves that leave the rows, such as captures. Their values are known from finished tables.
//!
//! If the best conversion of a position wins in some plies, the position is won in that round at the latest. If it draws,
//! the position is never lost. If it loses in some plies, the position is not lost before that round.

use super::game::RowGame;
use super::list::List;
use super::row::Row;
use super::score::Score;
use super::shelf::Shelf;
use super::space::Space;
use game::{Plies, Value, parallel};
use std::io;

/// The best conversions of all positions.
pub struct Conversions<R> {
    /// The positions before the move that cannot be lost yet.
    pub barred: Shelf<R>,
    slabs: Vec<ByPlies<R>>,
}

/// By plies: the positions of a slab whose best conversion wins or loses in so many.
#[derive(Clone)]
struct ByPlies<R> {
    wins: Vec<List<R>>,
    losses: Vec<List<R>>,
}

impl<R> Default for ByPlies<R> {
    fn default() -> Self {
        Self { wins: Vec::new(), losses: Vec::new() }
    }
}

impl<R: Row> Conversions<R> {
    /// Finds the best conversions of a game. `find` is called with the legal positions of a row before the move. It writes
    /// the score of the best conversion of each, where there is one.
    ///
    /// # Errors
    /// Returns an error if there is no room for the rows in this space.
    pub fn new<G: RowGame<Row = R>>(
        game: &G,
        space: &Space,
        find: impl Fn(usize, usize, R, &mut [Score]) + Sync,
    ) -> io::Result<Self> {
        let barred = Shelf::new(game.slabs(), game.rows(), space)?;
        let slabs = parallel::try_map(game.slabs(), |slab| {
            let mut by_plies = ByPlies::default();
            let mut scores = vec![Score::NONE; R::BITS];
            barred.change(slab, |barred| {
                for (row, barred) in barred.iter_mut().enumerate() {
                    let legal = game.legal(slab, row);
                    if !legal.is_empty() {
                        scores.fill(Score::NONE);
                        find(slab, row, legal, &mut scores);
                        *barred = by_plies.add(row, legal, &scores);
                    }
                }
            })?;
            Ok::<_, io::Error>(by_plies)
        })?;
        Ok(Self { barred, slabs })
    }

    /// The positions of a slab whose best conversion wins in so many plies.
    pub fn wins(&self, slab: usize, plies: Plies) -> Option<&List<R>> {
        self.slabs[slab].wins.get(usize::from(plies.0))
    }

    /// The positions of a slab whose best conversion loses in so many plies. From this round on, they can be lost.
    pub fn losses(&self, slab: usize, plies: Plies) -> Option<&List<R>> {
        self.slabs[slab].losses.get(usize::from(plies.0))
    }

    /// Returns whether there are conversions with more plies than these.
    pub fn go_on_after(&self, plies: Plies) -> bool {
        let longest = |slab: &ByPlies<R>| slab.wins.len().max(slab.losses.len());
        self.slabs.iter().any(|slab| longest(slab) > usize::from(plies.0) + 1)
    }
}

impl<R: Row> ByPlies<R> {
    /// Adds the positions of a row. Returns those that have a conversion.
    fn add(&mut self, row: usize, legal: R, scores: &[Score]) -> R {
        let (mut left, mut barred) = (legal, R::EMPTY);
        while let Some(first) = left.first() {
            let score = scores[first];
            let same = left.filter(|bit| scores[bit] == score);
            left = left.and_not(same);
            let (lists, plies) = match score.value() {
                None => continue,
                Some(Value::Draw) => (None, 0),
                Some(Value::Win(Plies(plies))) => (Some(&mut self.wins), usize::from(plies)),
                Some(Value::Loss(Plies(plies))) => (Some(&mut self.losses), usize::from(plies)),
            };
            barred = barred.or(same);
            if let Some(lists) = lists {
                if lists.len() <= plies {
                    lists.resize(plies + 1, List::default());
                }
                lists[plies].push(row, same);
            }
        }
        barred
    }
}
