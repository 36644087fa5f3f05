//! Two agents against each other, many games, on all cores: the same games for the same seed, however many threads.

use super::agents::{Agent, AgentError};
use backgammon::{Backgammon, Move, Position, Score, Stakes, Start, Win, mat};
use game::{BySide, Position as _, Rng, Side};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// What is played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The rules. With a match length, every encounter is a match; else a game.
    pub game: Backgammon,
    /// Who plays White, and who plays Black. Who begins is thrown for before every game.
    pub names: [String; 2],
    /// So many games, or matches.
    pub encounters: u64,
    /// Everything that is left to luck follows from this.
    pub seed: u64,
    /// Keep what was played, for match files?
    pub keep: bool,
}

/// Makes an agent, for one table.
pub type MakeAgent<'a> = dyn Fn() -> Result<Box<dyn Agent>, AgentError> + Sync + 'a;

/// How a game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameReport {
    /// Who had the first roll.
    pub first: Side,
    /// Who won.
    pub winner: Side,
    /// How.
    pub win: Win,
    /// What it brought.
    pub points: u32,
    /// The value of the cube at the end.
    pub cube: u32,
    /// Turns played, dances among them.
    pub moves: u32,
    /// The score before it, if it was one of a match.
    pub score: Option<BySide<u16>>,
}

/// How a game, or a match of several, went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Its games, in order.
    pub games: Vec<GameReport>,
    /// What was played in each, if it was to be kept.
    pub kept: Vec<Vec<mat::Action>>,
}

/// Why games have no match file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMatchFile {
    /// A file does not say where the checkers stand at first.
    #[error("games in match files begin with the usual board")]
    Start,
    /// Nothing is known of the games but how they ended.
    #[error("what was played has not been kept")]
    NotKept,
}

impl Encounter {
    /// Who won it: who won the last game.
    pub fn winner(&self) -> Option<Side> {
        self.games.last().map(|game| game.winner)
    }

    /// The points of a side.
    pub fn points(&self, side: Side) -> u32 {
        self.games.iter().filter(|game| game.winner == side).map(|game| game.points).sum()
    }

    /// The turns of all its games.
    pub fn moves(&self) -> u32 {
        self.games.iter().map(|game| game.moves).sum()
    }
}

impl Contest {
    /// Plays them all at so many tables side by side, and shows them in order. `show` says whether to go on. The agents of
    /// each table are made for it.
    ///
    /// # Errors
    /// The first that an agent meets; what was shown before stands.
    pub fn play(
        &self,
        agents: [&MakeAgent<'_>; 2],
        tables: usize,
        mut show: impl FnMut(&Encounter) -> bool,
    ) -> Result<(), AgentError> {
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        // Bounded, so that quick games do not pile up before whoever looks at them.
        let (sender, receiver) = mpsc::sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..tables.max(1) {
                let (sender, next, stopped) = (sender.clone(), &next, &stopped);
                scope.spawn(move || self.sit_at_table(agents, next, stopped, &sender));
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

    /// An encounter as a match file (`.mat`), for programs that look at games.
    ///
    /// # Errors
    /// If there is no such file of these games.
    pub fn match_file(&self, encounter: &Encounter) -> Result<String, NoMatchFile> {
        if self.game.start != Start::Standard {
            return Err(NoMatchFile::Start);
        }
        if encounter.kept.len() != encounter.games.len() {
            return Err(NoMatchFile::NotKept);
        }
        let [first, second] = &self.names;
        let (length, jacoby) = match self.game.terms.stakes {
            Stakes::Money { jacoby } => (None, jacoby),
            Stakes::Match(score) => (Some(score.length()), false),
        };
        let players = BySide { first: first.as_str(), second: second.as_str() };
        let mut file = mat::Match::new(length, jacoby, players).expect("a match of this length was played");
        for (report, actions) in encounter.games.iter().zip(&encounter.kept) {
            let game = file.begin(report.first).expect("the match was not over before it");
            actions.iter().for_each(|&action| game.play(action).expect("it was played by the same rules"));
        }
        Ok(mat::write(&file))
    }

    /// Plays one after the other until none is left.
    fn sit_at_table(
        &self,
        agents: [&MakeAgent<'_>; 2],
        next: &AtomicU64,
        stopped: &AtomicBool,
        sender: &mpsc::SyncSender<Result<(u64, Encounter), AgentError>>,
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
        agents: &mut [Box<dyn Agent>; 2],
        stopped: &AtomicBool,
    ) -> Result<Option<Encounter>, AgentError> {
        let mut luck = Luck::new(self.seed, number);
        let mut game = self.game;
        let mut games = Vec::new();
        let mut kept = Vec::new();
        loop {
            let mut played = Vec::new();
            let report = luck.play(&game, agents, |action| {
                if self.keep {
                    played.extend(action);
                }
                // A game of experts takes a while, and nobody would see its end.
                !stopped.load(Ordering::Relaxed)
            })?;
            let Some(report) = report else { return Ok(None) };
            games.push(report);
            if self.keep {
                kept.push(played);
            }
            match game.terms.stakes.score().and_then(|score| score.after(report.winner, report.points)) {
                Some(score) => game.terms.stakes = Stakes::Match(score),
                None => return Ok(Some(Encounter { games, kept })),
            }
        }
    }
}

/// The dice of an encounter, and what each agent leaves to luck: apart, so that the dice are the same whoever plays.
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

    fn play(
        &mut self,
        game: &Backgammon,
        agents: &mut [Box<dyn Agent>; 2],
        mut goes_on: impl FnMut(Option<mat::Action>) -> bool,
    ) -> Result<Option<GameReport>, AgentError> {
        let first = Side::by_lot(&mut self.dice);
        let mut position = game.begin(first);
        let mut moves = 0;
        while position.won().is_none() {
            if position.awaits_roll() {
                position = position.rolled_by(&mut self.dice);
            }
            let seat = position.turn() as usize;
            let chosen = agents[seat].choose(&position, &mut self.choices[seat])?;
            moves += u32::from(position.roll().is_some());
            let action = match (chosen, position.roll()) {
                (Move::Turn(turn), Some(roll)) => Some(mat::Action::Play(roll, turn)),
                (Move::Double, _) => Some(mat::Action::Double),
                (Move::Take, _) => Some(mat::Action::Take),
                (Move::Drop, _) => Some(mat::Action::Drop),
                (Move::Roll | Move::Turn(_), _) => None,
            };
            if !goes_on(action) {
                return Ok(None);
            }
            position = position.play_unchecked(chosen);
        }
        Ok(Some(report(first, &position, moves)))
    }
}

fn report(first: Side, position: &Position, moves: u32) -> GameReport {
    let (winner, win) = position.won().expect("the game was played to its end");
    let score = |score: &Score| BySide::from_fn(|side| score.points(side));
    GameReport {
        first,
        winner,
        win,
        points: position.points().unwrap_or_default(),
        cube: position.cube().value(),
        moves,
        score: position.terms().stakes.score().map(score),
    }
}
