//! A series: two agents play many matches against each other, on all cores. The same seed gives the same games on any
//! number of threads.

use crate::agent::{Agent, AgentError, MakeAgent, NamedAgent};
use crate::in_order::in_order;
use crate::match_result::{MatchResult, Played, Report};
use game::{
    Event, GameResult, IllegalMove, Notation, Outcome, Position, Record, Recorded, Rng, Rulebook, Side,
    move_lists,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a match cannot be written to a file.
pub type NoFile = Box<dyn std::error::Error + Send + Sync>;

/// A game that agents can play in a series. A simple game, without chance, points and matches of several games, needs only
/// its ways to win and its report, which is [`GameReport`](crate::GameReport).
pub trait MatchGame: Notation + Clone {
    /// The report of a finished game.
    type Report: Report;

    /// The ways to win. Each is a pair: the name that the outcome has, and a plural for the summary of many games.
    const WINS: &'static [(&'static str, &'static str)];

    /// The most plies of a game; a longer game is a draw. The limit is needed for games that might never end by
    /// themselves. `None` if every game ends.
    const MOST_PLIES: Option<u32> = Some(10_000);

    /// The file name extension of its match files, such as `mat`.
    const FILE_ENDING: &'static str = "moves";

    /// The agents that can play the game.
    fn named_agents(&self) -> Vec<NamedAgent<Self::Position>> {
        vec![NamedAgent::random()]
    }

    /// Makes the report of a finished game.
    fn report(&self, played: &Played<'_, Self::Position>) -> Self::Report;

    /// The position in which a game begins.
    fn begin_game(&self, rng: &mut Rng) -> Self::Position {
        let _ = rng;
        self.start()
    }

    /// Returns whether a match has several games, which follow each other by [`next_game`](game::Game::next_game). Otherwise
    /// a match is one game.
    fn plays_matches(&self) -> bool {
        false
    }

    /// The position after a random outcome of chance. Returns `None` if chance does not decide in this position. Games
    /// with a repetition rule use their record instead.
    fn settled(&self, position: &Self::Position, rng: &mut Rng) -> Option<Self::Position> {
        let outcome = game::random_chance(position, rng)?;
        Some(position.play_chance_unchecked(outcome))
    }

    /// Returns whether a choice in this position counts as a move.
    fn counts(&self, position: &Self::Position) -> bool {
        let _ = position;
        true
    }

    /// Writes the games of a match as the text of a file: as lists of moves, unless the game has a format of its own. A game of dice
    /// needs one. `names` are the names of the agents, and `options` the options with which the game was made.
    ///
    /// # Errors
    /// Returns an error if no file can hold these games.
    fn file(
        &self,
        names: [&str; 2],
        options: &[(String, String)],
        result: &MatchResult<Self::Position, Self::Report>,
    ) -> Result<String, NoFile> {
        let mut file = Vec::new();
        for (report, start, moves) in kept_games(result)? {
            let sides = Side::ALL.map(|side| Self::INFO.sides[side].to_owned());
            let ended = Outcome { winner: report.winner(), by: report.by() };
            let played = Recorded {
                tags: sides.into_iter().zip(names.map(str::to_owned)).collect(),
                options: options.to_vec(),
                events: moves.into_iter().map(Event::Move).collect(),
                result: Some(GameResult::of(ended, None)),
                ..Recorded::new(start)
            };
            file.push(move_lists::write(self, &played));
        }
        Ok(file.join("\n"))
    }
}

/// The moves of a result were not kept, so they cannot be written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the moves of the match were not kept")]
pub struct NotKept;

/// A game of a result: its report, its start and its moves.
pub(crate) type KeptGame<'a, P, R> = (&'a R, P, Vec<<P as Position>::Move>);

/// The games of a result.
pub(crate) fn kept_games<P: Position, R: Report>(
    result: &MatchResult<P, R>,
) -> Result<Vec<KeptGame<'_, P, R>>, NotKept> {
    if result.kept.len() != result.games.len() {
        return Err(NotKept);
    }
    let with_moves = |(report, kept): (_, &Vec<(P, P::Move)>)| {
        let (start, _) = kept.first().ok_or(NotKept)?;
        Ok((report, start.clone(), kept.iter().map(|(_, m)| *m).collect()))
    };
    result.games.iter().zip(&result.kept).map(with_moves).collect()
}

/// The settings of a series of matches between two agents.
#[derive(Clone, Debug)]
pub struct Series<G> {
    /// The game. It says whether a match has one game or several.
    pub game: G,
    /// The number of matches.
    pub matches: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether to keep all moves in the results. Match files need them.
    pub keep: bool,
    /// The most plies of a game; a longer game is a draw. `None` for no limit.
    pub most_plies: Option<u32>,
}

type ResultOf<G> = MatchResult<<G as game::Game>::Position, <G as MatchGame>::Report>;
/// The report of a game, and its last position.
type Finished<G> = (<G as MatchGame>::Report, <G as game::Game>::Position);
type Agents<P> = [Box<dyn Agent<P>>; 2];

impl<G: MatchGame> Series<G> {
    /// A series of this many matches. It keeps only the reports, not the moves.
    pub fn new(game: G, matches: u64, seed: u64) -> Self {
        Self { game, matches, seed, keep: false, most_plies: G::MOST_PLIES }
    }

