//! DTZ tables of chess by brute force, for materials in which the 50-move rule changes no value.

use chess::{Chess, Material, Position};
use game::{Endgame, Index, Location, Metric, Plies, Position as _, Wdl};
use std::sync::Arc;
use table::{Entry, Library, Prober, describe, write};

/// A move, as the distances see it.
enum Step {
    /// A capture or a pawn move, and the value for the opponent after it.
    Zeroing(Wdl),
    /// Any other move leads to this index of the same table.
    Quiet(usize),
}

/// Writes the DTZ table of a material. The library has the tables of the values.
pub fn write_table(material: Material, library: &Arc<Library>) {
    let game = Chess::STANDARD;
    let prober = Prober::new(game, Arc::clone(library));
    let wdl = |position: &Position| prober.value(position).expect("a table").wdl;
    let positions: Vec<Option<Position>> =
        (0..game.size(material)).map(|index| game.unrank(material, Index(index))).collect();
    let steps = |position: &Position| -> Vec<Step> {
        let step = |m| {
            let after = position.play_unchecked(m);
            match game.locate(&after) {
                Location::At(_, Index(index)) if !game.is_irreversible(position, m) => {
                    Step::Quiet(usize::try_from(index).expect("a small table"))
                }
                _ => Step::Zeroing(wdl(&after)),
            }
        };
        position.moves().into_iter().map(step).collect()
    };
    let mut entries = vec![Entry::Nothing; positions.len()];
    let mut open = Vec::new();
    for (index, position) in positions.iter().enumerate() {
        let Some(position) = position else { continue };
        match wdl(position) {
            Wdl::Draw => entries[index] = Entry::Draw,
            wdl => open.push((index, wdl, steps(position))),
        }
    }
    // Distance by distance: a win follows from one loss that is known, a loss from wins that are all known.
    for plies in (0..).map(Plies) {
        let known = |&(_, wdl, ref steps): &(usize, Wdl, Vec<Step>)| match wdl {
            Wdl::Win => steps.iter().any(|step| match *step {
                Step::Zeroing(after) => plies.0 == 1 && after == Wdl::Loss,
                Step::Quiet(after) => matches!(entries[after], Entry::Loss(Some(n)) if n.next() == plies),
            }),
            _ => steps.iter().all(|step| match *step {
                Step::Zeroing(_) => plies.0 >= 1,
                Step::Quiet(after) => matches!(entries[after], Entry::Win(Some(n)) if n < plies),
            }),
        };
        let (done, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(known);
        for (index, wdl, _) in done {
            entries[index] = if wdl == Wdl::Win { Entry::Win(Some(plies)) } else { Entry::Loss(Some(plies)) };
        }
        open = rest;
        if open.is_empty() {
            break;
        }
        assert!(plies.0 < 100, "{} positions of {material} have no distance", open.len());
    }
    let description = describe(&game, material, Metric::Dtz);
    let entry = |index: u64| entries[usize::try_from(index).expect("a small table")];
    write(&description.path(library.folder()), &description, entry, |_| ()).expect("a table");
}
