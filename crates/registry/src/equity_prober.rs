//! Asks tables of expected points about positions of backgammon: before a roll, with a roll to be played, or with a double to be
//! answered.

use crate::equity_answer::{ByOwner, CubeAdvice, EquityAnswer, Points, Prospect, RankedPlay};
use crate::error::Error;
use crate::json;
use crate::rules::answer_positions;
use crate::session::{Session, position_of};
use backgammon::{Backgammon, Chances, CubeEquities, CubeOwner, CubeUse, Dice, Phase, Position, Stakes, Win};
use game::{Notation, Position as _, Side};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// Probes tables of expected points. Make it once and keep it; threads can share it.
pub trait EquityProber: Send + Sync {
    /// Returns what the side to move expects in the position of a session, what to do with the cube, and the moves from best to
    /// worst.
    ///
    /// # Errors
    /// Returns an error if no table has the position, if its game is for points of a match, or if a table is damaged.
    fn probe(&self, session: &dyn Session) -> Result<EquityAnswer, Error>;

    /// Reads one position per line and writes one line of JSON for each: the answer of [`probe`](Self::probe), or the error.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails.
    fn answer_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()>;
}

/// What a table tells of a position before a roll.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// What the side to move expects.
    pub(crate) prospect: Prospect,
    /// Its points by the owner of the cube if it rolls now without a double. `None` if the table knows no cube.
    pub(crate) rolling: Option<CubeEquities>,
}

/// Knows what the side to move expects before a roll.
pub(crate) trait EquitySource: Send + Sync {
    /// # Errors
    /// Returns an error if no table has the position, or if a table is damaged.
    fn tell(&self, position: &Position) -> Result<Told, Error>;
}

/// The [`EquityProber`] of backgammon.
pub(crate) struct ProberOfEquities<S> {
    pub(crate) game: Backgammon,
    pub(crate) source: S,
}

impl<S: EquitySource> ProberOfEquities<S> {
    /// The answer about a position.
    pub(crate) fn answer(&self, position: &Position) -> Result<EquityAnswer, Error> {
        check_terms(position)?;
        match position.phase() {
            _ if position.outcome().is_some() => {
                Ok(EquityAnswer { expected: self.over(position), cube: None, moves: Vec::new() })
            }
            Phase::Roll | Phase::Double => {
                let told = self.told(position)?;
                let cube = match self.game.cube {
                    // The side to move has decided not to double.
                    _ if position.phase() == Phase::Roll && position.may_double(position.turn()) => None,
                    CubeUse::Never => None,
                    CubeUse::Always | CubeUse::Matches => Self::advice(position, told, false),
                };
                Ok(EquityAnswer { expected: told.prospect, cube, moves: Vec::new() })
            }
            // The side to move answers a double, as the side that doubled sees its choice.
            Phase::Answer => {
                let doubled = Position::assembled_unchecked(
                    *position.board(),
                    position.turn().other(),
                    Phase::Roll,
                    position.cube(),
                    *position.terms(),
                );
                let told = self.told(&doubled)?;
                let cube = Self::advice(&doubled, told, true);
                Ok(EquityAnswer { expected: told.prospect.for_opponent(), cube, moves: Vec::new() })
            }
            Phase::Play(_) => {
                let moves = self.plays(position)?;
                let expected = moves.first().map(|best| best.expected);
                // A roll always has a move, if only to dance.
                Ok(EquityAnswer {
                    expected: expected.unwrap_or_else(|| self.over(position)),
                    cube: None,
                    moves,
                })
            }
            Phase::Opening | Phase::Dropped => {
                let expected = self.mean_over_rolls(position)?;
                Ok(EquityAnswer { expected, cube: None, moves: Vec::new() })
            }
        }
    }

    /// What the source tells of a position that awaits a roll.
    fn told(&self, position: &Position) -> Result<Told, Error> {
        let told = self.source.tell(position)?;
        let terms = position.terms();
        let jacoby = matches!(terms.stakes, Stakes::Money { jacoby: true });
        let without_cube = self.game.cube == CubeUse::Never;
        let unturned = without_cube || (told.rolling.is_none() && position.cube().owner().is_none());
        // Who has borne off a checker cannot lose a gammon.
        let may_be_gammon = Side::ALL.map(|side| position.off(side)).contains(&0);
        if jacoby && unturned && may_be_gammon {
            return Err(Error::JacobyGammons);
        }
        Ok(told)
    }

    /// What to do with the cube before the roll. Returns `None` if the table knows no cube, or if the opponent owns it.
    fn advice(position: &Position, told: Told, is_offered: bool) -> Option<CubeAdvice> {
        let owner = CubeOwner::of(position.cube(), position.turn());
        let decision = told.rolling.and_then(|cube| cube.decision(owner));
        decision.map(|decision| CubeAdvice { decision, is_offered })
    }

