//! `endspiel play GAME`: plays a game in the terminal.

use crate::arguments::{self, game_verb, number};
use crate::endgames::{self, told};
use crate::failure::Failure;
use crate::verbs::moves::{state, write_columns};
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::{DistanceUnit, Rng, Style};
use registry::{
    Ending, Extras, InputLine, InputLines, LineTooLong, MatchError, Matches, Opened, Opponent, Prober,
    RankedMove, Registry, Session,
};
use std::io::{self, Write};
use std::sync::Arc;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        Arg::new("opponent")
            .long("opponent")
            .value_name("WHO")
            .default_value("perfect")
            .help(
                "Who plays the other side: perfect (random moves where a table is missing), random, person, or an agent \
                 of `match`",
            ),
        Arg::new("side").long("side").value_name("SIDE").help("The side you play [default: the side to move]"),
        Arg::new("chance")
            .long("chance")
            .value_name("HOW")
            .value_parser([ROLLED, GIVEN])
            .default_value(ROLLED)
            .help("Who rolls the dice: rolled by the program, or given by you when it asks"),
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

/// The opponents that every game has.
const OPPONENTS: [&str; 3] = ["perfect", "random", "person"];

const HELP: &str = "\
Type a move, or one of these:
  moves   the legal moves
  board   draw the board again
  text    the position in one line
  undo    take your last move back
  next    start the next game of a match, or another game for points
  claim   claim a draw, or a win by declaration, if the rules allow it; also: draw
  help    this text
  quit    leave";

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let session = arguments::session_with_past(game, matches, out)?;
    let machine = machine_side(game, &*session, matches)?;
    let asks_for_dice = matches.get_one::<String>("chance").is_some_and(|how| how == GIVEN);
    if asks_for_dice && !game.info().capabilities.chance {
        return Err(Failure::NoChance { game: game.info().title });
    }
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(arguments::seed_of_this_moment);
    let (rng, style) = (Rng::new(seed), terminal::style(matches));
    let knows = machine.is_some() && given_opponent(matches) == Some("perfect");
    // Without a game of values, perfect play is an agent: it counts pips where tables end.
    let judged = match game.equities() {
        Ok(equities) if machine.is_some() => Some(equities.matches(endgames::library(matches)?)),
        _ => None,
    };
    let agent = match given_opponent(matches) {
        Some("perfect") if judged.is_some() => Some(agent(game, judged.as_deref(), "perfect")?),
        Some(name) if !OPPONENTS.contains(&name) => Some(agent(game, judged.as_deref(), name)?),
        _ => None,
    };
    let prober = match game.values() {
        Ok(values) if knows => values.prober(endgames::library(matches)?).ok(),
        _ => None,
    };
    if let Some(prober) = &prober {
        endgames::preload_if_asked(&**prober, matches);
    }
    let unit = game.info().distances;
    let mut table =
        Table { session, out, rng, machine, asks_for_dice, prober, agent, moves_of_people: 0, style, unit };
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
    if knows && judged.is_some() {
        writeln!(
            table.out,
            "Your opponent plays by the tables where they reach, and elsewhere by counting pips.\n"
        )?;
    } else if knows && game.tables().is_err() {
        writeln!(
            table.out,
            "There are no tables for {} yet: your opponent moves at random.\n",
            game.info().title
        )?;
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

/// Finds an opponent that only some games have.
fn agent(game: &Opened, judged: Option<&dyn Matches>, name: &str) -> Result<Box<dyn Opponent>, Failure> {
    let unknown = |agents: Vec<String>| {
        let mut known: Vec<String> = OPPONENTS.map(str::to_owned).into();
        known.extend(agents.into_iter().filter(|agent| !OPPONENTS.contains(&agent.as_str())));
        Failure::UnknownOpponent { name: name.to_owned(), game: game.info().title, known }
    };
    let matches = judged.map_or_else(|| game.matches(), Ok);
    let Ok(matches) = matches else { return Err(unknown(Vec::new())) };
    match matches.opponent(name) {
        Err(MatchError::UnknownAgent(_)) => Err(unknown(matches.agents())),
        opponent => Ok(opponent.map_err(registry::Error::from)?),
    }
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
    out: &'a mut dyn Write,
    rng: Rng,
    /// The side that the machine plays, if any.
    machine: Option<&'static str>,
    /// True if people roll the dice.
    asks_for_dice: bool,
    /// Chooses the moves of the machine from tables. Without a prober and an agent, it moves at random.
    prober: Option<Arc<dyn Prober>>,
    /// Chooses the moves of the machine instead of the tables.
    agent: Option<Box<dyn Opponent>>,
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
            if self.session.ending().is_some() || self.machine != Some(self.session.turn()) {
                return Ok(());
            }
            let side = words::capitalised(self.session.turn());
            match self.best_move()? {
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

    /// Returns the move that the agent chooses, or the best move in the tables with its value. Returns `None` if the tables
    /// do not have the position.
    fn best_move(&mut self) -> Result<Option<RankedMove>, Failure> {
        if let Some(agent) = &mut self.agent {
            let chosen = agent.choose(&self.session.position(), &mut self.rng);
            let text = chosen.map_err(registry::Error::from)?;
            return Ok(Some(RankedMove { text, value: None, rule50: None }));
        }
        let Some(prober) = &self.prober else { return Ok(None) };
        // The clock matters where there are tables for it.
        let with_clock = Extras { rule50: true, ..Extras::default() };
        let answer = match prober.has_rule50().then(|| prober.probe(&*self.session, with_clock)) {
            Some(Ok(answer)) => Ok(answer),
            _ => prober.probe(&*self.session, Extras::default()),
        };
        match answer {
            Ok(answer) => Ok(answer.moves.into_iter().next()),
            Err(error) if error.has_no_table() => Ok(None),
            Err(damage) => Err(damage.into()),
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
        while self.machine == Some(self.session.turn()) {
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
    Ok((given_opponent(matches) != Some("person")).then_some(other))
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
