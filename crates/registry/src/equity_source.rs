//! Finds what the tables of a library tell of a position of backgammon before a roll.

use crate::equity_answer::{ByOwner, Points, Prospect};
use crate::equity_prober::{EquitySource, Told};
use crate::error::Error;
use backgammon::{BearOff, Board, CHECKERS, Chances, CubeEquities, Few, Position, Slice, Stakes, Variant};
use game::{Game, Index, Position as _, Side};
use kernels::backgammon::{LEFT, HYPER, Odds, ROLLS, describe};
use std::sync::{Arc, OnceLock};
use table::{Library, Numbers, Table};

/// The numbers of an entry of a one-sided table: the probability of each number of rolls to bear off all checkers, and the same for the
/// first of fifteen.
const DISTRIBUTIONS: usize = 2 * ROLLS;

/// The tables of a library, each opened when it is first needed.
pub(crate) struct EquityLibrary {
    library: Arc<Library>,
    slices: Vec<(Slice, OnceLock<Option<Opened>>)>,
}

/// An open table of a slice.
enum Opened {
    TwoSided(Arc<Table<Numbers<1>>>),
    Cubeful(Arc<Table<Numbers<4>>>),
    OneSided(Arc<Table<Numbers<DISTRIBUTIONS>>>),
    Hyper(Arc<Table<Numbers<HYPER>>>),
    Left(Arc<Table<Numbers<LEFT>>>),
}

impl EquityLibrary {
    /// The tables of a library.
    pub(crate) fn new(library: Arc<Library>) -> Self {
        Self { library, slices: Slice::all().map(|slice| (slice, OnceLock::new())).collect() }
    }

    /// The table of a slice. The first call searches for it.
    fn table(&self, slice: Slice) -> Result<Option<&Opened>, Error> {
        let Some((_, place)) = self.slices.iter().find(|(known, _)| *known == slice) else { return Ok(None) };
        if let Some(opened) = place.get() {
            return Ok(opened.as_ref());
        }
        let description = describe(slice);
        let library = &self.library;
        let opened = match slice {
            Slice::TwoSided { .. } => library.described_of(&description)?.map(Opened::TwoSided),
            Slice::Cubeful { .. } => library.described_of(&description)?.map(Opened::Cubeful),
            Slice::OneSided { .. } => library.described_of(&description)?.map(Opened::OneSided),
            Slice::Hyper { .. } => library.described_of(&description)?.map(Opened::Hyper),
            Slice::Left { .. } => library.described_of(&description)?.map(Opened::Left),
        };
        Ok(place.get_or_init(|| opened).as_ref())
    }

    /// What the table of a slice tells of a position that it holds. Returns `None` if it does not hold it.
    fn tell_from(&self, slice: Slice, opened: &Opened, position: &Position) -> Result<Option<Told>, Error> {
        let Some(place) = place(slice, position) else { return Ok(None) };
        let jacoby = matches!(position.terms().stakes, Stakes::Money { jacoby: true });
        let told = match (opened, place) {
            (Opened::TwoSided(table), Place::At(index)) => {
                let Some([raw]) = table.entry(index.0)? else { return Ok(None) };
                let cubeless = table.payload().value(raw);
                let has_gammons = [Side::First, Side::Second].map(|side| position.off(side)).contains(&0);
                let chances = (!has_gammons).then(|| Chances::without_gammons(cubeless));
                exact(slice, table.payload().format().error, chances, cubeless, None, None)
            }
            (Opened::Cubeful(table), Place::At(index)) => {
                let Some(raw) = table.entry(index.0)? else { return Ok(None) };
                let [cubeless, mover, nobody, opponent] = table.payload().values(raw);
                let rolling = CubeEquities { mover, nobody, opponent };
                let chances = Some(Chances::without_gammons(cubeless));
                let error = table.payload().format().error;
                exact(slice, error, chances, cubeless, Some(rolling.into()), Some(rolling))
            }
            (Opened::Hyper(table), Place::At(index)) => {
                let Some(raw) = table.entry(index.0)? else { return Ok(None) };
                let odds = Odds::of_hyper(table.payload().values(raw));
                of_odds(slice, table.payload().format().error, &odds, jacoby)
            }
            (Opened::Left(table), Place::At(index)) => {
                let Some(raw) = table.entry(index.0)? else { return Ok(None) };
                let odds = Odds::of_left(table.payload().values(raw));
                of_odds(slice, table.payload().format().error, &odds, jacoby)
            }
            (Opened::OneSided(table), Place::Sides(mine, theirs)) => {
                let values = |index: u32| {
                    let entry = table.entry(index.into())?;
                    Ok::<_, Error>(entry.map(|raw| table.payload().values(raw)))
                };
                let (Some(mine), Some(theirs)) = (values(mine)?, values(theirs)?) else { return Ok(None) };
                let chances = race(&mine, &theirs);
                let points = Points { cubeless: chances.points(), cube: None };
                let prospect =
                    Prospect { table: Some(slice), exact: false, error: None, chances: Some(chances), points };
                Told { prospect, rolling: None }
            }
            (Opened::OneSided(_), Place::At(_)) | (_, Place::Sides(..)) => return Ok(None),
        };
        Ok(Some(told))
    }
}

