//! A few games of each kind, written out in full and compared with what was written before: every string, move and
//! outcome. `cargo xtask golden` writes them anew.

use endspiel_registry::{Host, Registry};
use game::{Options, Rng, Style};
use std::fmt::Write;
use std::path::Path;

const GAMES: u64 = 3;
const LONGEST: usize = 60;

#[test]
fn playthroughs_are_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/playthroughs");
    for family in Registry::standard().games() {
        let host = family.open(&Options::default()).expect("defaults are right");
        let played: String = (1..=GAMES).map(|seed| playthrough(&*host, seed)).collect();
        let path = folder.join(format!("{}.txt", family.info().name));
        if std::env::var_os("ENDSPIEL_BLESS").is_some() {
            std::fs::write(&path, played).expect("fixtures can be written");
            continue;
        }
        let expected =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let line = played.lines().zip(expected.lines()).position(|(ours, theirs)| ours != theirs);
        assert_eq!(line.map(|n| n + 1), None, "{} differs from this line on", path.display());
        assert_eq!(played.len(), expected.len(), "{} has another length", path.display());
    }
}

/// One random game: at each step the position, the drawn board, the legal moves, and the move chosen.
fn playthrough(host: &dyn Host, seed: u64) -> String {
    let mut session = host.session(None).expect("the start is a position");
    let mut rng = Rng::new(seed);
    let mut out = format!("# {} {}, seed {seed}\n", host.info().name, host.rules_id());
    for ply in 0..=LONGEST {
        let moves = session.moves();
        let _ = write!(out, "\nply {ply}: {}\n{}", session.position(), session.draw(Style::Plain));
        let _ = writeln!(out, "{} to move, {} moves: {}", session.turn(), moves.len(), moves.join(" "));
        match session.play_random(&mut rng) {
            Some(text) => writeln!(out, "plays {text}").expect("writing to a string"),
            None => break,
        }
    }
    match session.ending() {
        Some(ending) => writeln!(out, "\n{} by {}\n", ending.winner.unwrap_or("nobody"), ending.by),
        None => writeln!(out, "\nunfinished\n"),
    }
    .expect("writing to a string");
    out
}
