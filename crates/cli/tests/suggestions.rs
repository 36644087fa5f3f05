//! Every command that the program suggests is run: what it suggests after solving, where a table is missing or damaged, in helps and
//! elsewhere.

mod common;

use common::contents;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a line in a shell, where the command is on the path. There is nothing on its standard input.
fn shell(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_endspiel"));
    let folders = [program.parent().expect("a folder"), Path::new("/bin"), Path::new("/usr/bin")];
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", std::env::join_paths(folders).expect("a path"));
    for name in ["ENDSPIEL_TABLES", "ENDSPIEL_REMOTE"] {
        command.env_remove(name);
    }
    command.output().expect("a shell")
}

/// What a command told, on both outputs.
fn told(output: &Output) -> String {
    [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat()
}

/// Runs a line that must end with this code, and returns what it told.
fn tells(line: &str, code: i32, folder: &Path) -> String {
    let output = shell(line, folder);
    let told = told(&output);
    assert_eq!(output.status.code(), Some(code), "{line}: {told}");
    told
}

/// The commands in a text: those between backticks, and the lines that are one.
fn suggested(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        match commands.last_mut() {
            // It goes on, between quotation marks or behind a backslash.
            Some(last) if is_open => *last = format!("{last}\n{line}"),
            _ if line.starts_with("  endspiel ") => commands.push(line.trim_start().to_owned()),
            _ => continue,
        }
        let last = commands.last().expect("it was pushed");
        is_open = last.ends_with('\\') || last.matches('"').count() % 2 == 1;
    }
    // A command between backticks is never broken.
    let quoted = text.split('`').skip(1).step_by(2).filter(|text| text.starts_with("endspiel "));
    commands.extend(quoted.map(str::to_owned));
    commands
}

/// Runs a line that lacks something, then what it suggests, and then the line again, which now works. The message tells the time
/// and the size.
fn mends(line: &str, folder: &Path) {
    let told = tells(line, 3, folder);
    let commands = suggested(&told);
    assert!(!commands.is_empty(), "{line}: {told}");
    assert!(told.contains("(about ") && told.contains(" of disk)"), "{line}: {told}");
    for command in commands {
        assert!(command.contains("--tables 'my tables'"), "{line}: {command}");
        tells(&command, 0, folder);
    }
    tells(line, 0, folder);
}

const WITH_CARDS: &str = "0000000000002400000000000 b crab,tiger boar,elephant dragon";

#[test]
fn what_is_suggested_after_solving_works() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in [
        "endspiel solve --tables 'my tables'",
        "endspiel solve onitama 1v1 --cards tiger,crab,boar,elephant,dragon --tables 'my tables'",
        "endspiel solve chess KQvK --metric dtz --tables 'my tables'",
        "endspiel solve chess KBvK --metric wdl --tables wdl",
    ] {
        let commands = suggested(&tells(line, 0, folder.path()));
        assert!(commands.len() >= 2, "{line}");
        for command in commands {
            assert!(command.contains("--tables"), "{command}");
            tells(&command, 0, folder.path());
        }
    }
}

#[test]
fn a_missing_table_can_be_made_as_suggested() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in [
        &format!("endspiel probe onitama '{WITH_CARDS}' --tables 'my tables'"),
        "endspiel stats onitama --cards tiger,crab,boar,elephant,dragon --tables 'my tables' 1v2",
        "endspiel match chess perfect random --games 1 --tables 'my tables'",
        "endspiel probe chess '8/8/8/8/8/8/RR6/K1k5 w - - 0 1' --tables 'my tables' --line",
        "endspiel verify chess KQRvK --tables 'my tables'",
        "endspiel probe shogi '9/9/9/9/2k6/9/K8/9/9 b R 1' --tables 'my tables'",
        "endspiel stats shogi G --tables 'my tables'",
        "endspiel probe cotulenh '6c4/11/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1' --tables 'my tables'",
        "endspiel probe backgammon 'XGID=-AB-------------------aaa-:0:0:1:31:0:0:0:0:10' --tables 'my tables'",
        "endspiel regret backgammon pips 6x3 --positions 10 --tables 'my tables'",
        "endspiel stats backgammon 6x2 --tables 'my tables'",
    ] {
        mends(line, folder.path());
    }
    // A game without any table. These are the quick ones; the others are in the long test.
    for game in ["onitama", "chess", "shogi", "backgammon"] {
        fs::remove_dir_all(folder.path().join("my tables")).expect("our folder");
        mends(&format!("endspiel stats {game} --tables 'my tables'"), folder.path());
    }
}

/// It solves all of Dobutsu shogi, and CoTuLenh with three pieces.
#[test]
#[ignore = "takes minutes"]
fn the_long_games_can_be_made_as_suggested() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in ["dobutsu", "cotulenh"] {
        mends(&format!("endspiel stats {game} --tables 'my tables'"), folder.path());
    }
}

