//! Fuzz targets: each a plain function over bytes that panics where a law is broken.
//!
//! `cargo xtask test` replays and mutates the corpus on the stable toolchain; `cargo xtask test --full` runs
//! libFuzzer over them where there is a nightly one.

use chess::Chess;
use dobutsu::Dobutsu;
use game::{Game, Notation, Options, Position, Rng, laws};
use onitama::Onitama;
use registry::{Host, Hosted};
use std::fmt::Display;
use std::str::FromStr;
use table::Table;

/// A function over any bytes.
pub struct Target {
    /// Its name, which is also its folder in `corpus`.
    pub name: String,
    /// Panics where a law is broken.
    pub run: fn(&[u8]),
    /// Inputs to begin with, beside those of the corpus.
    pub seeds: Vec<Vec<u8>>,
}

/// All targets. A new game is one line.
pub fn targets() -> Vec<Target> {
    let mut targets = Vec::new();
    targets.extend(of_game::<Dobutsu>());
    targets.extend(of_game::<Onitama>());
    targets.extend(of_game::<Chess>());
    targets.push(target("dobutsu-move", any_move::<dobutsu::Move>, &["2c2b", "C*2b"]));
    targets.push(target("onitama-move", any_move::<onitama::Move>, &["boar:a1a2", "ox:pass"]));
    targets.push(target("onitama-cards", any_cards, &[onitama::CARDS.default]));
    targets.push(target("table", any_table, &[]));
    targets
}

fn target(name: &str, run: fn(&[u8]), seeds: &[&str]) -> Target {
    Target { name: name.to_owned(), run, seeds: seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect() }
}

/// What every game has: positions, moves, and both by the line. They begin with the start of a random game.
fn of_game<G: Notation>() -> [Target; 3] {
    const PLIES: u32 = 12;
    let (name, game, mut rng) = (G::INFO.name, default_game::<G>(), Rng::new(1));
    let (mut position, mut played) = (game.start(), Vec::new());
    for _ in 0..PLIES {
        let Some(m) = game::random_move(&position, &mut rng) else { break };
        played.push(game.move_text(&position, m));
        position = position.play_unchecked(m);
    }
    let (start, last) = (game.position_text(&game.start()), game.position_text(&position));
    let positions = [G::INFO.example_position, start.as_str(), last.as_str()];
    [
        target(&format!("{name}-position"), any_position::<G>, &positions),
        target(&format!("{name}-moves"), any_moves::<G>, &[&played.join(" ")]),
        target(&format!("{name}-lines"), any_lines::<G>, &[&positions.join("\n")]),
    ]
}

fn default_game<G: Game>() -> G {
    match G::new(&Options::default()) {
        Ok(game) => game,
        Err(error) => panic!("the default options are refused: {error}"),
    }
}

/// Any text is a position that returns from its print and keeps the laws of moves, or an error with a sentence.
fn any_position<G: Notation>(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let game = default_game::<G>();
    match game.parse_position(text) {
        Ok(position) => {
            laws::moves_agree(&position);
            laws::text_returns(&game, &position);
            let _ = game.draw(&position, game::Style::Coloured);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A game played by any words: each is a move, or is refused and changes nothing.
fn any_moves<G: Notation>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut session = Hosted::new(default_game::<G>()).session(None).expect("the start is a position");
    for word in text.split_ascii_whitespace().take(64) {
        let before = session.position();
        match session.play(word) {
            Ok(()) => assert_ne!(session.position(), before),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(session.position(), before);
            }
        }
    }
    while session.undo().is_some() {}
    assert_eq!(
        session.position(),
        Hosted::new(default_game::<G>()).session(None).expect("the start").position()
    );
}

/// Any bytes through the machine interface: as many lines of JSON come out as went in, each with moves or an error.
fn any_lines<G: Notation>(bytes: &[u8]) {
    let mut output = Vec::new();
    Hosted::new(default_game::<G>()).moves(&mut { bytes }, &mut output).expect("memory has no I/O errors");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let questions =
        bytes.split(|&byte| byte == b'\n').count() - usize::from(bytes.is_empty() || bytes.ends_with(b"\n"));
    assert_eq!(output.lines().count(), questions);
    for line in output.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("answers are JSON");
        assert!(answer["position"].is_string());
        assert!(answer["moves"].is_array() != answer["error"].is_string());
    }
}

/// Any list of cards is a game whose start keeps the laws, or an error with a sentence.
fn any_cards(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut options = Options::default();
    options.set(&onitama::CARDS, text.to_owned());
    match Onitama::new(&options) {
        Ok(game) => laws::moves_agree(&game.start()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// `print(parse(text)) = text` for moves without a position, upper and lower case alike.
fn any_move<M: FromStr + Display>(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(m) = text.parse::<M>() {
        assert!(m.to_string().eq_ignore_ascii_case(text), "`{text}` is read as `{m}`");
    }
}

/// Any bytes are a table whose every entry can be read, or an error with a sentence.
fn any_table(bytes: &[u8]) {
    match Table::from_bytes(bytes.to_vec()) {
        Ok(table) => {
            for block in table.iter_blocks() {
                match block {
                    Ok(block) => assert!(block.iter().count() == block.len()),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
            let _ = table.check();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
