//! The command line: the same verbs and options for every game. They are built from the games in the registry.

use crate::failure::Failure;
use crate::words;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use game::{GameOption, Options, Rng};
use rayon::{ThreadPool, ThreadPoolBuilder};
use registry::{Drawn, Family, Opened, Registry, Session};
use serde_json::json;
use std::ffi::OsString;
use std::io::Write;
use std::ops::RangeInclusive;
use std::time::SystemTime;

/// Parses the command line. If a game or a verb is missing or unknown, the error lists those that exist. Without any
/// arguments, the result is the help.
pub fn parse(registry: &Registry, arguments: impl Iterator<Item = OsString>) -> Result<ArgMatches, Failure> {
    let mut arguments: Vec<OsString> = arguments.map(with_prefix).collect();
    if arguments.len() < 2 {
        arguments.push("--help".into());
    }
    let mut matches = crate::verbs::command(registry).try_get_matches_from(&arguments);
    // The name of a game may be written in upper or lower case, but clap distinguishes them. So the name is replaced by its
    // usual spelling, and clap parses again.
    if let Err(error) = &matches
        && let Some(name) = unknown_word(error)
        && let Ok(family) = registry.find(&name)
        && let Some(word) = arguments.iter_mut().find(|word| **word == *name)
    {
        *word = family.info().name.into();
        matches = crate::verbs::command(registry).try_get_matches_from(&arguments);
    }
    matches.map_err(|error| explain(registry, &arguments, error))
}

/// Adds the prefix of an XGID that is written without it: it may begin with a hyphen, and would be taken for an option.
fn with_prefix(argument: OsString) -> OsString {
    let is_place = |byte: &u8| matches!(byte, b'-' | b'A'..=b'O' | b'a'..=b'o');
    let begins_so = argument.to_str().and_then(|text| text.split_once(':')).is_some_and(|(places, _)| {
        places.starts_with('-') && places.len() == 26 && places.as_bytes().iter().all(is_place)
    });
    match begins_so {
        true => [OsString::from("XGID="), argument].into_iter().collect(),
        false => argument,
    }
}

/// Returns the word that is neither a verb nor a game, if that is the error.
fn unknown_word(error: &clap::Error) -> Option<String> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => Some(name.clone()),
        _ => None,
    }
}

/// Turns an error of clap into one that also lists the verbs or games that exist.
fn explain(registry: &Registry, arguments: &[OsString], error: clap::Error) -> Failure {
    let mut command = crate::verbs::command(registry);
    command.build();
    let verbs = || command.get_subcommands().map(|verb| verb.get_name().to_owned());
    let verb = verbs()
        .filter(|verb| verb != "help")
        .find(|verb| arguments.iter().skip(1).any(|word| word.to_str() == Some(verb)));
    // The parts of a verb such as `record`. They stand where other verbs have their games.
    let parts = verb.as_deref().and_then(|verb| command.find_subcommand(verb)).map(|verb| {
        let names = verb.get_subcommands().map(|part| part.get_name().to_owned());
        names.filter(|name| registry.find(name).is_err()).collect::<Vec<_>>()
    });
    let parts = parts.filter(|parts| !parts.is_empty());
    let part = parts.as_ref().and_then(|parts| {
        parts.iter().find(|part| arguments.iter().skip(2).any(|word| word.to_str() == Some(part)))
    });
    if error.kind() == ErrorKind::MissingSubcommand {
        return match (verb, parts.clone(), part) {
            (None, ..) => {
                Failure::Missing { command: "endspiel".to_owned(), noun: "command", known: verbs().collect() }
            }
            (Some(verb), Some(parts), None) => {
                Failure::Missing { command: format!("endspiel {verb}"), noun: "command", known: parts }
            }
            (Some(verb), _, Some(part)) => missing_game(registry, &format!("{verb} {part}")),
            (Some(verb), None, None) => missing_game(registry, &verb),
        };
    }
    let Some(name) = unknown_word(&error) else { return error.into() };
    match (registry.find(&name), &parts, part) {
        (_, Some(parts), None) => Failure::UnknownVerb { name, known: parts.clone() },
        (Err(no_such_game), ..) if verb.is_some_and(|verb| verb != name) => no_such_game.into(),
        _ => Failure::UnknownVerb { name, known: verbs().collect() },
    }
}

