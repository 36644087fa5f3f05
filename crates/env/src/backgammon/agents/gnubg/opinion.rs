//! What GNU Backgammon thinks of positions and of plays, for money and without a cube.

use super::{Gnubg, GnubgError, Ply, fibs};
use backgammon::{Chances, Move, Phase, Position, Roll, Variant};
use game::{Notation, Position as _};

/// What gnubg thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The chances of the player on roll.
    pub chances: Chances,
    /// The expected points for money without a cube.
    pub equity: f64,
}

impl Evaluation {
    fn for_opponent(self) -> Self {
        Self { chances: self.chances.for_opponent(), equity: -self.equity }
    }

    /// A game that the player on roll has lost with this factor of the stakes.
    fn lost(multiple: u32) -> Self {
        let lost = |at_least| if multiple >= at_least { 1.0 } else { 0.0 };
        let chances =
            Chances { lose_gammon: lost(2), lose_backgammon: lost(3), ..Chances::without_gammons(-1.0) };
        Self { chances, equity: -f64::from(multiple) }
    }

    /// Six numbers with spaces: the five chances and the equity.
    fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().ok());
        let mut next = || numbers.next()?.filter(|number| number.is_finite());
        let chances = [next()?, next()?, next()?, next()?, next()?];
        let equity = next()?;
        numbers.next().is_none().then_some(Self { chances: chances.into(), equity })
    }
}

/// A play, and what gnubg thinks of the position after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestMove {
    /// The play.
    pub play: Move,
    /// The evaluation for the player who makes the play.
    pub evaluation: Evaluation,
}

/// Opinions for money without a cube. The score and the cube of a position are ignored. A `ply` of `None` is the
/// [default](Gnubg::default_ply); it may also be given as a [`Ply`].
///
/// These questions have their own way to gnubg, on which it answers some thousand of them per second at ply 0. The first of them
/// after another question takes some milliseconds more.
///
/// ```no_run
/// use backgammon::Backgammon;
/// use endspiel_env::backgammon::agents::gnubg::{Gnubg, Ply};
/// use game::Notation;
///
/// let game = Backgammon::default();
/// let mut gnubg = Gnubg::start()?;
/// let start = game.parse_position("4HPwATDgc/ABMA")?;
/// let glance = gnubg.evaluate(&start, None)?;
/// let look = gnubg.evaluate(&start, Ply::ALL[2])?;
/// assert!(glance > 0.0 && look > 0.0, "the first roll is worth something");
/// let rolled = game.parse_position("4HPwATDgc/ABMA 31")?;
/// let best = gnubg.best_move(&rolled, None)?;
/// assert_eq!(game.move_text(&rolled, best.play), "8/5 6/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Gnubg {
    /// The expected points of the player who is to roll.
    ///
    /// # Errors
    /// Returns [`GnubgError::Pointless`] if no roll comes next: there is one already, a double is to be answered, or the game is
    /// over.
    pub fn evaluate(&mut self, position: &Position, ply: impl Into<Option<Ply>>) -> Result<f64, GnubgError> {
        Ok(self.evaluation(position, ply.into())?.equity)
    }

    /// The chances of the player who is to roll.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_probs(
        &mut self,
        position: &Position,
        ply: impl Into<Option<Ply>>,
    ) -> Result<Chances, GnubgError> {
        Ok(self.evaluation(position, ply.into())?.chances)
    }

    /// The chances and the expected points in each of these positions.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate), for the first position with an error.
    pub fn evaluations(
        &mut self,
        positions: &[Position],
        ply: impl Into<Option<Ply>>,
    ) -> Result<Vec<Evaluation>, GnubgError> {
        let ply = ply.into();
        positions.iter().map(|position| self.evaluation(position, ply)).collect()
    }

    /// The play that gnubg chooses, and its worth. If nothing can be moved, it is the dance.
    ///
    /// # Errors
    /// Returns [`GnubgError::Pointless`] if there is no roll to be played.
    pub fn best_move(
        &mut self,
        position: &Position,
        ply: impl Into<Option<Ply>>,
    ) -> Result<BestMove, GnubgError> {
        let ply = ply.into();
        let play = self.choose(position, ply)?;
        Ok(BestMove { play, evaluation: self.worth(position, play, ply)? })
    }

    /// The play that gnubg chooses in each of these positions, and its worth.
    ///
    /// # Errors
    /// As [`best_move`](Self::best_move), for the first position with an error.
    pub fn best_moves(
        &mut self,
        positions: &[Position],
        ply: impl Into<Option<Ply>>,
    ) -> Result<Vec<BestMove>, GnubgError> {
        let ply = ply.into();
        positions.iter().map(|position| self.best_move(position, ply)).collect()
    }

    /// All plays, from the best to the worst by gnubg's evaluation. It evaluates all of them at this ply. When it chooses a
    /// [best move](Self::best_move), it looks deeper only at plays that seem good at a lower ply, so that another play can be
    /// first there.
    ///
    /// # Errors
    /// Returns [`GnubgError::Pointless`] if there is no roll to be played.
    pub fn ranked_moves(
        &mut self,
        position: &Position,
        ply: impl Into<Option<Ply>>,
    ) -> Result<Vec<BestMove>, GnubgError> {
        let ply = ply.into();
        roll_of(position)?;
        let mut plays = Vec::new();
        for play in position.moves() {
            plays.push(BestMove { play, evaluation: self.worth(position, play, ply)? });
        }
        plays.sort_by(|one, other| other.evaluation.equity.total_cmp(&one.evaluation.equity));
        Ok(plays)
    }

    /// The play that gnubg chooses.
    ///
    /// # Errors
    /// Returns [`GnubgError::Pointless`] if there is no roll to be played.
    pub fn choose(&mut self, position: &Position, ply: impl Into<Option<Ply>>) -> Result<Move, GnubgError> {
        let roll = roll_of(position)?;
        check_variant(position)?;
        let ply = ply.into().unwrap_or(self.default_ply());
        let board = fibs::board_text(position.board(), position.turn(), Some(roll));
        self.ask_line(board, Some(ply), |steps| fibs::turn_of(position, steps))
    }

    fn evaluation(&mut self, position: &Position, ply: Option<Ply>) -> Result<Evaluation, GnubgError> {
        if !matches!(position.phase(), Phase::Opening | Phase::Roll | Phase::Double)
            || position.won().is_some()
        {
            return Err(pointless(position, "a player must be about to roll"));
        }
        check_variant(position)?;
        let ply = ply.unwrap_or(self.default_ply());
        let board = fibs::board_text(position.board(), position.turn(), None);
        let prune = if ply.prunes() { " PRUNE" } else { "" };
        let question = format!("evaluation fibsboard {board} PLIES {}{prune}", ply.number());
        self.ask_line(question, None, Evaluation::read)
    }

    /// What a play is worth to the player who makes it.
    fn worth(&mut self, position: &Position, play: Move, ply: Option<Ply>) -> Result<Evaluation, GnubgError> {
        let after = position.play_unchecked(play);
        Ok(match after.won() {
            Some((_, win)) => Evaluation::lost(win.multiple()).for_opponent(),
            None => self.evaluation(&after, ply)?.for_opponent(),
        })
    }
}

