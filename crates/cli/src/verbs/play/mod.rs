//! `endspiel play GAME`: plays a game in the terminal.

mod hint;
mod input;
mod machine;
mod table;

use crate::agents;
use crate::arguments::{self, game_verb, number};
use crate::endgames;
use crate::failure::Failure;
use crate::terminal;
use crate::words;
use clap::{Arg, ArgMatches, Command};
use game::Rng;
use hint::Adviser;
use input::{Answer, Input};
use machine::Machine;
use registry::{LineTooLong, Opened, Registry, Session};
use std::collections::BTreeMap;
use std::io::Write;
use table::{Next, Table};

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
            .help("The side you play, or the beginning of its name [default: the side to move]"),
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
    let verb = game_verb(registry, "play", "Play a game in the terminal", "--opponent perfect", &arguments);
    let verb = agents::with_names(registry, verb, "opponent");
    let verb = arguments::only_for(registry, verb, &["chance"], |family| family.info().capabilities.chance);
    arguments::only_for(registry, verb, &["preload"], |family| !family.has_equities())
}

/// The values of `--chance`.
const ROLLED: &str = "rolled";
const GIVEN: &str = "given";

/// The opponent that is not an agent.
pub const PERSON: &str = "person";

const HELP: &str = "\
Type a move, or one of these:
  moves      the legal moves
  hint       the best moves by the tables, or what the best other agent would do
  rules      the rules, and what is drawn
  board      draw the board again
  text       the position in one line
  undo       take your last move back
  claim      claim a draw (also: draw), or a win by declaration
  resign     give the game up; in backgammon also: resign gammon, or backgammon
  new        begin this game again
  next       start the next game of a match, or another game for points
  save FILE  write the game to a new file: FILE.moves or FILE.jsonl, in chess
             FILE.pgn, in shogi FILE.kif or FILE.csa, in backgammon FILE.mat;
             `endspiel record` reads it
  help       this text
  quit       leave";

pub fn run(game: &Opened, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let session = arguments::session_with_past(game, matches, out)?;
    let side_of_machine = machine_side(game, &*session, matches)?;
    let asks_for_dice = matches.get_one::<String>("chance").is_some_and(|how| how == GIVEN);
    if asks_for_dice && !game.info().capabilities.chance {
        return Err(Failure::NoChance { game: game.info().title });
    }
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(arguments::seed_of_this_moment);
    let opponent = match side_of_machine {
        Some(side) => Some((side, Machine::new(game, &*session, given_opponent(matches), matches)?)),
        None => None,
    };
    let introduced = opponent.as_ref().map(|(_, machine)| machine.introduced());
    let adviser = Adviser::new(game, given_opponent(matches), matches);
    let style = terminal::style(matches);
    let sides = game.info().sides;
    // Two people look at one board, as the first side sees it.
    let view = if side_of_machine == Some(sides.first) { sides.second } else { sides.first };
    let mut table = Table {
        game,
        session,
        out,
        rng: Rng::new(seed),
        rolls: BTreeMap::new(),
        opponent,
        adviser,
        asks_for_dice,
        moves_of_people: 0,
        news: String::new(),
        older_news: Vec::new(),
        possible: Vec::new(),
        view,
        style,
    };
    let info = game.info();
    table.say(&format!("{}: {}.", info.title, info.summary))?;
    writeln!(table.out, "{HELP}\n")?;
    table.say(&format!("Moves are written {}.\n", info.move_format))?;
    if let Some(drawn) = arguments::drawn_start(game, matches) {
        table.say(&format!("{}\n", arguments::told_drawn(drawn)))?;
    }
    if asks_for_dice {
        table.say("You roll the dice for both sides: type each roll, such as 31, when you are asked.\n")?;
    }
    if let Some(introduced) = introduced {
        table.say(&format!("{introduced}\n"))?;
    }
    table.machine_moves()?;
    table.show()?;
    let mut input = Input::new()?;
    loop {
        match input.read(&table.prompt(), table.out)? {
            Answer::End => return Ok(writeln!(table.out)?),
            Answer::TooLong => {
                table.say(&format!("{}; it is ignored.", sentence(&LineTooLong.to_string())))?;
            }
            Answer::Line(line) => {
                if table.obey(line.trim())? == Next::Leave {
                    return Ok(());
                }
            }
        }
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
        Some(name) => {
            let fits = sides.map(|side| side.starts_with(&name.to_ascii_lowercase()));
            match fits {
                [true, false] => sides[0],
                [false, true] => sides[1],
                _ => return Err(Failure::UnknownSide { name: name.clone(), game: info.title, sides }),
            }
        }
    };
    let [first, second] = sides;
    let other = if person == first { second } else { first };
    Ok((given_opponent(matches) != Some(PERSON)).then_some(other))
}

fn given_opponent(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("opponent").map(String::as_str)
}

fn sentence(text: &str) -> String {
    if text.starts_with('`') { text.to_owned() } else { words::capitalised(text) }
}
