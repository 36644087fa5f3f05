//! Helpers that the tests share.
// Each test file uses only a part of them.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `endspiel solve`, with a checkpoint after every round.
pub fn solve_these(what: &str, tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.arg("solve").args(what.split(' ')).args(["--checkpoint", "0"]);
    command.arg("--tables").arg(tables);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// `endspiel` with these words, without the settings of the user. Pages of remote tables are kept in `cache`.
pub fn endspiel(words: &str, cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(words.split(' ')).env("XDG_CACHE_HOME", cache);
    for name in ["ENDSPIEL_TABLES", "ENDSPIEL_REMOTE", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(name);
    }
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command
}

/// The words of a text with one space between them, as if its lines were not broken.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a command that must succeed.
pub fn succeed(mut command: Command) {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

/// The paths of the tables and of other files beside them, without the lock, which is empty.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    // There is one game with one set of rules.
    let first = |folder: PathBuf| Some(std::fs::read_dir(folder).ok()?.next()?.ok()?.path());
    let Some(tables) = first(folder.to_owned()).and_then(first) else { return Vec::new() };
    let Ok(files) = std::fs::read_dir(&tables) else { return Vec::new() };
    let paths = files.map(|file| file.expect("a readable folder").path());
    paths.filter(|path| !path.ends_with(".lock")).collect()
}

/// The names of these files, and their bytes.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let file = |path: PathBuf| {
        (PathBuf::from(path.file_name().expect("a name")), std::fs::read(&path).unwrap_or_default())
    };
    files(folder).into_iter().map(file).collect()
}
