//! UCI, the protocol of chess programs.

use super::go::{self, GoWords};
use super::session::{Desk, Dialect, Session};
use crate::chess::Tables;
use crate::engine::Engine;
use crate::report::Found;
use crate::score::Score;
use chess::{Chess, Move, Position, Start};
use game::{DistanceUnit, Game, Notation, Played, Position as _, Style, Value, quoted};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use syzygy::Tablebase;
use table::{DEFAULT_CACHE_BYTES, Folder, Library, Store};

struct Uci;

impl Dialect<Chess> for Uci {
    /// Mates are counted in moves.
    fn score(&self, score: Score) -> String {
        match score.value() {
            Some(Value::Win(plies)) => format!("mate {}", DistanceUnit::Moves.count(plies)),
            Some(Value::Loss(plies)) => {
                format!("mate -{}", DistanceUnit::Moves.count(plies)).replace("-0", "0")
            }
            _ => format!("cp {}", score.hundredths()),
        }
    }

    fn best_move(&self, game: &Chess, position: &Position, found: &Found<Move>) -> String {
        let Some(best) = found.best else { return "bestmove (none)".to_owned() };
        let text = format!("bestmove {}", game.move_text(position, best));
        match found.ponder {
            Some(reply) => {
                format!("{text} ponder {}", game.move_text(&position.play_unchecked(best), reply))
            }
            None => text,
        }
    }
}

const WORDS: GoWords = GoWords {
    times: ["wtime", "btime"],
    increments: ["winc", "binc"],
    plies_of_mate: |moves| (2 * moves).saturating_sub(1),
};

const MOST_MEGABYTES: u64 = 1 << 20;
const MOST_THREADS: u64 = 512;
const MOST_LINES: u64 = 256;
const MOST_MEN: u64 = 8;
const MOST_DEPTH: u64 = 100;
const MOST_OVERHEAD: u64 = 5_000;

/// The options with their types and defaults, as the protocol lists them.
fn options() -> String {
    [
        format!("Hash type spin default 16 min 1 max {MOST_MEGABYTES}"),
        format!("Threads type spin default 1 min 1 max {MOST_THREADS}"),
        format!("MultiPV type spin default 1 min 1 max {MOST_LINES}"),
        "Clear Hash type button".to_owned(),
        "Ponder type check default false".to_owned(),
        format!("Move Overhead type spin default 10 min 0 max {MOST_OVERHEAD}"),
        "UCI_Chess960 type check default false".to_owned(),
        "TablebasePath type string default <empty>".to_owned(),
        format!("TablebaseProbeDepth type spin default 1 min 1 max {MOST_DEPTH}"),
        format!("TablebaseProbeLimit type spin default 8 min 0 max {MOST_MEN}"),
        "SyzygyPath type string default <empty>".to_owned(),
        format!("SyzygyProbeDepth type spin default 1 min 1 max {MOST_DEPTH}"),
        "SyzygyProbeLimit type spin default 7 min 0 max 7".to_owned(),
        "Syzygy50MoveRule type check default true".to_owned(),
    ]
    .map(|option| format!("option name {option}"))
    .join("\n")
}

/// Why an option was not set.
#[derive(Debug, thiserror::Error)]
enum OptionFault {
    #[error("`setoption` needs `name` and a name")]
    NoName,
    #[error("there is no option {}", quoted(name))]
    Unknown { name: String },
    #[error("{name} is a number from {least} to {most}, not {}", quoted(found))]
    Number { name: &'static str, least: u64, most: u64, found: String },
    #[error("{name} is `true` or `false`, not {}", quoted(found))]
    Check { name: &'static str, found: String },
    #[error("no Syzygy tables are used: {0}")]
    Syzygy(#[from] syzygy::Error),
}

/// Speaks UCI until `quit` or the end of the input. What is not understood is answered by `info string`, and nothing else happens.
///
/// A search that was started with a limit is finished at the end of the input; an endless one is stopped.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub fn uci(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let desk = Desk::new(Engine::new(Chess::STANDARD, Tables::default()), Uci, output);
    thread::scope(|scope| {
        let mut session = Session::new(scope, &desk, Chess::STANDARD);
        let mut is_endless = false;
        let done = converse(input, &mut session, &mut is_endless);
        session.finish(is_endless || done.is_err());
        done
    })
}

type UciSession<'scope, 'desk, W> = Session<'scope, 'desk, Chess, Uci, W>;

fn converse<W: Write + Send>(
    mut input: impl BufRead,
    session: &mut UciSession<'_, '_, W>,
    is_endless: &mut bool,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        // A line that is no text is not understood; it does not end the session.
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "uci" => {
                let version = env!("CARGO_PKG_VERSION");
                let names = format!("id name Endspiel {version}\nid author the Endspiel authors");
                session.say(&format!("{names}\n{}\nuciok", options()))?;
            }
            "isready" => session.say("readyok")?,
            "ucinewgame" => session.engine().forget(),
            "setoption" => {
                if let Err(fault) = set_option(session, rest) {
                    session.complain(fault)?;
                }
            }
            "position" => match Played::parse(&session.game(), text) {
                Ok(played) => session.set_position(played),
                Err(error) => session.complain(error)?,
            },
            "go" => match go::parse(&session.game(), session.position(), rest, WORDS) {
                Ok(go) => {
                    *is_endless = go.limits.infinite || go.ponders;
                    session.go(go);
                }
                Err(error) => session.complain(error)?,
            },
            "stop" => session.stop(),
            "ponderhit" => {
                *is_endless = false;
                session.ponder_hit();
            }
            "d" => {
                let (game, position) = (session.game(), session.position());
                let drawing = game.draw(position, Style::default());
                let key = position.key().0;
                session.say(&format!("{drawing}Fen: {}\nKey: {key:016X}", game.position_text(position)))?;
            }
            "eval" => {
                let position = *session.position();
                let estimate = session.engine().estimate(&position).hundredths();
                let turn = Chess::INFO.sides[position.turn()];
                session.say(&format!("Estimate: {estimate} hundredths of a pawn for {turn}"))?;
            }
            "quit" => {
                *is_endless = true;
                return Ok(());
            }
            // Commands that ask nothing.
            "debug" | "register" => {}
            _ => session.complain(format!("{} is no command", quoted(word)))?,
        }
    }
}

