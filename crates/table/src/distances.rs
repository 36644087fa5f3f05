//! The payload `distances`: the distances of wins or losses, coded by contexts.

use crate::Description;
use crate::coding::{self, Coded, Grid, Model, Tiles};
use crate::error::Problem;
use crate::format::Fields;
use crate::payload::Payload;
use game::{Metric, Plies};

/// The payload of small tables of [`Metric::Dtm`]. It holds what the [outcomes](crate::Outcomes) of the same positions do not tell:
/// the distances, in the same tiles.
///
/// Only some distances are stored: those of the wins or those of the losses, for each section. The others are one step away: a win
/// takes one ply more than the shortest loss after a move, and a loss one more than the longest win.
///
/// A block has a byte for each place: the number of the distance in its plane plus one, or 0 if there is none. It can be unpacked only
/// with the outcomes, by a [`SmallTable`](crate::SmallTable), so that distances have no [`Entries`](crate::Entries). The
/// [`check`](crate::Table::check) of their table checks checksums only.
#[derive(Debug)]
pub struct Distances {
    tiles: Tiles,
    grid: Grid,
    /// The content hash of the table of outcomes.
    outcomes: [u8; 32],
    /// By section: losses, and wins.
    planes: Box<[[Plane; 2]]>,
}

/// The wins or the losses of a section.
#[derive(Debug, Default)]
pub(crate) enum Plane {
    /// The distances are not stored.
    #[default]
    Derived,
    /// There are no such positions. Places that stand for no position, or whose value a conversion gives, may have the outcome.
    Empty,
    /// The distances that occur, in ascending order, and the model of their numbers.
    Stored { plies: Box<[Plies]>, model: Box<Model> },
}

impl Plane {
    /// Returns whether the plane has distances. If not, positions may still have its outcome: those that a move out of the group
    /// answers better.
    #[inline]
    pub(crate) fn is_stored(&self) -> bool {
        matches!(self, Self::Stored { .. })
    }

    /// What a number in a block tells of the plane, if no other plane is stored there. Returns `None` if it has no such number.
    #[inline]
    pub(crate) fn stored(&self, number: u8) -> Option<StoredDistance> {
        match number {
            0 => Some(StoredDistance::Other),
            number => self.plies(number).map(StoredDistance::Is),
        }
    }

    /// The distance with this number. Returns `None` if there is none.
    #[inline]
    pub(crate) fn plies(&self, number: u8) -> Option<Plies> {
        match self {
            Self::Stored { plies, .. } => plies.get(usize::from(number.checked_sub(1)?)).copied(),
            Self::Derived | Self::Empty => None,
        }
    }
}

/// What the distances of a small table tell of a win or a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StoredDistance {
    /// It is stored, with this distance.
    Is(Plies),
    /// Something else is stored.
    Other,
    /// The distances alone do not tell.
    NotTold,
}

/// Losses or wins: the number of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Loss = 0,
    Win = 1,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Loss, Self::Win];
}

impl Distances {
    /// The most different distances of a plane: a byte also tells that there is none.
    pub(crate) const MOST: usize = 255;
    /// The longest distance, as in tables of values.
    const LONGEST: Plies = Plies(u16::MAX - 1);

    pub(crate) fn new(tiles: Tiles, outcomes: [u8; 32], planes: Vec<[Plane; 2]>) -> Result<Self, Problem> {
        let is_valid = |plane: &Plane| match plane {
            Plane::Derived | Plane::Empty => true,
            Plane::Stored { plies, model } => {
                (1..=Self::MOST).contains(&plies.len())
                    && plies.iter().all(|&plies| plies <= Self::LONGEST)
                    && plies.len() == usize::from(model.symbols())
                    && model.is_relative()
                    && plies.is_sorted_by(|a, b| a < b)
            }
        };
        if planes.len() != tiles.sections() || !planes.iter().flatten().all(is_valid) {
            return Err(Problem::Payload);
        }
        let grid = Grid::new(&tiles.coordinates());
        Ok(Self { grid, tiles, outcomes, planes: planes.into() })
    }

    /// The content hash of the table of outcomes to which these distances belong.
    pub fn outcomes(&self) -> [u8; 32] {
        self.outcomes
    }

    /// The planes of the section of a block.
    #[inline]
    pub(crate) fn planes_of(&self, block: u64) -> &[Plane; 2] {
        &self.planes[self.tiles.section_of(block)]
    }

    /// Joins the streams of the planes of a block. `encode` gives the stream of a plane.
    pub(crate) fn encode(
        &self,
        block: u64,
        mut encode: impl FnMut(&Grid, &Model, Kind) -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let mut streams = Vec::new();
        for (plane, kind) in self.planes_of(block).iter().zip(Kind::ALL) {
            if let Plane::Stored { model, .. } = plane {
                streams.push(encode(&self.grid, model, kind)?);
            }
        }
        Some(match &streams[..] {
            [] => vec![0],
            [only] => only.clone(),
            [first, second, ..] => {
                // If it does not fit, the block is stored as it is, because that is shorter.
                let length = u16::try_from(first.len()).unwrap_or(u16::MAX);
                [&length.to_le_bytes()[..], first, second].concat()
            }
        })
    }

