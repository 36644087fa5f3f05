//! `endspiel completions SHELL` and `endspiel man`: files for the installation of the command.

use crate::failure::Failure;
use crate::man_page;
use crate::proposals::with_proposals;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use registry::Registry;
use std::io::Write;
use std::path::PathBuf;

pub fn completions_command() -> Command {
    Command::new("completions")
        .about("Print completions for a shell")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        )
        .after_help(
            "Example:\n  endspiel completions bash > ~/.local/share/bash-completion/completions/endspiel",
        )
}

pub fn completions(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let shell = *matches.get_one::<Shell>("shell").expect("clap asks for it");
    let mut script = Vec::new();
    let mut command = with_proposals(registry, super::command(registry))?;
    clap_complete::generate(shell, &mut command, "endspiel", &mut script);
    Ok(out.write_all(&script)?)
}

pub fn man_command() -> Command {
    Command::new("man")
        .about("Print the manual page, or write the pages of all commands to a folder")
        .arg(
            Arg::new("dir")
                .long("dir")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Write a page for each command to this folder"),
        )
        .after_help("Examples:\n  endspiel man | man -l -\n  endspiel man --dir ~/.local/share/man/man1")
}

pub fn man(registry: &Registry, matches: &ArgMatches, out: &mut dyn Write) -> Result<(), Failure> {
    let mut command = super::command(registry).disable_help_subcommand(true);
    command.build();
    let Some(folder) = matches.get_one::<PathBuf>("dir") else {
        let mut page = Vec::new();
        man_page::write(&command, &mut page)?;
        return Ok(out.write_all(&page)?);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| man_page::write_all(&command, folder))
        .map_err(|source| Failure::File { path: folder.clone(), source })
}
