//! `endspiel play GAME`: plays a game in the terminal.

mod machine;

use crate::agents;
use crate::arguments::{self, game_verb, number};
use crate::endgames::{self, told};
use crate::failure::Failure;
use crate::verbs::moves::{state, write_columns};
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::{DistanceUnit, Rng, Style, quoted_path};
use machine::Machine;
use registry::{Ending, InputLine, InputLines, LineTooLong, Opened, RankedMove, Records, Registry, Session};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        Arg::new("opponent").long("opponent").value_name("WHO").help(format!(
            "Who plays the other side: person, {} [default: the best there is]",
            agents::NAMES
        )),
        Arg::new("side")
            .long("side")
            .value_name("SIDE")
            .help("The side you play [default: the side to move]"),
        Arg::new("chance")
            .long("chance")
            .value_name("HOW")
            .value_parser([ROLLED, GIVEN])
            .default_value(ROLLED)
            .help("Who rolls the dice: rolled by the program, or given by you when it asks"),
        agents::move_time(),
        number("seed", "The same seed gives the same dice and random moves", 0..=u64::MAX),
        endgames::tables(),
        endgames::remote(),
        endgames::remote_cache(),
        endgames::preload(),
    ];
    game_verb(registry, "play", "Play a game in the terminal", "--opponent perfect", &arguments)
}

/// The values of `--chance`.
const ROLLED: &str = "rolled";
const GIVEN: &str = "given";

/// The opponent that is not an agent.
const PERSON: &str = "person";

const HELP: &str = "\
Type a move, or one of these:
  moves   the legal moves
  board   draw the board again
  text    the position in one line
  undo    take your last move back
  next    start the next game of a match, or another game for points
  claim   claim a draw, or a win by declaration, if the rules allow it; also: draw
  save FILE
          write the game to a new file: FILE.moves or FILE.jsonl, in chess FILE.pgn, in shogi
          FILE.kif or FILE.csa, in backgammon FILE.mat; `endspiel record` reads it
  help    this text
  quit    leave";

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let session = arguments::session_with_past(game, matches, out)?;
    let side_of_machine = machine_side(game, &*session, matches)?;
    let asks_for_dice = matches.get_one::<String>("chance").is_some_and(|how| how == GIVEN);
    if asks_for_dice && !game.info().capabilities.chance {
        return Err(Failure::NoChance { game: game.info().title });
    }
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(arguments::seed_of_this_moment);
    let (rng, style) = (Rng::new(seed), terminal::style(matches));
    let opponent = match side_of_machine {
        Some(side) => Some((side, Machine::new(game, &*session, given_opponent(matches), matches)?)),
        None => None,
    };
    let introduced = opponent.as_ref().map(|(_, machine)| machine.introduced());
    let unit = game.info().distances;
    let records = game.records();
    let mut table =
        Table { records, session, out, rng, opponent, asks_for_dice, moves_of_people: 0, style, unit };
    writeln!(table.out, "{}. {HELP}\n\nMoves are written {}.\n", game.info().title, game.info().move_format)?;
    if let Some(drawn) = arguments::drawn_start(game, matches) {
        writeln!(table.out, "{}\n", arguments::told_drawn(drawn))?;
    }
    if asks_for_dice {
        writeln!(
            table.out,
            "You roll the dice for both sides: type each roll, such as 31, when you are asked.\n"
        )?;
    }
    if let Some(introduced) = introduced {
        writeln!(table.out, "{introduced}\n")?;
    }
    table.machine_moves()?;
    table.show()?;
    let mut lines = InputLines::new(io::stdin().lock());
    loop {
        let side = words::capitalised(table.session.turn());
        match table.session.awaits_chance() {
            true => write!(table.out, "{side}'s roll> ")?,
            false => write!(table.out, "{side}> ")?,
        }
        table.out.flush()?;
        match lines.read()? {
            None => return Ok(writeln!(table.out)?),
            Some(InputLine::TooLong(_)) => {
                writeln!(table.out, "{}; it is ignored.", sentence(&LineTooLong.to_string()))?;
            }
            Some(InputLine::Whole(line)) => {
                if table.obey(line.trim())? == Next::Leave {
                    return Ok(());
                }
            }
        }
    }
}

