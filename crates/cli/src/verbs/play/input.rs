//! The lines that a person types: edited, with a history, in a terminal of Unix; otherwise as they come.

use crate::failure::Failure;
use registry::{InputLine, InputLines};
use std::io::{self, StdinLock, Write};

/// Where the lines come from.
pub enum Input {
    /// A terminal.
    #[cfg(unix)]
    Terminal(editor::Editor),
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
        #[cfg(unix)]
        if editor::is_possible() {
            return Ok(Self::Terminal(editor::Editor::new()?));
        }
        Ok(Self::Lines(InputLines::new(io::stdin().lock())))
    }

    /// Asks for a line.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails, or if the user presses Ctrl-C.
    pub fn read(&mut self, prompt: &str, out: &mut dyn Write) -> Result<Answer, Failure> {
        match self {
            #[cfg(unix)]
            Self::Terminal(editor) => {
                out.flush()?;
                editor.read(prompt)
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

#[cfg(unix)]
mod editor {
    use super::Answer;
    use crate::failure::Failure;
    use rustyline::DefaultEditor;
    use rustyline::error::ReadlineError;
    use std::io::{self, IsTerminal};

    /// Lines that are edited where they are typed. Those of this game are its history.
    pub struct Editor(DefaultEditor);

    /// Returns whether a person types, into a terminal that can move its cursor.
    pub fn is_possible() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
    }

    impl Editor {
        pub fn new() -> Result<Self, Failure> {
            Ok(Self(DefaultEditor::new().map_err(failure)?))
        }

        pub fn read(&mut self, prompt: &str) -> Result<Answer, Failure> {
            match self.0.readline(prompt) {
                Ok(line) => {
                    self.0.add_history_entry(&line).map_err(failure)?;
                    Ok(Answer::Line(line))
                }
                Err(ReadlineError::Eof) => Ok(Answer::End),
                Err(error) => Err(failure(error)),
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
}
