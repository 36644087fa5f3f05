//! GNU Backgammon as an opponent and as a reference: a process that is kept running and answers requests, one line each.
//!
//! There are two ways to ask. `gnubg.py` in this folder runs in gnubg's embedded Python and documents the format of its lines;
//! it can ask everything, but each answer takes 10 ms. The `line` asks for evaluations and best moves, and wastes no time.
//! For more answers per second, start several processes; they are independent of each other.

mod cube;
mod fibs;
#[cfg(unix)]
mod line;
#[cfg(not(unix))]
#[path = "gnubg/no_line.rs"]
mod line;
mod opinion;
mod stakes;

pub use cube::CubeOpinion;
pub use opinion::{BestMove, Evaluation, check_variant};
pub use stakes::AtStake;

use crate::process::{NoLine, Process};
use backgammon::Roll;
use game::quoted;
use line::{BETWEEN_ATTEMPTS, Line, Place};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SCRIPT: &str = include_str!("gnubg.py");

/// The line that the script prints when it is ready for requests.
const READY: &str = "ready";

/// The time limit for an answer: some hundred times as long as the slowest request takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Why GNU Backgammon gave no answer. After any error except [`Refused`](Self::Refused) and
/// [`Pointless`](Self::Pointless) the process has ended.
#[derive(Debug, thiserror::Error)]
pub enum GnubgError {
    /// The program was not found.
    #[error("GNU Backgammon is not installed here (Debian: apt-get install gnubg)")]
    Missing,
    /// The program was found but cannot be run.
    #[error("GNU Backgammon cannot be started")]
    Start(#[source] io::Error),
    /// The process has ended, by itself or after an earlier error.
    #[error("GNU Backgammon has ended")]
    Ended,
    /// The answer took too long.
    #[error("GNU Backgammon has not answered for {} seconds", .0.as_secs_f32())]
    Silent(Duration),
    /// The process wrote a line that is not a valid answer. The field has the beginning of the line.
    #[error("GNU Backgammon gave an invalid answer: {}", quoted(.0))]
    Garbage(String),
    /// The request is invalid: an impossible position, dice or score. The process still accepts requests.
    #[error("GNU Backgammon rejected the request: {}", quoted(.0))]
    Refused(String),
    /// The question makes no sense in this position, so it was not asked. The field says what the position would have to be.
    #[error("GNU Backgammon cannot be asked this in {0}: {1}")]
    Pointless(Box<str>, &'static str),
    /// The line for evaluations cannot be opened.
    #[error("no line to GNU Backgammon can be opened")]
    NoLine(#[source] io::Error),
}

/// How far gnubg looks ahead. At 0 it judges a position, or those after each move, at a glance. With every ply more it looks one
/// more roll ahead, and takes some twenty times as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Ply(u8);

impl Ply {
    /// The depths at which gnubg plays as an agent.
    pub const ALL: [Self; 3] = [Self(0), Self(1), Self(2)];

    /// The greatest depth. An answer takes seconds at 3 and minutes at 4.
    pub const MOST: Self = Self(4);

    /// Makes a depth from a number. Returns `None` if the number is above [`Ply::MOST`].
    pub fn new(number: u8) -> Option<Self> {
        (number <= Self::MOST.0).then_some(Self(number))
    }

    /// The number of plies.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns whether gnubg's pruning networks, which are quick but less exact, choose the replies that are looked at. They do
    /// where gnubg's own settings use them: from two plies on.
    const fn prunes(self) -> bool {
        self.0 >= 2
    }
}

#[derive(Serialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request<'a> {
    Results { position: &'a str, dice: [u8; 2] },
    Best { position: &'a str, dice: [u8; 2], ply: Ply, stakes: Option<AtStake> },
    Doubles { position: &'a str, ply: Ply, stakes: AtStake },
    Takes { position: &'a str, ply: Ply, stakes: AtStake },
    Points { position: &'a str, dice: [u8; 2], after: &'a str },
    Cubes { positions: &'a [(String, AtStake)], ply: Ply },
    Serve { socket: &'a Path, ply: Ply, prune: bool },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer<T> {
    Answer(T),
    Error(String),
}

/// A running GNU Backgammon.
///
/// Positions are GNU position IDs of 14 characters. The position of a request is seen by the player on roll, a resulting
/// position by the next player. A [`Ply`] is as in gnubg, with its usual move filter, and its pruning networks from two plies on.
/// There is no noise: the same request always has the same answer.
///
/// Every wait has a limit. A request fails after two minutes, or after [`set_patience`](Self::set_patience). A process that
/// gives no answer or an invalid one is killed. Every later request returns [`GnubgError::Ended`].
///
/// ```no_run
/// use backgammon::Roll;
/// use endspiel_env::backgammon::agents::gnubg::{Gnubg, Ply};
///
/// let mut gnubg = Gnubg::start()?;
/// let roll = Roll::new(3, 1).expect("two dice");
/// assert_eq!(gnubg.results("4HPwATDgc/ABMA", roll)?.len(), 16);
/// let after = gnubg.best("4HPwATDgc/ABMA", roll, Ply::ALL[0], None)?;
/// assert_eq!(after.as_deref(), Some("sGfwATDgc/ABMA")); // 8/5 6/5
/// # Ok::<(), endspiel_env::backgammon::agents::gnubg::GnubgError>(())
/// ```
#[derive(Debug)]
pub struct Gnubg {
    process: Process,
    patience: Duration,
    /// The line for evaluations, if it is open, and the ply at which gnubg chooses moves on it. While it is open, gnubg does not
    /// read requests.
    line: Option<(Line, Ply)>,
    default_ply: Ply,
}

impl Gnubg {
    /// Starts the program `gnubg` from the `PATH`, or from `/usr/games`, where Debian installs it.
    pub fn start() -> Result<Self, GnubgError> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
        let program = folders.map(|folder| folder.join("gnubg")).find(|file| file.is_file());
        Self::start_program(&program.ok_or(GnubgError::Missing)?)
    }

    /// Starts the given program as GNU Backgammon.
    pub fn start_program(program: &Path) -> Result<Self, GnubgError> {
        // The folder holds the script, and the settings that gnubg would otherwise write to the user's home. It is deleted
        // as soon as gnubg is ready, so that an interrupted program leaves nothing behind.
        let folder = TempDir::new().map_err(GnubgError::Start)?;
        let script = folder.path().join("gnubg.py");
        fs::write(&script, SCRIPT).map_err(GnubgError::Start)?;
        let mut command = Command::new(program);
        command.args(["-t", "-q", "-r", "-s"]).arg(folder.path()).arg("-p").arg(script);
        command.env("LC_ALL", "C"); // else the words in moves are translated
        let process = Process::start(command.stderr(Stdio::null())).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => GnubgError::Missing,
            _ => GnubgError::Start(error),
        })?;
        let mut gnubg = Self { process, patience: PATIENCE, line: None, default_ply: Ply::default() };
        gnubg.await_ready()?;
        Ok(gnubg)
    }

    /// Sets the time limit for an answer.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// The ply of questions that name none: 0 at first.
    pub const fn default_ply(&self) -> Ply {
        self.default_ply
    }

    /// Sets the ply of questions that name none.
    pub const fn set_default_ply(&mut self, ply: Ply) {
        self.default_ply = ply;
    }

    /// All distinct positions after a legal play of the roll, sorted. The list is empty if there is no legal play.
    pub fn results(&mut self, position: &str, roll: Roll) -> Result<Vec<String>, GnubgError> {
        self.ask(&Request::Results { position, dice: dice(roll) })
    }

    /// The position after gnubg's play at this ply. Returns `None` if there is no legal play.
    ///
    /// Without stakes it plays for money without a cube, for the most points. With stakes it considers the cube and the
    /// score.
    pub fn best(
        &mut self,
        position: &str,
        roll: Roll,
        ply: Ply,
        stakes: Option<AtStake>,
    ) -> Result<Option<String>, GnubgError> {
        self.ask(&Request::Best { position, dice: dice(roll), ply, stakes })
    }

    /// Returns whether gnubg would double before the roll. It never doubles if it may not or if that is useless: the
    /// opponent owns the cube, it is the Crawford game, or the cube is dead.
    pub fn doubles(&mut self, position: &str, ply: Ply, stakes: AtStake) -> Result<bool, GnubgError> {
        self.ask(&Request::Doubles { position, ply, stakes })
    }

    /// Returns whether gnubg would take a double. Position and stakes are those of the doubler, who is on roll, with
    /// the cube as it was before the double.
    pub fn takes(&mut self, position: &str, ply: Ply, stakes: AtStake) -> Result<bool, GnubgError> {
        self.ask(&Request::Takes { position, ply, stakes })
    }

    /// Plays to the position `after`, which must be one of the [`results`](Self::results). Returns the points won if
    /// this ends the game (cube 1, no Jacoby rule), and `None` if the game goes on.
    pub fn points(&mut self, position: &str, roll: Roll, after: &str) -> Result<Option<u8>, GnubgError> {
        self.ask(&Request::Points { position, dice: dice(roll), after })
    }

    /// Skips the lines that gnubg writes at its start.
    fn await_ready(&mut self) -> Result<(), GnubgError> {
        let deadline = Instant::now() + self.patience;
        while self.line_until(deadline)? != READY {}
        Ok(())
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T, GnubgError> {
        self.close_line()?;
        self.send(request)?;
        self.answer()
    }

    fn send(&mut self, request: &Request) -> Result<(), GnubgError> {
        let line = serde_json::to_vec(request).expect("plain data has a JSON form");
        self.process.send(line).map_err(|_| self.give_up(GnubgError::Ended))
    }

    fn answer<T: DeserializeOwned>(&mut self) -> Result<T, GnubgError> {
        let line = self.line_until(Instant::now() + self.patience)?;
        match serde_json::from_str(&line) {
            Ok(Answer::Answer(answer)) => Ok(answer),
            Ok(Answer::Error(reason)) => Err(GnubgError::Refused(reason)),
            Err(_) => Err(self.give_up(GnubgError::Garbage(line.chars().take(80).collect()))),
        }
    }

    /// Asks on the line for evaluations, and opens it before if needed. With a `ply`, gnubg chooses moves at this ply.
    fn ask_line<T>(
        &mut self,
        question: String,
        ply: Option<Ply>,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, GnubgError> {
        let is_open = self.line.as_ref().is_some_and(|(_, open)| ply.is_none_or(|ply| ply == *open));
        if !is_open {
            self.close_line()?;
            self.open_line(ply.unwrap_or(self.default_ply))?;
        }
        let (line, _) = self.line.as_mut().ok_or(GnubgError::Ended)?;
        let answer = line.ask(question).and_then(|answer| {
            read(answer).ok_or_else(|| GnubgError::Garbage(answer.chars().take(80).collect()))
        });
        answer.map_err(|error| match error {
            GnubgError::Refused(_) => error,
            fatal => self.give_up(fatal),
        })
    }

    /// Opens the line. At its end, gnubg answers the request.
    fn open_line(&mut self, ply: Ply) -> Result<(), GnubgError> {
        let place = Place::new().map_err(|error| self.give_up(GnubgError::NoLine(error)))?;
        self.send(&Request::Serve { socket: &place.socket(), ply, prune: ply.prunes() })?;
        let deadline = Instant::now() + self.patience;
        let line = loop {
            if let Some(line) = place.connect(self.patience) {
                break line.map_err(|error| self.give_up(GnubgError::NoLine(error)))?;
            }
            match self.process.line_within(BETWEEN_ATTEMPTS) {
                Err(NoLine::Silent) if Instant::now() < deadline => {}
                Err(NoLine::Silent) => return Err(self.give_up(GnubgError::Silent(self.patience))),
                Err(NoLine::Ended) => return Err(self.give_up(GnubgError::Ended)),
                // Gnubg could not open the socket, and has ended the request.
                Ok(_) | Err(NoLine::Unreadable(_)) => {
                    return Err(self.give_up(GnubgError::NoLine(io::ErrorKind::NotFound.into())));
                }
            }
        };
        self.line = Some((line, ply));
        Ok(())
    }

    fn close_line(&mut self) -> Result<(), GnubgError> {
        match self.line.take() {
            Some(line) => {
                drop(line);
                self.answer()
            }
            None => Ok(()),
        }
    }

    fn line_until(&mut self, deadline: Instant) -> Result<String, GnubgError> {
        let line = self.process.line_within(deadline.saturating_duration_since(Instant::now()));
        line.map_err(|reason| {
            self.give_up(match reason {
                NoLine::Unreadable(error) => GnubgError::Garbage(error.to_string()),
                NoLine::Silent => GnubgError::Silent(self.patience),
                NoLine::Ended => GnubgError::Ended,
            })
        })
    }

    /// Ends the process. Otherwise a late answer would be taken for the answer to the next request.
    fn give_up(&mut self, error: GnubgError) -> GnubgError {
        self.line = None;
        self.process.kill();
        error
    }
}

impl Drop for Gnubg {
    /// Closes the line. Then the process reads its input again, which ends.
    fn drop(&mut self) {
        self.line = None;
    }
}

fn dice(roll: Roll) -> [u8; 2] {
    [roll.high(), roll.low()]
}