/// Sets an option: `name NAME [value VALUE]`. Names have spaces, and may be written in upper or lower case.
fn set_option<W: Write + Send>(session: &mut UciSession<'_, '_, W>, text: &str) -> Result<(), OptionFault> {
    let text = text.strip_prefix("name").map(str::trim).filter(|text| !text.is_empty());
    let text = text.ok_or(OptionFault::NoName)?;
    let (name, value) = text.split_once(" value").unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    let number = |name, least, most| match value.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(OptionFault::Number { name, least, most, found: value.to_owned() }),
    };
    let check = |name| match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionFault::Check { name, found: value.to_owned() }),
    };
    let path = if value == "<empty>" { "" } else { value };
    match name.to_ascii_lowercase().as_str() {
        "hash" => {
            let megabytes = number("Hash", 1, MOST_MEGABYTES)?;
            session.engine().set_megabytes(megabytes as usize);
        }
        "threads" => {
            let threads = number("Threads", 1, MOST_THREADS)?;
            session.engine().set_threads(threads as usize);
        }
        "multipv" => session.engine().lines = number("MultiPV", 1, MOST_LINES)? as usize,
        "clear hash" => session.engine().forget(),
        // The clock of a search that ponders is handled by `ponderhit`.
        "ponder" => drop(check("Ponder")?),
        "move overhead" => {
            let millis = number("Move Overhead", 0, MOST_OVERHEAD)?;
            session.engine().overhead = Duration::from_millis(millis);
        }
        "uci_chess960" => {
            let game = match check("UCI_Chess960")? {
                true => Chess::chess960(Start::STANDARD),
                false => Chess::STANDARD,
            };
            session.set_game(game);
        }
        "tablebasepath" => {
            let library = library(path);
            session.engine().oracle_mut().set_library(library);
        }
        "tablebaseprobedepth" => {
            session.engine().oracle_mut().least_depth = number("TablebaseProbeDepth", 1, MOST_DEPTH)? as u8;
        }
        "tablebaseprobelimit" => {
            session.engine().oracle_mut().most_men = number("TablebaseProbeLimit", 0, MOST_MEN)? as u32;
        }
        "syzygypath" => {
            let mut engine = session.engine();
            engine.oracle_mut().set_syzygy(None);
            let tables = Tablebase::open_path(path)?;
            engine.oracle_mut().set_syzygy((!path.is_empty()).then_some(tables));
        }
        "syzygyprobedepth" => {
            session.engine().oracle_mut().syzygy_least_depth =
                number("SyzygyProbeDepth", 1, MOST_DEPTH)? as u8;
        }
        "syzygyprobelimit" => {
            session.engine().oracle_mut().syzygy_most_men = number("SyzygyProbeLimit", 0, 7)? as u32;
        }
        "syzygy50moverule" => session.engine().oracle_mut().fifty_moves = check("Syzygy50MoveRule")?,
        _ => return Err(OptionFault::Unknown { name: name.to_owned() }),
    }
    Ok(())
}

/// The tables in a list of folders, separated as in `PATH`.
fn library(folders: &str) -> Option<Arc<Library>> {
    let folders = std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty());
    let stores: Vec<Arc<dyn Store>> =
        folders.map(|folder: PathBuf| Arc::new(Folder::new(folder)) as Arc<dyn Store>).collect();
    (!stores.is_empty()).then(|| Arc::new(Library::of(stores, DEFAULT_CACHE_BYTES)))
}