    /// The moves with a roll, best first.
    fn plays(&self, position: &Position) -> Result<Vec<RankedPlay>, Error> {
        let owner = CubeOwner::of(position.cube(), position.turn());
        let owner = (self.game.cube != CubeUse::Never).then_some(owner);
        let mut plays = Vec::new();
        for m in position.moves() {
            let next = position.play_unchecked(m);
            let expected = match next.outcome() {
                Some(_) => self.over(&next),
                None => self.told(&next)?.prospect,
            };
            // The next position is seen by the opponent.
            let expected = expected.for_opponent();
            let text = self.game.move_text(position, m);
            plays.push(RankedPlay { text, equity: expected.points.with(owner), loss: 0.0, expected });
        }
        plays.sort_by(|a, b| b.equity.total_cmp(&a.equity).then_with(|| a.text.cmp(&b.text)));
        let best = plays.first().map_or(0.0, |best| best.equity);
        plays.iter_mut().for_each(|play| play.loss = best - play.equity);
        Ok(plays)
    }

    /// What the side to move expects before the first roll of a game, which may not be a double: by one step over the rolls.
    fn mean_over_rolls(&self, position: &Position) -> Result<Prospect, Error> {
        let mut rolls = Vec::new();
        let _ = position.visit_chances(|roll, weight| {
            rolls.push((position.play_chance_unchecked(roll), f64::from(weight)));
            ControlFlow::<()>::Continue(())
        });
        let mut parts = Vec::new();
        for (rolled, weight) in rolls {
            let best = self.plays(&rolled)?.into_iter().next();
            parts.extend(best.map(|best| (best.expected, weight)));
        }
        let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
        let mean = |of: &dyn Fn(&Prospect) -> Option<f64>| {
            let sum: Option<f64> = parts.iter().map(|(expected, weight)| Some(of(expected)? * weight)).sum();
            sum.map(|sum| sum / total)
        };
        let chance = |of: fn(&Chances) -> f64| mean(&|expected| expected.chances.as_ref().map(of));
        let cube = |of: fn(&ByOwner) -> f64| mean(&|expected| expected.points.cube.as_ref().map(of));
        let chances = chance(|c| c.win).map(|win| Chances {
            win,
            gammon: chance(|c| c.gammon).unwrap_or_default(),
            backgammon: chance(|c| c.backgammon).unwrap_or_default(),
            lose_gammon: chance(|c| c.lose_gammon).unwrap_or_default(),
            lose_backgammon: chance(|c| c.lose_backgammon).unwrap_or_default(),
        });
        let by_owner = cube(|c| c.own).zip(cube(|c| c.centred)).zip(cube(|c| c.opponent));
        Ok(Prospect {
            table: parts.iter().find_map(|(expected, _)| expected.table),
            exact: parts.iter().all(|(expected, _)| expected.exact),
            error: parts.iter().filter_map(|(expected, _)| expected.error).reduce(f64::max),
            chances,
            points: Points {
                cubeless: mean(&|expected| Some(expected.points.cubeless)).unwrap_or_default(),
                cube: by_owner.map(|((own, centred), opponent)| ByOwner { own, centred, opponent }),
            },
        })
    }

    /// What the side to move expects when the game is over, for a cube of one point.
    fn over(&self, position: &Position) -> Prospect {
        let (winner, win) = position.won().unwrap_or((position.turn(), Win::Drop));
        let counts_once = matches!(position.terms().stakes, Stakes::Money { jacoby: true });
        let points = f64::from(win.multiple());
        let is_gammon = f64::from(u8::from(win >= Win::Gammon));
        let is_backgammon = f64::from(u8::from(win >= Win::Backgammon));
        let chances = Chances {
            win: 1.0,
            gammon: is_gammon,
            backgammon: is_backgammon,
            lose_gammon: 0.0,
            lose_backgammon: 0.0,
        };
        let cube = ByOwner { centred: if counts_once { 1.0 } else { points }, ..ByOwner::same(points) };
        let of_winner = Prospect {
            table: None,
            exact: true,
            error: None,
            chances: Some(chances),
            points: Points { cubeless: points, cube: Some(cube) },
        };
        if winner == position.turn() { of_winner } else { of_winner.for_opponent() }
    }
}

/// Tables are for money, and for the usual dice.
fn check_terms(position: &Position) -> Result<(), Error> {
    let terms = position.terms();
    match (terms.stakes, terms.dice) {
        (Stakes::Match(_), _) => Err(Error::MatchScore),
        (Stakes::Money { .. }, Dice::Doubles) => Err(Error::OtherDice),
        (Stakes::Money { .. }, Dice::Any) => Ok(()),
    }
}

impl<S: EquitySource> EquityProber for ProberOfEquities<S> {
    fn probe(&self, session: &dyn Session) -> Result<EquityAnswer, Error> {
        self.answer(position_of::<Backgammon>(session)?)
    }

    fn answer_lines(&self, input: &mut dyn Read, output: &mut dyn Write) -> io::Result<()> {
        answer_positions(&self.game, input, output, |position, out| {
            let answer = self.answer(&position).map_err(|error| error.to_string())?;
            json::push_members(out, &answer);
            Ok(())
        })
    }
}
