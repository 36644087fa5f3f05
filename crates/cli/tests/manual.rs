//! The manual pages: what people look for in them is there.

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
