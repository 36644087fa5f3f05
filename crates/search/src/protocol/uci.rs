//! UCI, the protocol of chess programs.

use super::go::GoWords;
use super::session::{Dialect, Session, converse};
use super::settings::{MOST_DEPTH, Setting, SettingFault, common_options};
use crate::chess::Tables;
use crate::engine::Engine;
use crate::report::Found;
use crate::score::Score;
use chess::{Chess, Move, Position, Start};
use game::{DistanceUnit, Notation, Position as _, Value};
use std::io::{self, BufRead, Write};
use syzygy::Tablebase;

/// The option with the size of the transposition table.
const SIZE: &str = "Hash";
const MOST_MEN: u64 = 8;

struct Uci;

impl Dialect<Chess> for Uci {
    const NAME: &'static str = "uci";
    const NEW_GAME: &'static str = "ucinewgame";
    const WORDS: GoWords = GoWords {
        times: ["wtime", "btime"],
        increments: ["winc", "binc"],
        plies_of_mate: |moves| (2 * moves).saturating_sub(1),
    };

    fn options() -> Vec<String> {
        let mut options = common_options(SIZE);
        options.extend([
            "Ponder type check default false".to_owned(),
            "UCI_Chess960 type check default false".to_owned(),
            "TablebasePath type string default <empty>".to_owned(),
            format!("TablebaseProbeDepth type spin default 1 min 1 max {MOST_DEPTH}"),
            format!("TablebaseProbeLimit type spin default 8 min 0 max {MOST_MEN}"),
            "SyzygyPath type string default <empty>".to_owned(),
            format!("SyzygyProbeDepth type spin default 1 min 1 max {MOST_DEPTH}"),
            "SyzygyProbeLimit type spin default 7 min 0 max 7".to_owned(),
            "Syzygy50MoveRule type check default true".to_owned(),
        ]);
        options
    }

    fn set(
        session: &mut Session<'_, '_, Chess, Self, impl Write + Send>,
        setting: &Setting<'_>,
    ) -> Result<(), SettingFault> {
        match setting.name().as_str() {
            // The clock of a search that ponders is handled by `ponderhit`.
            "ponder" => drop(setting.check("Ponder")?),
            "uci_chess960" => {
                let game = match setting.check("UCI_Chess960")? {
                    true => Chess::chess960(Start::STANDARD),
                    false => Chess::STANDARD,
                };
                session.set_game(game);
            }
            "tablebasepath" => {
                session.engine().oracle_mut().set_library(setting.library());
            }
            "tablebaseprobedepth" => {
                let depth = setting.number("TablebaseProbeDepth", 1, MOST_DEPTH)?;
                session.engine().oracle_mut().least_depth = depth as u8;
            }
            "tablebaseprobelimit" => {
                let men = setting.number("TablebaseProbeLimit", 0, MOST_MEN)?;
                session.engine().oracle_mut().most_men = men as u32;
            }
            "syzygypath" => {
                let (mut engine, path) = (session.engine(), setting.path());
                engine.oracle_mut().set_syzygy(None);
                let tables = Tablebase::open_path(path)?;
                engine.oracle_mut().set_syzygy((!path.is_empty()).then_some(tables));
            }
            "syzygyprobedepth" => {
                let depth = setting.number("SyzygyProbeDepth", 1, MOST_DEPTH)?;
                session.engine().oracle_mut().syzygy_least_depth = depth as u8;
            }
            "syzygyprobelimit" => {
                let men = setting.number("SyzygyProbeLimit", 0, 7)?;
                session.engine().oracle_mut().syzygy_most_men = men as u32;
            }
            "syzygy50moverule" => {
                session.engine().oracle_mut().fifty_moves = setting.check("Syzygy50MoveRule")?;
            }
            _ => setting.apply_common(session, SIZE)?,
        }
        Ok(())
    }

    /// Commands that ask nothing.
    fn answer(
        _: &mut Session<'_, '_, Chess, Self, impl Write + Send>,
        word: &str,
        _: &str,
    ) -> Option<io::Result<()>> {
        ["debug", "register"].contains(&word).then_some(Ok(()))
    }

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

/// Speaks UCI until `quit` or the end of the input. What is not understood is answered by `info string`, and nothing else happens.
///
/// A search that was started with a limit is finished at the end of the input; an endless one is stopped.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub fn uci(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    converse(Engine::new(Chess::STANDARD, Tables::default()), Uci, input, output)
}
