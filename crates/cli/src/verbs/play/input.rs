//! The lines that a person types: edited, with a history, in a terminal; otherwise as they come.

use crate::failure::Failure;
use registry::{InputLine, InputLines};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, IsTerminal, StdinLock, Write};

/// Where the lines come from.
pub enum Input {
    /// A terminal, with the lines of this game as its history.
    Terminal(Box<DefaultEditor>),
    /// A file, a pipe or another program.
    Lines(InputLines<StdinLock<'static>>),
}

/// The answer to a question.
pub enum Answer {
    Line(String),
    /// The line is too long, and was passed over.
    TooLong,
    /// There are no more lines.
    End,
}

impl Input {
    pub fn new() -> Result<Self, Failure> {
        // A dumb terminal cannot move its cursor.
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Ok(match io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb {
            true => Self::Terminal(Box::new(DefaultEditor::new().map_err(failure)?)),
            false => Self::Lines(InputLines::new(io::stdin().lock())),
        })
    }

    /// Asks for a line.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails, or if the user presses Ctrl-C.
    pub fn read(&mut self, prompt: &str, out: &mut dyn Write) -> Result<Answer, Failure> {
        match self {
            Self::Terminal(editor) => {
                out.flush()?;
                match editor.readline(prompt) {
                    Ok(line) => {
                        editor.add_history_entry(&line).map_err(failure)?;
                        Ok(Answer::Line(line))
                    }
                    Err(ReadlineError::Eof) => Ok(Answer::End),
                    Err(error) => Err(failure(error)),
                }
            }
            Self::Lines(lines) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                Ok(match lines.read()? {
                    None => Answer::End,
                    Some(InputLine::TooLong(_)) => Answer::TooLong,
                    Some(InputLine::Whole(line)) => Answer::Line(line.to_owned()),
                })
            }
        }
    }
}

fn failure(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Interrupted => Failure::GameLeft,
        ReadlineError::Io(error) => error.into(),
        other => Failure::Io(io::Error::other(other)),
    }
}
