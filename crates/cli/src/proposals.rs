//! The values that a shell proposes for arguments. They are known only to completions: a command line takes others, too.

use crate::agents;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use game::Options;
use registry::{Error, Family, Opened, Registry};

/// Adds to every argument of a game the values that a shell proposes.
///
/// # Errors
/// Returns an error if a game cannot be opened with its default options.
pub fn with_proposals(registry: &Registry, command: Command) -> Result<Command, Error> {
    registry.games().try_fold(command, |command, family| {
        let game = family.open(&Options::default())?;
        Ok(for_game(family, &game, command))
    })
}

/// Adds them to a command, if it is that of the game, and to its parts.
fn for_game(family: &Family, game: &Opened, command: Command) -> Command {
    let is_of_game = command.get_name() == family.info().name;
    let command = command.mut_subcommands(|part| for_game(family, game, part));
    if !is_of_game {
        return command;
    }
    command.mut_args(|arg| match proposed(family, game, &arg) {
        values if values.is_empty() => arg,
        values => arg.value_parser(PossibleValuesParser::new(values)),
    })
}

/// The values for an argument of a game. None if there is nothing to propose.
fn proposed(family: &Family, game: &Opened, arg: &Arg) -> Vec<String> {
    let owned = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    let info = game.info();
    let selector = family.endgames().and_then(|endgames| endgames.selector);
    let option = info.options.iter().chain(&selector).find(|option| arg.get_id() == option.name);
    match (option, arg.get_id().as_str()) {
        (Some(option), _) => owned(option.proposed),
        (None, "agents" | "agent") => agents::proposed(family, game),
        (None, "opponent") => {
            [vec![crate::verbs::PERSON.to_owned()], agents::proposed(family, game)].concat()
        }
        (None, "side") => owned(&[info.sides.first, info.sides.second]),
        (None, "slices" | "slice") => game.tables().map_or_else(
            |_| Vec::new(),
            |tables| tables.starter().into_iter().map(|slice| tables.name(slice)).collect(),
        ),
        (None, "from" | "format") => owned(&game.records().formats()),
        (None, _) => Vec::new(),
    }
}