/// The command that saves the game. The name of a file follows it.
const SAVE: &str = "save";

/// Returns whether a line is this command, with or without something behind it.
fn is_command(line: &str, command: &str) -> bool {
    let (word, _) = line.split_once(' ').unwrap_or((line, ""));
    word.eq_ignore_ascii_case(command)
}

/// What to do after a line of input.
#[derive(PartialEq, Eq)]
enum Next {
    Ask,
    Leave,
}

/// The game and its players.
struct Table<'a> {
    session: Box<dyn Session>,
    records: &'a dyn Records,
    out: &'a mut dyn Write,
    rng: Rng,
    /// The machine and the side that it plays, unless two people play.
    opponent: Option<(&'static str, Machine)>,
    /// True if people roll the dice.
    asks_for_dice: bool,
    /// The number of moves in the game that people made.
    moves_of_people: usize,
    style: Style,
    unit: DistanceUnit,
}

impl Table<'_> {
    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Ok(Next::Leave),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "board" => self.show()?,
            "text" => writeln!(self.out, "{}", self.session.position())?,
            "moves" if self.session.ending().is_some() => writeln!(self.out, "The game is over.")?,
            "moves" if self.session.awaits_chance() => {
                writeln!(self.out, "There are no moves before the roll.")?
            }
            "moves" => write_columns(&self.session.moves(), self.out)?,
            "undo" => self.undo()?,
            "next" if self.session.ending().is_none() => writeln!(self.out, "This game is not over.")?,
            "next" => match self.session.next_game(&mut self.rng) {
                false => writeln!(self.out, "There is no game after this.")?,
                true => {
                    self.moves_of_people = 0;
                    self.machine_moves()?;
                    self.show()?;
                }
            },
            "claim" | "draw" => match self.session.claim() {
                Err(error) => writeln!(self.out, "{}.", sentence(&error.to_string()))?,
                Ok(()) => self.show()?,
            },
            _ if is_command(line, SAVE) => self.save(line[SAVE.len()..].trim())?,
            _ if self.session.awaits_chance() => {
                let roller = words::capitalised(self.session.turn());
                match self.session.play_chance(line) {
                    Err(error) => writeln!(self.out, "{}.", sentence(&error.to_string()))?,
                    Ok(roll) => {
                        writeln!(self.out, "{roller} rolls {roll}.")?;
                        self.machine_moves()?;
                        self.show()?;
                    }
                }
            }
            _ => match self.session.play(line) {
                Err(error) => writeln!(self.out, "{}.", sentence(&error.to_string()))?,
                Ok(()) => {
                    self.moves_of_people += 1;
                    self.machine_moves()?;
                    self.show()?;
                }
            },
        }
        Ok(Next::Ask)
    }

    /// Writes the game to a new file, in the format that the name of the file says.
    fn save(&mut self, file: &str) -> io::Result<()> {
        let path = Path::new(file);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let Some(format) = self.records.format_of(extension) else {
            let known = self.records.formats().join(", .");
            return writeln!(self.out, "The name of the file must end in one of .{known}.");
        };
        match self.records.session_text(&*self.session, format) {
            Err(error) => writeln!(self.out, "{}.", sentence(&error.to_string())),
            Ok(text) => match File::create_new(path).and_then(|mut to| to.write_all(text.as_bytes())) {
                Err(error) => writeln!(self.out, "{}: {error}.", quoted_path(path)),
                Ok(()) => writeln!(self.out, "Saved to {}.", quoted_path(path)),
            },
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let state = match self.session.awaits_chance() {
            true => format!("{} is to roll.", words::capitalised(self.session.turn())),
            false => state(&*self.session),
        };
        writeln!(self.out, "{}\n{state}", self.session.draw(self.style))?;
        match self.session.ending() {
            Some(_) if self.moves_of_people > 0 => {
                writeln!(self.out, "`undo` takes a move back, `quit` leaves.")?;
            }
            Some(_) => writeln!(self.out, "`quit` leaves.")?,
            None => {}
        }
        if self.session.moves() == ["pass"] {
            writeln!(self.out, "No move is possible: type `pass` to go on.")?;
        }
        match self.session.claimable() {
            None => {}
            Some(Ending { winner: None, by, .. }) => writeln!(self.out, "`claim` claims a draw by {by}.")?,
            Some(Ending { winner: Some(side), by, .. }) => {
                writeln!(self.out, "`claim` ends the game: {} wins by {by}.", words::capitalised(side))?;
            }
        }
        Ok(())
    }

    /// Rolls the dice and plays the moves of the machine, until a person has to move or to roll.
    fn machine_moves(&mut self) -> Result<(), Failure> {
        loop {
            if self.asks_for_dice && self.session.awaits_chance() {
                return Ok(());
            }
            let side = words::capitalised(self.session.turn());
            if let Some(brought) = self.session.settle(&mut self.rng) {
                writeln!(self.out, "{side} rolls {brought}.")?;
            }
            let turn = self.session.turn();
            let machine = match &mut self.opponent {
                Some((side, machine)) if *side == turn && self.session.ending().is_none() => machine,
                _ => return Ok(()),
            };
            let (chosen, change) = machine.choose(&*self.session, &mut self.rng)?;
            if let Some(change) = change {
                writeln!(self.out, "{change}")?;
            }
            let side = words::capitalised(turn);
            match chosen {
                Some(RankedMove { text, value, .. }) if self.session.play(&text).is_ok() => {
                    let and =
                        value.map(|value| format!(" and {}", told(value, self.unit))).unwrap_or_default();
                    writeln!(self.out, "{side} {}{and}.\n", deed(&text))?;
                }
                _ => {
                    let text = self.session.play_random(&mut self.rng).unwrap_or_default();
                    // A roll is reported with its dice, in the next step.
                    if text != "roll" {
                        writeln!(self.out, "{side} {}.\n", deed(&text))?;
                    }
                }
            }
        }
    }

    /// Takes back the last move of a person, and the moves of the machine after it.
    fn undo(&mut self) -> io::Result<()> {
        if self.session.withdraw() {
            writeln!(self.out, "Took back the claim.\n")?;
            return self.show();
        }
        if self.moves_of_people == 0 {
            return writeln!(self.out, "There is no move to take back.");
        }
        self.moves_of_people -= 1;
        let mut undone = self.session.undo();
        let machine = self.opponent.as_ref().map(|(side, _)| *side);
        while machine == Some(self.session.turn()) {
            undone = self.session.undo();
        }
        writeln!(self.out, "Took back {}.\n", undone.unwrap_or_default())?;
        self.show()
    }
}

/// Returns the side that the machine plays, or `None` if two people play.
fn machine_side(
    game: &Opened,
    session: &dyn Session,
    matches: &ArgMatches,
) -> Result<Option<&'static str>, Failure> {
    let info = game.info();
    let sides = [info.sides.first, info.sides.second];
    let person = match matches.get_one::<String>("side") {
        None => session.turn(),
        Some(name) => sides
            .into_iter()
            .find(|side| side.eq_ignore_ascii_case(name))
            .ok_or_else(|| Failure::UnknownSide { name: name.clone(), game: info.title, sides })?,
    };
    let [first, second] = sides;
    let other = if person == first { second } else { first };
    Ok((given_opponent(matches) != Some(PERSON)).then_some(other))
}

fn given_opponent(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("opponent").map(String::as_str)
}

/// Describes a move: `plays e2e4`. A move that is itself a verb takes an ending instead: `doubles`, `passes`.
fn deed(text: &str) -> String {
    match text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true if text.ends_with('s') => format!("{text}es"),
        true => format!("{text}s"),
        false => format!("plays {text}"),
    }
}

fn sentence(text: &str) -> String {
    if text.starts_with('`') { text.to_owned() } else { words::capitalised(text) }
}
