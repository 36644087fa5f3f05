//! The game: its description and its start position.

use crate::{ByKind, Hand, Position, SquareSet};
use game::{BySide, Capabilities, DistanceUnit, Game, Info, Options, Repetition, Side};
use std::convert::Infallible;

/// Dobutsu shogi. It has no options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dobutsu;

impl Game for Dobutsu {
    type Position = Position;
    type OptionError = Infallible;

    const INFO: Info = Info {
        name: "dobutsu",
        title: "Dobutsu shogi",
        summary: "animal shogi on 3 x 4 squares: catch the lion, or bring yours home",
        sides: BySide { first: "black", second: "white" },
        options: &[],
        position_format: "rows from the top, turn, hands, move number, as in SFEN: gle/1c1/1C1/ELG b - 1",
        move_format: "as in USI, files 1-3 from the right and ranks a-d from the top: 2c2b, a drop C*2b",
        ends: &[],
        rules: include_str!("rules.txt"),
        example_position: "1le/g2/+C1c/1LG w E 1",
        example_endgame: "1le/g2/+C1c/1LG w E 1",
        example_move: "3b3c",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition::draw_at(3),
            most_moves: 40,
            bench_depth: 9,
        },
    };

    fn new(_: &Options) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn start(&self) -> Position {
        // Bit 0 is Black's left corner. A row is three bits. The literals begin with the highest row.
        let set = SquareSet::from_word;
        let giraffes = set(0b001_000_000_100);
        let elephants = set(0b100_000_000_001);
        let chicks = set(0b000_010_010_000);
        let lions = set(0b010_000_000_010);
        Position {
            kinds: ByKind([giraffes, elephants, chicks, SquareSet::EMPTY, lions]),
            sides: BySide { first: set(0b000_000_010_111), second: set(0b111_010_000_000) },
            hands: BySide { first: Hand::EMPTY, second: Hand::EMPTY },
            turn: Side::First,
        }
    }
}
