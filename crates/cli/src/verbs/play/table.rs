//! The game and its players: what each line of input does.

use super::hint::Adviser;
use super::machine::Machine;
use super::sentence;
use crate::endgames::told;
use crate::failure::Failure;
use crate::verbs::moves::{state, write_columns};
use crate::words;
use game::{MoveError, MoveFault, Outcome, Rng, Style, quoted_path};
use registry::{Ending, Opened, RankedMove, Session};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The command that saves the game. The name of a file follows it.
const SAVE: &str = "save";

/// The command that gives the game up. In backgammon, a word may follow it.
const RESIGN: &str = "resign";

/// Returns whether a line is this command, with or without something behind it.
fn is_command(line: &str, command: &str) -> bool {
    let (word, _) = line.split_once(' ').unwrap_or((line, ""));
    word.eq_ignore_ascii_case(command)
}

/// What to do after a line of input.
#[derive(PartialEq, Eq)]
pub enum Next {
    Ask,
    Leave,
}

/// The game and its players.
pub struct Table<'a> {
    pub game: &'a Opened,
    pub session: Box<dyn Session>,
    pub out: &'a mut dyn Write,
    pub rng: Rng,
    /// The rolls of the program in this game, by the number of rolls before each. After `undo`, the same come again.
    pub rolls: BTreeMap<usize, String>,
    /// The machine and the side that it plays, unless two people play.
    pub opponent: Option<(&'static str, Machine)>,
    pub adviser: Adviser<'a>,
    /// True if people roll the dice.
    pub asks_for_dice: bool,
    /// The number of moves in the game that people made.
    pub moves_of_people: usize,
    /// What happened since the last move of a person, in sentences. It stands below the board, where it stays in sight.
    pub news: String,
    /// The moves that the last line could have meant.
    pub possible: Vec<String>,
    /// The news before each move of a person, for `undo`.
    pub older_news: Vec<String>,
    /// The side that looks at the board.
    pub view: &'static str,
    pub style: Style,
}

