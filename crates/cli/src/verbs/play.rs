//! `endspiel play GAME`: a game in the terminal.

use crate::arguments::{self, game_verb, number};
use crate::failure::Failure;
use crate::verbs::moves::{print_columns, state};
use crate::{terminal, words};
use clap::{Arg, ArgMatches, Command};
use game::{Rng, Style};
use registry::{Host, Registry, Session};
use std::io::{self, BufRead, Write};
use std::time::SystemTime;

pub fn command(registry: &Registry) -> Command {
    let arguments = [
        arguments::position(),
        Arg::new("opponent")
            .long("opponent")
            .value_name("WHO")
            .value_parser(["random", "person"])
            .default_value("random")
            .help("Who plays the other side"),
        Arg::new("side").long("side").value_name("SIDE").help("The side you play [default: the one to move]"),
        number("seed", "Makes the random moves the same every time"),
    ];
    game_verb(registry, "play", "Play a game in the terminal", "--opponent random", &arguments)
}

const HELP: &str = "\
Type a move, or one of these:
  moves   the legal moves
  board   draw the board again
  undo    take your last move back
  help    this text
  quit    leave";

pub fn run(host: &dyn Host, matches: &ArgMatches) -> Result<(), Failure> {
    let mut session = host.session(arguments::given_position(matches).as_deref())?;
    let machine = machine_side(host, &*session, matches)?;
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(seed_of_this_moment);
    let mut table = Table { rng: Rng::new(seed), machine, style: terminal::style(matches) };
    println!("{}. {HELP}\n\nMoves are written {}.\n", host.info().title, host.info().move_format);
    table.machine_moves(&mut *session);
    table.show(&*session);
    let mut lines = io::stdin().lock().lines();
    loop {
        print!("{}> ", words::capitalised(session.turn()));
        io::stdout().flush()?;
        let Some(line) = lines.next().transpose()? else {
            println!();
            return Ok(());
        };
        match line.trim() {
            "" => {}
            "quit" | "exit" => return Ok(()),
            "help" | "?" => println!("{HELP}"),
            "board" => table.show(&*session),
            "moves" => print_columns(&session.moves()),
            "undo" => table.undo(&mut *session),
            text => match session.play(text) {
                Err(error) => println!("{}.", sentence(&error.to_string())),
                Ok(()) => {
                    table.machine_moves(&mut *session);
                    table.show(&*session);
                }
            },
        }
    }
}

/// Who sits at the table besides the person.
struct Table {
    rng: Rng,
    /// The side that moves at random, if any.
    machine: Option<&'static str>,
    style: Style,
}

impl Table {
    fn show(&self, session: &dyn Session) {
        println!("{}\n{}", session.draw(self.style), state(session));
        if session.ending().is_some() {
            println!("`undo` takes a move back, `quit` leaves.");
        }
    }

    fn machine_moves(&mut self, session: &mut dyn Session) {
        while self.machine == Some(session.turn()) {
            let side = session.turn();
            match session.play_random(&mut self.rng) {
                Some(text) => println!("{} plays {text}.\n", words::capitalised(side)),
                None => return,
            }
        }
    }

    /// Takes back until it is the person's turn again.
    fn undo(&self, session: &mut dyn Session) {
        let Some(mut undone) = session.undo() else { return println!("There is no move to take back.") };
        while self.machine == Some(session.turn()) {
            match session.undo() {
                Some(text) => undone = text,
                None => break,
            }
        }
        println!("Took back {undone}.\n");
        self.show(session);
    }
}

/// The side that the machine plays; none between two people.
fn machine_side(
    host: &dyn Host,
    session: &dyn Session,
    matches: &ArgMatches,
) -> Result<Option<&'static str>, Failure> {
    let sides = host.info().sides;
    let person = match matches.get_one::<String>("side") {
        None => session.turn(),
        Some(name) => [sides.first, sides.second].into_iter().find(|side| side == name).ok_or_else(|| {
            Failure::UnknownSide {
                name: name.clone(),
                game: host.info().title,
                sides: [sides.first, sides.second],
            }
        })?,
    };
    let other = if person == sides.first { sides.second } else { sides.first };
    Ok((matches.get_one::<String>("opponent").map(String::as_str) == Some("random")).then_some(other))
}

fn sentence(text: &str) -> String {
    if text.starts_with('`') { text.to_owned() } else { words::capitalised(text) }
}

fn seed_of_this_moment() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