/// The error of a verb without a game.
pub fn missing_game(registry: &Registry, verb: &str) -> Failure {
    let games = registry.games().map(|family| family.info().name.to_owned());
    Failure::Missing { command: format!("endspiel {verb}"), noun: "game", known: games.collect() }
}

/// Builds a verb that takes a game. Each game is a subcommand, so that it has its own options and example.
/// `example` is the text after the name of the game. In it, `POSITION`, `ENDGAME`, `MOVE` and `DEPTH` are replaced by values for the game.
pub fn game_verb(
    registry: &Registry,
    name: &'static str,
    about: &'static str,
    example: &'static str,
    arguments: &[Arg],
) -> Command {
    some_games_verb(registry, name, about, example, arguments, |_| true)
}

/// Builds a verb as [`game_verb`] does, for a verb that only some games support. The other games are hidden in the help,
/// and return an error when they are used.
pub fn some_games_verb(
    registry: &Registry,
    name: &'static str,
    about: &'static str,
    example: &'static str,
    arguments: &[Arg],
    has_it: fn(&Family) -> bool,
) -> Command {
    // An example must be quick.
    const EXAMPLE_DEPTH: u32 = 5;
    let examples = |info: &game::Info| {
        let depth = info.capabilities.bench_depth.min(EXAMPLE_DEPTH).to_string();
        let words = example.replace("POSITION", &format!("\"{}\"", info.example_position));
        let words = words.replace("ENDGAME", &format!("\"{}\"", info.example_endgame));
        let words = words.replace("DEPTH", &depth);
        let words = words.replace("MOVE", &crate::words::shell_argument(info.example_move));
        let line = format!("  endspiel {name} {} {words}", info.name).trim_end().to_owned();
        // A long position has a line of its own, and the shell still reads one command.
        let line = match line.split_once(" \"") {
            Some((command, position)) if line.chars().count() > words::COLUMNS => {
                format!("{command} \\\n    \"{position}")
            }
            _ => line,
        };
        format!("Example:\n{line}")
    };
    // A verb may be part of another one, such as `record check`.
    let word = name.rsplit(' ').next().unwrap_or(name);
    let mut verb = Command::new(word)
        .about(about)
        .subcommand_required(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .disable_help_subcommand(true);
    for family in registry.games() {
        let info = family.info();
        let options = info.options.iter().map(option_argument);
        let game = Command::new(info.name)
            .about(format!("{}: {}", info.title, info.summary))
            .hide(!has_it(family))
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
    let first = registry.games().find(|family| has_it(family));
    let first = first.map(|family| examples(family.info())).unwrap_or_default();
    let own = format!("`endspiel {name} GAME --help` shows a game's own options and notation.");
    verb.after_help(format!("After the game:\n{}\n{own}\n\n{first}", listed(arguments)))
}

/// Hides arguments in the help of the games that do not have them. A game says itself what is wrong if they are given.
pub fn only_for(
    registry: &Registry,
    verb: Command,
    arguments: &[&'static str],
    has_them: impl Fn(&Family) -> bool,
) -> Command {
    registry.games().filter(|family| !has_them(family)).fold(verb, |verb, family| {
        verb.mut_subcommand(family.info().name, |game| {
            arguments.iter().fold(game, |game, argument| game.mut_arg(argument, |arg| arg.hide(true)))
        })
    })
}

/// Lists the arguments that follow the name of a game, in the format of clap.
fn listed(arguments: &[Arg]) -> String {
    let rows: Vec<_> = arguments.iter().map(row).collect();
    let column = rows.iter().map(|(shown, _)| shown.chars().count() + 4).max().unwrap_or(0);
    rows.iter().map(|(shown, help)| words::labelled(&format!("  {shown}"), column, help) + "\n").collect()
}

/// An argument as it is written, and its help.
fn row(argument: &Arg) -> (String, String) {
    let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
    let value = argument.get_value_names().map_or("", |names| names[0].as_str());
    let shown = match argument.get_long() {
        None => format!("[{value}]"),
        Some(name) if is_flag => format!("--{name}"),
        Some(name) if argument.is_require_equals_set() => format!("--{name}[=<{value}>]"),
        Some(name) => format!("--{name} <{value}>"),
    };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let default = argument.get_default_values().iter().map(|value| value.to_string_lossy());
    let default = default.collect::<Vec<_>>().join(" ");
    let default =
        if is_flag || default.is_empty() { String::new() } else { format!(" [default: {default}]") };
    (shown, help + &default)
}

/// An option of a game.
pub fn option_argument(option: &GameOption) -> Arg {
    Arg::new(option.name)
        .long(option.name)
        .value_name(option.value)
        // The game itself checks the value.
        .allow_negative_numbers(true)
        .help(format!("{} [default: {}]", option.help, option.default))
}

/// Opens the game of a verb that [`game_verb`] built, with the given options.
pub fn open(registry: &Registry, name: &str, matches: &ArgMatches) -> Result<Opened, registry::Error> {
    let family = registry.find(name)?;
    let options = options(family, matches);
    // Answers to lines of input have no place to tell what was drawn.
    if matches!(matches.try_get_one("stdin"), Ok(Some(true))) {
        return family.open(&options);
    }
    let seed = matches.try_get_one::<u64>("seed").ok().flatten().copied();
    family.open_by_lot(options, &mut Rng::new(seed.unwrap_or_else(seed_of_this_moment)))
}

/// A seed that is another one each time.
pub fn seed_of_this_moment() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// Returns what was drawn by lot when the game was opened, if the position of the command line begins there.
pub fn drawn_start<'a>(game: &'a Opened, matches: &ArgMatches) -> Option<&'a Drawn> {
    let begins_at_start = given_position(matches).is_none_or(|position| position.contains("startpos"));
    game.drawn().filter(|_| begins_at_start)
}

/// Says what was drawn by lot, in a line.
pub fn told_drawn(drawn: &Drawn) -> String {
    let Drawn { option, value } = drawn;
    format!("Drawn at random: `--{option} {value}`.")
}

/// Returns the options of the game that were given.
pub fn options(family: &Family, matches: &ArgMatches) -> Options {
    let mut options = Options::default();
    for option in family.info().options {
        if let Some(value) = matches.get_one::<String>(option.name) {
            options.set(option, value.clone());
        }
    }
    options
}

/// `[POSITION]`, in quotes or not.
pub fn position() -> Arg {
    Arg::new("position")
        .value_name("POSITION")
        .num_args(0..)
        .help("The position, or startpos; also moves MOVE… after it [default: the start]")
}

/// Returns the value of [`position`], in one line.
pub fn given_position(matches: &ArgMatches) -> Option<String> {
    // Some verbs take no position.
    let words = matches.try_get_many::<String>("position").ok().flatten()?;
    Some(words.map(String::as_str).collect::<Vec<_>>().join(" ").replace(['\n', '\r'], " "))
}

/// Begins a session with the value of [`position`], or from the start. With [`json()`], the error of a wrong position is
/// written as JSON.
pub fn session(
    game: &Opened,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<Box<dyn Session>, Failure> {
    begin(game, matches, out, |position| game.session(Some(position)))
}

/// Begins a session as [`session`] does. It keeps the moves that stand behind the position.
pub fn session_with_past(
    game: &Opened,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<Box<dyn Session>, Failure> {
    begin(game, matches, out, |position| game.session_with_past(position))
}

fn begin(
    game: &Opened,
    matches: &ArgMatches,
    out: &mut dyn Write,
    read: impl FnOnce(&str) -> Result<Box<dyn Session>, registry::Error>,
) -> Result<Box<dyn Session>, Failure> {
    let Some(position) = given_position(matches) else { return Ok(game.session(None)?) };
    let session = read(&position).map_err(Failure::from);
    let failure = match session.and_then(|session| with_the_rules_asked_for(game, session, matches)) {
        Ok(session) => return Ok(session),
        Err(failure) => failure,
    };
    if !matches!(matches.try_get_one("json"), Ok(Some(true))) {
        return Err(failure);
    }
    let answer = json!({"position": position, "error": failure.reason()});
    Err(failure.answered(&answer, out))
}

/// Returns an error if the given options ask for other rules than those of the position.
fn with_the_rules_asked_for(
    game: &Opened,
    session: Box<dyn Session>,
    matches: &ArgMatches,
) -> Result<Box<dyn Session>, Failure> {
    let names = game.info().options.iter().map(|option| option.name);
    let given = names.filter_map(|name| Some((name, matches.get_one::<String>(name)?)));
    let given: Vec<_> = given.map(|(name, value)| format!("`--{name} {value}`")).collect();
    match given.is_empty() || session.keeps_rules() {
        true => Ok(session),
        false => Err(Failure::OtherRules { options: given.join(" with ") }),
    }
}

/// `--json`
pub fn json() -> Arg {
    flag("json", "Answer in JSON, for programs")
}

/// An option without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// An option whose value is a whole number, a `u64`.
pub fn number(name: &'static str, help: &'static str, range: RangeInclusive<u64>) -> Arg {
    let parse = move |text: &str| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(NotInRange { lowest: *range.start(), highest: *range.end() }),
    };
    Arg::new(name).long(name).value_name("N").allow_negative_numbers(true).value_parser(parse).help(help)
}

/// An option whose value is a number of bytes, a `u64`.
pub fn size(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("SIZE")
        .allow_negative_numbers(true)
        .value_parser(words::parse_bytes)
        .help(help)
}

/// `--hash SIZE`. The size must not exceed the free memory, because perft may touch all of the transposition table.
pub fn hash() -> Arg {
    const LEAST: u64 = 1 << 16;
    let parse = |text: &str| -> Result<u64, NoSuchMemory> {
        let bytes = words::parse_bytes(text)?;
        match solve::free_memory() {
            _ if bytes < LEAST => Err(NoSuchMemory::TooLittle),
            free if bytes > free => Err(NoSuchMemory::TooMuch { free }),
            _ => Ok(bytes),
        }
    };
    size("hash", "Use a transposition table of this size, such as 512M; the counts are the same")
        .value_parser(parse)
}

/// A size that a transposition table cannot have here.
#[derive(Debug, thiserror::Error)]
enum NoSuchMemory {
    #[error(transparent)]
    NotASize(#[from] words::NotASize),
    #[error("it takes at least 64K")]
    TooLittle,
    #[error("at most {} of memory can be used", solve::size_text(*free))]
    TooMuch { free: u64 },
}

/// The text is not a number in the range.
#[derive(Debug, thiserror::Error)]
#[error("it takes a whole number from {lowest} to {highest}")]
struct NotInRange {
    lowest: u64,
    highest: u64,
}

/// `--threads N`
pub fn threads() -> Arg {
    number("threads", "Threads to use [default: all cores]", 1..=1024)
}

/// Makes a thread pool with the number of threads that [`threads`] was given. Its method `install` runs work on them.
pub fn pool(matches: &ArgMatches) -> Result<ThreadPool, Failure> {
    let threads = matches.get_one::<u64>("threads").map_or(0, |&threads| threads as usize);
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
