//! The manual pages and the completions: what people look for in them is there.

use std::path::Path;
use std::process::{Command, Output};

fn endspiel(line: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    command.args(line.split(' ')).current_dir(folder).output().expect("it starts")
}

/// The lines of a section, without the escapes of roff.
fn section(page: &str, heading: &str) -> String {
    let plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "");
    let begin = [format!(".SH {heading}\n"), format!(".SH \"{heading}\"\n")];
    let found = begin.iter().find_map(|begin| plain.split(begin.as_str()).nth(1));
    let section = found.unwrap_or_else(|| panic!("no section {heading} in {plain}"));
    section.split("\n.SH ").next().expect("a part").to_owned()
}

/// Codes, variables and options that no page may lack.
#[test]
fn pages_have_codes_variables_and_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = endspiel("man", folder.path());
    let whole = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(endspiel("man --dir pages", folder.path()).status.success());
    let page = |name: &str| std::fs::read_to_string(folder.path().join("pages").join(name)).expect(name);
    assert_eq!(whole, page("endspiel.1"));
    for name in ["endspiel.1", "endspiel-probe.1", "endspiel-probe-chess.1", "endspiel-games.1"] {
        let (codes, variables) = (section(&page(name), "EXIT STATUS"), section(&page(name), "ENVIRONMENT"));
        for code in ["0", "1", "2", "3", "130"] {
            assert!(codes.contains(&format!(".TP\n{code}\n")), "{name}, {code}: {codes}");
        }
        for variable in ["ENDSPIEL_TABLES", "ENDSPIEL_REMOTE", "XDG_CACHE_HOME", "NO_COLOR"] {
            assert!(variables.contains(&format!(".TP\n{variable}\n")), "{name}, {variable}: {variables}");
        }
    }
    // The options of a verb are on its own page, although clap knows them for its games.
    let options = section(&page("endspiel-probe.1"), "OPTIONS");
    for option in ["--tables", "--remote", "--json", "--stdin", "--preload", "POSITION"] {
        assert!(options.contains(option), "{option}: {options}");
    }
    assert!(section(&page("endspiel-probe.1"), "OPTIONS FOR CHESS").contains("--rule50"));
    assert!(section(&page("endspiel-probe.1"), "SYNOPSIS").contains("endspiel probe <GAME> [OPTIONS]"));
    assert!(section(&whole, "OPTIONS OF SOLVE").contains("--memory"));
    assert!(section(&whole, "OPTIONS OF TABLES").contains("--manifest"));
    assert!(section(&page("endspiel-moves.1"), "EXAMPLES AND NOTES").contains("\n  endspiel moves "));
}

/// The formatter of manual pages has nothing to complain about. Machines without one skip this.
#[test]
fn pages_can_be_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(endspiel("man --dir pages", folder.path()).status.success());
    for page in std::fs::read_dir(folder.path().join("pages")).expect("a folder") {
        let page = page.expect("a file").path();
        let mut groff = Command::new("groff");
        let Ok(shown) = groff.args(["-man", "-Tutf8", "-ww", "-Kutf8", "-z"]).arg(&page).output() else {
            return;
        };
        assert!(shown.status.success() && shown.stderr.is_empty(), "{}: {shown:?}", page.display());
    }
}

/// Asks the completions of bash about a line. The last word is the one to complete.
fn completed(line: &str, folder: &Path) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let (at, current, previous) = (words.len() - 1, words[words.len() - 1], words[words.len() - 2]);
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        ". ./completions; COMP_WORDS=({}); COMP_CWORD={at}; _endspiel endspiel '{current}' '{previous}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" ")
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder).output().expect("bash");
    assert!(output.stderr.is_empty(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// The values of options are completed, each game with its own.
#[test]
fn values_are_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = endspiel("completions bash", folder.path());
    std::fs::write(folder.path().join("completions"), script.stdout).expect("a file of ours");
    for (line, values) in [
        ("endspiel pla", &["play"][..]),
        ("endspiel play sho", &["shogi"]),
        ("endspiel play chess --variant ", &["standard", "chess960"]),
        ("endspiel moves backgammon --cube o", &["on", "off"]),
        ("endspiel play backgammon --opponent p", &["person", "pips", "perfect"]),
        ("endspiel play onitama --opponent p", &["person", "perfect"]),
        ("endspiel play shogi --side w", &["white"]),
        ("endspiel solve shogi --pieces ", &["3", "4", "5"]),
        ("endspiel solve chess --metric d", &["dtm", "dtz"]),
        ("endspiel solve chess KQ", &["KQvK"]),
        ("endspiel match backgammon gnubg:", &["gnubg:0", "gnubg:1", "gnubg:2"]),
        ("endspiel record convert shogi --to k", &["kif"]),
        ("endspiel record check chess --from p", &["pgn"]),
        ("endspiel moves cotulenh --battle m", &["marine"]),
        ("endspiel completions z", &["zsh"]),
    ] {
        let completed = completed(line, folder.path());
        assert_eq!(completed, values, "{line}");
    }
    for shell in ["fish", "zsh", "elvish", "powershell"] {
        let script = endspiel(&format!("completions {shell}"), folder.path());
        assert!(String::from_utf8_lossy(&script.stdout).contains("chess960"), "{shell}");
    }
}
