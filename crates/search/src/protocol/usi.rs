//! USI, the protocol of shogi programs.

use super::go::GoWords;
use super::session::{Dialect, Session, converse};
use super::settings::{MOST_DEPTH, Setting, SettingFault, common_options};
use crate::engine::Engine;
use crate::report::Found;
use crate::score::Score;
use crate::shogi::Tables;
use game::{Game, Notation, Position as _, Value};
use shogi::{Impasse, Move, Position, Shogi};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicI32, Ordering};

/// The option with the size of the transposition table.
const SIZE: &str = "USI_Hash";
const MOST_MEN: u64 = 5;
/// An estimate that is never reached.
const NEVER: u64 = 99_999;

/// The rules for entering kings, by the names that programs with boards use. In most games, 27 points decide.
const RULES: [(&str, Impasse); 4] = [
    ("NoEnteringKing", Impasse::None),
    ("CSARule24", Impasse::Points24),
    ("CSARule27", Impasse::Points27),
    ("TryRule", Impasse::Try),
];
const USUAL_RULE: Impasse = Impasse::Points27;

struct Usi {
    /// The engine resigns when it is behind by so much.
    resigns_at: AtomicI32,
}

impl Dialect<Shogi> for Usi {
    const NAME: &'static str = "usi";
    const NEW_GAME: &'static str = "usinewgame";
    const WORDS: GoWords =
        GoWords { times: ["btime", "wtime"], increments: ["binc", "winc"], plies_of_mate: |plies| plies };

    fn options() -> Vec<String> {
        let rules = RULES.map(|(name, _)| format!(" var {name}")).concat();
        let mut options = common_options(SIZE);
        options.extend([
            "USI_Ponder type check default false".to_owned(),
            format!("EnteringKingRule type combo default CSARule27{rules}"),
            format!("ResignValue type spin default {NEVER} min 0 max {NEVER}"),
            "TablebasePath type string default <empty>".to_owned(),
            format!("TablebaseProbeDepth type spin default 1 min 1 max {MOST_DEPTH}"),
            format!("TablebaseProbeLimit type spin default {MOST_MEN} min 0 max {MOST_MEN}"),
        ]);
        options
    }

    fn set(
        session: &mut Session<'_, '_, Shogi, Self, impl Write + Send>,
        setting: &Setting<'_>,
    ) -> Result<(), SettingFault> {
        match setting.name().as_str() {
            // The clock of a search that ponders is handled by `ponderhit`.
            "usi_ponder" => drop(setting.check("USI_Ponder")?),
            "enteringkingrule" => {
                let impasse = setting.choice("EnteringKingRule", &RULES)?;
                session.set_game(Shogi { impasse, ..session.game() });
            }
            "resignvalue" => {
                let value = setting.number("ResignValue", 0, NEVER)?;
                session.dialect().resigns_at.store(value as i32, Ordering::Relaxed);
            }
            "tablebasepath" => session.engine().oracle_mut().set_library(setting.library()),
            "tablebaseprobedepth" => {
                let depth = setting.number("TablebaseProbeDepth", 1, MOST_DEPTH)?;
                session.engine().oracle_mut().least_depth = depth as u8;
            }
            "tablebaseprobelimit" => {
                let men = setting.number("TablebaseProbeLimit", 0, MOST_MEN)?;
                session.engine().oracle_mut().most_men = men as u32;
            }
            _ => setting.apply_common(session, SIZE)?,
        }
        Ok(())
    }

    fn answer(
        session: &mut Session<'_, '_, Shogi, Self, impl Write + Send>,
        word: &str,
        rest: &str,
    ) -> Option<io::Result<()>> {
        match word {
            // The number is a time, and the mate is one by checks alone. There is no search for this.
            "go" if rest.split_whitespace().next() == Some("mate") => {
                Some(session.say("checkmate notimplemented"))
            }
            // The result of a game, which asks nothing. But nothing is searched any more.
            "gameover" => {
                session.stop();
                Some(Ok(()))
            }
            _ => None,
        }
    }

    /// Mates are counted in plies.
    fn score(&self, score: Score) -> String {
        match score.value() {
            Some(Value::Win(plies)) => format!("mate {}", plies.0),
            // A side that is mated already says `-0`, so that it is not taken for the winner.
            Some(Value::Loss(plies)) => format!("mate -{}", plies.0),
            _ => format!("cp {}", score.hundredths()),
        }
    }

    fn best_move(&self, game: &Shogi, position: &Position, found: &Found<Move>) -> String {
        let claim = (game.rulebook().claims)(position);
        if claim.is_some_and(|outcome| outcome.winner == Some(position.turn())) {
            return "bestmove win".to_owned();
        }
        let is_lost = found.score.hundredths() <= -self.resigns_at.load(Ordering::Relaxed);
        let Some(best) = found.best.filter(|_| !is_lost) else { return "bestmove resign".to_owned() };
        let text = format!("bestmove {}", game.move_text(position, best));
        match found.ponder {
            Some(reply) => {
                format!("{text} ponder {}", game.move_text(&position.play_unchecked(best), reply))
            }
            None => text,
        }
    }
}

/// Speaks USI until `quit` or the end of the input. What is not understood is answered by `info string`, and nothing else happens.
///
/// A search that was started with a limit is finished at the end of the input; an endless one is stopped.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub fn usi(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let game = Shogi { impasse: USUAL_RULE, ..Shogi::default() };
    let dialect = Usi { resigns_at: AtomicI32::new(NEVER as i32) };
    converse(Engine::new(game, Tables::default()), dialect, input, output)
}
