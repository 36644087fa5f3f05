//! The command with bad input and output: a closed pipe, a full disk, lines that are too long, bytes that are not text.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Command lines: at least one for every verb.
const LINES: &[&str] = &[
    "--help",
    "--version",
    "games",
    "games --json",
    "info onitama",
    "info onitama --json",
    "moves onitama",
    "moves onitama --json",
    "moves onitama --stdin",
    "moves onitama --json nonsense",
    "apply chess startpos e2e4",
    "apply chess startpos e2e4 --json",
    "apply onitama --stdin",
    "perft onitama --depth 3",
    "perft onitama --depth 3 --json",
    "perft onitama --depth 3 --plain --hash 1M",
    "perft chess --depth 3 --stdin",
    "divide onitama --depth 3",
    "divide onitama --depth 3 --json",
    "sample onitama --count 100000",
    "sample onitama --json",
    "play onitama",
    "play onitama --side red",
    "match backgammon pips random --games 10",
    "match backgammon pips random --games 10 --json",
    "record show shogi game.kif",
    "record check shogi game.kif",
    "record convert shogi game.kif --to json",
    "record positions shogi game.kif --json",
    "bench dobutsu",
    "completions bash",
    "man",
    "help perft",
    "solve onitama 1v1",
    "solve onitama 1v1 --json",
    "probe onitama 0020000000000000000040000 b horse,ox boar,elephant crab",
    "probe onitama --stdin",
    "probe chess --rule50 8/8/8/8/8/2k5/8/KQ6 b - - 3 1",
    "probe chess --line=pgn 8/8/8/8/8/2k5/8/KQ6 b - - 3 1",
    "probe chess --rule50 --stdin",
    "stats onitama",
    "stats onitama --json",
    "stats chess",
    "stats chess --json",
    "verify onitama",
    "verify onitama --sample 100",
    "atlas onitama",
    "atlas chess --out chess/endings.md",
    "probe backgammon XGID=-A----A------------b------:0:0:1:00:0:0:0:0:10",
    "stats backgammon",
    "threats chess",
    "threats chess --json",
    "threats chess --stdin",
    "regret backgammon pips 6x2 --positions 10",
    "regret backgammon pips 6x2 --positions 10 --json",
    "export backgammon 6x2 --to 6x2.bd",
    "tables",
    "uci",
    "usi",
];

fn endspiel(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    // Pages of the atlas are written to the current folder, and records are read from there.
    command.args(line.split(' ')).env("ENDSPIEL_TABLES", tables()).current_dir(tables());
    command
}

/// A folder with a few small tables.
fn tables() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = folder.path().join("onitama/boar-crab-elephant-horse-ox");
        std::fs::create_dir_all(&rules).expect("a folder of ours");
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/table/onitama-1v1");
        std::fs::copy(table, rules.join("1v1.dtm.est")).expect("the fixture");
        let rules = folder.path().join("chess/standard");
        std::fs::create_dir_all(&rules).expect("a folder of ours");
        for name in ["KQvK.dtm.est", "KQvK.dtz.est"] {
            let solved =
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/chess-tables.in/solved/chess/standard");
            std::fs::copy(Path::new(solved).join(name), rules.join(name)).expect("the fixture");
        }
        let rules = folder.path().join("backgammon/standard");
        std::fs::create_dir_all(&rules).expect("a folder of ours");
        let solved =
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/backgammon-tables.in/solved/backgammon/standard");
        std::fs::copy(Path::new(solved).join("6x2.equity.est"), rules.join("6x2.equity.est"))
            .expect("the fixture");
        let record = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/record.in/game.kif");
        std::fs::copy(record, folder.path().join("game.kif")).expect("the fixture");
        folder
    });
    FOLDER.path()
}

/// Runs the command with this input. The command need not read all of it.
fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn every_verb_has_its_lines() {
    let unknown = run(&mut endspiel("nonsense"), b"");
    let (_, verbs) = text(&unknown.stderr).split_once("the commands are ").expect("the list of commands");
    for verb in verbs.trim().split(", ") {
        assert!(LINES.iter().any(|line| line.split(' ').next() == Some(verb)), "{verb} is not tried");
    }
}

/// Runs the command with a pipe as its output that nobody reads.
fn unread(command: &mut Command) -> Output {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    run(command.stdout(writer), b"nonsense\n")
}

/// If the reader closes the pipe, as in `endspiel … | head`, the command succeeds, unless the question itself was wrong.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    for line in LINES {
        let output = unread(&mut endspiel(line));
        match line.contains("nonsense") {
            true => {
                assert_eq!(output.status.code(), Some(2), "{line}");
                assert!(text(&output.stderr).contains("nonsense"), "{line}");
            }
            false => {
                assert_eq!(text(&output.stderr), "", "{line}");
                assert_eq!(output.status.code(), Some(0), "{line}");
            }
        }
    }
}

