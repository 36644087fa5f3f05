//! `endspiel tables` lists what is there, also if there is much of it or if a part cannot be read.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use table::{Description, Entry};

/// Writes small tables of a game that nobody plays.
fn write(root: &Path, rules: &str, slices: usize) {
    for slice in 0..slices {
        let description = Description {
            game: "matches".to_owned(),
            rules: rules.to_owned(),
            slice: format!("heap{slice}"),
            metric: game::Metric::Wdl,
            index: "count-1".to_owned(),
            entries: 3,
        };
        table::write(&description.path(root), &description, |_| Entry::Draw, |_| ()).expect("a table");
    }
}

/// Runs `endspiel tables` behind a shell command.
fn tables(root: &Path, before: &str) -> Output {
    let line = format!("{before} \"$0\" tables --tables \"$1\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_endspiel")]).arg(root).output().expect("a shell")
}

#[test]
fn many_tables_need_few_handles() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "standard", 60);
    let listed = tables(folder.path(), "ulimit -n 24;");
    assert!(listed.status.success(), "{listed:?}");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("60 tables in"), "{listed:?}");
}

#[test]
fn the_two_files_of_a_packed_table_count_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut solve = Command::new(env!("CARGO_BIN_EXE_endspiel"));
    solve.args(["solve", "onitama", "1v1", "--pack", "--tables"]).arg(folder.path());
    assert!(solve.output().expect("it starts").status.success());
    let listed = tables(folder.path(), "");
    let lines: Vec<String> = String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect();
    let [_rules, _columns, dtm, wdl, _empty, sum] = &lines[..] else { panic!("{listed:?}") };
    assert!(dtm.contains(" dtm ") && dtm.ends_with("packed, no"), "{listed:?}");
    assert!(wdl.contains(" wdl ") && wdl.ends_with("packed, no"), "{listed:?}");
    assert!(sum.starts_with("1 table in "), "{listed:?}");
    // The ratio of the table is that of its entries to the bytes of both files.
    let sizes = ["dtm", "wdl"].map(|metric| {
        let file = format!("onitama/boar-crab-elephant-horse-ox/1v1.{metric}.est");
        fs::metadata(folder.path().join(file)).expect("a file").len()
    });
    let ratio = format!("{:.1}:1", 18_000.0 / sizes.iter().sum::<u64>() as f64);
    assert!(sum.contains(&ratio), "{ratio}: {listed:?}");
    // Distances without their outcomes are no table.
    fs::remove_file(folder.path().join("onitama/boar-crab-elephant-horse-ox/1v1.wdl.est")).expect("a file");
    let listed = tables(folder.path(), "");
    let said = String::from_utf8_lossy(&listed.stdout);
    assert_eq!(listed.status.code(), Some(1), "{listed:?}");
    assert!(
        said.contains("1v1.dtm.est") && said.contains("1v1.wdl.est") && !said.contains("packed, "),
        "{said}"
    );
}

#[test]
fn a_folder_that_cannot_be_read_hides_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for rules in ["a", "b", "c"] {
        write(folder.path(), rules, 2);
    }
    let permit =
        |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("our file");
    let (closed, command) = (folder.path().join("matches/b"), env!("CARGO_BIN_EXE_endspiel"));
    permit(folder.path(), 0o755);
    permit(&closed, 0o000);
    // Root may read everything, so somebody else has to look, with a copy of the command that he may read.
    let is_root = fs::read_dir(&closed).is_ok();
    let listed = match is_root {
        false => tables(folder.path(), ""),
        true => {
            let copy = folder.path().join("endspiel");
            fs::copy(command, &copy).expect("a copy");
            permit(&copy, 0o755);
            let mut other = Command::new("setpriv");
            other.args(["--reuid=65534", "--clear-groups"]).arg(&copy).arg("tables").arg("--tables");
            other.arg(folder.path()).output().expect("setpriv")
        }
    };
    permit(&closed, 0o755);
    let said = String::from_utf8_lossy(&listed.stdout);
    assert_eq!(listed.status.code(), Some(1), "{listed:?}");
    // Two sets of rules, each with a heading and two tables.
    let headings = said.lines().filter(|line| line.starts_with("matches ("));
    assert_eq!(headings.count(), 2, "{said}");
    assert_eq!(said.matches(" wdl ").count(), 4, "{said}");
    assert!(said.contains("matches/b") && said.contains("cannot be listed: Permission denied"), "{said}");
}