fn exact(
    slice: Slice,
    error: f64,
    chances: Option<Chances>,
    cubeless: f64,
    cube: Option<ByOwner>,
    rolling: Option<CubeEquities>,
) -> Told {
    let points = Points { cubeless, cube };
    let prospect = Prospect { table: Some(slice), exact: true, error: Some(error), chances, points };
    Told { prospect, rolling }
}

fn of_odds(slice: Slice, error: f64, odds: &Odds, jacoby: bool) -> Told {
    let &Odds { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon, cubeless, .. } = odds;
    let chances = Chances {
        win,
        gammon: win_gammon,
        backgammon: win_backgammon,
        lose_gammon,
        lose_backgammon,
    };
    let centred = if jacoby { odds.jacoby } else { odds.centred };
    let cube = ByOwner { own: odds.own, centred, opponent: odds.theirs };
    exact(slice, error, Some(chances), cubeless, Some(cube), None)
}

/// The chances in a race if each side bears off as if it were alone. The side to move has the first roll.
pub(crate) fn race(mine: &[f64; DISTRIBUTIONS], theirs: &[f64; DISTRIBUTIONS]) -> Chances {
    let (mine, mine_first) = mine.split_at(ROLLS);
    let (theirs, theirs_first) = theirs.split_at(ROLLS);
    // The probability that a side with this distribution needs at least so many rolls.
    let at_least = |of: &[f64], rolls: usize| of.iter().skip(rolls).sum::<f64>();
    let sum = |of: &dyn Fn(usize) -> f64| (0..ROLLS).map(of).sum::<f64>();
    Chances {
        win: sum(&|rolls| mine[rolls] * at_least(theirs, rolls)),
        // The opponent has had one roll less.
        gammon: sum(&|rolls| mine[rolls] * at_least(theirs_first, rolls)),
        backgammon: 0.0,
        lose_gammon: sum(&|rolls| theirs[rolls] * at_least(mine_first, rolls + 1)),
        lose_backgammon: 0.0,
    }
}

/// Where a table has a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// At an index.
    At(Index),
    /// At the index of each side, first that of the side to move.
    Sides(u32, u32),
}

/// Where the table of a slice has a position that awaits a roll. Returns `None` if it does not have it.
fn place(slice: Slice, position: &Position) -> Option<Place> {
    let (board, turn) = (position.board(), position.turn());
    let variant = position.terms().variant;
    let numbers = |points, checkers| BearOff::new(points, checkers)?.numbers(board, turn);
    match slice {
        _ if variant != Variant::Standard && !matches!(slice, Slice::Hyper { .. }) => None,
        Slice::TwoSided { checkers } | Slice::Cubeful { checkers } => {
            let (mine, theirs) = numbers(6, checkers)?;
            let boards = u64::from(BearOff::new(6, checkers)?.boards());
            Some(Place::At(Index(u64::from(mine) * boards + u64::from(theirs))))
        }
        Slice::OneSided { points } => numbers(points, CHECKERS).map(|(mine, theirs)| Place::Sides(mine, theirs)),
        Slice::Hyper { checkers } if variant.checkers() != checkers => None,
        Slice::Hyper { .. } | Slice::Left { .. } => {
            let few = Few::of(slice)?;
            let set = |side| few.set_number(&board.counts(side));
            Some(Place::At(few.index(set(turn)?, set(turn.other())?)))
        }
    }
}