/// What nobody reads is not made: this match would take days.
#[test]
fn a_closed_pipe_ends_what_would_only_be_read() {
    let output = unread(&mut endspiel("match backgammon pips random --games 1000000000 --json"));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

/// Files under a folder, by their relative paths. A folder that does not exist has none.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut files: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// Work is done to its end though nobody reads about it: the same files are there as with a reader.
#[test]
fn work_goes_on_without_a_reader() {
    for line in [
        "solve onitama 1v2 --tables NEW",
        "atlas onitama --out NEW",
        "stats onitama --svg NEW/chart.svg",
        "match backgammon pips random --games 3 --save NEW",
        "match backgammon pips random --games 3 --save NEW --json",
    ] {
        let made = |is_read: bool| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut command = endspiel(&line.replace("NEW", folder.path().to_str().expect("UTF-8")));
            let output =
                if is_read { run(command.stdout(Stdio::piped()), b"") } else { unread(&mut command) };
            assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
            let relative = |path: PathBuf| path.strip_prefix(folder.path()).expect("inside").to_owned();
            files(folder.path()).into_iter().map(relative).collect::<Vec<_>>()
        };
        let expected = made(true);
        assert!(!expected.is_empty(), "{line}");
        assert_eq!(made(false), expected, "{line}");
    }
}

/// A folder with a whole table, and a damaged one that comes after it.
fn damaged_tables() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("chess/standard");
    std::fs::create_dir_all(&rules).expect("a folder of ours");
    let whole = tables().join("chess/standard");
    std::fs::copy(whole.join("KQvK.dtm.est"), rules.join("KQvK.dtm.est")).expect("the fixture");
    let mut bytes = std::fs::read(whole.join("KQvK.dtz.est")).expect("the fixture");
    let half = bytes.len() / 2;
    bytes[half] ^= 1;
    bytes.truncate(bytes.len() - 1);
    std::fs::write(rules.join("KQvK.dtz.est"), bytes).expect("a file of ours");
    folder
}

