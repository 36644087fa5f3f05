//! Our own tables of a game, in a library.

use game::{Endgame, Metric};
use std::sync::Arc;
use table::{Library, Prober};

/// Tables with distances, and tables that say only who wins. Of some slices there may be only one of them.
pub(crate) struct OwnTables<G: Endgame> {
    /// Asks first for who wins.
    pub outcomes: Prober<G>,
    /// Asks first for distances.
    pub distances: Prober<G>,
    /// The most men of a table.
    pub men: u32,
    /// The number of slices with a table.
    pub count: usize,
}

impl<G: Endgame + PartialEq + Copy> OwnTables<G> {
    /// The tables of a library, if it has any. `men` tells how many men a slice has, by its name.
    pub fn of(game: G, library: &Arc<Library>, men: impl Fn(&str) -> u32) -> Option<Self> {
        let scanned = library.scan(G::INFO.name, &game.table_rules_id()).ok()?;
        let names = game.groups().concat().into_iter().map(|slice| slice.to_string());
        let is_there = |name: &String| Metric::OF_VALUES.into_iter().any(|metric| scanned.has(name, metric));
        let there: Vec<String> = names.filter(is_there).collect();
        let most = there.iter().map(|name| men(name)).max()?;
        let of = |metrics: Vec<Metric>| Prober::of_metrics(game, Arc::clone(library), metrics);
        Some(Self {
            outcomes: of(vec![Metric::Wdl, Metric::Dtm]),
            distances: of(vec![Metric::Dtm, Metric::Wdl]),
            men: most,
            count: there.len(),
        })
    }
}
