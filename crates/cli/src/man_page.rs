//! The manual pages. Each command has one with all its options, also if these belong to the games below it.

use crate::failure::EXIT_CODES;
use clap::builder::Resettable;
use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The variables that commands read, and their meanings.
const ENVIRONMENT: [(&str, &str); 7] = [
    (
        "ENDSPIEL_TABLES",
        "The folder of the tables, or several, separated as in PATH, if --tables is not given.",
    ),
    ("ENDSPIEL_REMOTE", "The address of a server with tables, if --remote is not given."),
    ("XDG_CACHE_HOME", "The folder for parts of remote tables, if it is not ~/.cache."),
    ("SSL_CERT_FILE", "The certificates that are trusted when a server is asked by https."),
    ("NO_COLOR", "If it is not empty, drawn boards have no colours, unless --color asks for them."),
    ("TERM", "If it is `dumb`, drawn boards have no colours, unless --color asks for them."),
    ("PATH", "Where other programs are found, such as gnubg for `match`, `probe --gnubg` and `bench`."),
];

/// Writes the page of a command and those of all commands below it to a folder, as `endspiel-probe-chess.1`.
pub fn write_all(command: &Command, folder: &Path) -> io::Result<()> {
    for below in visible(command) {
        write_all(below, folder)?;
    }
    let path = folder.join(Man::new(command.clone()).get_filename());
    let mut file = File::create(path)?;
    write(command, &mut file)?;
    file.flush()
}

/// Writes the page of a command, which is built.
pub fn write(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let of_games = OptionsOfGames::of(command);
    let synopsis = match &of_games {
        Some(options) => command.clone().override_usage(options.usage.clone()),
        None => command.clone(),
    };
    let man = Man::new(synopsis);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    match &of_games {
        Some(options) => options.write(out)?,
        None => man.render_options_section(out)?,
    }
    if visible(command).next().is_some() {
        man.render_subcommands_section(out)?;
    }
    let is_whole_program = command.get_version().is_some();
    if is_whole_program {
        for verb in visible(command) {
            write_options_of_verb(verb.get_name(), verb, out)?;
            // The parts of a verb such as `record` have games of their own.
            for part in visible(verb).filter(|part| OptionsOfGames::of(part).is_some()) {
                write_options_of_verb(&format!("{} {}", verb.get_name(), part.get_name()), part, out)?;
            }
        }
    }
    // The help of a verb lists the options again before its example.
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let notes = if of_games.is_some() { notes.split("\n\n").last().unwrap_or_default() } else { &notes };
    ends(notes).to_writer(out)
}

/// The sections at the end of each page.
fn ends(notes: &str) -> Roff {
    let mut roff = Roff::new();
    if !notes.is_empty() {
        roff.control("SH", ["EXAMPLES AND NOTES"]).control("nf", []);
        for line in notes.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    roff.control("SH", ["EXIT STATUS"]);
    let success = (0, "Success. With --stdin, also if lines were wrong: they are answered in their places.");
    for (code, meaning) in [success].into_iter().chain(EXIT_CODES) {
        roff.control("TP", []).text([bold(code.to_string())]).text([roman(meaning)]);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, meaning) in ENVIRONMENT {
        roff.control("TP", []).text([bold(name)]).text([roman(meaning)]);
    }
    roff
}

/// Writes the options of a verb as a part of the page of the whole program.
fn write_options_of_verb(name: &str, verb: &Command, out: &mut dyn Write) -> io::Result<()> {
    let name = format!("OPTIONS OF {}", name.to_uppercase());
    match OptionsOfGames::of(verb) {
        Some(options) => write_options(&name, &options.common, out),
        None => write_options(&name, &own(verb), out),
    }
}

/// The options of a verb whose games are commands of their own.
struct OptionsOfGames {
    /// How the verb is used, with a placeholder for the game.
    usage: String,
    /// The options that most games of the verb have.
    common: Vec<Arg>,
    /// The other options, by the names of the games.
    special: Vec<(String, Vec<Arg>)>,
}

impl OptionsOfGames {
    /// Returns `None` if there are no games below the command.
    fn of(verb: &Command) -> Option<Self> {
        const GAME: &str = "GAME";
        if verb.get_subcommand_value_name() != Some(GAME) {
            return None;
        }
        let games: Vec<&Command> = visible(verb).collect();
        let first = games.first()?;
        let usage = (*first).clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replacen(first.get_name(), &format!("<{GAME}>"), 1);
        let of_verb = own(verb);
        let of_games: Vec<(&str, Vec<Arg>)> = games
            .iter()
            .map(|game| {
                let mut options = own(game);
                options.retain(|option| of_verb.iter().all(|known| known.get_id() != option.get_id()));
                (game.get_name(), options)
            })
            .collect();
        let is_common = |option: &Arg| {
            let is_same =
                |other: &Arg| other.get_id() == option.get_id() && other.get_help() == option.get_help();
            2 * of_games.iter().filter(|(_, options)| options.iter().any(is_same)).count() > of_games.len()
        };
        let (_, of_first) = of_games.first()?;
        let common =
            of_verb.iter().chain(of_first.iter().filter(|option| is_common(option))).cloned().collect();
        let special = of_games.iter().map(|(game, options)| {
            let special = options.iter().filter(|option| !is_common(option)).cloned().collect();
            ((*game).to_owned(), special)
        });
        Some(Self { usage, common, special: special.collect() })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_options("OPTIONS", &self.common, out)?;
        self.special.iter().try_for_each(|(game, options)| {
            write_options(&format!("OPTIONS FOR {}", game.to_uppercase()), options, out)
        })
    }
}

/// Writes a section with these options.
fn write_options(heading: &str, options: &[Arg], out: &mut dyn Write) -> io::Result<()> {
    // The section needs a command, of which nothing else is shown. Options that contradict these may belong to another one.
    let options = options.iter().map(|option| {
        option
            .clone()
            .help_heading(heading.to_owned())
            .conflicts_with(Resettable::Reset)
            .requires(Resettable::Reset)
    });
    let command = Command::new("options").disable_help_flag(true).args(options);
    Man::new(command).render_options_section(out)
}

/// The visible options of a command, without those that every command has.
fn own(command: &Command) -> Vec<Arg> {
    let is_own = |arg: &&Arg| !arg.is_hide_set() && !arg.is_global_set() && arg.get_id() != "help";
    command.get_arguments().filter(is_own).cloned().collect()
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
}
