//! Reads the games of a file, and does something with each.

use super::format::{GameWriter, ReadGame, RecordFormat, WriteError};
use super::{BadGame, option_pairs};
use crate::json::push_string;
use crate::rules::OutputFormat;
use game::move_lists::Given;
use game::{Event, Notation, Position as _, Style, visible};
use std::io::{self, BufRead, Write};

/// What to do with the games of a file.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// Check that every move is legal.
    Check,
    /// Draw the board at the start and after each move.
    Show(Style),
    /// Write the games in another format.
    Convert {
        /// The name of the format.
        to: &'a str,
    },
    /// Write the position at the start and after each move, one per line.
    Positions(OutputFormat),
}

/// How many games were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Those that were passed over because of an error.
    pub bad: u64,
}

/// Tells about a game that is passed over. The output is that of [`Reading::run`].
pub type Report<'a> = dyn FnMut(&BadGame, &mut dyn Write) -> io::Result<()> + 'a;

/// A task that is ready for any number of files.
pub trait Reading {
    /// Reads the games of a file in bounded memory: all of them, or only the one with this number, from 1. A game that cannot be
    /// read, or that the other format cannot hold, is reported and passed over.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written. If the source cannot be read, the last game is reported as bad.
    fn run(
        &self,
        source: &mut dyn BufRead,
        only: Option<u64>,
        out: &mut dyn Write,
        report: &mut Report<'_>,
    ) -> io::Result<Counts>;
}

/// The [`Reading`] of any game.
pub(super) struct ReadingOf<'a, G: Notation> {
    given: Given<'a, G>,
    from: &'a RecordFormat<G>,
    work: Work<'a, G>,
}

/// What is done with each game.
enum Work<'a, G: Notation> {
    Check,
    Show(Style),
    Convert(&'a RecordFormat<G>),
    Positions(OutputFormat),
}

impl<'a, G: Notation> ReadingOf<'a, G> {
    /// `to` is the format of [`Task::Convert`].
    pub(super) fn new(
        given: Given<'a, G>,
        from: &'a RecordFormat<G>,
        to: Option<&'a RecordFormat<G>>,
        task: &Task<'_>,
    ) -> Self {
        let work = match (task, to) {
            (Task::Convert { .. }, Some(to)) => Work::Convert(to),
            (Task::Show(style), _) => Work::Show(*style),
            (Task::Positions(format), _) => Work::Positions(*format),
            (Task::Check | Task::Convert { .. }, _) => Work::Check,
        };
        Self { given, from, work }
    }
}

impl<G: Notation> Reading for ReadingOf<'_, G> {
    fn run(
        &self,
        source: &mut dyn BufRead,
        only: Option<u64>,
        out: &mut dyn Write,
        report: &mut Report<'_>,
    ) -> io::Result<Counts> {
        let mut counts = Counts::default();
        let mut writer = match self.work {
            Work::Convert(to) => Some((to.writer)()),
            _ => None,
        };
        for (number, read) in (1..).zip((self.from.read)(self.given, source)) {
            if only.is_some_and(|only| number < only) {
                continue;
            }
            let is_first = counts.games == counts.bad;
            counts.games += 1;
            let done = read.and_then(|mut read| {
                // What is written tells the options with which it was read, so that its reader need not know them.
                if let Work::Convert(_) = self.work
                    && read.played.options.is_empty()
                {
                    read.played.options = option_pairs(self.given.options);
                }
                Ok(match self.treat(number, &read, is_first, writer.as_deref_mut(), out) {
                    Err(WriteError::Unwritable(why)) => return Err(BadGame::new(why)),
                    Err(WriteError::Io(error)) => Err(error),
                    Ok(()) => Ok(()),
                })
            });
            match done {
                Ok(written) => written?,
                Err(bad) => {
                    counts.bad += 1;
                    report(&BadGame { game: number, ..bad }, out)?;
                }
            }
            if only.is_some() {
                break;
            }
        }
        Ok(counts)
    }
}

impl<G: Notation> ReadingOf<'_, G> {
    fn treat(
        &self,
        number: u64,
        read: &ReadGame<G>,
        is_first: bool,
        writer: Option<&mut (dyn GameWriter<G> + 'static)>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let game = read.rules.as_ref().unwrap_or(self.given.game);
        match (&self.work, writer) {
            (Work::Show(style), _) => {
                if !is_first {
                    writeln!(out)?;
                }
                Ok(show(game, number, read, *style, out)?)
            }
            (Work::Positions(format), _) => Ok(positions(game, number, read, *format, out)?),
            (Work::Convert(_), Some(writer)) => writer.write(game, number, read, out),
            (Work::Check | Work::Convert(_), _) => Ok(()),
        }
    }
}

/// Writes what is known of a game, and draws the board at the start and after each event.
fn show<G: Notation>(
    game: &G,
    number: u64,
    read: &ReadGame<G>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let played = &read.played;
    writeln!(out, "Game {number}")?;
    for (name, value) in played.options.iter().chain(&played.tags) {
        writeln!(out, "  {}: {}", visible(name), visible(value))?;
    }
    if let Some(result) = &played.result {
        writeln!(out, "  result: {}", visible(&result.text(G::INFO.sides).to_string()))?;
    }
    write!(out, "\n{}", game.draw(&played.start, style))?;
    let comment = |events, out: &mut dyn Write| {
        played.comments_after(events).try_for_each(|text| writeln!(out, "  {}", visible(text)))
    };
    comment(0, out)?;
    for (events, step) in (1..).zip(played.steps()) {
        let side = G::INFO.sides[step.before.turn()];
        let text = step.event.text(game, &step.before);
        match step.event {
            Event::Move(_) => writeln!(out, "\n{}. {side}: {text}", step.ply)?,
            Event::Chance(_) => writeln!(out, "\n{}. {side} rolls {text}", step.ply)?,
        }
        write!(out, "{}", game.draw(&step.after, style))?;
        comment(events, out)?;
    }
    Ok(())
}

/// Writes the position at the start and after each event.
fn positions<G: Notation>(
    game: &G,
    number: u64,
    read: &ReadGame<G>,
    format: OutputFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let start = std::iter::once((0, read.played.start.clone()));
    let (mut line, mut text) = (Vec::new(), String::new());
    for (ply, position) in start.chain(read.played.steps().map(|step| (step.ply, step.after))) {
        line.clear();
        text.clear();
        game.write_position(&position, &mut text);
        match format {
            OutputFormat::Text => line.extend_from_slice(text.as_bytes()),
            OutputFormat::Json => {
                line.extend_from_slice(format!("{{\"game\":{number},\"ply\":{ply},\"position\":").as_bytes());
                push_string(&mut line, &text);
                line.push(b'}');
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}
