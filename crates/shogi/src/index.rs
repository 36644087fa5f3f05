//! Indices of endgame positions. A slice is a [`Class`] of men besides the kings.
//!
//! The side to move always plays up the board: if it is White, the board is turned and the colours are exchanged. Left
//! and right are exchanged so that the kings are a numbered [pair](Kings). The index is the number of the pair times
//! the number of [arrangements](Class::arrangements), plus the number of the arrangement. If both kings are on the middle
//! file, a position and its mirror image share the smaller of their two indices, and the larger one is a hole.

use crate::board::Board;
use crate::class::Class;
use crate::grid::Square;
use crate::kings::Kings;
use crate::moves::Move;
use crate::pieces::{Hand, Kind, Piece};
use crate::position::Position;
use crate::rules::Shogi;
use crate::setup::{Setup, crowded_pawns};
use crate::standing::{Place, Standing};
use game::{
    BySide, Catalogue, Endgame, GameOption, Index, Location, Position as _, Setup as _, Side, Value, Without,
};
use std::ops::ControlFlow;

/// The men of a position besides the kings: the kind and the standing of each, as the side to move sees them.
#[derive(Clone, Copy, Debug)]
struct Men {
    men: [(Kind, Standing); Class::MOST],
    count: usize,
}

impl Men {
    /// Lists the men of a position. Returns `None` if there are too many.
    fn of(position: &Position) -> Option<Self> {
        let standing = Standing { side: Side::First, place: Place::Hand };
        let mut men = Self { men: [(Kind::Pawn, standing); Class::MOST], count: 0 };
        let board = position.board();
        for square in board.occupied() & !board.of_original(Kind::King) {
            let piece = board.piece_at(square)?;
            let square = seen_by(position.turn(), square);
            let place = if piece.kind.is_promoted() { Place::Promoted(square) } else { Place::Plain(square) };
            men.push(piece.kind.original(), relative(position.turn(), piece.side), place)?;
        }
        for side in Side::ALL {
            for (kind, count) in position.hand(side).iter() {
                for _ in 0..count {
                    men.push(kind, relative(position.turn(), side), Place::Hand)?;
                }
            }
        }
        Some(men)
    }

    fn push(&mut self, kind: Kind, side: Side, place: Place) -> Option<()> {
        *self.men.get_mut(self.count)? = (kind, Standing { side, place });
        self.count += 1;
        Some(())
    }

    fn list(&self) -> &[(Kind, Standing)] {
        &self.men[..self.count]
    }

    #[must_use]
    fn mirrored(mut self) -> Self {
        self.men[..self.count].iter_mut().for_each(|(_, standing)| *standing = standing.mirrored());
        self
    }

    /// The number of the arrangement within its class.
    fn rank(&self, class: Class) -> u64 {
        let mut numbers = [0; Class::MOST];
        let mut filled = 0;
        for (kind, count) in class.kinds() {
            let of_kind = self.list().iter().filter(|(of, _)| *of == kind);
            let places = numbers[filled..filled + count].iter_mut();
            for (place, (_, standing)) in places.zip(of_kind) {
                *place = standing.number(kind).expect("a man of a position stands where it can move");
            }
            numbers[filled..filled + count].sort_unstable();
            filled += count;
        }
        class.rank(&numbers[..filled])
    }
}

/// A square as a side sees it: the side plays up the board.
#[inline]
fn seen_by(side: Side, square: Square) -> Square {
    match side {
        Side::First => square,
        Side::Second => square.rotate(),
    }
}

/// The side to move becomes the first side.
#[inline]
fn relative(turn: Side, side: Side) -> Side {
    if turn == side { Side::First } else { Side::Second }
}

/// The kings of a position, as the side to move sees them.
fn kings(position: &Position) -> Kings {
    let turn = position.turn();
    let king = |side| seen_by(turn, position.king(side));
    Kings { own: king(turn), other: king(turn.other()) }
}

/// Returns whether a side has several unpromoted pawns on a file.
#[inline]
fn has_crowded_pawns(board: &Board) -> bool {
    let crowds = |side| !crowded_pawns(board, side).is_empty();
    board.of_kind(Kind::Pawn).is_several() && Side::ALL.into_iter().any(crowds)
}

/// The index of an arrangement with a pair of kings.
fn index(class: Class, kings: u16, arrangement: u64) -> Index {
    Index(u64::from(kings) * class.arrangements() + arrangement)
}

impl Endgame for Shogi {
    type Slice = Class;
    type Unmoves = Without;
    type Short = Without;

    const INDEX: &'static str = "kings-men-1";
    const FOLDS: bool = true;

    /// Every class is closed, so it is a group of its own.
    fn groups(&self) -> Vec<Vec<Class>> {
        Class::all().into_iter().map(|class| vec![class]).collect()
    }

    fn needs(&self, _: Class) -> Vec<Class> {
        Vec::new()
    }

    fn size(&self, class: Class) -> u64 {
        Kings::COUNT as u64 * class.arrangements()
    }