/// The slices that have a position, the best first: exact ones with the cube, exact ones, the others.
fn slices_of(position: &Position) -> impl Iterator<Item = Slice> + '_ {
    let order = |slice: &Slice| match slice {
        Slice::Cubeful { .. } => 0,
        Slice::Hyper { .. } | Slice::Left { .. } => 1,
        Slice::TwoSided { .. } => 2,
        Slice::OneSided { .. } => 3,
    };
    let mut slices: Vec<Slice> = Slice::all().filter(|&slice| place(slice, position).is_some()).collect();
    slices.sort_by_key(order);
    slices.into_iter()
}

impl EquitySource for EquityLibrary {
    fn tell(&self, position: &Position) -> Result<Told, Error> {
        for slice in slices_of(position) {
            if let Some(opened) = self.table(slice)?
                && let Some(told) = self.tell_from(slice, opened, position)?
            {
                return Ok(told);
            }
        }
        match suggested(position) {
            Some(slice) => Err(Error::NoEquityTable {
                places: self.library.places(),
                slice: slice.to_string(),
                command: format!("endspiel solve {} {slice}", backgammon::Backgammon::INFO.name),
            }),
            None => Err(Error::BeyondEquities {
                game: backgammon::Backgammon::INFO.title,
                why: beyond(position.board()),
            }),
        }
    }
}

/// The slice that a user should solve to have a position: the smallest exact one that does not take long, or else a one-sided one.
fn suggested(position: &Position) -> Option<Slice> {
    let usual = |slice: &Slice| match slice {
        Slice::Cubeful { checkers } => *checkers >= 6,
        Slice::TwoSided { .. } => false,
        _ => true,
    };
    slices_of(position).find(usual)
}

/// Why no table can have a position.
fn beyond(board: &Board) -> &'static str {
    let left = |side| CHECKERS - board.off(side);
    match Side::ALL.into_iter().any(|side| left(side) > 3) {
        true => "the sides can still hit each other and have more than three checkers, or a checker is more than ten points from its end",
        false => "it does not await a roll",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_bear_off_wins() {
        let needs = |all: &[(usize, f64)], first: usize| {
            let mut distribution = [0.0; DISTRIBUTIONS];
            all.iter().for_each(|&(rolls, chance)| distribution[rolls] = chance);
            distribution[ROLLS + first] = 1.0;
            distribution
        };
        // Two rolls for sure against one or two: the side to move wins if the opponent needs two.
        let chances = race(&needs(&[(2, 1.0)], 0), &needs(&[(1, 0.25), (2, 0.75)], 0));
        assert_eq!((chances.win, chances.gammon, chances.lose_gammon), (0.75, 0.0, 0.0));
        // The opponent bears off its first checker with the second roll, which it does not get.
        let chances = race(&needs(&[(2, 1.0)], 1), &needs(&[(9, 1.0)], 2));
        assert_eq!((chances.win, chances.gammon), (1.0, 1.0));
        // The side to move has had three rolls when the opponent's third bears off the last one.
        let chances = race(&needs(&[(9, 1.0)], 3), &needs(&[(3, 1.0)], 1));
        assert_eq!((chances.win, chances.lose_gammon), (0.0, 0.0));
        let chances = race(&needs(&[(9, 1.0)], 4), &needs(&[(3, 1.0)], 1));
        assert_eq!((chances.win, chances.lose_gammon), (0.0, 1.0));
    }
}
