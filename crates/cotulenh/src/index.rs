//! Endgames as numbers: which positions have a table, and where in it they are.
//!
//! A slice is two armies, the mover's first; the mover is always Red, by exchanging the colours and turning the board
//! upside down. The number of a position is that of the mover's army times the ways of the other, plus the other's.
//!
//! Numbers stand for positions as they are after a turn. Where a last guard has not been made a hero yet, which only a
//! position that was set up can show, the value is one step over its turns.

use crate::army::{Army, Ranked, Standing, Unranked, seen_by};
use crate::board::Board;
use crate::moves;
use crate::pieces::Kind;
use crate::position::Position;
use crate::rules::{Battle, CoTuLenh};
use game::{Catalogue, Endgame, GameOption, Index, Location, Plies, Position as _, Side, Value, Without};
use std::fmt;
use std::ops::ControlFlow;

/// The positions of two armies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    mover: Army,
    other: Army,
}

impl Slice {
    /// The most pieces on a board, commanders included.
    const MOST: usize = 4;

    /// The slice of two armies, the mover's first, if they are few enough.
    pub fn new(mover: Army, other: Army) -> Option<Self> {
        let slice = Self { mover, other };
        (slice.pieces() <= Self::MOST).then_some(slice)
    }

    /// How many pieces there are, commanders included.
    pub fn pieces(self) -> usize {
        2 + self.mover.pieces().len() + self.other.pieces().len()
    }

    /// With the roles exchanged, as after a turn.
    fn turned(self) -> Self {
        Self { mover: self.other, other: self.mover }
    }

    fn size(self) -> u64 {
        self.mover.size() * self.other.size()
    }
}

/// `CTvC`.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.other)
    }
}

/// What was lost at once.
const BEATEN: Value = Value::Loss(Plies(0));

const TOO_LARGE: Location<Slice> = Location::Beyond("tables have up to four pieces");

/// How a side stands at the turn of another, or of its own.
#[inline]
fn rank(board: &Board, side: Side, turn: Side) -> Result<Ranked, Unranked> {
    Standing::of(board, side, turn).map_or(Err(Unranked::TooLarge), Standing::ranked)
}

/// Where the value of a board at the turn of a side is found, if the other is not in danger.
fn location_of(board: &Board, turn: Side) -> Location<Slice> {
    if board.commander(turn).is_none() {
        return Location::Over(BEATEN);
    }
    match (rank(board, turn, turn), rank(board, turn.other(), turn)) {
        (Ok(mover), Ok(other)) => place(mover.number(), other.number()),
        (Err(Unranked::CommanderHero), _) | (_, Err(Unranked::CommanderHero)) => {
            Location::Beyond("no commander becomes a hero")
        }
        (Err(Unranked::TooLarge), _) | (_, Err(Unranked::TooLarge)) => TOO_LARGE,
        (Err(Unranked::Unpromoted(mover)), Err(Unranked::Unpromoted(other))) => through(mover, other),
        (Err(Unranked::Unpromoted(mover)), Ok(other)) => through(mover, other.number().0),
        (Ok(mover), Err(Unranked::Unpromoted(other))) => through(mover.number().0, other),
    }
}

/// Where two armies are found of which one has a last guard that is no hero yet.
fn through(mover: Army, other: Army) -> Location<Slice> {
    Slice::new(mover, other).map_or(TOO_LARGE, |_| Location::Through)
}

/// Where two armies with these numbers are found.
#[inline]
fn place((mover, own): (Army, u64), (other, rest): (Army, u64)) -> Location<Slice> {
    match Slice::new(mover, other) {
        Some(slice) => Location::At(slice, Index(own * other.size() + rest)),
        None => TOO_LARGE,
    }
}

impl Endgame for CoTuLenh {
    type Slice = Slice;
    type MovesBack = Without;
    type Short = Without;

    const INDEX: &'static str = "armies-1";

