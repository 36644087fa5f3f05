//! Agents that are programs, in any language. A program gets each question as a line of JSON and answers with a line of JSON;
//! `docs/agents.md` describes the lines.

use crate::agent::{Agent, AgentError, NamedAgent};
use crate::process::{NoLine, Process};
use game::{Notation, Position, Rng, quoted};
use serde::{Deserialize, Serialize};
use std::io;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// The names of such agents begin so. The command to run follows.
pub const EXEC: &str = "exec:";

/// The version of the protocol, which each question names.
const PROTOCOL: u32 = 1;

/// Why an agent that is a program did not choose.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The command has no program, or a quotation mark without a second one.
    #[error("{} is not a command: {why}", quoted(command))]
    Command {
        /// The command.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The program cannot be started.
    #[error("the agent {} cannot be started: {source}", quoted(command))]
    Start {
        /// The command.
        command: String,
        /// The reason.
        source: io::Error,
    },
    /// The program has ended.
    #[error("the agent {} has ended without an answer", quoted(command))]
    Ended {
        /// The command.
        command: String,
    },
    /// The answer took too long.
    #[error("the agent {} has not answered for {} s", quoted(command), patience.as_secs_f32())]
    Silent {
        /// The command.
        command: String,
        /// The time limit.
        patience: Duration,
    },
    /// The answer is not a line of the protocol.
    #[error("the agent {} gave an invalid answer: {}", quoted(command), quoted(answer))]
    Garbage {
        /// The command.
        command: String,
        /// The beginning of the answer.
        answer: String,
    },
    /// The program answered that it cannot choose.
    #[error("the agent {} gives up: {}", quoted(command), quoted(reason))]
    GaveUp {
        /// The command.
        command: String,
        /// Its reason.
        reason: String,
    },
}

impl From<ExecError> for AgentError {
    fn from(error: ExecError) -> Self {
        Self::Outside(Box::new(error))
    }
}

/// A question to the program.
#[derive(Serialize)]
struct Question<'a> {
    protocol: u32,
    game: &'static str,
    rules: String,
    position: String,
    side: &'static str,
    moves: &'a [String],
    random: u32,
}

/// The answer of the program.
#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "move")]
    chosen: Option<String>,
    error: Option<String>,
}

/// An agent that is a program.
struct Exec<G> {
    game: G,
    command: String,
    process: Process,
    patience: Duration,
}

/// The agent with this name: `exec:` and a command. Each thread of a series starts the program once. An answer that takes longer
/// than `patience` is an error.
pub(crate) fn exec_agent<G: Notation + Clone>(
    game: &G,
    name: &str,
    patience: Duration,
) -> Option<NamedAgent<G::Position>> {
    let command = name.strip_prefix(EXEC)?.to_owned();
    let game = game.clone();
    let start = move || -> Result<Box<dyn Agent<G::Position>>, AgentError> {
        let process = start(&command)?;
        Ok(Box::new(Exec { game: game.clone(), command: command.clone(), process, patience }))
    };
    Some(NamedAgent { name: name.to_owned(), alias: None, sleeps: false, start: Arc::new(start) })
}

fn start(command: &str) -> Result<Process, ExecError> {
    let words = words(command).map_err(|why| ExecError::Command { command: command.to_owned(), why })?;
    let (program, arguments) = words.split_first().expect("a command has a program");
    let started = Process::start(Command::new(program).args(arguments));
    started.map_err(|source| ExecError::Start { command: command.to_owned(), source })
}

/// The words of a command. Spaces between quotation marks, single or double, belong to a word.
fn words(command: &str) -> Result<Vec<String>, &'static str> {
    let (mut words, mut word, mut mark) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match mark {
            Some(open) if letter == open => mark = None,
            None if matches!(letter, '"' | '\'') => {
                mark = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match mark {
        Some(_) => Err("a quotation mark has no second one"),
        None if words.is_empty() => Err("it names no program"),
        None => Ok(words),
    }
}

impl<G: Notation> Exec<G> {
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ExecError> {
        let line = serde_json::to_vec(question).expect("plain data has a JSON form");
        let answer = self.process.send(line).and_then(|()| self.process.line_within(self.patience));
        let command = self.command.clone();
        let answer = answer.map_err(|reason| match reason {
            NoLine::Ended => ExecError::Ended { command: command.clone() },
            NoLine::Silent => ExecError::Silent { command: command.clone(), patience: self.patience },
            NoLine::Unreadable(error) => {
                ExecError::Garbage { command: command.clone(), answer: error.to_string() }
            }
        })?;
        match serde_json::from_str(&answer) {
            Ok(Answer { error: Some(reason), .. }) => Err(ExecError::GaveUp { command, reason }),
            Ok(Answer { chosen: Some(chosen), .. }) => Ok(chosen),
            Ok(Answer { chosen: None, error: None }) | Err(_) => {
                Err(ExecError::Garbage { command, answer: answer.chars().take(80).collect() })
            }
        }
    }
}

impl<G: Notation> Agent<G::Position> for Exec<G> {
    fn choose(
        &mut self,
        position: &G::Position,
        rng: &mut Rng,
    ) -> Result<<G::Position as Position>::Move, AgentError> {
        let mut moves: Vec<_> =
            position.moves().into_iter().map(|m| self.game.move_text(position, m)).collect();
        if moves.is_empty() {
            return Err(AgentError::NothingToChoose);
        }
        moves.sort();
        let text = self.game.position_text(position);
        let question = Question {
            protocol: PROTOCOL,
            game: G::INFO.name,
            rules: self.game.rules_id_of(position),
            position: text.clone(),
            side: G::INFO.sides[position.turn()],
            moves: &moves,
            random: (rng.next_u64() >> 32) as u32,
        };
        let answer = self.ask(&question).inspect_err(|_| self.process.kill())?;
        self.game.parse_move(position, &answer).map_err(|_| AgentError::Illegal {
            agent: format!("the agent {}", quoted(&self.command)),
            position: text,
            answer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn commands_are_split_into_words() {
        assert_eq!(words("python3  agent.py -v"), Ok(vec!["python3".into(), "agent.py".into(), "-v".into()]));
        assert_eq!(
            words("'my agent' \"a 'b'\" c''"),
            Ok(vec!["my agent".into(), "a 'b'".into(), "c".into()])
        );
        assert_eq!(words("a ''"), Ok(vec!["a".into(), String::new()]));
        assert_eq!(words("  "), Err("it names no program"));
        assert_eq!(words("python3 'agent.py"), Err("a quotation mark has no second one"));
    }
}