    /// Unpacks a block. `places_of` gives the places with an outcome, as bits, 64 in a word.
    pub(crate) fn decode_with(
        &self,
        block: u64,
        stored: &[u8],
        packed: &mut [u8],
        places_of: impl Fn(Kind) -> Vec<u64>,
    ) -> Option<()> {
        if stored.len() == packed.len() {
            packed.copy_from_slice(stored);
            return self.is_as_coded(block, packed, places_of).then_some(());
        }
        let models: Vec<(&Model, Kind)> = (self.planes_of(block).iter().zip(Kind::ALL))
            .filter_map(|(plane, kind)| match plane {
                Plane::Stored { model, .. } => Some((&**model, kind)),
                Plane::Derived | Plane::Empty => None,
            })
            .collect();
        let decode = |&(model, kind): &(&Model, Kind), stream: &[u8]| {
            coding::decode(model, &self.grid, stream, Coded::Bits(&places_of(kind)))
        };
        match &models[..] {
            [] => (stored == [0]).then_some(()),
            [only] => {
                packed.copy_from_slice(&decode(only, stored)?);
                Some(())
            }
            [first, second, ..] => {
                let (length, streams) = stored.split_first_chunk::<2>()?;
                let (of_first, of_second) = streams.split_at_checked(u16::from_le_bytes(*length).into())?;
                let (of_first, of_second) = (decode(first, of_first)?, decode(second, of_second)?);
                // A place has a number in one of the planes at most.
                packed.iter_mut().zip(of_first.iter().zip(of_second)).for_each(|(to, (a, b))| *to = a | b);
                Some(())
            }
        }
    }
}

impl Distances {
    /// Returns whether exactly the places of the stored planes have a number, which is one of the plane.
    fn is_as_coded(&self, block: u64, packed: &[u8], places_of: impl Fn(Kind) -> Vec<u64>) -> bool {
        let mut most = vec![0; packed.len()];
        for (plane, kind) in self.planes_of(block).iter().zip(Kind::ALL) {
            if let Plane::Stored { plies, .. } = plane {
                let places = places_of(kind);
                let is_coded = |place: usize| places[place / 64] >> (place % 64) & 1 == 1;
                let coded = most.iter_mut().enumerate().filter(|&(place, _)| is_coded(place));
                coded.for_each(|(_, most)| *most = plies.len());
            }
        }
        packed.iter().zip(most).all(|(&number, most)| (most.min(1)..=most).contains(&usize::from(number)))
    }
}

impl Payload for Distances {
    const NAME: &'static str = "distances";

    fn description(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.tiles.write(&mut bytes);
        bytes.extend(self.outcomes);
        for plane in self.planes.iter().flatten() {
            match plane {
                Plane::Derived => bytes.push(0),
                Plane::Empty => bytes.push(1),
                Plane::Stored { plies, model } => {
                    bytes.extend([2, plies.len() as u8]);
                    bytes.extend(plies.iter().flat_map(|plies| plies.0.to_le_bytes()));
                    model.write(&mut bytes);
                }
            }
        }
        bytes
    }

    fn parse(description: &[u8]) -> Result<Self, Problem> {
        let mut fields = Fields::new(description);
        let tiles = Tiles::read(&mut fields)?;
        let grid = Grid::new(&tiles.coordinates());
        let outcomes = fields.array()?;
        let mut plane = || {
            Ok(match fields.u8()? {
                0 => Plane::Derived,
                1 => Plane::Empty,
                2 => {
                    let count = fields.u8()?;
                    let plies = (0..count).map(|_| fields.u16().map(Plies)).collect::<Result<_, _>>()?;
                    Plane::Stored { plies, model: Box::new(Model::read(&mut fields, &grid)?) }
                }
                _ => return Err(Problem::Payload),
            })
        };
        let planes =
            (0..tiles.sections()).map(|_| Ok([plane()?, plane()?])).collect::<Result<_, Problem>>()?;
        if !fields.is_empty() {
            return Err(Problem::Payload);
        }
        Self::new(tiles, outcomes, planes)
    }

    fn check(&self, table: &Description) -> Result<(), Problem> {
        if table.metric == Metric::Dtm { Ok(()) } else { Err(Problem::Payload) }
    }

    fn bits(&self) -> u32 {
        8
    }

    fn tiles(&self) -> Option<&Tiles> {
        Some(&self.tiles)
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        packed.len() == entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that is stored as it is has distances exactly where the outcomes say so.
    #[test]
    fn plain_blocks_are_checked() {
        let tiles = Tiles::new(&[64], false);
        let grid = Grid::new(&tiles.coordinates());
        let load = |_: usize, to: &mut Vec<coding::Wanted>| {
            to.extend((0..64).map(|place| coding::Wanted::Symbol(place % 3)));
            Ok(())
        };
        let distances = |plies: [u16; 3]| {
            let draft = coding::draft(&grid, 3, true, 1, &load, &|| Ok(())).unwrap();
            let model = Box::new(draft.finish(&grid, 1, &load).unwrap().unwrap().model);
            let wins = Plane::Stored { plies: plies.map(Plies).into(), model };
            Distances::new(tiles.clone(), [0; 32], vec![[Plane::Empty, wins]])
        };
        assert!(distances([1, 3, u16::MAX]).is_err());
        let distances = distances([1, 3, 5]).unwrap();
        let places_of = |kind| vec![if kind == Kind::Win { 0x00FF } else { 0 }];
        let right: Vec<u8> = (0..64).map(|place| if place < 8 { 1 + place % 3 } else { 0 }).collect();
        let accepts = |stored: &[u8]| distances.decode_with(0, stored, &mut [0; 64], places_of).is_some();
        assert!(accepts(&right));
        for (place, wrong) in [(0, 0), (7, 4), (8, 1), (63, 255)] {
            let mut forged = right.clone();
            forged[place] = wrong;
            assert!(!accepts(&forged), "{place}: {wrong}");
        }
    }
}
