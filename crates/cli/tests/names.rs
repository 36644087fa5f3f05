//! Names of files and words of other programs that are not UTF-8, or that control a terminal: the command takes them, and shows
//! them without their effect.
#![cfg(unix)]

use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use table::{Error, Field, Problem};

/// Clears the screen in two ways, writes backwards, and is not UTF-8.
fn evil() -> &'static OsStr {
    OsStr::from_bytes(b"a\x1b[2J\xc2\x9b2J\xe2\x80\xae\xffz")
}

/// Returns a text if a terminal shows it as it is.
fn harmless(bytes: &[u8]) -> &str {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let has_effect = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(has_effect), "{text:?}");
    text
}

/// Runs the command in a folder. In its words, `EVIL` stands for the name.
fn endspiel(line: &str, folder: &Path) -> Output {
    let words = line.split(' ').map(|word| match word.split_once("EVIL") {
        None => word.into(),
        Some((before, after)) => {
            [OsStr::new(before), evil(), OsStr::new(after)].into_iter().collect::<OsString>()
        }
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(words).current_dir(folder).env("ENDSPIEL_TABLES", evil());
    command.output().expect("it starts")
}

#[test]
fn any_name_is_taken_and_shown_harmlessly() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in [
        "solve onitama 1v1",
        "solve onitama 1v1 --json",
        "solve onitama 1v1 --tables EVIL",
        "tables",
        "tables --json",
        "stats onitama --svg EVIL.svg",
        "atlas onitama --out EVIL",
        "atlas onitama --out EVIL --json",
        "atlas onitama --out EVIL.md",
        "match backgammon pips random --games 1 --save EVIL",
    ] {
        let output = endspiel(line, folder.path());
        let (told, refused) = (harmless(&output.stdout), harmless(&output.stderr));
        assert_eq!((output.status.code(), refused), (Some(0), ""), "{line}");
        if line.ends_with("--json") {
            let answer: Value = serde_json::from_str(told).expect("JSON");
            let path = answer.get("file").or(answer.get("tables").filter(|path| path.is_string()));
            let path = path.unwrap_or(&answer["files"][0]).as_str().expect("a path");
            assert!(path.contains("a\u{1b}[2J\u{9b}2J\u{202e}\u{fffd}z"), "{line}: {path:?}");
        }
    }
    // The files have exactly the names that were given.
    let named =
        |ending: &str| folder.path().join([evil(), OsStr::new(ending)].into_iter().collect::<OsString>());
    for path in [named("").join("onitama"), named(".svg"), named(".md"), named("").join("000001.mat")] {
        assert!(path.exists(), "{}", path.display());
    }
}

#[test]
fn what_is_wrong_is_told_harmlessly() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(endspiel("solve onitama 1v1", folder.path()).status.success());
    let rules = folder.path().join(evil()).join("onitama/boar-crab-elephant-horse-ox");
    std::fs::write(rules.join("1v1.dtm.est"), "nonsense").expect("a file of ours");
    let in_damaged = "0020000000000000000040000 b horse,ox boar,elephant crab";
    for (line, code) in [
        ("tables", 1),
        ("tables --json", 1),
        ("verify onitama", 1),
        ("verify onitama --json", 1),
        ("stats onitama", 1),
        (&format!("probe onitama {in_damaged}"), 1),
        (&format!("probe onitama --json {in_damaged}"), 1),
        ("tables --tables NOTHING/EVIL", 0),
        ("stats onitama --tables NOTHING/EVIL", 3),
        ("probe chess --syzygy EVIL.nothing", 1),
        ("verify chess --syzygy EVIL.nothing", 1),
        ("stats onitama --svg NOTHING/EVIL.svg --tables NOTHING", 3),
        ("moves onitama EVIL", 2),
        ("moves onitama --json EVIL", 2),
        ("moves EVIL", 2),
        ("EVIL", 2),
        ("perft onitama --depth EVIL", 2),
        ("solve onitama --memory EVIL", 2),
        ("moves onitama --cards EVIL", 2),
        ("match backgammon EVIL random", 2),
        ("play onitama --side EVIL", 2),
    ] {
        let output = endspiel(line, folder.path());
        let told = [harmless(&output.stdout), harmless(&output.stderr)].concat();
        assert_eq!(output.status.code(), Some(code), "{line}: {told}");
    }
    for line in ["moves onitama --stdin", "perft onitama --depth 1 --stdin", "probe onitama --stdin --line"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
        command.args(line.split(' ')).current_dir(folder.path()).env("ENDSPIEL_TABLES", evil());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let questions = [in_damaged.as_bytes(), b"\n", evil().as_bytes(), b"\n"].concat();
        child.stdin.take().expect("piped").write_all(&questions).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(harmless(&output.stdout).lines().count(), 2, "{line}");
    }
    // A text that is UTF-8 but invisible is answered as it is.
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    let output =
        command.args(["moves", "onitama", "--json", "a\u{9b}2J\u{202e}"]).output().expect("it starts");
    let answer: Value = serde_json::from_str(harmless(&output.stdout)).expect("JSON");
    assert_eq!(answer["position"], "a\u{9b}2J\u{202e}");
}

#[test]
fn other_programs_are_quoted() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("gnubg");
    let script = "#!/bin/sh\necho ready\nwhile read question; do printf '\\033[2J\\302\\2332J\\342\\200\\256\\n'; done\n";
    std::fs::write(&program, script).expect("a file of ours");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("an executable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    let path =
        std::env::join_paths([folder.path(), Path::new("/bin"), Path::new("/usr/bin")]).expect("a path");
    command.args("match backgammon gnubg:0 random --games 1 --cube on".split(' ')).env("PATH", path);
    let output = command.output().expect("it starts");
    let told = harmless(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(r"invalid answer: `\u{1b}[2J\u{9b}2J\u{202e}`"), "{told}");
}

#[test]
fn headers_of_foreign_files_are_quoted() {
    let (path, expected, found) = (evil().into(), "onitama".to_owned(), "o\u{202e}\u{9b}".to_owned());
    let mismatch = Error { path, problem: Problem::Mismatch { field: Field::Game, expected, found } };
    let misplaced = Error { path: evil().into(), problem: Problem::Misplaced { belongs: evil().into() } };
    for error in [mismatch, misplaced] {
        harmless(error.to_string().as_bytes());
    }
}
