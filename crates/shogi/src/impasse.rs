//! Impasse: the rules for kings that have entered the opponent's camp.

use crate::grid::{Square, zone};
use crate::pieces::Kind;
use crate::position::Position;
use game::{Outcome, Position as _, Side};

/// How a game ends when the kings can no longer be mated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Impasse {
    /// No rule ends such a game.
    #[default]
    None,
    /// By declaration: 28 points win for Black, 27 for White.
    Points27,
    /// By declaration: 31 points win, 24 draw.
    Points24,
    /// A king that reaches the start square of the other king wins.
    Try,
}

/// The number of men, besides the king, that must be in the far camp for a declaration.
const LEAST_MEN: u32 = 10;

impl Position {
    /// Returns the points of the side to move if it may declare: five for each rook and bishop, one for each other
    /// man, in hand and in the far camp. To declare, its king must be in the far camp and not in check, and at least
    /// ten more of its men must be there.
    pub fn declared_points(&self) -> Option<u32> {
        let side = self.turn();
        let camp = match side {
            Side::First => zone::<true>(),
            Side::Second => zone::<false>(),
        };
        let board = self.board();
        let men = board.of_side(side) & camp & !board.of_kind(Kind::King);
        if !camp.contains(self.king(side)) || men.len() < LEAST_MEN || self.is_check() {
            return None;
        }
        let large = men & (board.of_original(Kind::Rook) | board.of_original(Kind::Bishop));
        let held: u32 = self.hand(side).iter().map(|(kind, count)| points(kind) * count).sum();
        Some(men.len() + (points(Kind::Rook) - 1) * large.len() + held)
    }

    /// Returns the outcome that the side to move may declare by the rule of 27 points.
    pub(crate) fn declared_by_27(&self) -> Option<Outcome> {
        let needed = if self.turn() == Side::First { 28 } else { 27 };
        (self.declared_points()? >= needed).then(|| Outcome::win(self.turn(), "declaration"))
    }

    /// Returns the outcome that the side to move may declare by the rule of 24 points.
    pub(crate) fn declared_by_24(&self) -> Option<Outcome> {
        match self.declared_points()? {
            31.. => Some(Outcome::win(self.turn(), "declaration")),
            24.. => Some(Outcome::draw("declaration")),
            _ => None,
        }
    }

    /// Returns a win if the king of the side that has just moved stands on the start square of the other king.
    pub(crate) fn tried(&self) -> Option<Outcome> {
        let side = self.turn().other();
        let goal = match side {
            Side::First => Square::at(4, 8),
            Side::Second => Square::at(4, 0),
        };
        (self.king(side) == goal).then(|| Outcome::win(side, "try"))
    }
}

fn points(kind: Kind) -> u32 {
    match kind.original() {
        Kind::Rook | Kind::Bishop => 5,
        _ => 1,
    }
}
