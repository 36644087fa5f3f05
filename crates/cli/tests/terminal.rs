//! Plays in a terminal of 80 columns and 24 lines, which the module `pty` of Python makes.

use std::path::Path;
use std::process::Command;

/// What a terminal shows after these keys: its lines, and the exit code of the command. `None` if there is no Python, unless
/// the tests must ask all other programs.
fn screen(keys: &str, arguments: &[&str]) -> Option<(Vec<String>, String)> {
    let program = std::env::var("ENDSPIEL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let is_there = Command::new(&program)
        .args(["-c", "import pty"])
        .output()
        .is_ok_and(|output| output.status.success());
    let all = std::env::var_os("ENDSPIEL_ALL_PEERS").is_some();
    assert!(is_there || !all, "there is no Python");
    if !is_there {
        eprintln!("skipped: Python is not installed, or has no terminals");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal.py");
    let mut command = Command::new(&program);
    let output =
        command.arg(script).args([env!("CARGO_BIN_EXE_endspiel"), keys]).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let code = lines.pop().expect("the exit code");
    Some((lines, code))
}

#[test]
fn lines_are_edited_and_come_again() {
    // Home, insert, and delete before Enter; then the line before the last one again, changed.
    let keys = r"ex\x01t\x05xt\x1b[D\x1b[D\x7f\r|boerd\x7f\x7f\x7fard\r|\x1b[A\x1b[A\r|\x04";
    let arguments = ["play", "dobutsu", "--opponent", "person"];
    let Some((lines, code)) = screen(keys, &arguments) else { return };
    let shown = lines.join("\n");
    // `text` was typed with its letters out of order, and came again with the arrow.
    assert_eq!(shown.matches("gle/1c1/1C1/ELG b - 1").count(), 2, "{shown}");
    assert_eq!(shown.matches("d | E^| L^| G^|").count(), 2, "{shown}");
    assert_eq!(code, "exit code 0", "{shown}");
}

#[test]
fn ctrl_c_leaves_the_game() {
    let Some((lines, code)) = screen(r"moves\r|\x03", &["play", "dobutsu", "--opponent", "person"]) else {
        return;
    };
    assert_eq!(code, "exit code 130", "{lines:?}");
    assert!(lines.iter().any(|line| line == "endspiel: the game was left"), "{lines:?}");
}

#[test]
fn the_last_move_of_the_opponent_stands_with_the_whole_board() {
    // The first and the last line of each board, as the second side sees it.
    let boards = [
        ("onitama", "red", "    Blue", "    elephant     horse"),
        ("dobutsu", "white", "    1   2   3", "a | "),
        ("chess", "black", "1 | ", "    h g f e d c b a"),
        ("shogi", "white", "  1  2  3  4  5  6  7  8  9", "+---------------------------+"),
        ("cotulenh", "blue", " 1  ·", "    k  j  i"),
        ("backgammon", "black", "   13 14 15 16", "   12 11 10  9"),
    ];
    for (game, side, first, last) in boards {
        let arguments = ["play", game, "--opponent", "random", "--seed", "2", "--side", side];
        let Some((lines, _)) = screen(r"\x04", &arguments) else { return };
        let question =
            lines.iter().rposition(|line| line.contains("> ")).unwrap_or_else(|| panic!("{lines:?}"));
        let screen = &lines[(question + 1).saturating_sub(24)..=question];
        let at = |start: &str| screen.iter().position(|line| line.starts_with(start));
        let shown = screen.join("\n");
        let places = [at(first), at(last), screen.iter().position(|line| line.contains(" plays "))];
        assert!(places.iter().all(Option::is_some), "{game}: {places:?}\n{shown}");
        assert!(screen.iter().all(|line| line.chars().count() <= 80), "{shown}");
    }
}
