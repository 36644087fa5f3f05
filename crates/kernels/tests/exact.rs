//! Compares the kernel with exact distances with the generic solver, position by position, and with published counts.

mod common;

use common::{CARD_SETS, game_with};
use endspiel_kernels::onitama::attack::{AttackError, Means};
use endspiel_kernels::onitama::deals::Deals;
use endspiel_kernels::onitama::exact;
use game::{Endgame, Index, Location, Plies, Value};
use onitama::{Onitama, Position, Slice};
use serde_json::Value as Json;
use solve::{Cell, Group, Outside, Run, Unmoves, Unwatched};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

type Men = (usize, usize);

fn groups(most: usize) -> Vec<Vec<Men>> {
    let mut groups = Vec::new();
    for men in 2..=2 * most {
        for a in men.saturating_sub(most).max(1)..=men / 2 {
            let b = men - a;
            groups.push(if a == b { vec![(a, a)] } else { vec![(a, b), (b, a)] });
        }
    }
    groups
}

/// Solves all slices of these groups.
fn solved(
    game: &Onitama,
    groups: Vec<Vec<Men>>,
    interrupt: &AtomicBool,
) -> Result<BTreeMap<Men, Vec<u8>>, AttackError> {
    let deals = Deals::new(game.table_cards());
    let means =
        Means { room: 1 << 30, cache: 0, spill: &tempfile::tempfile, interrupt, watch: &|_, _, _| () };
    let mut slices: BTreeMap<Men, Vec<u8>> = BTreeMap::new();
    for group in groups {
        let finished = |mover, opponent| slices.get(&(mover, opponent)).map(Vec::as_slice);
        let cells = exact::solve(&deals, &group, &finished, &means)?;
        slices.extend(group.into_iter().zip(cells));
    }
    Ok(slices)
}

fn uninterrupted(game: &Onitama, most: usize) -> BTreeMap<Men, Vec<u8>> {
    solved(game, groups(most), &AtomicBool::new(false)).ok().expect("nothing in the way")
}

/// Converts a cell of the kernel to a cell of the generic solver.
fn in_its_words(cell: u8) -> u8 {
    let plies = Plies(cell.into());
    match cell {
        0 => u8::UNKNOWN,
        255 => u8::HOLE,
        _ if cell % 2 == 1 => u8::of(Value::Win(plies)).expect("it fits"),
        _ => u8::of(Value::Loss(plies)).expect("it fits"),
    }
}

/// The slices that the generic solver has solved so far.
#[derive(Default)]
struct Solved(HashMap<Slice, Vec<u8>>);

impl Outside<Onitama> for Solved {
    fn value(&self, slice: Slice, index: Index) -> Result<Value, table::Error> {
        Ok(self.0[&slice][index.0 as usize].value().unwrap_or(Value::Draw))
    }
}

fn equals_the_generic_solver(cards: &str) {
    let game = game_with(cards);
    let kernel = uninterrupted(&game, 2);
    let interrupt = AtomicBool::new(false);
    let run = Run { unmoves: Unmoves::FromGame, watch: &Unwatched, interrupt: &interrupt };
    let mut finished = Solved::default();
    for men in groups(2) {
        let slice = |&(mover, opponent): &Men| Slice::new(mover as u32, opponent as u32).expect("men");
        let slices: Vec<Slice> = men.iter().map(slice).collect();
        let mut group = Group::<_, u8, _>::new(&game, &slices, &finished, &run);
        group.solve(|_| Ok(())).expect("nothing in the way");
        let mut more = Vec::new();
        for (&men, &slice) in men.iter().zip(&slices) {
            let cells: Vec<u8> = (0..game.size(slice)).map(|index| group.cell(slice, Index(index))).collect();
            assert_eq!(cells.len(), kernel[&men].len(), "{cards} {slice}");
            for (index, (&generic, &cell)) in cells.iter().zip(&kernel[&men]).enumerate() {
                assert_eq!(in_its_words(cell), generic, "{cards} {slice} {index}");
            }
            more.push((slice, cells));
        }
        drop(group);
        finished.0.extend(more);
    }
}

/// Compares all cells for card sets that are their own mirror image and for others.
#[test]
fn every_cell_equals_the_generic_solver() {
    for cards in CARD_SETS {
        equals_the_generic_solver(cards);
    }
}

#[test]
fn threads_do_not_matter() {
    for cards in ["boar,ox,elephant,horse,crab", "cobra,dragon,eel,frog,goose"] {
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| uninterrupted(&game_with(cards), 2))
        };
        assert!(with_threads(1) == with_threads(3), "{cards}");
    }
}

