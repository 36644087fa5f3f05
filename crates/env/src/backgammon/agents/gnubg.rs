//! GNU Backgammon as an opponent and as a judge: a process of its own, kept running, asked line by line.
//!
//! `gnubg.py` beside this file runs in gnubg's embedded Python and says how the lines look. Gnubg calculates in a thread of its
//! own and looks only every 10 ms whether that is done, so a quick question mostly waits. Whoever wants more answers a second
//! starts several processes; they do not disturb each other.

use backgammon::Roll;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SCRIPT: &str = include_str!("gnubg.py");

/// What the script prints when it listens.
const READY: &str = "ready";

/// Some hundred times what the slowest question takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long a process may take to end by itself once nobody asks any more.
const FAREWELL: Duration = Duration::from_secs(2);

/// No answer is a hundredth of this: more is not gnubg.
const LONGEST_LINE: u64 = 1 << 20;

/// Why GNU Backgammon gave no answer. After any but [`Refused`](Self::Refused) the process has been ended.
#[derive(Debug, thiserror::Error)]
pub enum GnubgError {
    /// There is no such program.
    #[error("GNU Backgammon is not installed here (Debian: apt-get install gnubg)")]
    Missing,
    /// The program is there but cannot be run.
    #[error("GNU Backgammon cannot be started")]
    Start(#[source] io::Error),
    /// It has ended, by itself or after an earlier error.
    #[error("GNU Backgammon has ended")]
    Ended,
    /// It took too long.
    #[error("GNU Backgammon has not answered for {} seconds", .0.as_secs_f32())]
    Silent(Duration),
    /// It said something that is no answer, and begins like this.
    #[error("GNU Backgammon answered `{0}`")]
    Garbage(String),
    /// It does not accept the question: an impossible position, dice or score. It can be asked on.
    #[error("GNU Backgammon refuses: {0}")]
    Refused(String),
}

/// How far gnubg looks ahead: 0 evaluates the positions after the move, 1 and 2 look one and two rolls further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Ply(u8);

impl Ply {
    /// All that are asked for.
    pub const ALL: [Self; 3] = [Self(0), Self(1), Self(2)];

    /// So many, if no more than two.
    pub fn new(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|ply| ply.0 == number)
    }

    /// How many.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// What a game is played for, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AtStake {
    /// What the cube shows: a power of two.
    pub cube_value: u32,
    /// Whose it is: nobody's, the player's on roll (`true`) or the opponent's (`false`).
    pub cube_owner: Option<bool>,
    /// Points that win the match; 0 for money.
    pub match_length: u32,
    /// Points of the player on roll.
    pub my_score: u32,
    /// Points of the opponent.
    pub opponent_score: u32,
    /// Is this the Crawford game? Gnubg takes it at any score, so this is also how a match without a cube is said.
    pub crawford: bool,
    /// For money: do gammons count only once the cube has been turned?
    pub jacoby: bool,
}

