//! Who cannot move passes and exchanges a card all the same. Only five men can be stuck, in five ways; the special solver
//! and the generic one agree about each of them, and about all else with five men against one.

use endspiel_kernels::onitama::OnitamaKernel;
use game::{Endgame, Index, Metric, Position as _};
use onitama::{Card, Move, Onitama, Position, Slice};
use solve::{Job, Kernel, MovesBack, Run, Unwatched};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Library, Prober, describe};

/// Three of the five ways are in the first set; the second adds the others.
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
        run: Run { moves_back: MovesBack::FromGame, watch: &Unwatched, interrupt: &interrupt },
    };
    let slice = Slice::new(5, 1).expect("five against one");
    job.solve(&job.plan(&[slice]).expect("an empty folder")).expect("it fits");
    Arc::new(Library::new(folder, 64 << 20))
}

fn passes(position: &Position) -> bool {
    let first = position.visit_moves(ControlFlow::Break);
    matches!(first, ControlFlow::Break(Move::Pass { .. }))
}

#[test]
#[ignore = "minutes of work: part of the full run"]
fn both_solvers_agree_about_passes() {
    let mut stuck_hands = BTreeSet::new();
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
            // Every position in which the mover passes, and every one after which the other side does.
            for index in (0..game.size(slice)).map(Index) {
                let Some(position) = game.unrank(slice, index) else { continue };
                let concerned = if mover == 5 {
                    passes(&position)
                } else {
                    index.0.is_multiple_of(1_009) && {
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
                    }
                }
            }
        }
    }
    let expected = ["boar,crab", "boar,elephant", "crab,elephant", "horse,tiger", "ox,tiger"];
    assert_eq!(stuck_hands.into_iter().collect::<Vec<_>>(), expected);
}
