//! What the protocols share: the commands, the engine with the thread that searches, the game so far, and the output.

use super::go::{self, Go, GoWords};
use super::settings::{Setting, SettingFault};
use crate::control::Control;
use crate::engine::Engine;
use crate::report::{Found, Report};
use crate::score::Score;
use crate::searchable::{MoveOf, Searchable};
use crate::transposition::Bound;
use game::{Event, Notation, Played, Position, Style, perft, quoted};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// What is special to a protocol.
pub(super) trait Dialect<G: Searchable>: Send + Sync + Sized {
    /// The word by which the other program asks for this protocol; the answer ends with it and `ok`.
    const NAME: &'static str;
    /// The word that begins a new game.
    const NEW_GAME: &'static str;
    /// How `go` counts.
    const WORDS: GoWords;

    /// The options with their types and defaults.
    fn options() -> Vec<String>;

    /// Sets an option.
    fn set(
        session: &mut Session<'_, '_, G, Self, impl Write + Send>,
        setting: &Setting<'_>,
    ) -> Result<(), SettingFault>;

    /// Answers a command of this protocol alone. Returns `None` if it is not one of them.
    fn answer(
        session: &mut Session<'_, '_, G, Self, impl Write + Send>,
        word: &str,
        rest: &str,
    ) -> Option<io::Result<()>>;

    /// The words of a score: `cp 25`, `mate 3`.
    fn score(&self, score: Score) -> String;

    /// The answer at the end of a search.
    fn best_move(&self, game: &G, position: &G::Position, found: &Found<MoveOf<G>>) -> String;
}

/// What the threads of a session share: one reads commands, another one searches.
struct Desk<G: Searchable, D, W> {
    engine: Mutex<Engine<G>>,
    dialect: D,
    output: Mutex<W>,
}

impl<G: Searchable + Notation, D: Dialect<G>, W: Write + Send> Desk<G, D, W> {
    fn new(engine: Engine<G>, dialect: D, output: W) -> Self {
        Self { engine: Mutex::new(engine), dialect, output: Mutex::new(output) }
    }

    /// Writes lines, and flushes them.
    fn say(&self, lines: &str) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{lines}")?;
        output.flush()
    }

    fn engine(&self) -> MutexGuard<'_, Engine<G>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches or counts, and writes the answers. If they cannot be written, nobody is there to read them, and the reading thread
    /// will find out, too.
    fn answer(&self, game: &G, positions: &[G::Position], go: &Go<MoveOf<G>>, control: &Control) {
        let Some(position) = positions.last() else { return };
        if let Some(depth) = go.perft {
            let _ = self.say(&counted(game, position, depth, control));
            return;
        }
        let mut engine = self.engine();
        let found = engine.search(positions, &go.limits, control, &mut |news| {
            let _ = self.say(&self.info(game, position, news));
        });
        let _ = self.say(&self.dialect.best_move(game, position, &found));
    }

    fn info(&self, game: &G, position: &G::Position, news: &Report<'_, MoveOf<G>>) -> String {
        let millis = news.elapsed.as_millis() as u64;
        let per_second = (news.nodes as f64 / news.elapsed.as_secs_f64().max(1e-6)) as u64;
        let bound = match news.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {per_second} hashfull {} tbhits {} \
             time {millis} pv",
            news.depth,
            news.deepest.max(1),
            news.number,
            self.dialect.score(news.score),
            news.nodes,
            news.thousandths_full,
            news.table_hits,
        );
        let mut position = position.clone();
        for &m in news.line {
            text.push(' ');
            game.write_move(&position, m, &mut text);
            position = position.play_unchecked(m);
        }
        text
    }
}

/// The number of sequences of moves after each move, and of all.
fn counted<G: Searchable + Notation>(
    game: &G,
    position: &G::Position,
    depth: u32,
    control: &Control,
) -> String {
    let (mut text, mut all) = (String::new(), 0);
    for m in position.moves() {
        if control.is_stopped() {
            return text + "info string stopped";
        }
        let count = match depth {
            0 | 1 => 1,
            _ => perft::perft(&position.play_unchecked(m), depth - 1),
        };
        all += count;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {count}", game.move_text(position, m));
    }
    let _ = write!(text, "\nNodes searched: {}", if depth == 0 { 1 } else { all });
    text
}

/// Speaks a protocol until `quit` or the end of the input. What is not understood is answered by `info string`, and nothing else happens.
///
/// A search that was started with a limit is finished at the end of the input; an endless one is stopped.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub(super) fn converse<G, D, W>(
    engine: Engine<G>,
    dialect: D,
    input: impl BufRead,
    output: W,
) -> io::Result<()>
where
    G: Searchable + Notation + Copy,
    D: Dialect<G>,
    W: Write + Send,
{
    let game = *engine.game();
    let desk = Desk::new(engine, dialect, output);
    thread::scope(|scope| {
        let mut session = Session::new(scope, &desk, game);
        let done = session.read(input);
        let is_endless = session.is_endless || done.is_err();
        session.finish(is_endless);
        done
    })
}

