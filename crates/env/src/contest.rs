//! Two agents against each other, many games, on all cores: the same games for the same seed, however many threads.

use crate::agent::{Agent, AgentError, Entrant, MakeAgent};
use crate::encounter::{Encounter, Played, Report};
use game::{IllegalMove, Notation, Outcome, Position, Record, Rng, Rulebook, Side};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Why what was played has no file.
pub type NoFile = Box<dyn std::error::Error + Send + Sync>;

/// What a game brings to be played in contests. A game without chance, matches and points needs no more than its report,
/// which is [`GameReport`](crate::GameReport).
pub trait Contested: Notation + Clone {
    /// How a game went.
    type Report: Report;

    /// The ways to win, each by the name that its outcome has and in the plural, as people read sums of them.
    const WINS: &'static [(&'static str, &'static str)];

    /// A game that has not ended after so many plies is a draw. This is for agents that never end a game under rules that do not
    /// end it either. `None` where every game ends.
    const MOST_PLIES: Option<u32> = Some(10_000);

    /// How the files of its games end, if it has some: `mat`.
    const FILE_ENDING: Option<&'static str> = None;

    /// Who can play it, by name.
    fn entrants(&self) -> Vec<Entrant<Self::Position>> {
        vec![Entrant::random()]
    }

    /// How a game went.
    fn report(&self, played: &Played<'_, Self::Position>) -> Self::Report;

    /// Where a game begins.
    fn begin_game(&self, rng: &mut Rng) -> Self::Position {
        let _ = rng;
        self.start()
    }

    /// Is every encounter a match of several games, which follow each other by [`next_game`](game::Game::next_game)?
    fn plays_matches(&self) -> bool {
        false
    }

    /// The position after chance has decided; `None` if the position does not await chance. Games with a rule about the past
    /// are settled by their record instead.
    fn settled(&self, position: &Self::Position, rng: &mut Rng) -> Option<Self::Position> {
        let outcome = game::random_chance(position, rng)?;
        Some(position.play_chance_unchecked(outcome))
    }

    /// Does what is chosen here count as a move?
    fn counts(&self, position: &Self::Position) -> bool {
        let _ = position;
        true
    }

    /// The games of an encounter in a file, by agents with these names.
    ///
    /// # Errors
    /// If there is no such file of these games.
    fn file(
        &self,
        names: [&str; 2],
        encounter: &Encounter<Self::Position, Self::Report>,
    ) -> Result<String, NoFile> {
        let _ = (names, encounter);
        Err(Box::new(NoFiles { game: Self::INFO.title }))
    }
}

/// A game that has no files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are no files for games of {game}")]
pub struct NoFiles {
    /// The game.
    pub game: &'static str,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Contest<G> {
    /// The rules, which say whether an encounter is a game or a match.
    pub game: G,
    /// So many encounters.
    pub encounters: u64,
    /// Everything that is left to luck follows from this.
    pub seed: u64,
    /// Keep what was played, for files?
    pub keep: bool,
    /// After so many plies a game is a draw; `None` for games that end.
    pub most_plies: Option<u32>,
}

type Encountered<G> = Encounter<<G as game::Game>::Position, <G as Contested>::Report>;
/// How a game went, and how it stands at its end.
type Finished<G> = (<G as Contested>::Report, <G as game::Game>::Position);
type Agents<P> = [Box<dyn Agent<P>>; 2];

impl<G: Contested> Contest<G> {
    /// So many encounters, of which nothing is kept but how they went.
    pub fn new(game: G, encounters: u64, seed: u64) -> Self {
        Self { game, encounters, seed, keep: false, most_plies: G::MOST_PLIES }
    }

    /// Plays all encounters, `at_once` of them at a time, and shows them in order. `show` says whether to go on. Each thread makes
    /// agents of its own; the first plays the first side.
    ///
    /// # Errors
    /// The first error of an agent. The encounters that were shown before stay valid.
    pub fn play(
        &self,
        agents: [&MakeAgent<'_, G::Position>; 2],
        at_once: usize,
        mut show: impl FnMut(&Encountered<G>) -> bool,
    ) -> Result<(), AgentError> {
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        // Bounded, so that quick games do not pile up before whoever looks at them.
        let (sender, receiver) = mpsc::sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..at_once.max(1) {
                let (sender, next, stopped) = (sender.clone(), &next, &stopped);
                scope.spawn(move || self.play_in_turn(agents, next, stopped, &sender));
            }
            drop(sender);
            let (mut shown, mut early) = (0, BTreeMap::new());
            let mut result = Ok(());
            for played in receiver {
                match played {
                    _ if stopped.load(Ordering::Relaxed) => {}
                    Err(error) => {
                        stopped.store(true, Ordering::Relaxed);
                        result = Err(error);
                    }
                    Ok((number, encounter)) => {
                        early.insert(number, encounter);
                        while let Some(encounter) = early.remove(&shown) {
                            shown += 1;
                            if !show(&encounter) {
                                stopped.store(true, Ordering::Relaxed);
                                break;
                            }
                        }
                    }
                }
            }
            result
        })
    }

    /// The work of a thread: plays one encounter after the other until none is left.
    fn play_in_turn(
        &self,
        agents: [&MakeAgent<'_, G::Position>; 2],
        next: &AtomicU64,
        stopped: &AtomicBool,
        sender: &mpsc::SyncSender<Result<(u64, Encountered<G>), AgentError>>,
    ) {
        let mut agents = match agents.map(|make| make()) {
            [Ok(first), Ok(second)] => [first, second],
            [Err(error), _] | [_, Err(error)] => {
                // Whoever listened may have left.
                let _ = sender.send(Err(error));
                return;
            }
        };
        while !stopped.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.encounters {
                return;
            }
            let played = match self.encounter(number, &mut agents, stopped) {
                Ok(None) => return,
                Ok(Some(encounter)) => Ok((number, encounter)),
                Err(error) => Err(error),
            };
            let is_over = played.is_err();
            if sender.send(played).is_err() || is_over {
                return;
            }
        }
    }

    /// Nothing if everybody was told to stop.
    fn encounter(
        &self,
        number: u64,
        agents: &mut Agents<G::Position>,
        stopped: &AtomicBool,
    ) -> Result<Option<Encountered<G>>, AgentError> {
        let mut luck = Luck::new(self.seed, number);
        let mut start = self.game.begin_game(&mut luck.dice);
        let mut encounter = Encounter { games: Vec::new(), kept: Vec::new() };
        loop {
            let mut kept = Vec::new();
            let goes_on = |position: &G::Position, m| {
                if self.keep {
                    kept.push((position.clone(), m));
                }
                // A game of experts takes a while, and nobody would see its end.
                !stopped.load(Ordering::Relaxed)
            };
            let Some((report, end)) = self.play_game(start, &mut luck, agents, goes_on)? else {
                return Ok(None);
            };
            encounter.games.push(report);
            if self.keep {
                encounter.kept.push(kept);
            }
            let next = self.game.plays_matches().then(|| self.game.next_game(&end, &mut luck.dice)).flatten();
            match next {
                Some(next) => start = next,
                None => return Ok(Some(encounter)),
            }
        }
    }

    /// Nothing if everybody was told to stop.
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

/// A game that is going on. Its past is kept only if a rule asks about it, because keeping it takes longer than a turn of
/// backgammon.
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

    fn settle<G: Contested<Position = P>>(&mut self, game: &G, rng: &mut Rng) {
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

/// A game that was ended because it did not end.
pub const TOO_LONG: Outcome = Outcome::draw("too many plies");

/// The random generators of an encounter: one for the dice, and one for each agent. So the dice do not depend on the agents.
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
