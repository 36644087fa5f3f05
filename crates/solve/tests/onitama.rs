//! Onitama against the counts of independent programs.

use endspiel_solve::{Batch, Cell, Finished, MovesBack, Run};
use game::{Endgame, Index, Value};
use onitama::Onitama;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

#[test]
fn counts() {
    let game = Onitama::default();
    let mut finished: Finished<Onitama, u8> = Vec::new();
    let interrupt = AtomicBool::new(false);
    let run =
        Run { moves_back: MovesBack::FromGame, progress: &|p| eprintln!("{p:?}"), interrupt: &interrupt };
    let wanted = game.select("4").unwrap();
    let mut plies = BTreeMap::new();
    let (mut win, mut loss, mut draw) = (0, 0, 0);
    let started = std::time::Instant::now();
    for batch in game.batches() {
        if !batch.iter().all(|s| wanted.contains(s)) {
            continue;
        }
        let mut solver = Batch::<_, u8>::new(&game, &batch, &finished, &run);
        solver.solve(|_| Ok(())).unwrap();
        let mut done = Vec::new();
        for &slice in &batch {
            let cells: Vec<u8> = (0..game.size(slice)).map(|i| solver.cell(slice, Index(i))).collect();
            for c in &cells {
                match c.value() {
                    Some(Value::Win(p)) => {
                        win += 1;
                        *plies.entry(p.0).or_insert(0u64) += 1;
                    }
                    Some(Value::Loss(p)) => {
                        loss += 1;
                        *plies.entry(p.0).or_insert(0) += 1;
                    }
                    _ if *c == u8::UNKNOWN => draw += 1,
                    _ => {}
                }
            }
            done.push((slice, cells));
        }
        drop(solver);
        finished.extend(done);
    }
    eprintln!("{:?} {win} {loss} {draw} {plies:?}", started.elapsed());
    assert_eq!((win, loss, draw), (6_752_579, 2_419_523, 2_168));
}