    fn digits(&self, class: Class) -> Vec<u64> {
        [Kings::COUNT as u64].into_iter().chain(class.ways()).collect()
    }

    /// Every class is closed: a captured man stays in the game.
    fn conversions<B>(&self, _: &Position, _: impl FnMut(&Position) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    fn locate(&self, position: &Position) -> Location<Class> {
        let Some(men) = Men::of(position) else {
            return Location::Beyond("tables have up to five pieces, with the kings and the men in hand");
        };
        let Some(class) = Class::new(men.list().iter().map(|&(kind, _)| kind)) else {
            return match men.list() {
                // Two bare kings can neither mate nor run out of moves.
                [] => Location::Over(Value::Draw),
                _ => Location::Beyond("tables have no more men of a kind than a set"),
            };
        };
        if has_crowded_pawns(position.board()) {
            return Location::Beyond("a side has two pawns on a file, and tables have no such positions");
        }
        let pair = kings(position);
        let (pair, men) =
            if pair.are_folded_away() { (pair.mirrored(), men.mirrored()) } else { (pair, men) };
        let number = pair.number().expect("kings are not next to each other");
        let arrangement = match pair.are_in_the_middle() {
            true => men.rank(class).min(men.mirrored().rank(class)),
            false => men.rank(class),
        };
        Location::At(class, index(class, number, arrangement))
    }

    fn unrank(&self, class: Class, Index(index): Index) -> Option<Position> {
        let arrangements = class.arrangements();
        let pair = Kings::numbered(u16::try_from(index / arrangements).ok()?)?;
        let numbers = class.unrank(index % arrangements);
        let mut board = Board::EMPTY;
        let mut hands = BySide { first: Hand::EMPTY, second: Hand::EMPTY };
        board.set(pair.own, Some(Piece { side: Side::First, kind: Kind::King }));
        board.set(pair.other, Some(Piece { side: Side::Second, kind: Kind::King }));
        for (kind, number) in class.men().into_iter().zip(numbers) {
            let Standing { side, place } = Standing::numbered(kind, number)?;
            let kind = match place {
                Place::Promoted(_) => kind.promoted()?,
                Place::Hand | Place::Plain(_) => kind,
            };
            match place.square() {
                None => hands[side] = hands[side].with(kind),
                Some(square) if board.occupied().contains(square) => return None,
                Some(square) => board.set(square, Some(Piece { side, kind })),
            }
        }
        // The only faults that are left: the kings are not next to each other, and the men stand where they can move.
        if has_crowded_pawns(&board) || board.is_attacked(pair.other, Side::First) {
            return None;
        }
        let position = Setup { board, hands, turn: Side::First, move_number: 1 }.position_unchecked();
        let is_canonical =
            !pair.are_in_the_middle() || Men::of(&position)?.mirrored().rank(class) >= index % arrangements;
        is_canonical.then_some(position)
    }

    fn multiplicity(&self, position: &Position) -> u64 {
        let is_own_image = kings(position).are_in_the_middle()
            && Men::of(position).is_some_and(|men| {
                Class::new(men.list().iter().map(|&(kind, _)| kind))
                    .is_some_and(|class| men.rank(class) == men.mirrored().rank(class))
            });
        if is_own_image { 1 } else { 2 }
    }

    fn multiplicity_at(&self, class: Class, index: Index) -> u64 {
        let pair = u16::try_from(index.0 / class.arrangements()).ok().and_then(Kings::numbered);
        match pair.is_some_and(Kings::are_in_the_middle) {
            true => self.unrank(class, index).map_or(1, |position| self.multiplicity(&position)),
            false => 2,
        }
    }

    /// Captures, drops and promotions, and all moves of men that only go forward.
    fn is_irreversible(&self, position: &Position, m: Move) -> bool {
        match m {
            Move::Drop { .. } => true,
            Move::Step { kind, to, promotes, .. } => {
                promotes
                    || matches!(kind, Kind::Pawn | Kind::Lance | Kind::Knight)
                    || position.board().occupied().contains(to)
            }
        }
    }

    fn slice(&self, name: &str) -> Option<Class> {
        Class::parse(name)
    }
}

impl Catalogue for Shogi {
    const SELECTOR: Option<GameOption> = Some(GameOption {
        name: "pieces",
        value: "N",
        help: "All classes with at most N pieces, kings and men in hand included; N is 3, 4 or 5",
        proposed: &["3", "4", "5"],
        default: "3",
    });

    fn chapter(&self, class: Class) -> String {
        format!("{} pieces", class.pieces())
    }

    fn starter(&self) -> Vec<Class> {
        self.select("3").unwrap_or_default()
    }

    fn select(&self, value: &str) -> Option<Vec<Class>> {
        let most = value.parse().ok().filter(|most| (3..=2 + Class::MOST).contains(most))?;
        Some(Class::all().into_iter().filter(|class| class.pieces() <= most).collect())
    }
}
