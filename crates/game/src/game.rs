//! The description of a game: its options, its start position, and facts about it.

use crate::{BySide, DistanceUnit, Position, Repetition, Rng, Rulebook, Side};
use std::error::Error;

/// A game with its options fixed, such as an Onitama card set, a try rule or a match length.
pub trait Game: Sized + Send + Sync + 'static {
    /// The positions of the game.
    type Position: Position;
    /// The error for an invalid option; [`Infallible`](std::convert::Infallible) if the game has no options.
    type OptionError: Error + Send + Sync + 'static;

    /// Facts about the game that do not depend on its options.
    const INFO: Info;

    /// Creates the game with these options.
    fn new(options: &Options) -> Result<Self, Self::OptionError>;

    /// Draws by lot what these options leave open, such as the start position of Chess960. Returns an option and its value, or
    /// `None` if nothing is open, as in most games.
    fn draw_by_lot(options: &Options, rng: &mut Rng) -> Option<(&'static GameOption, String)> {
        let _ = (options, rng);
        None
    }

    /// The start position.
    fn start(&self) -> Self::Position;

    /// The rules that end a game although the position has legal moves.
    fn rulebook(&self) -> Rulebook<Self::Position> {
        Rulebook::new(Self::INFO.capabilities.repetition)
    }

    /// Returns the start position of the game after one that this side won with these points, for games that are played for
    /// points or in matches. `last` is the last position; the game may also have ended by a resignation. Returns `None` if no
    /// game follows, for example because the match is decided.
    fn game_after(
        &self,
        last: &Self::Position,
        winner: Side,
        points: u32,
        rng: &mut Rng,
    ) -> Option<Self::Position> {
        let _ = (last, winner, points, rng);
        None
    }

    /// Returns the start position of the [next game](Self::game_after) after one that ended by its last position.
    fn next_game(&self, finished: &Self::Position, rng: &mut Rng) -> Option<Self::Position> {
        let (winner, points) = (finished.outcome()?.winner?, finished.points_won()?);
        self.game_after(finished, winner, points, rng)
    }

    /// The name of these rules among all rules of the game. It is part of the path of the tables.
    fn rules_id(&self) -> String {
        "standard".to_owned()
    }
}

/// Facts about a game, for users and programs.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name on the command line: one lower-case word.
    pub name: &'static str,
    /// The name as written in a sentence.
    pub title: &'static str,
    /// A description in one sentence.
    pub summary: &'static str,
    /// The names of the players, in lower case.
    pub sides: BySide<&'static str>,
    /// The options of the game.
    pub options: &'static [GameOption],
    /// How a position is written, in one sentence.
    pub position_format: &'static str,
    /// How a move is written, with an example.
    pub move_format: &'static str,
    /// The rules except repetition that end a game although its position has legal moves, as sentences for users.
    pub ends: &'static [&'static str],
    /// The rules for players, and what the pieces, cards and letters of a drawn board mean: lines of at most 80 columns, each
    /// with a line feed at its end.
    pub rules: &'static str,
    /// An ordinary position from the middle of a game, for help texts.
    pub example_position: &'static str,
    /// A position that tables of the game hold.
    pub example_endgame: &'static str,
    /// A move in that position.
    pub example_move: &'static str,
    /// The unit in which the players of the game count distances to the end.
    pub distances: DistanceUnit,
    /// Facts that decide what can be done with the game.
    pub capabilities: Capabilities,
}

/// Facts about a game that decide what can be done with it.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// True if there are dice or other chance events between the moves.
    pub chance: bool,
    /// True if a position can occur again in the same game.
    pub loops: bool,
    /// The rules about repeated positions.
    pub repetition: Repetition,
    /// The largest known number of legal moves in a position.
    pub most_moves: u32,
    /// The perft depth that `bench` uses. It should take seconds at most.
    pub bench_depth: u32,
}

/// An option of a game, given on the command line as `--name VALUE`.
#[derive(Clone, Copy, Debug)]
pub struct GameOption {
    /// The name of the option, without the dashes.
    pub name: &'static str,
    /// The placeholder for the value in the help text.
    pub value: &'static str,
    /// The help text, without the default.
    pub help: &'static str,
    /// The values that a shell proposes. The game may take others, such as any number.
    pub proposed: &'static [&'static str],
    /// The value if the option is not given.
    pub default: &'static str,
}

/// Values for the options of a game. An option that is not set has its default.
#[derive(Clone, Debug, Default)]
pub struct Options(Vec<(&'static str, String)>);

impl Options {
    /// Sets an option. If it is set more than once, the last value counts.
    pub fn set(&mut self, option: &GameOption, value: String) {
        self.0.push((option.name, value));
    }

    /// The names and values of the options that were set.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The value of an option, or its default.
    pub fn get(&self, option: &GameOption) -> &str {
        self.given(option).unwrap_or(option.default)
    }

    /// The value of an option, if it is set.
    pub fn given(&self, option: &GameOption) -> Option<&str> {
        let given = self.0.iter().rev().find(|(name, _)| *name == option.name);
        given.map(|(_, value)| value.as_str())
    }
}
