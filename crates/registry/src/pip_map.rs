//! Bear-offs by the pip counts of both sides: for pictures.

use backgammon::{CubeAction, CubeEquities, CubeOwner};
use std::collections::BTreeMap;

/// What is known of the positions with the same pip counts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PipCell {
    /// The number of positions.
    pub positions: u64,
    /// The sum of the chances of the side to move to win.
    pub wins: f64,
    /// The positions with a cube in the middle that the side to move doubles, and the opponent takes.
    pub takes: u64,
    /// The same, but the opponent drops.
    pub drops: u64,
    /// The largest error of the chance to win if both sides bear off as if they were alone. `None` if that is not known.
    pub one_sided_error: Option<f64>,
}

/// Bear-offs by the pip counts of the side to move and of the opponent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PipMap {
    /// The cells, by both pip counts.
    pub cells: BTreeMap<(u32, u32), PipCell>,
    /// Whether the table knows the cube.
    pub has_cube: bool,
}

impl PipMap {
    /// Adds a position, in which the side to move has this chance to win.
    pub(crate) fn add(
        &mut self,
        pips: (u32, u32),
        win: f64,
        cube: Option<CubeEquities>,
        one_sided: Option<f64>,
    ) {
        self.has_cube |= cube.is_some();
        let cell = self.cells.entry(pips).or_default();
        cell.positions += 1;
        cell.wins += win;
        match cube.and_then(|cube| cube.decision(CubeOwner::Nobody)).map(|decision| decision.action) {
            Some(CubeAction::DoubleTake) => cell.takes += 1,
            Some(CubeAction::DoubleDrop) => cell.drops += 1,
            Some(CubeAction::Roll | CubeAction::TooGood) | None => {}
        }
        if let Some(one_sided) = one_sided {
            let error = (one_sided - win).abs();
            cell.one_sided_error = Some(cell.one_sided_error.map_or(error, |most| most.max(error)));
        }
    }

    /// The most pips of each side.
    pub fn most(&self) -> (u32, u32) {
        let most = |of: fn(&(u32, u32)) -> u32| self.cells.keys().map(of).max().unwrap_or(0);
        (most(|pips| pips.0), most(|pips| pips.1))
    }
}

impl PipCell {
    /// The mean chance of the side to move to win.
    pub fn win(&self) -> f64 {
        self.wins / self.positions.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_the_same_pips_share_a_cell() {
        let cube = |nobody, opponent| Some(CubeEquities { mover: nobody, nobody, opponent });
        let mut map = PipMap::default();
        map.add((5, 7), 0.75, cube(0.5, 0.4), Some(0.5));
        map.add((5, 7), 0.25, cube(0.5, 0.9), Some(0.375));
        map.add((9, 2), 1.0, cube(0.1, -0.2), None);
        let together = map.cells[&(5, 7)];
        assert_eq!((together.positions, together.takes, together.drops), (2, 1, 1));
        assert_eq!((together.win(), together.one_sided_error), (0.5, Some(0.25)));
        assert_eq!(map.cells[&(9, 2)], PipCell { positions: 1, wins: 1.0, ..PipCell::default() });
        assert_eq!((map.most(), map.has_cube), ((9, 7), true));
    }
}
