//! Indices of endgame positions: which positions are in a table, and at which index.
//!
//! A slice is two armies. The army of the side to move comes first. This side is always Red: if it is not, the
//! colours are exchanged and the board is turned upside down. The index of a position is the number of the first army
//! times the size of the second army, plus the number of the second army.
//!
//! Only positions as they are after a turn have an index. A position with a last guard that is not a hero yet can
//! only be a setup. Its value is derived from those of its turns.

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

    /// Returns the slice of two armies, that of the side to move first. Returns `None` if there are too many pieces.
    pub fn new(mover: Army, other: Army) -> Option<Self> {
        let slice = Self { mover, other };
        (slice.pieces() <= Self::MOST).then_some(slice)
    }

    /// How many pieces there are, commanders included.
    pub fn pieces(self) -> usize {
        2 + self.mover.pieces().len() + self.other.pieces().len()
    }

    /// The armies of the side to move and of the other side.
    #[cfg(test)]
    pub(crate) fn armies(self) -> [Army; 2] {
        [self.mover, self.other]
    }

    /// The slice with the armies exchanged, as after a turn.
    fn turned(self) -> Self {
        Self { mover: self.other, other: self.mover }
    }

    fn size(self) -> u64 {
        self.mover.size() * self.other.size()
    }
}

/// Writes the name of the slice, such as `CTvC`.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.other)
    }
}

/// The value of a position in which the side to move has lost its commander.
const BEATEN: Value = Value::Loss(Plies(0));

const TOO_LARGE: Location<Slice> = Location::Beyond("tables have up to four pieces");

/// Finds the army of `side` and its digits, on a board that is turned so that `turn` plays Red.
#[inline]
pub(crate) fn rank(board: &Board, side: Side, turn: Side) -> Result<Ranked, Unranked> {
    Standing::of(board, side, turn).map_or(Err(Unranked::TooLarge), Standing::ranked)
}

/// Returns the location of a board with `turn` to move. The other side must not be in danger.
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

/// The location of two armies of which one has a last guard that is not a hero yet.
fn through(mover: Army, other: Army) -> Location<Slice> {
    Slice::new(mover, other).map_or(TOO_LARGE, |_| Location::Through)
}

/// The location of two armies with these numbers.
#[inline]
pub(crate) fn place((mover, own): (Army, u64), (other, rest): (Army, u64)) -> Location<Slice> {
    match Slice::new(mover, other) {
        Some(slice) => Location::At(slice, Index(own * other.size() + rest)),
        None => TOO_LARGE,
    }
}

impl Endgame for CoTuLenh {
    type Slice = Slice;
    type Unmoves = Self;
    type Short = Without;

    const INDEX: &'static str = "armies-1";

    #[inline]
    fn unmoves(&self) -> Option<&Self> {
        Some(self)
    }

    /// Sorted by the number of pieces, then by size. Two slices with exchanged armies lead into each other and make
    /// one group.
    fn groups(&self) -> Vec<Vec<Slice>> {
        if self.battle != Battle::Commander {
            return Vec::new();
        }
        let armies: Vec<Army> = Army::all().collect();
        let mut groups = Vec::new();
        for (n, &strong) in armies.iter().enumerate() {
            for &weak in &armies[..=n] {
                if let Some(slice) = Slice::new(strong, weak) {
                    groups.push(if strong == weak { vec![slice] } else { vec![slice, slice.turned()] });
                }
            }
        }
        let size = |group: &Vec<Slice>| group.iter().map(|slice| slice.size()).sum::<u64>();
        groups.sort_by_cached_key(|group| (group[0].pieces(), size(group)));
        groups
    }

    /// All slices with the pieces that are left after captures, with the other side to move.
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

    fn digits(&self, slice: Slice) -> Vec<u64> {
        vec![slice.mover.size(), slice.other.size()]
    }

    fn locate(&self, position: &Position) -> Location<Slice> {
        if self.battle != Battle::Commander {
            return Location::Beyond("there are tables for the battle `commander` only");
        }
        let (board, turn) = (position.board(), position.turn());
        match location_of(board, turn) {
            Location::At(..) | Location::Through if board.is_in_danger(turn.other()) => {
                Location::Beyond("the side that has just moved is in danger, which cannot happen in play")
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

    /// Reads the letters in any order, in upper or lower case.
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
        // If all pieces are heroes already, a move changes one digit only, and the board after it is not needed.
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
        help: "All slices with at most N pieces, commanders included; N is 2, 3 or 4",
        proposed: &["2", "3", "4"],
        default: "3",
    });

    fn chapter(&self, slice: Slice) -> String {
        format!("{} pieces", slice.pieces())
    }

    /// The slices of a ship are the smallest, because it has the fewest points to stand on.
    fn starter(&self) -> Vec<Slice> {
        ["CNvC", "CvCN"].iter().filter_map(|name| self.slice(name)).collect()
    }

    fn select(&self, value: &str) -> Option<Vec<Slice>> {
        let most = value.parse().ok().filter(|most| (2..=Slice::MOST).contains(most))?;
        Some(self.groups().into_iter().flatten().filter(|slice| slice.pieces() <= most).collect())
    }
}
