//! The command line: the same verbs and options for every game, made from what the registry knows.

use crate::failure::Failure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use game::{GameOption, Options};
use registry::{Host, Registry};
use std::ffi::OsString;

/// Reads the command line. A game or a verb that does not exist is answered by the list of those that do.
pub fn parse(registry: &Registry, arguments: impl Iterator<Item = OsString>) -> Result<ArgMatches, Failure> {
    let mut command = crate::verbs::command(registry);
    let arguments: Vec<OsString> = arguments.collect();
    command.try_get_matches_from_mut(&arguments).map_err(|error| {
        let unknown = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
            (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => name.clone(),
            _ => return error.into(),
        };
        let verbs = || command.get_subcommands().map(|verb| verb.get_name().to_owned());
        let after_a_verb = arguments.iter().any(|word| verbs().any(|verb| word.to_str() == Some(&verb)));
        match registry.find(&unknown) {
            Err(no_such_game) if after_a_verb => no_such_game.into(),
            _ => Failure::UnknownVerb { name: unknown, known: verbs().collect() },
        }
    })
}

/// A verb that takes a game: one subcommand per game, so that each has its own options and example.
/// `example` is what follows the name of the game, and may speak of `POSITION`.
pub fn game_verb(
    registry: &Registry,
    name: &'static str,
    about: &'static str,
    example: &'static str,
    arguments: &[Arg],
) -> Command {
    let examples = |info: &game::Info| {
        let words = example.replace("POSITION", &format!("\"{}\"", info.example_position));
        format!("Example:\n  endspiel {name} {} {words}", info.name)
    };
    let mut verb = Command::new(name)
        .about(about)
        .subcommand_required(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .disable_help_subcommand(true)
        .arg_required_else_help(true);
    for family in registry.games() {
        let info = family.info();
        let options = info.options.iter().map(option_argument);
        let game = Command::new(info.name)
            .about(format!("{}: {}", info.title, info.summary))
            .args(arguments)
            .args(options)
            .after_help(format!(
                "{}\n\nPositions: {}.\nMoves: {}.",
                examples(info),
                info.position_format,
                info.move_format
            ));
        verb = verb.subcommand(game);
    }
    let first = registry.games().next().map(|family| examples(family.info()));
    verb.after_help(first.unwrap_or_default())
}

fn option_argument(option: &GameOption) -> Arg {
    Arg::new(option.name)
        .long(option.name)
        .value_name(option.value)
        .help(format!("{} [default: {}]", option.help, option.default))
}

/// The game of a verb made by [`game_verb`], with its options.
pub fn open(registry: &Registry, name: &str, matches: &ArgMatches) -> Result<Box<dyn Host>, registry::Error> {
    let family = registry.find(name)?;
    let mut options = Options::default();
    for option in family.info().options {
        if let Some(value) = matches.get_one::<String>(option.name) {
            options.set(option, value.clone());
        }
    }
    family.open(&options)
}

/// `[POSITION]`, in quotes or not.
pub fn position() -> Arg {
    Arg::new("position")
        .value_name("POSITION")
        .num_args(0..)
        .help("The position, in one line [default: the start]")
}

/// What [`position`] was given.
pub fn given_position(matches: &ArgMatches) -> Option<String> {
    let words = matches.get_many::<String>("position")?;
    Some(words.map(String::as_str).collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// `--json`
pub fn json() -> Arg {
    flag("json", "Answer in JSON, for programs")
}

/// A flag.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// An option with a number.
pub fn number(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64)).help(help)
}

/// `--threads N`
pub fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(value_parser!(u16).range(1..=1024))
        .help("Threads to use [default: all cores]")
}

/// Runs the work on as many threads as [`threads`] says.
pub fn on_threads<T: Send>(matches: &ArgMatches, work: impl FnOnce() -> T + Send) -> T {
    let threads = matches.get_one::<u16>("threads").map_or(0, |&threads| usize::from(threads));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("the system gives us threads").install(work)
}