/// The file is removed, and the command is run, as the message says.
#[test]
fn a_damaged_table_is_mended_as_suggested() {
    let folder = tempfile::tempdir().expect("a folder");
    tells("endspiel solve chess KRvK KQvK --tables 'my tables'", 0, folder.path());
    tells("endspiel solve chess KRvK --metric dtz --tables 'my tables'", 0, folder.path());
    let before = contents(&folder.path().join("my tables"));
    let damaged = |name: &str| {
        let path = folder.path().join("my tables/chess/standard").join(name);
        let mut bytes = fs::read(&path).expect("a table");
        bytes.truncate(bytes.len() - 9);
        fs::write(&path, bytes).expect("our file");
        path
    };
    for (name, line) in [
        ("KRvK.dtm.est", "endspiel probe chess '8/8/8/8/8/8/R7/K1k5 w - - 0 1' --tables 'my tables'"),
        ("KRvK.dtm.est", "endspiel verify chess KRvK --tables 'my tables'"),
        ("KRvK.dtz.est", "endspiel verify chess KRvK --tables 'my tables'"),
        ("KRvK.dtm.est", "endspiel stats chess --tables 'my tables'"),
        ("KQvK.dtm.est", "endspiel solve chess KPvK --tables 'my tables'"),
        ("KQvK.dtm.est", "endspiel tables --tables 'my tables'"),
    ] {
        let path = damaged(name);
        let told = tells(line, 1, folder.path());
        assert!(told.contains("remove the file"), "{line}: {told}");
        // The fault is told once.
        assert!(!told.contains("damaged: the table"), "{line}: {told}");
        fs::remove_file(path).expect("our file");
        let commands = suggested(&told);
        assert_eq!(commands.len(), 1, "{line}: {told}");
        tells(&commands[0], 0, folder.path());
        tells(line, 0, folder.path());
    }
    let after = contents(&folder.path().join("my tables"));
    for (name, bytes) in
        before.iter().filter(|(name, _)| name.extension().is_some_and(|ending| ending == "est"))
    {
        assert_eq!(after.get(name), Some(bytes), "{}", name.display());
    }
}

#[test]
fn what_is_suggested_elsewhere_works() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in ["endspiel tables --tables 'my tables'", "endspiel games"] {
        let told = tells(line, 0, folder.path());
        let commands = suggested(&told);
        assert!(!commands.is_empty(), "{told}");
        for command in commands {
            assert!(!line.contains("--tables") || command.contains(" --tables 'my tables'"), "{command}");
            tells(&command.replace("GAME", "onitama"), 0, folder.path());
        }
    }
    let undecided = tells("endspiel regret backgammon pips os1x15 --tables none", 2, folder.path());
    assert!(undecided.contains("cannot judge"), "{undecided}");
    tells("endspiel solve backgammon os1x15 --tables 'other tables'", 0, folder.path());
    let told = tells("endspiel regret backgammon pips --tables 'other tables'", 3, folder.path());
    for command in suggested(&told) {
        tells(&command, 0, folder.path());
    }
    tells("endspiel regret backgammon pips --positions 10 --tables 'other tables'", 0, folder.path());
}

/// The verbs, and the parts of `record`.
const VERBS: [&str; 16] = [
    "solve", "probe", "stats", "verify", "atlas", "export", "regret", "info", "moves", "apply", "perft",
    "divide", "sample", "play", "match", "record",
];

/// The examples of all helps, for every game that a help lists. Dobutsu shogi takes minutes to solve.
#[test]
fn the_examples_of_helps_work() {
    let folder = tempfile::tempdir().expect("a folder");
    tells("endspiel solve", 0, folder.path());
    let parts = ["show", "check", "convert", "positions"].map(|part| format!("record {part}"));
    let verbs = VERBS.into_iter().filter(|verb| *verb != "record").map(str::to_owned).chain(parts);
    for verb in verbs {
        let help = tells(&format!("endspiel {verb} --help"), 0, folder.path());
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        let games = help.split("Games:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("games");
        let games = games.lines().filter_map(|line| line.strip_prefix("  "));
        let games: Vec<&str> =
            games.filter_map(|line| line.split(' ').next()).filter(|name| !name.is_empty()).collect();
        assert!(!games.is_empty(), "{help}");
        for game in games {
            let help = tells(&format!("endspiel {verb} {game} --help"), 0, folder.path());
            // Only a position, which is one word, may be longer.
            let is_text = |line: &&str| line.matches('/').count() < 7;
            assert!(help.lines().filter(is_text).all(|line| line.chars().count() <= 80), "{help}");
            let needs_tables = ["solve", "probe", "stats", "verify", "atlas"].contains(&&*verb);
            if game == "dobutsu" && (needs_tables || help.contains("--opponent perfect")) {
                continue;
            }
            if verb.starts_with("record") {
                let saved = format!("printf 'save game.moves\\n' | endspiel play {game} --opponent person");
                let _ = fs::remove_file(folder.path().join("game.moves"));
                tells(&saved, 0, folder.path());
            }
            let examples = suggested(&help);
            assert!(!examples.is_empty(), "{help}");
            for example in examples {
                tells(&example, 0, folder.path());
            }
        }
    }
}
