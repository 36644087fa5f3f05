//! The payload `distances`: the distances of wins or losses, coded by contexts.

use crate::Description;
use crate::codec::Codec;
use crate::coding::{self, Grid, Model, Tiles};
use crate::error::Problem;
use crate::format::Fields;
use crate::payload::Payload;
use game::{Metric, Plies};

/// The payload of small tables of [`Metric::Dtm`]. It holds what the [outcomes](crate::Outcomes) of the same positions do not tell:
/// the distances, in the same tiles.
///
/// Only some distances are stored: those of the wins or those of the losses, for each section. The others are one step away: a win
/// takes one ply more than the shortest loss after a move, and a loss one more than the longest win.
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

    /// The distance with this number. Returns `None` if there is none.
    #[inline]
    pub(crate) fn plies(&self, number: u8) -> Option<Plies> {
        match self {
            Self::Stored { plies, .. } => plies.get(usize::from(number.checked_sub(1)?)).copied(),
            Self::Derived | Self::Empty => None,
        }
    }
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

    pub(crate) fn new(tiles: Tiles, outcomes: [u8; 32], planes: Vec<[Plane; 2]>) -> Result<Self, Problem> {
        let is_valid = |plane: &Plane| match plane {
            Plane::Derived | Plane::Empty => true,
            Plane::Stored { plies, model } => {
                (1..=Self::MOST).contains(&plies.len())
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

    pub(crate) fn planes_of(&self, block: u64) -> &[Plane; 2] {
        &self.planes[self.tiles.section_of(block)]
    }

    /// The plane of losses or wins in the section of an index.
    #[inline]
    pub(crate) fn plane(&self, index: u64, kind: Kind) -> &Plane {
        &self.planes[self.tiles.section_of_index(index)][kind as usize]
    }

    /// Joins the streams of the planes of a block. `encode` gives the stream of a plane, with these distances.
    pub(crate) fn encode(
        &self,
        block: u64,
        mut encode: impl FnMut(&Grid, &Model, Kind, &[Plies]) -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let mut streams = Vec::new();
        for (plane, kind) in self.planes_of(block).iter().zip(Kind::ALL) {
            if let Plane::Stored { plies, model } = plane {
                streams.push(encode(&self.grid, model, kind, plies)?);
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

    /// Unpacks a block. `kind_at` tells the outcome of each place.
    pub(crate) fn decode_with(
        &self,
        block: u64,
        stored: &[u8],
        packed: &mut [u8],
        kind_at: impl Fn(usize) -> Option<Kind>,
    ) -> Option<()> {
        if stored.len() == packed.len() {
            packed.copy_from_slice(stored);
            return Some(());
        }
        let models: Vec<(&Model, Kind)> = (self.planes_of(block).iter().zip(Kind::ALL))
            .filter_map(|(plane, kind)| match plane {
                Plane::Stored { model, .. } => Some((&**model, kind)),
                Plane::Derived | Plane::Empty => None,
            })
            .collect();
        let decode = |&(model, kind): &(&Model, Kind), stream: &[u8]| {
            coding::decode(model, &self.grid, stream, |place| kind_at(place) == Some(kind))
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

impl Payload for Distances {
    /// The number of the distance in its plane plus one, or 0 if there is none.
    type Entry = u8;

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

    fn packer(&self) -> impl Fn(&[u8], &mut Vec<u8>) -> Result<(), usize> + Sync + '_ {
        move |entries, packed| {
            packed.extend(entries);
            Ok(())
        }
    }

    fn tiles(&self) -> Option<&Tiles> {
        Some(&self.tiles)
    }

    /// A block cannot be unpacked without the outcomes.
    fn decode(&self, _: u64, _: Codec, _: &[u8], _: &mut [u8]) -> Option<()> {
        None
    }

    fn is_valid(&self, packed: &[u8], entries: usize) -> bool {
        packed.len() == entries
    }

    #[inline]
    fn get(&self, packed: &[u8], _: usize, place: usize) -> u8 {
        packed[place]
    }
}
