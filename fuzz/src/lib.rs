//! Fuzz targets: each a plain function over bytes that panics where a law is broken.
//!
//! `cargo xtask test` replays and mutates the corpus on the stable toolchain; `cargo xtask test --full` runs
//! libFuzzer over them where there is a nightly one.

use dobutsu::Dobutsu;
use game::{Game, Notation, Options, laws};
use onitama::Onitama;
use registry::{Host, Hosted};

/// A name, which is also its folder in `corpus`, and a function over any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("dobutsu-position", position::<Dobutsu>),
    ("dobutsu-moves", moves::<Dobutsu>),
    ("dobutsu-lines", lines::<Dobutsu>),
    ("onitama-position", position::<Onitama>),
    ("onitama-moves", moves::<Onitama>),
    ("onitama-lines", lines::<Onitama>),
    ("onitama-cards", onitama_cards),
    ("onitama-move", onitama_move),
];

fn default_game<G: Game>() -> G {
    match G::new(&Options::default()) {
        Ok(game) => game,
        Err(error) => panic!("the default options are refused: {error}"),
    }
}

/// Any text is a position that returns from its print and keeps the laws of moves, or an error with a sentence.
fn position<G: Notation>(bytes: &[u8]) {
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
fn moves<G: Notation>(bytes: &[u8]) {
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
fn lines<G: Notation>(bytes: &[u8]) {
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
fn onitama_cards(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut options = Options::default();
    options.set(&onitama::CARDS, text.to_owned());
    match Onitama::new(&options) {
        Ok(game) => laws::moves_agree(&game.start()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// `parse(print(m)) = m` for moves without a position.
fn onitama_move(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(m) = text.parse::<onitama::Move>() {
        assert_eq!(m.to_string(), text);
    }
}
