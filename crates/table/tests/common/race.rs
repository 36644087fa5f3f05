//! A small game with wins, losses, draws and two slices, and its values by brute force.
// The benchmarks use only a part of it.
#![allow(dead_code)]

use endspiel_table::{Description, Entry, describe, write};
use game::{
    BySide, Capabilities, DistanceUnit, Endgame, Game, Index, Info, Location, Metric, NoChance, Notation,
    Options, Outcome, Plies, Position, Repetition, ShortNumbering, Side, Value, Wdl, Without,
};
use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

/// Both players move the same stone along a track towards 0: by one, or by `stride`. On a multiple of 30 a step back is
/// also allowed, so that some positions are draws. The player who reaches 0 wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    pub stride: u16,
    /// The number of squares in the near half of the track.
    pub near: u64,
    /// The number of squares in the far half of the track.
    pub far: u64,
    /// True if tables without distances hold one bit for each square from which no move wins at once.
    pub bits: bool,
    /// True if some squares are in no table, so that their values follow from the values after the moves.
    pub through: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stone {
    pub at: u64,
    pub turn: Side,
    pub stride: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Half {
    Near,
    Far,
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Near => "near",
            Self::Far => "far",
        })
    }
}

/// A race of 400 squares.
pub const SHORT: Race = Race { stride: 6, near: 150, far: 250, bits: false, through: false };

impl Position for Stone {
    type Move = i16;
    type Chance = NoChance;

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at == 0).then(|| Outcome::win(self.turn.other(), "home"))
    }

    fn visit_moves<B>(&self, mut visit: impl FnMut(i16) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.at == 0 {
            return ControlFlow::Continue(());
        }
        visit(-1)?;
        if self.at >= self.stride.into() {
            visit(-(self.stride as i16))?;
        }
        if self.at.is_multiple_of(30) {
            visit(1)?;
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, m: i16) -> Self {
        Self { at: self.at.saturating_add_signed(m.into()), turn: self.turn.other(), ..*self }
    }
}

impl Game for Race {
    type Position = Stone;
    type OptionError = Infallible;

    const INFO: Info = Info {
        name: "race",
        title: "Race",
        summary: "one stone for both",
        sides: BySide { first: "odd", second: "even" },
        options: &[],
        position_format: "the square",
        move_format: "the difference",
        ends: &[],
        rules: "",
        example_position: "7",
        example_endgame: "7",
        example_move: "-1",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition::ALLOWED,
            most_moves: 3,
            bench_depth: 1,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(SHORT)
    }

    fn start(&self) -> Stone {
        Stone { at: self.track() - 1, turn: Side::First, stride: self.stride }
    }

    fn rules_id(&self) -> String {
        format!("stride-{}", self.stride)
    }
}

impl Notation for Race {
    type PositionError = std::num::ParseIntError;

    fn parse_position(&self, text: &str) -> Result<Stone, Self::PositionError> {
        Ok(Stone { at: text.parse()?, ..self.start() })
    }

    fn write_position(&self, position: &Stone, out: &mut String) {
        out.push_str(&position.at.to_string());
    }

    fn write_move(&self, _: &Stone, m: i16, out: &mut String) {
        out.push_str(&format!("{m:+}"));
    }
}

impl Endgame for Race {
    type Slice = Half;
    type Unmoves = Without;
    type Short = Self;
    const INDEX: &'static str = "square-1";

    fn short(&self) -> Option<&Self> {
        self.bits.then_some(self)
    }

    fn of_position(&self, position: &Stone) -> Self {
        Self { stride: position.stride, ..*self }
    }

    fn groups(&self) -> Vec<Vec<Half>> {
        vec![vec![Half::Near, Half::Far]]
    }

    fn needs(&self, _: Half) -> Vec<Half> {
        Vec::new()
    }

    fn size(&self, slice: Half) -> u64 {
        match slice {
            Half::Near => self.near,
            Half::Far => self.far,
        }
    }

    fn locate(&self, position: &Stone) -> Location<Half> {
        match position.at {
            0 => Location::Over(Value::Loss(Plies(0))),
            // Only squares to which play cannot return.
            at if self.through && at % 17 == 5 && at % 30 > 1 => Location::Through,
            at if at < self.near => Location::At(Half::Near, Index(at)),
            at => Location::At(Half::Far, Index(at - self.near)),
        }
    }

    fn unrank(&self, slice: Half, index: Index) -> Option<Stone> {
        let first = match slice {
            Half::Near => 0,
            Half::Far => self.near,
        };
        let at = first + index.0;
        (at != 0).then(|| Stone { at, ..self.start() })
    }
}

impl ShortNumbering<Self> for Race {
    const NAME: &'static str = "short-1";

    fn entries(&self, slice: Half, metric: Metric) -> Option<u64> {
        let left_out = if slice == Half::Near { 3 } else { 0 };
        (metric == Metric::Wdl).then(|| self.size(slice) - left_out)
    }

    /// Leaves out the squares 0, 1 and `stride`.
    fn short_index(&self, slice: Half, index: Index) -> Option<Index> {
        let stride = self.stride.into();
        match (slice, index.0) {
            (Half::Far, at) => Some(Index(at)),
            (Half::Near, at) if at <= 1 || at == stride => None,
            (Half::Near, at) => Some(Index(at - if at < stride { 2 } else { 3 })),
        }
    }
}

impl Race {
    pub fn track(self) -> u64 {
        self.near + self.far
    }

    pub fn stone(self, at: u64) -> Stone {
        Stone { at, ..self.start() }
    }

    /// The value of every square, found one distance after another.
    pub fn values(self) -> Vec<Value> {
        let mut values = vec![None; self.track() as usize];
        values[0] = Some(Value::Loss(Plies(0)));
        for distance in 1..=self.track() as u16 {
            let found: Vec<Option<Value>> = (0..self.track())
                .map(|at| {
                    let next = |m| values[self.stone(at).play_unchecked(m).at as usize];
                    let successors: Vec<Option<Value>> =
                        self.stone(at).moves().into_iter().map(next).collect();
                    let known = Value::from_successors(successors.iter().copied().flatten());
                    known.filter(|value| {
                        let complete = successors.iter().all(Option::is_some);
                        value.plies() == Some(Plies(distance)) && (complete || *value > Value::Draw)
                    })
                })
                .collect();
            for (value, found) in values.iter_mut().zip(found) {
                *value = value.or(found);
            }
        }
        values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
    }

    pub fn description(self, slice: Half, metric: Metric) -> Description {
        describe(&self, slice, metric)
    }

    /// Writes the table of a slice.
    pub fn write(self, root: &Path, slice: Half, metric: Metric) {
        let values = self.values();
        let indices = (0..self.size(slice)).map(Index);
        let value = |index| self.unrank(slice, index).map(|stone| values[stone.at as usize]);
        let bit = |index| match value(index).expect("a square").wdl() {
            Wdl::Win => Entry::Win(None),
            Wdl::Draw | Wdl::Loss => Entry::NotWon,
        };
        let description = self.description(slice, metric);
        let entries: Vec<Entry> = match description.index == Self::INDEX {
            true => indices.map(|index| Entry::new(value(index), metric)).collect(),
            false => indices.filter(|&index| self.short_index(slice, index).is_some()).map(bit).collect(),
        };
        write(&description.path(root), &description, |index| entries[index as usize], |_| ()).unwrap();
    }
}