/// A check that fails is told by the exit code, and in words if nobody reads the output.
#[test]
fn a_failed_check_is_no_success_without_a_reader() {
    let folder = damaged_tables();
    for line in ["tables", "tables --json", "verify chess", "verify chess --json"] {
        let mut command = endspiel(line);
        command.env("ENDSPIEL_TABLES", folder.path());
        let output = unread(&mut command);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert_eq!(text(&output.stderr), "endspiel: the check failed\n", "{line}");
        let output = run(command.stdout(Stdio::piped()), b"");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_a_sentence() {
    for line in LINES {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = run(endspiel(line).stdout(full), b"nonsense\n");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {told}");
        assert!(told.starts_with("endspiel: the output cannot be written: No space left"), "{line}: {told}");
        // The answer to a wrong question is told too.
        let sentences = if line.contains("nonsense") { 2 } else { 1 };
        assert_eq!(told.lines().count(), sentences, "{line}: {told}");
    }
}

/// The tables are made, though the words about them are lost; that is told.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_for_words_does_not_end_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = endspiel("solve onitama 1v2");
    let output = run(command.arg("--tables").arg(folder.path()).stdout(full), b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("No space left"));
    let tables =
        files(folder.path()).into_iter().filter(|path| path.extension().is_some_and(|end| end == "est"));
    assert_eq!(tables.count(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_need_hear_the_errors() {
    for line in ["nonsense", "perft onitama --depth x", "moves onitama nonsense"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let status = endspiel(line).stdin(Stdio::null()).stderr(full).status().expect("it starts");
        assert_eq!(status.code(), Some(2), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_told() {
    let binary = env!("CARGO_BIN_EXE_endspiel");
    // With one arena, no thread reserves memory for its own for a moment: another thread that starts in this moment would have no
    // memory for its signal stack, and the standard library panics then.
    let limits = "ulimit -v 1000000 && export MALLOC_ARENA_MAX=1";
    for line in ["perft onitama --depth 3", "divide onitama --depth 3", "bench dobutsu"] {
        // The stacks are large, so that when one does not fit, enough memory is left for the other threads to end.
        let limited = format!("{limits} RUST_MIN_STACK=67108864 && exec '{binary}' {line} --threads 1024");
        let output = run(Command::new("sh").args(["-c", &limited]).stdout(Stdio::piped()), b"");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {told}");
        assert!(told.starts_with("endspiel: the threads cannot be started"), "{line}: {told}");
    }
    // A deep count has threads of its own, with much stack.
    for verb in ["perft", "divide"] {
        let limited = format!("{limits} && exec '{binary}' {verb} onitama --depth 1000 --json --threads 64");
        let output = run(Command::new("sh").args(["-c", &limited]).stdout(Stdio::piped()), b"");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{verb}: {told}");
        assert!(told.starts_with("endspiel: the threads cannot be started"), "{verb}: {told}");
    }
    // With `--stdin`, the answer says it. The memory suffices to begin, and there are less than 4 MiB more.
    let limited = |depth: u32, kib: u64| {
        let line = format!("ulimit -v {kib} && exec '{binary}' perft chess --depth {depth} --stdin");
        let start = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        run(Command::new("sh").args(["-c", &line]).stdout(Stdio::piped()), start)
    };
    let suffices =
        (1..1000).map(|i| 4096 * i).find(|&kib| text(&limited(1, kib).stdout).contains("\"nodes\":20"));
    let output = limited(1000, suffices.expect("a shallow count needs little memory"));
    let told = text(&output.stdout);
    assert!(
        told.contains(r#"0 1","error":"the threads cannot be started"#),
        "{told}{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0));
}

/// A line that is too long is an error even if its beginning is a position.
#[test]
fn lines_that_are_too_long_are_wrong() {
    let position = "1121100000000000000033433 b boar,ox elephant,horse crab";
    let mut input = format!("{position}{}\n{position}\n", " ".repeat(1 << 16)).into_bytes();
    let output = run(endspiel("moves onitama --stdin").stdout(Stdio::piped()), &input);
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(answers.len(), 2);
    assert!(
        answers[0]
            .ends_with(r#""error":"the line is longer than 65536 bytes; only the first 65536 were read"}"#)
    );
    assert!(answers[1].contains(r#""moves":[{"#));
    input.truncate(1 << 16);
    let output = run(endspiel("moves onitama --stdin").stdout(Stdio::piped()), &input);
    assert!(text(&output.stdout).contains(r#""moves":[{"#), "the longest that is read");
}

#[test]
fn play_survives_what_is_not_text() {
    let output =
        run(endspiel("play dobutsu --seed 1").stdout(Stdio::piped()), b"\xff\xfe\x1b[2J\nMOVES\nQuit\n");
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("`\u{fffd}\u{fffd}\\u{1b}[2J` is not a legal move here"), "{told}");
    assert!(told.contains("1d1c  2c2b  2d1c  2d3c"), "{told}");
}

/// A line that is too long is neither kept nor played, even if its beginning is a command, and the game goes on.
#[test]
fn play_survives_lines_that_are_too_long() {
    let input = format!("quit{}quit\nmoves\nquit\n", " ".repeat(1 << 20));
    let output = run(endspiel("play dobutsu --seed 1").stdout(Stdio::piped()), input.as_bytes());
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let sentence = "> The line is longer than 65536 bytes; it is ignored.\n";
    assert_eq!(told.matches(sentence).count(), 1, "{told}");
    assert!(told.len() < 1 << 12, "the line is not repeated");
    assert!(told.contains("1d1c  2c2b  2d1c  2d3c"), "{told}");
}

/// The atlas writes a page and a picture, and says where.
#[test]
fn the_atlas_is_a_page_with_pictures() {
    let output = run(endspiel("atlas onitama --out page").stdout(Stdio::piped()), b"");
    assert_eq!(
        text(&output.stdout),
        "1 table:\n  page/pictures/onitama-atlas-1.svg\n  page/onitama-atlas.md\n"
    );
    let read =
        |name: &str| std::fs::read_to_string(tables().join("page").join(name)).expect("a file of the atlas");
    let page = read("onitama-atlas.md");
    assert!(page.contains("![all endings") && page.contains("(pictures/onitama-atlas-1.svg)"), "{page}");
    assert!(page.contains("| 1v1 | 16,590 |") && page.contains("- **1v1**: "), "{page}");
    assert!(read("pictures/onitama-atlas-1.svg").ends_with("</svg>\n"));
}

/// A table that keeps the sides apart has a row and a line for each side. The page may have any name.
#[test]
fn the_atlas_of_chess_has_both_sides() {
    let output = run(endspiel("atlas chess --out page/endings.md").stdout(Stdio::piped()), b"");
    assert_eq!(text(&output.stdout), "1 table:\n  page/pictures/endings-1.svg\n  page/endings.md\n");
    let read =
        |name: &str| std::fs::read_to_string(tables().join("page").join(name)).expect("a file of the atlas");
    let page = read("endings.md");
    for part in [
        "| KQvK | white | 144,508 | 0 | 0 | 10 |  | ",
        "| KQvK | black | 0 | 23,048 | 200,896 |  | 10 |  |",
        "- **KQvK**, White to move wins: 10 moves in 8 positions: `",
        "- **KQvK**, Black to move loses: 10 moves in 56 positions: `",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(read("pictures/endings-1.svg").contains("KQvK, black"));
}

/// The answer repeats the wrong position, so it is longer than the buffer of the output.
#[test]
fn a_long_wrong_question_is_wrong_without_a_reader() {
    let position = "x".repeat(20_000);
    for verb in ["moves", "probe"] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let mut command = endspiel(&format!("{verb} chess --json"));
        command.arg(&position).stdout(writer).stderr(Stdio::null());
        assert_eq!(command.status().expect("it starts").code(), Some(2), "{verb}");
    }
}
