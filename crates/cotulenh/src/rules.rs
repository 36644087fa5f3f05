//! The game of CoTuLenh and its option: which battle may decide it besides the commander.

use crate::fen::START;
use crate::pieces::Kind;
use crate::position::Position;
use game::{
    BySide, Capabilities, DistanceUnit, Game, GameOption, Info, Options, Outcome, Position as _, Repetition,
    Rulebook, Side, quoted,
};

/// The game of CoTuLenh with its option.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CoTuLenh {
    /// The battle that wins besides the capture of the commander. Moves and tables ignore it.
    pub battle: Battle,
}

/// The branch of the forces without which a side has lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Battle {
    /// No branch: only the commander counts.
    #[default]
    Commander,
    /// The navies.
    Marine,
    /// The air forces.
    Air,
    /// Artillery, tanks and infantry together.
    Land,
}

/// The option that selects the battle.
pub const BATTLE: GameOption = GameOption {
    name: "battle",
    value: "BATTLE",
    help: "In play, what a side must not lose beside its commander: commander (nothing else), marine (both navies), air \
           (both air forces), or land (all artillery, tanks and infantry)",
    proposed: &["commander", "marine", "air", "land"],
    default: "commander",
};

/// A wrong value of the option of CoTuLenh.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("battle is {}; it is one of `commander`, `marine`, `air` and `land`", quoted(.found))]
pub struct OptionError {
    /// The value that was given.
    pub found: String,
}

impl Game for CoTuLenh {
    type Position = Position;
    type OptionError = OptionError;

    const INFO: Info = Info {
        name: "cotulenh",
        title: "CoTuLenh",
        summary: "capture the commander on 11 × 12 points, by land, sea and air",
        sides: BySide { first: "red", second: "blue" },
        options: &[BATTLE],
        position_format: "FEN with stacks in parentheses and + before heroes: \
                          6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
        move_format: "as piece, origin, sign and target: Ic5c6 goes, (TI)e5xe7 takes, Fd4_d8 takes and stays, Fd4@g4 takes and \
                      falls, Fe2&b2 joins; or deployed as origin:stay:steps, such as e5::T>xd5,I>xe4",
        ends: &[
            "drawn after 100 turns without a capture",
            "lost by a side that has lost a branch of its forces, with --battle",
        ],
        rules: include_str!("rules.txt"),
        // Two attackers, and a tank with infantry that captures both.
        example_position: "7c2h/11/11/11/11/11/11/3i(TI)6/3Cm6/11/11/11 r - - 0 1",
        example_endgame: "11/11/11/11/11/11/11/11/11/11/9c1/N9C r - - 0 1",
        example_move: "Cd4xe4",
        distances: DistanceUnit::Plies,
        capabilities: Capabilities {
            chance: false,
            loops: true,
            repetition: Repetition::draw_at(3),
            // The turns of two laden ships, all heroes (see its test). There is no proof that no position has more.
            most_moves: 72_140,
            bench_depth: 2,
        },
    };

    fn new(options: &Options) -> Result<Self, OptionError> {
        let battle = match options.get(&BATTLE) {
            "commander" => Battle::Commander,
            "marine" => Battle::Marine,
            "air" => Battle::Air,
            "land" => Battle::Land,
            found => return Err(OptionError { found: found.to_owned() }),
        };
        Ok(Self { battle })
    }

    /// Tables belong to the battle of the commander only: in other battles a game may end earlier.
    fn rules_id(&self) -> String {
        match self.battle {
            Battle::Commander => "standard",
            Battle::Marine => "marine",
            Battle::Air => "air",
            Battle::Land => "land",
        }
        .to_owned()
    }

    fn start(&self) -> Position {
        START.parse().expect("the start is a position")
    }

    fn rulebook(&self) -> Rulebook<Position> {
        let mut rules = Rulebook::new(Self::INFO.capabilities.repetition);
        rules.ends = match self.battle {
            Battle::Commander => drawn_by_clock,
            Battle::Marine => |position| lost_without(position, &[Kind::Navy], "marine battle"),
            Battle::Air => |position| lost_without(position, &[Kind::AirForce], "air battle"),
            Battle::Land => |position| {
                lost_without(position, &[Kind::Artillery, Kind::Tank, Kind::Infantry], "land battle")
            },
        };
        rules
    }
}

fn drawn_by_clock(position: &Position) -> Option<Outcome> {
    (position.quiet_turns() >= 100).then(|| Outcome::draw("100 turns without a capture"))
}

/// Returns a win over a side that has none of these kinds. The side that has just moved is checked last: if it
/// captures the last plane of the other side and loses its own last plane in the same turn, it has won.
fn lost_without(position: &Position, kinds: &[Kind], by: &'static str) -> Option<Outcome> {
    let has_any = |side: Side| {
        position.board().stacks(side).any(|(_, stack)| kinds.iter().any(|&kind| stack.has(kind)))
    };
    let sides = [position.turn(), position.turn().other()];
    let loser = sides.into_iter().find(|&side| !has_any(side));
    loser.map(|side| Outcome::win(side.other(), by)).or_else(|| drawn_by_clock(position))
}