/// A session: reads commands, and starts and stops searches.
pub(super) struct Session<'scope, 'desk, G: Searchable, D, W> {
    scope: &'scope Scope<'scope, 'desk>,
    desk: &'desk Desk<G, D, W>,
    game: G,
    /// The positions of the game; the last is to be searched.
    positions: Vec<G::Position>,
    running: Option<(Arc<Control>, ScopedJoinHandle<'scope, ()>)>,
    /// Whether only a command ends the search.
    is_endless: bool,
}

impl<'scope, 'desk, G, D, W> Session<'scope, 'desk, G, D, W>
where
    G: Searchable + Notation + Copy,
    D: Dialect<G>,
    W: Write + Send,
{
    fn new(scope: &'scope Scope<'scope, 'desk>, desk: &'desk Desk<G, D, W>, game: G) -> Self {
        Self { scope, desk, game, positions: vec![game.start()], running: None, is_endless: false }
    }

    /// Reads commands and obeys them, until `quit` or the end of the input.
    fn read(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            // A line that is no text is not understood; it does not end the session.
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text == "quit" {
                self.is_endless = true;
                return Ok(());
            }
            if !text.is_empty() {
                self.obey(text)?;
            }
        }
    }

    fn obey(&mut self, text: &str) -> io::Result<()> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        if let Some(answered) = D::answer(self, word, rest) {
            return answered;
        }
        match word {
            word if word == D::NAME => {
                let options: String =
                    D::options().iter().map(|option| format!("option name {option}\n")).collect();
                let version = env!("CARGO_PKG_VERSION");
                let names = format!("id name Endspiel {version}\nid author the Endspiel authors");
                self.say(&format!("{names}\n{options}{}ok", D::NAME))
            }
            word if word == D::NEW_GAME => {
                self.engine().forget();
                Ok(())
            }
            "isready" => self.say("readyok"),
            "setoption" => match Setting::parse(rest).and_then(|setting| D::set(self, &setting)) {
                Ok(()) => Ok(()),
                Err(fault) => self.complain(fault),
            },
            "position" => match Played::parse(&self.game, text) {
                Ok(played) => {
                    self.set_position(played);
                    Ok(())
                }
                Err(error) => self.complain(error),
            },
            "go" => match go::parse(&self.game, self.position(), rest, D::WORDS) {
                Ok(go) => {
                    self.is_endless = go.limits.infinite || go.ponders;
                    self.go(go);
                    Ok(())
                }
                Err(error) => self.complain(error),
            },
            "stop" => {
                self.stop();
                Ok(())
            }
            "ponderhit" => {
                self.is_endless = false;
                self.ponder_hit();
                Ok(())
            }
            "d" => {
                let position = self.position();
                let drawing = self.game.draw(position, Style::default());
                let text = self.game.position_text(position);
                self.say(&format!("{drawing}Position: {text}\nKey: {:016X}", position.key().0))
            }
            "eval" => {
                let position = self.position().clone();
                let estimate = self.engine().estimate(&position).hundredths();
                let turn = G::INFO.sides[position.turn()];
                self.say(&format!("Estimate: {estimate} hundredths of a pawn for {turn}"))
            }
            _ => self.complain(format!("{} is no command", quoted(word))),
        }
    }

    pub fn say(&self, lines: &str) -> io::Result<()> {
        self.desk.say(lines)
    }

    /// Answers what was not understood.
    fn complain(&self, trouble: impl std::fmt::Display) -> io::Result<()> {
        self.say(&format!("info string {trouble}").replace('\n', " "))
    }

    /// The engine. A search that is running is stopped before.
    pub fn engine(&mut self) -> MutexGuard<'desk, Engine<G>> {
        self.stop();
        self.desk.engine()
    }

    pub fn dialect(&self) -> &D {
        &self.desk.dialect
    }

    pub fn game(&self) -> G {
        self.game
    }

    /// Changes the options of the game.
    pub fn set_game(&mut self, game: G) {
        self.engine().set_game(game);
        self.game = game;
    }

    fn position(&self) -> &G::Position {
        self.positions.last().expect("there is at least the start")
    }

    /// Sets the position, with the moves that led to it.
    fn set_position(&mut self, played: Played<G::Position>) {
        self.positions = vec![played.start];
        for event in played.events {
            if let Event::Move(m) = event {
                let next = self.position().play_unchecked(m);
                self.positions.push(next);
            }
        }
    }

    /// Starts to search in another thread.
    fn go(&mut self, go: Go<MoveOf<G>>) {
        self.stop();
        let control = Arc::new(if go.ponders { Control::pondering() } else { Control::new() });
        let (desk, game, positions) = (self.desk, self.game, self.positions.clone());
        let thread = {
            let control = Arc::clone(&control);
            self.scope.spawn(move || desk.answer(&game, &positions, &go, &control))
        };
        self.running = Some((control, thread));
    }

    /// Stops a search, and waits until it has answered.
    pub fn stop(&mut self) {
        if let Some((control, thread)) = self.running.take() {
            control.stop();
            // A panic of the thread has been told already.
            let _ = thread.join();
        }
    }

    /// Waits until a search that ends by itself has answered.
    fn finish(&mut self, is_endless: bool) {
        match self.running.take() {
            Some((_, thread)) if !is_endless => drop(thread.join()),
            running => {
                self.running = running;
                self.stop();
            }
        }
    }

    /// The expected move was played.
    fn ponder_hit(&self) {
        if let Some((control, _)) = &self.running {
            control.ponder_hit();
        }
    }
}
