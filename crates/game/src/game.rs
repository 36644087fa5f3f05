//! A game as a value: its options, its start, and what it says about itself.

use crate::{BySide, Position, Repetition, Rng, Rulebook};
use std::error::Error;

/// One game with its options fixed: an Onitama card set, a try rule, a match length.
pub trait Game: Sized + Send + Sync + 'static {
    /// Its positions.
    type Position: Position;
    /// What is wrong with an option; [`Infallible`](std::convert::Infallible) where there are none.
    type OptionError: Error + Send + Sync + 'static;

    /// What the game says about itself, whatever its options.
    const INFO: Info;

    /// The game with these options.
    fn new(options: &Options) -> Result<Self, Self::OptionError>;

    /// Where a game begins.
    fn start(&self) -> Self::Position;

    /// What ends a game beside its positions.
    fn rulebook(&self) -> Rulebook<Self::Position> {
        Rulebook::new(Self::INFO.capabilities.repetition)
    }

    /// The beginning of the game that follows a finished one, where games follow each other: for points, or towards a match
    /// that is not decided yet.
    fn next_game(&self, finished: &Self::Position, rng: &mut Rng) -> Option<Self::Position> {
        let _ = (finished, rng);
        None
    }

    /// Names the rules among those of the same game; part of the path of its tables.
    fn rules_id(&self) -> String {
        "standard".to_owned()
    }
}

/// What a game says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// One lower-case word, as typed on a command line.
    pub name: &'static str,
    /// As written in a sentence.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// The players' names, lower case.
    pub sides: BySide<&'static str>,
    /// Its options.
    pub options: &'static [GameOption],
    /// The position notation in a sentence, and so for moves.
    pub position_format: &'static str,
    /// How a move is written, with an example.
    pub move_format: &'static str,
    /// What ends a game although its position has moves, repetition aside: sentences for people.
    pub ends: &'static [&'static str],
    /// An ordinary position from the middle of a game, for help texts.
    pub example_position: &'static str,
    /// What the game has, for those who choose by it.
    pub capabilities: Capabilities,
}

/// Facts about a game that decide what can be done with it.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// Dice or other chance between the moves.
    pub chance: bool,
    /// Play can go round in circles.
    pub loops: bool,
    /// What it means for a game that a position stands again.
    pub repetition: Repetition,
    /// No position has more legal moves, as far as is known.
    pub most_moves: u32,
    /// `perft` to this depth takes a moment, not a minute: the depth that `bench` uses.
    pub bench_depth: u32,
}

/// An option of a game, given on the command line as `--name VALUE`.
#[derive(Clone, Copy, Debug)]
pub struct GameOption {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What stands for the value in the help text.
    pub value: &'static str,
    /// The help text, without the default.
    pub help: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
}

/// Values for a game's options; what is not set has its default.
#[derive(Clone, Debug, Default)]
pub struct Options(Vec<(&'static str, String)>);

impl Options {
    /// Sets an option; the last value counts.
    pub fn set(&mut self, option: &GameOption, value: String) {
        self.0.push((option.name, value));
    }

    /// The value of an option.
    pub fn get(&self, option: &GameOption) -> &str {
        let given = self.0.iter().rev().find(|(name, _)| *name == option.name);
        given.map_or(option.default, |(_, value)| value)
    }
}