#[derive(Serialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request<'a> {
    Results { position: &'a str, dice: [u8; 2] },
    Best { position: &'a str, dice: [u8; 2], ply: Ply, stakes: Option<AtStake> },
    Doubles { position: &'a str, ply: Ply, stakes: AtStake },
    Takes { position: &'a str, ply: Ply, stakes: AtStake },
    Points { position: &'a str, dice: [u8; 2], after: &'a str },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer<T> {
    Answer(T),
    Error(String),
}

/// GNU Backgammon, running.
///
/// Positions are GNU position IDs of 14 characters: those asked about are seen by the player on roll, results by the next
/// player. A [`Ply`] is gnubg's, among the moves that its usual filter lets through and with its pruning networks. There is no noise: the same question has the same answer.
///
/// Nothing waits without end. A question is given up after two minutes ([`set_patience`](Self::set_patience)); a process that
/// did not answer, or not properly, is killed, and every later question is [`GnubgError::Ended`].
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
    process: Child,
    /// Closed once it is not to be asked again.
    requests: Option<ChildStdin>,
    answers: Receiver<io::Result<String>>,
    patience: Duration,
}

impl Gnubg {
    /// Starts the `gnubg` on the path, or where Debian keeps games.
    pub fn start() -> Result<Self, GnubgError> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
        let program = folders.map(|folder| folder.join("gnubg")).find(|file| file.is_file());
        Self::start_program(&program.ok_or(GnubgError::Missing)?)
    }

    /// Starts this program.
    pub fn start_program(program: &Path) -> Result<Self, GnubgError> {
        // Holds the script, and the settings that gnubg would otherwise write to the user's home. It is gone once gnubg
        // listens: whoever is interrupted leaves nothing behind.
        let folder = TempDir::new().map_err(GnubgError::Start)?;
        let script = folder.path().join("gnubg.py");
        fs::write(&script, SCRIPT).map_err(GnubgError::Start)?;
        let mut command = Command::new(program);
        command.args(["-t", "-q", "-r", "-s"]).arg(folder.path()).arg("-p").arg(script);
        command.env("LC_ALL", "C"); // else the words in moves are translated
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => GnubgError::Missing,
            _ => GnubgError::Start(error),
        })?;
        let requests = process.stdin.take();
        let answers = match process.stdout.take() {
            Some(output) => lines(output),
            None => return Err(GnubgError::Ended),
        };
        let mut gnubg = Self { process, requests, answers, patience: PATIENCE };
        gnubg.await_ready()?;
        Ok(gnubg)
    }

    /// How long an answer may take.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// All distinct legal results of a roll, sorted; none if there is no legal move.
    pub fn results(&mut self, position: &str, roll: Roll) -> Result<Vec<String>, GnubgError> {
        self.ask(&Request::Results { position, dice: dice(roll) })
    }

    /// The result of gnubg's play at this ply, `None` if there is no legal move.
    ///
    /// Without stakes it plays for money without a cube: the most points, cubeless. With them it minds the cube and the score.
    pub fn best(
        &mut self,
        position: &str,
        roll: Roll,
        ply: Ply,
        stakes: Option<AtStake>,
    ) -> Result<Option<String>, GnubgError> {
        self.ask(&Request::Best { position, dice: dice(roll), ply, stakes })
    }

    /// Would it double, before rolling? Never if it may not: the opponent's cube, the Crawford game, or a dead cube.
    pub fn doubles(&mut self, position: &str, ply: Ply, stakes: AtStake) -> Result<bool, GnubgError> {
        self.ask(&Request::Doubles { position, ply, stakes })
    }

    /// Would it take? Position and stakes are those of the doubler, as he is on roll and as the cube was before he offered it.
    pub fn takes(&mut self, position: &str, ply: Ply, stakes: AtStake) -> Result<bool, GnubgError> {
        self.ask(&Request::Takes { position, ply, stakes })
    }

    /// Plays to `after`, one of the results: the points won if this ends the game (cube 1, no Jacoby rule), `None` if it goes on.
    pub fn points(&mut self, position: &str, roll: Roll, after: &str) -> Result<Option<u8>, GnubgError> {
        self.ask(&Request::Points { position, dice: dice(roll), after })
    }

    /// Passes over what gnubg says of itself.
    fn await_ready(&mut self) -> Result<(), GnubgError> {
        let deadline = Instant::now() + self.patience;
        while self.line_until(deadline)? != READY {}
        Ok(())
    }

    fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T, GnubgError> {
        let mut line = serde_json::to_vec(request).expect("plain data has a JSON form");
        line.push(b'\n');
        let requests = self.requests.as_mut().ok_or(GnubgError::Ended)?;
        if requests.write_all(&line).is_err() {
            return Err(self.give_up(GnubgError::Ended));
        }
        let line = self.line_until(Instant::now() + self.patience)?;
        match serde_json::from_str(&line) {
            Ok(Answer::Answer(answer)) => Ok(answer),
            Ok(Answer::Error(reason)) => Err(GnubgError::Refused(reason)),
            Err(_) => Err(self.give_up(GnubgError::Garbage(line.chars().take(80).collect()))),
        }
    }

    fn line_until(&mut self, deadline: Instant) -> Result<String, GnubgError> {
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(self.give_up(GnubgError::Garbage(error.to_string()))),
            Err(RecvTimeoutError::Timeout) => Err(self.give_up(GnubgError::Silent(self.patience))),
            Err(RecvTimeoutError::Disconnected) => Err(self.give_up(GnubgError::Ended)),
        }
    }

    /// Ends the process: a late answer would be taken for that of the next question.
    fn give_up(&mut self, error: GnubgError) -> GnubgError {
        self.requests = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
        error
    }
}

impl Drop for Gnubg {
    /// Closes the requests, which tells the process to end. If it does not end in time, it is killed.
    fn drop(&mut self) {
        self.requests = None;
        let deadline = Instant::now() + FAREWELL;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn dice(roll: Roll) -> [u8; 2] {
    [roll.high(), roll.low()]
}

/// The lines of a process, read by a thread of their own, since a pipe cannot be read with a time limit. The thread ends with the
/// output, or when nobody listens any more.
fn lines(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = String::new();
            let read = output.by_ref().take(LONGEST_LINE).read_line(&mut line);
            let line = match read {
                Ok(0) => return,
                Ok(_) => Ok(line.trim_end().to_owned()),
                Err(error) => Err(error),
            };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