#[test]
fn it_can_be_interrupted() {
    let result = solved(&Onitama::default(), groups(1), &AtomicBool::new(true));
    assert!(matches!(result, Err(AttackError::Interrupted)));
}

/// This test takes half a minute and 1.3 GB of memory.
#[test]
#[ignore = "slow"]
fn six_men_equal_published_counts() {
    let rows: Json = fixtures::json("onitama/six_men.json");
    // The default cards come first.
    let expected = &rows[0];
    let number = |json: &Json| json.as_u64().expect("a count");
    let mut plies = [0; 256];
    let slices = uninterrupted(&Onitama::default(), 3);
    for row in expected["slices"].as_array().expect("rows") {
        let slice = (number(&row["p0"]) as usize, number(&row["p1"]) as usize);
        let mut counts = [0u64; 256];
        slices[&slice].iter().for_each(|&cell| counts[usize::from(cell)] += 1);
        let wins: u64 = counts[..255].iter().skip(1).step_by(2).sum();
        let losses: u64 = counts[..255].iter().skip(2).step_by(2).sum();
        let wdl = ["win", "loss", "draw"].map(|key| number(&row[key]));
        assert_eq!([wins, losses, counts[0]], wdl, "{slice:?}");
        plies.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let found = plies.iter().enumerate().filter(|(plies, count)| !matches!(plies, 0 | 255) && **count > 0);
    let found: BTreeMap<String, u64> = found.map(|(plies, &count)| (plies.to_string(), count)).collect();
    let expected = expected["total"]["plies"].as_object().expect("a histogram");
    assert_eq!(found, expected.iter().map(|(plies, count)| (plies.clone(), number(count))).collect());
}

/// The value of a cell that follows from its successors by one step of backward induction.
fn one_step(game: &Onitama, slices: &BTreeMap<Men, Vec<u8>>, position: &Position) -> u8 {
    let (mut quickest_loss, mut longest_win, mut draws) = (u8::MAX, 0, false);
    let _ = game.successors(position, |location| {
        match location {
            Location::Over(value) => {
                assert_eq!(value, Value::Loss(Plies(0)), "a move wins or the game goes on");
                quickest_loss = 0;
            }
            Location::At(slice, Index(index)) => {
                let men = slices
                    .keys()
                    .find(|&&(mover, opponent)| Slice::new(mover as u32, opponent as u32) == Some(slice));
                match slices[men.expect("a slice that is finished")][index as usize] {
                    0 => draws = true,
                    win if win % 2 == 1 => longest_win = longest_win.max(win),
                    loss => quickest_loss = quickest_loss.min(loss),
                }
            }
            Location::Through | Location::Beyond(_) => panic!("every position of Onitama has its place"),
        }
        ControlFlow::<()>::Continue(())
    });
    match (quickest_loss, draws) {
        (u8::MAX, true) => 0,
        (u8::MAX, false) => longest_win + 1,
        (loss, _) => loss + 1,
    }
}

/// A side with five men may have to pass. This test takes a minute and half a gigabyte of memory.
#[test]
#[ignore = "slow"]
fn five_men_against_one_follow_from_their_moves() {
    let game = game_with("boar,crab,horse,ox,tiger");
    let groups = (1..=5).map(|n| if n == 1 { vec![(1, 1)] } else { vec![(1, n), (n, 1)] }).collect();
    let slices = solved(&game, groups, &AtomicBool::new(false)).ok().expect("nothing in the way");
    let check = |men: Men, index: usize| {
        let slice = Slice::new(men.0 as u32, men.1 as u32).expect("men");
        let cell = slices[&men][index];
        match game.unrank(slice, Index(index as u64)) {
            None => assert_eq!(cell, 255),
            Some(position) => assert_eq!(cell, one_step(&game, &slices, &position), "{slice} {index}"),
        }
    };
    for men in [(1, 5), (5, 1)] {
        (0..slices[&men].len()).step_by(101).for_each(|index| check(men, index));
    }
    let deals = Deals::new(game.table_cards());
    let row = slices[&(5, 1)].len() / 53_130;
    let stuck = (0..53_130).filter(|&rank| deals.stuck_attacker(bits::subsets::of_25::unrank(rank, 5)) != 0);
    let stuck: Vec<u32> = stuck.collect();
    assert!(!stuck.is_empty());
    stuck
        .iter()
        .flat_map(|&rank| (0..row).map(move |i| rank as usize * row + i))
        .for_each(|index| check((5, 1), index));
}
