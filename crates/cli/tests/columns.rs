//! What the command writes for people fits a terminal of 80 columns.

mod common;

use common::endspiel;

const GAMES: [&str; 6] = ["dobutsu", "onitama", "chess", "shogi", "cotulenh", "backgammon"];

/// The columns of a line in a terminal. Kanji take two.
fn width(line: &str) -> usize {
    let is_wide = |c: char| ('\u{2e80}'..'\u{a000}').contains(&c) || ('\u{ff00}'..'\u{ff61}').contains(&c);
    line.chars().map(|c| 1 + usize::from(is_wide(c))).sum()
}

/// Positions and commands are one line each, because people copy them.
fn is_copied(line: &str) -> bool {
    line.starts_with("  endspiel ") || line.matches('/').count() >= 7
}

#[test]
fn lines_for_people_have_at_most_80_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut commands = vec!["solve".to_owned(), "games".to_owned(), "tables".to_owned(), "--help".to_owned()];
    for game in GAMES {
        for verb in [
            "info",
            "moves",
            "moves --help",
            "play --help",
            "solve --help",
            "match --help",
            "divide --depth 1",
        ] {
            let (verb, rest) = verb.split_once(' ').unwrap_or((verb, ""));
            commands.push(format!("{verb} {game} {rest}").trim_end().to_owned());
        }
        commands.push(format!("perft {game} --depth 2"));
        commands.push(format!("match {game} random random --games 3"));
        if game != "dobutsu" {
            commands.push(format!("stats {game}"));
            commands.push(format!("verify {game} --depth checksums"));
            commands.push(format!("match {game} perfect random --games 2 --threads 1"));
        }
    }
    let probes = [
        "chess 8/8/8/8/8/8/R7/K1k5 w - - 0 1 --statistics",
        "shogi 9/9/9/9/2k6/9/K8/9/9 b R 1",
        "onitama 4300000000000020010000000 b boar,crab elephant,horse ox --line",
        "cotulenh 11/11/11/11/11/2C8/11/11/11/11/11/+n2c7 r - - 0 1",
        "backgammon XGID=-BBA------------------abb-:0:0:1:00:0:0:0:0:10",
        "backgammon XGID=-BBA------------------abb-:0:0:1:31:0:0:0:0:10",
    ];
    commands.extend(probes.map(|probe| format!("probe {probe}")));
    // Boards with long notes beside them.
    for position in [
        "shogi 4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "shogi 4k4/9/9/9/9/9/9/4r4/4K4 b RB2G2S2N2L9Pb2g2s2n2l9p 1",
        "backgammon XGID=-b----E-C---eE---c-e----B-:4:1:1:00:3:7:0:25:10",
        "backgammon XGID=-b----E-C---eE---c-e----B-:6:-1:1:00:23:24:0:25:10",
        "backgammon XGID=-b----E-C---eE---c-e----B-:0:0:1:31:23:24:1:25:10",
        "backgammon --match 25 --cube on",
    ] {
        commands.push(format!("moves {position}"));
    }
    for command in commands {
        let output =
            endspiel(&command, folder.path()).current_dir(folder.path()).output().expect("it starts");
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        let wrong = String::from_utf8_lossy(&output.stderr);
        // Whatever a command finds, it must show something to measure.
        assert!(output.status.success() && !told.is_empty(), "{command}: {told}{wrong}");
        for line in told.lines().filter(|line| !is_copied(line)) {
            assert!(width(line) <= 80, "{command}: {line}");
        }
    }
}
