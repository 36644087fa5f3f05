//! The engine of shogi: its estimates, the mates that it finds, and how it plays with tables.

use endspiel_search::shogi::Tables;
use endspiel_search::{Control, Engine, Found, Limits, Searchable};
use game::{BySide, Endgame, Game, Metric, Plies, Position as _, Rng, Side, Value, Wdl};
use serde::Deserialize;
use shogi::{Board, Class, Move, Piece, Position, Setup, Shogi};
use solve::{Job, Run, Unmoves, Unwatched};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Library, Prober};

fn engine() -> Engine<Shogi> {
    Engine::new(Shogi::default(), Tables::default())
}

fn position(sfen: &str) -> Position {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn search(engine: &mut Engine<Shogi>, positions: &[Position], limits: &Limits<Move>) -> Found<Move> {
    engine.search(positions, limits, &Control::new(), &mut |_| ())
}

/// The position with the sides exchanged and the board turned.
fn exchanged(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    for (square, Piece { side, kind }) in position.board().pieces() {
        board.set(square.rotate(), Some(Piece { side: side.other(), kind }));
    }
    let hands = BySide { first: position.hand(Side::Second), second: position.hand(Side::First) };
    Setup { board, hands, turn: position.turn().other(), move_number: 1 }.try_into().expect("the same rules")
}

#[test]
fn estimates_do_not_depend_on_the_side() {
    let (mut rng, mut engine) = (Rng::new(3), engine());
    for _ in 0..300 {
        let plies = rng.below(200) as u32;
        let (position, _) = game::playout(&Shogi::default().start(), plies, &mut rng);
        assert_eq!(engine.estimate(&exchanged(&position)), engine.estimate(&position), "{position}");
    }
}

/// Moves of a position have different codes and slots within the bounds, and tactical moves are listed as they are recognised.
#[test]
fn moves_are_told_apart() {
    let (mut rng, game) = (Rng::new(4), Shogi::default());
    for _ in 0..300 {
        let plies = rng.below(200) as u32;
        let (position, _) = game::playout(&game.start(), plies, &mut rng);
        let moves = position.moves();
        let codes: HashSet<u16> = moves.iter().map(|&m| Shogi::move_code(m)).collect();
        assert!(codes.len() == moves.len() && !codes.contains(&0), "{position}");
        assert!(moves.iter().all(|&m| game.slot(&position, m) < Shogi::SLOTS));
        let mut tactical = HashSet::new();
        game.for_each_tactical(&position, |m| assert!(tactical.insert(m)));
        assert!(moves.iter().all(|m| game.is_tactical(&position, *m) == tactical.contains(m)), "{position}");
    }
}

#[derive(Deserialize)]
struct Ending {
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    sfen: String,
    wdl: String,
    dtm: Option<u16>,
}

/// Positions of an independent solver, with the plies to mate.
fn samples(classes: &[&str]) -> Vec<Sample> {
    let mut endings: HashMap<String, Ending> = fixtures::json("shogi/endgames.json.gz");
    classes.iter().flat_map(|&class| endings.remove(class).expect(class).samples).collect()
}

#[test]
fn mates_have_the_distances_of_tables() {
    let mut engine = engine();
    let mut found = 0;
    for Sample { sfen, wdl, dtm } in samples(&["P", "L", "N", "S", "G", "B", "R", "GG", "GP"]) {
        let Some(plies @ 1..=7) = dtm else { continue };
        if wdl != "win" {
            continue;
        }
        engine.forget();
        // The search ends when it has found a mate in so many plies. Shorter ones do not exist.
        let limits = Limits { mate: Some(plies.into()), nodes: Some(5_000_000), ..Limits::default() };
        let score = search(&mut engine, &[position(&sfen)], &limits).score;
        assert_eq!(score.value(), Some(Value::Win(Plies(plies))), "{sfen}");
        found += 1;
    }
    assert!(found > 20, "{found}");
}

/// Solves a class into a folder.
fn solved(class: &str, folder: &Path) -> Arc<Library> {
    let (game, interrupt) = (Shogi::default(), AtomicBool::new(false));
    let slices: Vec<Class> =
        game.groups().concat().into_iter().filter(|slice| slice.to_string() == class).collect();
    let library = Library::new(folder, 16 << 20);
    let job = Job {
        kernel: None,
        game: &game,
        library: &library,
        metric: Metric::Dtm,
        memory: 1 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    job.solve(&job.plan(&slices).expect("an empty folder")).expect("it fits");
    Arc::new(Library::new(folder, 16 << 20))
}

/// The engine mates as quickly as the table says, and is mated as late.
#[test]
fn tables_decide_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = solved("R", folder.path());
    let prober = Prober::of_metrics(Shogi::default(), Arc::clone(&library), vec![Metric::Dtm]);
    let mut engine = engine();
    engine.oracle_mut().set_library(Some(library));
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    for Sample { sfen, wdl, dtm } in samples(&["R"]).into_iter().take(60) {
        let mut positions = vec![position(&sfen)];
        let value = prober.known_value(&positions[0]).expect("a good table").expect("a known value");
        assert_eq!(value.wdl == Wdl::Win, wdl == "win", "{sfen}");
        assert_eq!(value.plies.map(|plies| plies.0), dtm, "{sfen}");
        let winner = if wdl == "win" { positions[0].turn() } else { positions[0].turn().other() };
        while let Some(best) = search(&mut engine, &positions, &limits).best {
            let last = positions.last().expect("there is one");
            positions.push(last.play_unchecked(best));
        }
        let outcome = positions.last().and_then(Position::outcome).map(|outcome| outcome.winner);
        assert_eq!(outcome, Some(Some(winner)), "{sfen}");
        assert_eq!(Some(positions.len() as u16 - 1), dtm, "{sfen}");
    }
}

#[test]
fn one_thread_always_finds_the_same() {
    let busy = position("ln1g2s2/1s4k1l/pp2gp1p1/3sp4/P2p1n2p/2rPP4/1P4PPP/3BG3R/LN1G2KNL b BPs3p 61");
    let limits = Limits { depth: Some(8), ..Limits::default() };
    assert_eq!(search(&mut engine(), &[busy], &limits), search(&mut engine(), &[busy], &limits));
}