impl Table<'_> {
    /// Writes sentences, in lines that fit a terminal. The text may have several lines.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        text.split('\n').try_for_each(|line| words::say(self.out, line))
    }

    /// The question for the next line.
    pub fn prompt(&self) -> String {
        let side = words::capitalised(self.session.turn());
        if self.session.awaits_chance() { format!("{side}'s roll> ") } else { format!("{side}> ") }
    }

    pub fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        let possible = std::mem::take(&mut self.possible);
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Ok(Next::Leave),
            "help" | "?" => writeln!(self.out, "{}", super::HELP)?,
            "rules" => write!(self.out, "{}", self.game.info().rules)?,
            "board" => self.show()?,
            "text" => writeln!(self.out, "{}", self.session.position())?,
            "moves" | "hint" if self.session.ending().is_some() => self.say("The game is over.")?,
            "moves" | "hint" if self.session.awaits_chance() => {
                self.say("There are no moves before the roll.")?;
            }
            "moves" => write_columns(&self.session.moves(), self.out)?,
            "hint" => self.adviser.advise(&*self.session, self.out)?,
            "undo" => self.undo()?,
            "new" => {
                self.session.restart();
                self.begin("The game begins again.")?;
            }
            "next" if self.session.ending().is_none() => self.say("This game is not over.")?,
            "next" => match self.session.next_game(&mut self.rng) {
                false => self.say("There is no game after this.")?,
                true => self.begin("The next game begins.")?,
            },
            "claim" | "draw" => match self.session.claim() {
                Err(error) => self.refuse(&error)?,
                Ok(()) => self.show()?,
            },
            _ if is_command(line, SAVE) => self.save(line[SAVE.len()..].trim())?,
            _ if is_command(line, RESIGN) => self.resign(line[RESIGN.len()..].trim())?,
            _ if self.session.awaits_chance() => match self.session.play_chance(line) {
                Err(error) => self.say(&format!("Roll first: {error}."))?,
                Ok(roll) => {
                    self.news = format!("{} rolls {roll}.", words::capitalised(self.session.turn()));
                    self.machine_moves()?;
                    self.show()?;
                }
            },
            _ => {
                let side = words::capitalised(self.session.turn());
                let line = answer(line, &possible);
                match self.session.play(&line) {
                    Err(error) => {
                        if let registry::Error::Move(MoveError {
                            fault: MoveFault::Ambiguous, related, ..
                        }) = &error
                        {
                            self.possible = related.clone();
                            self.say(&format!("{error}. Which one?"))?;
                        } else {
                            self.refuse(&error)?;
                        }
                    }
                    Ok(()) => {
                        self.moves_of_people += 1;
                        // A decision to roll is told by the roll.
                        let is_told = |text: &String| self.opponent.is_none() && text != "roll";
                        let last = self.session.last_move().filter(is_told);
                        let news = last.map(|text| format!("{side} {}.", deed(&text))).unwrap_or_default();
                        self.older_news.push(std::mem::replace(&mut self.news, news));
                        self.machine_moves()?;
                        self.show()?;
                    }
                }
            }
        }
        Ok(Next::Ask)
    }

    fn refuse(&mut self, error: &registry::Error) -> io::Result<()> {
        self.say(&format!("{}.", sentence(&error.to_string())))
    }

    /// Shows a game that has just begun.
    fn begin(&mut self, said: &str) -> Result<(), Failure> {
        self.moves_of_people = 0;
        self.rolls.clear();
        self.older_news.clear();
        self.news.clear();
        self.say(&format!("{said}\n"))?;
        self.machine_moves()?;
        Ok(self.show()?)
    }

    /// Gives the game up for the person who plays against the machine, or for the side to move.
    fn resign(&mut self, words: &str) -> io::Result<()> {
        let loser = if self.opponent.is_some() { self.view } else { self.session.turn() };
        match self.session.resign(loser, words) {
            Err(error) => self.refuse(&error),
            Ok(()) => self.show(),
        }
    }

    /// Writes the game to a new file, in the format that the name of the file says.
    fn save(&mut self, file: &str) -> io::Result<()> {
        let records = self.game.records();
        let path = Path::new(file);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let Some(format) = records.format_of(extension) else {
            let known = records.formats().join(", .");
            return self.say(&format!("The name of the file must end in one of .{known}."));
        };
        match records.session_text(&*self.session, format) {
            Err(error) => self.refuse(&error),
            Ok(text) => match File::create_new(path).and_then(|mut to| to.write_all(text.as_bytes())) {
                Err(error) => self.say(&format!("{}: {error}.", quoted_path(path))),
                Ok(()) => self.say(&format!("Saved to {}.", quoted_path(path))),
            },
        }
    }

    /// Draws the board. What happened last stands below it.
    pub fn show(&mut self) -> io::Result<()> {
        write!(self.out, "{}", self.session.draw_from(self.view, self.style))?;
        if !self.news.is_empty() {
            self.say(&self.news.clone())?;
        }
        let state = match self.session.awaits_chance() {
            true => format!("{} is to roll.", words::capitalised(self.session.turn())),
            false => state(&*self.session),
        };
        self.say(&state)?;
        if self.session.ending().is_some() {
            let can_undo = self.moves_of_people > 0;
            let offers = can_undo.then_some("`undo` takes a move back").into_iter();
            let next = self.session.has_next_game().then_some("`next` begins the next game");
            let offers = offers.chain(next).chain(["`new` plays it again", "`quit` leaves"]);
            self.say(&format!("{}.", offers.collect::<Vec<_>>().join(", ")))?;
        }
        if self.session.moves() == ["pass"] {
            self.say("No move is possible: type `pass` to go on.")?;
        }
        match self.session.claimable() {
            None => Ok(()),
            Some(Ending { winner: None, by, .. }) => self.say(&format!("`claim` claims a draw by {by}.")),
            Some(Ending { winner: Some(side), by, .. }) => {
                self.say(&format!("`claim` ends the game: {} wins by {by}.", words::capitalised(side)))
            }
        }
    }

    /// Adds a sentence to the news.
    fn tell(&mut self, sentence: &str) {
        if !self.news.is_empty() {
            self.news.push(' ');
        }
        self.news += sentence;
    }

    /// Rolls the dice and plays the moves of the machine, until a person has to move or to roll.
    pub fn machine_moves(&mut self) -> Result<(), Failure> {
        // A roll is told together with what the machine does with it.
        let mut rolls = String::new();
        loop {
            if self.asks_for_dice && self.session.awaits_chance() {
                return Ok(());
            }
            let turn = self.session.turn();
            let side = words::capitalised(turn);
            if let Some(brought) = self.settle() {
                rolls = format!(" rolls {brought}");
            }
            let machine = match &mut self.opponent {
                Some((side, machine)) if *side == turn && self.session.ending().is_none() => machine,
                _ => {
                    if !rolls.is_empty() {
                        self.tell(&format!("{side}{rolls}."));
                    }
                    return Ok(());
                }
            };
            let (chosen, change) = machine.choose(&*self.session, &mut self.rng)?;
            if let Some(change) = change {
                self.say(&change)?;
            }
            let (text, value) = match chosen {
                Some(RankedMove { text, value, .. }) if self.session.play(&text).is_ok() => (text, value),
                _ => (self.session.play_random(&mut self.rng).unwrap_or_default(), None),
            };
            // A decision to roll is told by the roll.
            if text == "roll" {
                continue;
            }
            let rolls = std::mem::take(&mut rolls);
            let and = if rolls.is_empty() { "" } else { " and" };
            let told = value.map(|value| told(value, self.game.info().distances));
            let told = told.map(|told| format!(" and {told}")).unwrap_or_default();
            self.tell(&format!("{side}{rolls}{and} {}{told}.", deed(&text)));
        }
    }

    /// Rolls the dice if they are next. A roll that was taken back comes again.
    fn settle(&mut self) -> Option<String> {
        let number = self.session.chances();
        let again = self.rolls.get(&number).filter(|_| self.session.awaits_chance()).cloned();
        let brought = match again.map(|roll| self.session.play_chance(&roll)) {
            Some(Ok(roll)) => roll,
            _ => self.session.settle(&mut self.rng)?,
        };
        self.rolls.insert(number, brought.clone());
        Some(brought)
    }

    /// Takes back the last move of a person, and the moves of the machine after it.
    fn undo(&mut self) -> io::Result<()> {
        if let Some(Ending { by, .. }) = self.session.withdraw() {
            let what = if by == Outcome::RESIGNATION { "resignation" } else { "claim" };
            self.say(&format!("Took back the {what}.\n"))?;
            return self.show();
        }
        if self.moves_of_people == 0 {
            return self.say("There is no move to take back.");
        }
        self.moves_of_people -= 1;
        self.news = self.older_news.pop().unwrap_or_default();
        let mut undone = self.session.undo();
        let machine = self.opponent.as_ref().map(|(side, _)| *side);
        while machine == Some(self.session.turn()) {
            undone = self.session.undo();
        }
        self.say(&format!("Took back {}.\n", undone.unwrap_or_default()))?;
        self.show()
    }
}

/// The move that answers which of several was meant: the only one that begins so, such as by its card. Otherwise the line itself.
fn answer(line: &str, possible: &[String]) -> String {
    let begins = |possible: &&String| {
        let start = possible.get(..line.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(line))
    };
    let mut found = possible.iter().filter(begins);
    match (found.next(), found.next()) {
        (Some(only), None) => only.clone(),
        _ => line.to_owned(),
    }
}

/// Describes a move: `plays e2e4`. A move that is itself a verb takes an ending instead: `doubles`, `passes`.
fn deed(text: &str) -> String {
    match text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true if text.ends_with('s') => format!("{text}es"),
        true => format!("{text}s"),
        false => format!("plays {text}"),
    }
}