fn roll_of(position: &Position) -> Result<Roll, GnubgError> {
    let roll = position.roll().filter(|_| position.won().is_none());
    roll.ok_or_else(|| pointless(position, "there must be a roll to play"))
}

/// Checks that gnubg knows the variant of a position. In another one, it would take the checkers that are absent for borne off.
///
/// # Errors
/// Returns [`GnubgError::Pointless`] if it does not.
pub fn check_variant(position: &Position) -> Result<(), GnubgError> {
    match position.terms().variant {
        Variant::Standard => Ok(()),
        _ => Err(pointless(position, "it must be of standard backgammon, with fifteen checkers a side")),
    }
}

pub(super) fn pointless(position: &Position, needed: &'static str) -> GnubgError {
    let game = backgammon::Backgammon::default();
    GnubgError::Pointless(game.position_text(position).into(), needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_numbers_are_an_evaluation() {
        let read =
            Evaluation::read("0.521514 0.153921 0.007563 0.129847 0.007546 0.067119\n").expect("six numbers");
        assert_eq!(read.chances.lose_gammon, 0.129_847);
        assert!((read.chances.points() - read.equity).abs() < 2e-6);
        assert!((read.for_opponent().chances.points() + read.equity).abs() < 2e-6);
        for wrong in ["", "roll", "0.5 0 0 0 0", "0.5 0 0 0 0 0 0", "0.5 0 0 0 0 nan"] {
            assert_eq!(Evaluation::read(wrong), None, "{wrong}");
        }
        assert_eq!(Evaluation::lost(3).for_opponent().chances.points(), 3.0);
        assert_eq!(Evaluation::lost(1).chances.points(), -1.0);
    }
}