    /// Plays all matches, `at_once` of them at a time. Calls `show` with the results in order; if `show` returns false, the
    /// series stops. Each thread makes its own agents. The first agent plays the first side.
    ///
    /// # Errors
    /// Returns the first error of an agent. The results that were shown before stay valid.
    pub fn play(
        &self,
        agents: [&MakeAgent<'_, G::Position>; 2],
        at_once: usize,
        mut show: impl FnMut(&ResultOf<G>) -> bool,
    ) -> Result<(), AgentError> {
        let begin = || {
            let [first, second] = agents.map(|make| make());
            let mut agents = [first?, second?];
            Ok(move |number, stopped: &AtomicBool| self.play_match(number, &mut agents, stopped))
        };
        in_order(self.matches, at_once, &begin, |result| show(&result))
    }

    /// Plays one match. Returns `None` if the series was stopped.
    fn play_match(
        &self,
        number: u64,
        agents: &mut Agents<G::Position>,
        stopped: &AtomicBool,
    ) -> Result<Option<ResultOf<G>>, AgentError> {
        let mut luck = Luck::new(self.seed, number);
        let mut start = self.game.begin_game(&mut luck.dice);
        let mut result = MatchResult { games: Vec::new(), kept: Vec::new() };
        loop {
            let mut kept = Vec::new();
            let goes_on = |position: &G::Position, m| {
                if self.keep {
                    kept.push((position.clone(), m));
                }
                // A game of slow agents takes a while, and its result would not be shown.
                !stopped.load(Ordering::Relaxed)
            };
            let Some((report, end)) = self.play_game(start, &mut luck, agents, goes_on)? else {
                return Ok(None);
            };
            result.games.push(report);
            if self.keep {
                result.kept.push(kept);
            }
            let next = self.game.plays_matches().then(|| self.game.next_game(&end, &mut luck.dice)).flatten();
            match next {
                Some(next) => start = next,
                None => return Ok(Some(result)),
            }
        }
    }

    /// Plays one game. Returns `None` if the series was stopped.
    fn play_game(
        &self,
        start: G::Position,
        luck: &mut Luck,
        agents: &mut Agents<G::Position>,
        mut goes_on: impl FnMut(&G::Position, <G::Position as Position>::Move) -> bool,
    ) -> Result<Option<Finished<G>>, AgentError> {
        let first = start.turn();
        let mut going = Going::new(start, self.game.rulebook());
        let (mut plies, mut moves) = (0, 0);
        let outcome = loop {
            if let Some(outcome) = going.outcome() {
                break outcome;
            }
            if self.most_plies.is_some_and(|most| plies >= most) {
                break TOO_LONG;
            }
            going.settle(&self.game, &mut luck.dice);
            let position = going.position();
            let seat = position.turn();
            let chosen = agents[seat as usize].choose(position, &mut luck.choices[seat as usize])?;
            if !goes_on(position, chosen) {
                return Ok(None);
            }
            plies += 1;
            moves += u32::from(self.game.counts(position));
            if going.play(chosen).is_err() {
                return Err(self.illegal(seat, going.position(), chosen));
            }
        };
        let end = going.position();
        let report = self.game.report(&Played { first, end, outcome, moves });
        Ok(Some((report, end.clone())))
    }

    fn illegal(&self, side: Side, position: &G::Position, m: <G::Position as Position>::Move) -> AgentError {
        AgentError::Illegal {
            agent: format!("the agent of {}", G::INFO.sides[side]),
            position: self.game.position_text(position),
            answer: format!("{m:?}"),
        }
    }
}

/// A game in progress. Its past is kept only if there is a repetition rule, because keeping it takes longer than a turn
/// of backgammon.
enum Going<P: Position> {
    Recorded(Record<P>),
    Bare(P, Rulebook<P>),
}

impl<P: Position> Going<P> {
    fn new(start: P, rules: Rulebook<P>) -> Self {
        match rules.repetition.draw {
            Some(_) => Self::Recorded(Record::new(start, rules)),
            None => Self::Bare(start, rules),
        }
    }

    fn position(&self) -> &P {
        match self {
            Self::Recorded(record) => record.position(),
            Self::Bare(position, _) => position,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Recorded(record) => record.outcome(),
            Self::Bare(position, rules) => position.outcome().or_else(|| (rules.ends)(position)),
        }
    }

    fn settle<G: MatchGame<Position = P>>(&mut self, game: &G, rng: &mut Rng) {
        match self {
            Self::Recorded(record) => _ = record.settle(rng),
            Self::Bare(position, _) => {
                if let Some(settled) = game.settled(position, rng) {
                    *position = settled;
                }
            }
        }
    }

    fn play(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        match self {
            Self::Recorded(record) => record.play(m)?,
            Self::Bare(position, _) => *position = position.play(m)?,
        }
        Ok(())
    }
}

/// The outcome of a game that reached the limit of plies: a draw.
pub const TOO_LONG: Outcome = Outcome::draw("too many plies");

/// The random generators of a match: one for the dice, and one for each agent. So the dice do not depend on the agents.
struct Luck {
    dice: Rng,
    choices: [Rng; 2],
}

impl Luck {
    fn new(seed: u64, number: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let mut seeds = Rng::new(seeds.next_u64() ^ number);
        let [dice, first, second] = [(); 3].map(|()| Rng::new(seeds.next_u64()));
        Self { dice, choices: [first, second] }
    }
}
