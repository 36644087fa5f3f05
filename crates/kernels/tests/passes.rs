//! A side that cannot move passes, but still exchanges a card. Only a side with five men can be stuck, and only in five
//! ways. The kernel and the generic solver agree about each of them, and about all other positions with five men against
//! one.

use endspiel_kernels::onitama::OnitamaKernel;
use game::{Endgame, Index, Metric, Position as _};
use onitama::{Card, Move, Onitama, Position, Slice, SquareSet};
use solve::{Job, Kernel, Run, Unmoves, Unwatched};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Library, Prober, describe};

/// The first set has three of the five ways to be stuck. The second set adds the others.
const CARD_SETS: [[Card; 5]; 2] = [
    [Card::Boar, Card::Ox, Card::Elephant, Card::Horse, Card::Crab],
    [Card::Boar, Card::Crab, Card::Horse, Card::Ox, Card::Tiger],
];

fn solve(
    game: &Onitama,
    folder: &Path,
    metric: Metric,
    kernel: Option<&dyn Kernel<Onitama>>,
) -> Arc<Library> {
    let interrupt = AtomicBool::new(false);
    let job = Job {
        game,
        kernel,
        library: &Library::new(folder, 0),
        metric,
        memory: 4 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        run: Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    let slice = Slice::new(5, 1).expect("five against one");
    job.solve(&job.plan(&[slice]).expect("an empty folder")).expect("it fits");
    Arc::new(Library::new(folder, 64 << 20))
}

fn passes(position: &Position) -> bool {
    let first = position.visit_moves(ControlFlow::Break);
    matches!(first, ControlFlow::Break(Move::Pass { .. }))
}

/// Returns whether all men are on one rank or on one file. Five men that are not can move.
fn are_in_line(men: SquareSet) -> bool {
    men.first().is_some_and(|first| {
        men.iter().all(|square| square.rank() == first.rank())
            || men.iter().all(|square| square.file() == first.file())
    })
}

#[test]
#[ignore = "minutes of work: part of the full run"]
fn both_solvers_agree_about_passes() {
    let (mut stuck_hands, mut before_passes) = (BTreeSet::new(), 0);
    for cards in CARD_SETS {
        let game = Onitama::with_deal(cards).expect("different cards");
        let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
        let generic = solve(&game, folders[0].path(), Metric::Dtm, None);
        let exact = solve(&game, folders[1].path(), Metric::Dtm, Some(&OnitamaKernel));
        let wdl = solve(&game, folders[2].path(), Metric::Wdl, Some(&OnitamaKernel));
        let [generic_prober, wdl_prober] =
            [&generic, &wdl].map(|library| Prober::new(game, Arc::clone(library)));
        for (mover, opponent) in [(5, 1), (1, 5)] {
            let slice = Slice::new(mover, opponent).expect("men");
            let path = |library: &Library| describe(&game, slice, Metric::Dtm).path(library.folder());
            assert!(
                fs::read(path(&generic)).expect("a table") == fs::read(path(&exact)).expect("a table"),
                "{slice}"
            );
            // Every position in which the side to move passes, and every one in which the opponent may pass next.
            for index in (0..game.size(slice)).map(Index) {
                let Some(position) = game.unrank(slice, index) else { continue };
                let concerned = if mover == 5 {
                    passes(&position)
                } else {
                    are_in_line(position.men(position.turn().other())) && {
                        let mut next = false;
                        position.for_each_move(|m| next |= passes(&position.play_unchecked(m)));
                        next
                    }
                };
                if concerned {
                    let value = generic_prober.value(&position).expect("a table");
                    assert_eq!(
                        wdl_prober.value(&position).expect("a table").wdl,
                        value.wdl,
                        "{slice} {index:?}"
                    );
                    if mover == 5 {
                        stuck_hands.insert(position.hand(position.turn()).to_string());
                    } else {
                        before_passes += 1;
                    }
                }
            }
        }
    }
    let expected = ["boar,crab", "boar,elephant", "crab,elephant", "horse,tiger", "ox,tiger"];
    assert_eq!(stuck_hands.into_iter().collect::<Vec<_>>(), expected);
    assert!(before_passes > 1_000, "the opponent may pass next in only {before_passes} positions");
}
