//! Compares with the answers of python-chess (`oracles/chess/syzygy.py`), and with laws that all answers keep.

use chess::Position;
use endspiel_syzygy::{Metric, ProbeError, Tablebase, Wdl5};
use game::Position as _;
use std::thread;

mod common;

fn tables() -> Tablebase {
    Tablebase::open([fixtures::path("chess/syzygy")]).expect("the fixtures")
}

#[test]
fn python_chess_gives_the_same_answers() {
    let tables = tables();
    let (mut distances, mut en_passant) = (0, 0);
    for line in fixtures::text("chess/syzygy.txt").lines() {
        let [fen, wdl, dtz] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position: Position = fen.parse().expect(fen);
        en_passant += u32::from(position.en_passant().is_some());
        assert_eq!(tables.wdl(&position).expect(fen).number().to_string(), wdl, "{fen}");
        match tables.dtz(&position) {
            Ok(found) if dtz != "-" => {
                distances += 1;
                assert_eq!(found.plies().to_string(), dtz, "{fen}");
            }
            // python-chess asks for more tables than are needed in some positions.
            Ok(_) => (),
            Err(ProbeError::Missing { .. }) => assert_eq!(dtz, "-", "{fen}"),
            Err(error) => panic!("{fen}: {error}"),
        }
    }
    assert!(distances > 700 && en_passant > 100, "{distances} distances, {en_passant} with en passant");
}

/// The value is the best of the values after each move, and the distance has its sign.
#[test]
fn a_value_follows_from_the_moves() {
    let tables = tables();
    for material in tables.materials(Metric::Wdl) {
        common::random_positions(material, 300, 5, &mut |position| {
            let value = tables.wdl(&position).expect("a table");
            let mut after = Vec::new();
            let _ = position.visit_moves(|m| {
                after.push(tables.wdl(&position.play_unchecked(m)).map(|value| -value));
                std::ops::ControlFlow::<()>::Continue(())
            });
            let best = match after.is_empty() {
                true if position.is_check() => Ok(Wdl5::Loss),
                true => Ok(Wdl5::Draw),
                false => after
                    .into_iter()
                    .collect::<Result<Vec<_>, _>>()
                    .map(|values| values[..].iter().copied().max().expect("a move")),
            };
            match best {
                Ok(best) => assert_eq!(value, best, "{position}"),
                Err(ProbeError::Missing { .. }) => (),
                Err(error) => panic!("{position}: {error}"),
            }
            if let Ok(dtz) = tables.dtz(&position) {
                assert_eq!(dtz.plies().signum(), i32::from(value.number().signum()), "{position}");
            }
        });
    }
}

#[test]
fn mate_and_stalemate_have_the_distances_of_python_chess() {
    let tables = tables();
    let dtz = |fen: &str| tables.dtz(&fen.parse().expect(fen)).expect(fen);
    let mated = dtz("8/8/8/8/8/1K6/1Q6/k7 b - - 0 1");
    assert_eq!((mated.plies(), mated.is_exact()), (-1, true));
    assert_eq!(dtz("8/8/8/8/8/1K6/2Q5/k7 b - - 0 1").plies(), 0, "stalemate");
    assert_eq!(dtz("8/8/8/8/8/1K6/7Q/k7 w - - 0 1").plies(), 1, "mate in one");
    assert_eq!(dtz("8/8/8/8/8/1K6/8/k7 w - - 0 1").plies(), 0, "two kings need no table");
}

#[test]
fn many_threads_open_and_probe_the_same_tables() {
    let tables = tables();
    let mut positions = Vec::new();
    for material in tables.materials(Metric::Wdl) {
        common::random_positions(material, 50, 6, &mut |position| positions.push(position));
    }
    let probe_all =
        || positions.iter().map(|position| tables.wdl(position).expect("a table")).collect::<Vec<_>>();
    let answers: Vec<Vec<Wdl5>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(probe_all)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}