    /// By the number of pieces, then the smallest first; slices that differ in the roles lead into each other.
    fn batches(&self) -> Vec<Vec<Slice>> {
        if self.battle != Battle::Commander {
            return Vec::new();
        }
        let armies: Vec<Army> = Army::all().collect();
        let mut batches = Vec::new();
        for (n, &strong) in armies.iter().enumerate() {
            for &weak in &armies[..=n] {
                if let Some(slice) = Slice::new(strong, weak) {
                    batches.push(if strong == weak { vec![slice] } else { vec![slice, slice.turned()] });
                }
            }
        }
        let size = |batch: &Vec<Slice>| batch.iter().map(|slice| slice.size()).sum::<u64>();
        batches.sort_by_cached_key(|batch| (batch[0].pieces(), size(batch)));
        batches
    }

    /// Whatever is left of both armies, the other then to move.
    fn needs(&self, slice: Slice) -> Vec<Slice> {
        let mut needs = Vec::new();
        for mover in slice.other.parts() {
            for other in slice.mover.parts() {
                needs.extend(Slice::new(mover, other).filter(|left| left.pieces() < slice.pieces()));
            }
        }
        needs
    }

    fn size(&self, slice: Slice) -> u64 {
        slice.size()
    }

    fn locate(&self, position: &Position) -> Location<Slice> {
        if self.battle != Battle::Commander {
            return Location::Beyond("tables know of no battle but the commander's");
        }
        let (board, turn) = (position.board(), position.turn());
        match location_of(board, turn) {
            Location::At(..) | Location::Through if board.is_in_danger(turn.other()) => {
                Location::Beyond("the side that has just moved is in danger, as it never is in play")
            }
            location => location,
        }
    }

    fn unrank(&self, slice: Slice, Index(index): Index) -> Option<Position> {
        let ways = slice.other.size();
        let armies = [
            (Side::First, slice.mover.stacks(index / ways)?),
            (Side::Second, slice.other.stacks(index % ways)?),
        ];
        let mut board = Board::EMPTY;
        for (side, standing) in armies {
            for (point, stack) in standing.iter() {
                if !board.is_empty(point) {
                    return None;
                }
                board.set(side, point, stack);
            }
        }
        (!board.is_in_danger(Side::Second)).then(|| Position::new(board, Side::First))
    }

    /// The letters in any order, large or small.
    fn slice(&self, name: &str) -> Option<Slice> {
        let army = |letters: &str| {
            let mut kinds = letters.chars().map(Kind::from_letter).collect::<Option<Vec<_>>>()?;
            kinds.remove(kinds.iter().position(|&kind| kind == Kind::Commander)?);
            Army::new(&kinds)
        };
        let letters = name.to_ascii_uppercase();
        let (mover, other) = letters.split_once('V')?;
        Slice::new(army(mover)?, army(other)?).filter(|_| self.battle == Battle::Commander)
    }

    #[inline]
    fn successors<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Location<Slice>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (board, mover, next) = (position.board(), position.turn(), position.turn().other());
        // Where all are heroes already, a move changes one digit, and the board after it need not be made.
        let heroes = match (rank(board, mover, next), rank(board, next, next)) {
            (Ok(own), Ok(other)) if own.is_heroic() && other.is_heroic() => Some((own, other.number())),
            _ => None,
        };
        moves::visit(board, mover, &mut |turn| match (heroes, turn.only_move()) {
            (Some((own, other)), Some((from, to))) => {
                visit(place(other, own.number_after(seen_by(next, from), seen_by(next, to))))
            }
            _ => visit(location_of(position.play_unchecked(turn).board(), next)),
        })
    }
}

impl Catalogue for CoTuLenh {
    const SELECTOR: Option<GameOption> = Some(GameOption {
        name: "men",
        value: "N",
        help: "All slices with so many pieces or fewer, commanders included: 2, 3 or 4",
        default: "3",
    });

    /// A ship has the fewest points to stand on.
    fn starter(&self) -> Vec<Slice> {
        ["CNvC", "CvCN"].iter().filter_map(|name| self.slice(name)).collect()
    }

    fn select(&self, value: &str) -> Option<Vec<Slice>> {
        let most = value.parse().ok().filter(|most| (2..=Slice::MOST).contains(most))?;
        Some(self.batches().into_iter().flatten().filter(|slice| slice.pieces() <= most).collect())
    }
}
