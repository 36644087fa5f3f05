//! The laws that every game must keep. Each is a function that panics if the law is broken. The tests of a game call
//! these functions on random positions, with the same few lines for every game (see `tests/laws.rs` of any game).

mod chance;
mod expectation;
mod setup;
mod stack;

pub use expectation::{expectation_returns, moves_stay};
pub use setup::of_setup;
pub use stack::{forced_moves_are_counted, stack_suffices, stack_suffices_by_sides};

use crate::perft::{self, Counting};
use crate::{
    Endgame, Event, Game, Index, Key, Location, Notation, Outcome, Played, PlayedError, Position,
    Predecessors, Record, Rng, Symmetric, Value,
};
use chance::{before_chance, chances_lead_to_moves, outcomes};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

/// Checks all laws of rules and notation on a position after random moves from the start.
pub fn of_rules<G: Notation>(game: &G, seed: u64, plies: u32) {
    let mut rng = Rng::new(seed);
    let (position, _) = crate::playout(&game.start(), plies, &mut rng);
    moves_agree(&position);
    text_returns(game, &position);
    keys_agree(game, &position);
    perft_agrees(&position);
    undo_restores(game, &mut rng);
    moves_are_read_behind(game, position, &mut rng);
}

/// Checks the laws of symmetry on a position after random moves from the start, for games that have symmetries.
pub fn of_symmetry<G: Game>(game: &G, seed: u64, plies: u32)
where
    G::Position: Symmetric,
{
    let (position, _) = crate::playout(&game.start(), plies, &mut Rng::new(seed));
    symmetry_keeps_moves(&position);
    symmetries_compose(&position);
}

/// Checks that counting, visiting and `is_legal` find the same moves, and that no move is found twice. A position has
/// no moves exactly if it is finished or awaits chance.
pub fn moves_agree<P: Position>(position: &P) {
    let moves = position.moves();
    assert_eq!(moves.len() as u64, position.count_moves(), "count of moves: {position:?}");
    let is_over = position.outcome().is_some();
    assert_eq!(moves.is_empty(), is_over || position.awaits_chance(), "end and moves differ: {position:?}");
    chances_lead_to_moves(position);
    for (i, &m) in moves.iter().enumerate() {
        assert!(!moves[..i].contains(&m), "move twice: {m:?} in {position:?}");
        assert!(position.is_legal(m), "visited but not legal: {m:?} in {position:?}");
        assert_eq!(position.play(m).as_ref(), Ok(&position.play_unchecked(m)));
    }
    successors_are_played(position);
}

/// Checks that `visit_successors` shows the same positions as playing the moves, in the same order, and that
/// `unique_successors` has each different one.
fn successors_are_played<P: Position>(position: &P) {
    let mut moves = position.moves().into_iter();
    let mut different = HashSet::new();
    let _ = position.visit_successors(|m, next| {
        assert_eq!(moves.next(), Some(m), "{position:?}");
        assert_eq!(next, position.play_unchecked(m), "{m:?} in {position:?}");
        different.insert(next);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(moves.next(), None, "{position:?}");
    let unique: HashSet<P> = position.unique_successors().into_iter().map(|(_, next)| next).collect();
    assert_eq!(unique, different, "{position:?}");
}

/// Checks that the moves of a position's image are the images of its moves, and lead to the images of its successors.
pub fn symmetry_keeps_moves<P: Symmetric>(position: &P) {
    for &symmetry in P::SYMMETRIES {
        let image = position.image(symmetry);
        let moves = position.moves();
        assert_eq!(image.count_moves(), moves.len() as u64, "{symmetry:?} of {position:?}");
        for m in moves {
            let image_move = P::move_image(m, symmetry);
            let expected = position.play_unchecked(m).image(symmetry);
            assert_eq!(image.play(image_move), Ok(expected), "{m:?} under {symmetry:?} in {position:?}");
        }
        let swap = |outcome: Outcome| match P::swaps_sides(symmetry) {
            true => Outcome { winner: outcome.winner.map(|side| side.other()), ..outcome },
            false => outcome,
        };
        assert_eq!(image.outcome(), position.outcome().map(swap), "{symmetry:?} of {position:?}");
        assert_eq!(image.turn() == position.turn(), !P::swaps_sides(symmetry));
    }
}

/// Checks that each symmetry is its own inverse, and that two in a row are the identity or another symmetry of the
/// list. So the symmetries and the identity form a group. This must hold for positions and for moves.
pub fn symmetries_compose<P: Symmetric>(position: &P) {
    let moves = position.moves();
    for &a in P::SYMMETRIES {
        assert_eq!(&position.image(a).image(a), position, "{a:?} twice");
        for &m in &moves {
            assert_eq!(P::move_image(P::move_image(m, a), a), m, "{a:?} twice");
        }
        for &b in P::SYMMETRIES {
            let image = position.image(a).image(b);
            let move_image = |m| P::move_image(P::move_image(m, a), b);
            let is_identity = || &image == position && moves.iter().all(|&m| move_image(m) == m);
            let is =
                |c| image == position.image(c) && moves.iter().all(|&m| move_image(m) == P::move_image(m, c));
            let is_known = is_identity() || P::SYMMETRIES.iter().any(|&c| is(c));
            assert!(is_known, "{a:?}, then {b:?} is no symmetry of the list: {position:?}");
        }
    }
}

/// Checks `parse(print(p)) = p` for the position, each of its moves, and each outcome of chance here or at the next
/// roll. Different moves have different texts, and so have different outcomes.
pub fn text_returns<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    match game.parse_position(&text) {
        // Comparing the texts also covers what is not part of `Eq`, such as a clock.
        Ok(read) => assert_eq!((&read, game.position_text(&read)), (position, text)),
        Err(error) => panic!("{text}: {error}"),
    }
    let is_plain = |text: &str| {
        let is_plain = |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && !b"\"\\".contains(&byte);
        text.bytes().all(is_plain) && text.trim_ascii() == text && !text.is_empty()
    };
    let mut texts = HashSet::new();
    for m in position.moves() {
        let text = game.move_text(position, m);
        assert!(is_plain(&text), "{text}");
        assert_eq!(game.parse_move(position, &text), Ok(m));
        assert!(texts.insert(text), "two moves with one text in {position:?}");
    }
    let Some(position) = before_chance(position) else { return };
    let mut texts = HashSet::new();
    for (outcome, _) in outcomes(&position) {
        let text = game.chance_text(&position, outcome);
        assert!(is_plain(&text), "{text}");
        assert_eq!(game.parse_chance(&position, &text), Ok(outcome));
        assert!(texts.insert(text), "two outcomes with one text in {position:?}");
    }
    assert!(game.parse_chance(&position, "").is_err_and(|error| error.possible.len() == texts.len()));
}

/// Checks that what is played from a position is read behind its text, in all the forms of UCI and USI, and that a wrong word
/// there is named by its number.
pub fn moves_are_read_behind<G: Notation>(game: &G, position: G::Position, rng: &mut Rng) {
    const LONGEST: usize = 8;
    for start in [game.start(), position] {
        let is_start = start == game.start();
        let text = game.position_text(&start);
        let (mut played, mut words) = (Played::from_start(start), String::new());
        while played.events.len() < LONGEST && played.position.outcome().is_none() {
            let now = &played.position;
            let word = match crate::random_chance(now, rng) {
                Some(outcome) => game.chance_text(now, outcome),
                None => game.move_text(now, crate::random_move(now, rng).expect("it is not over")),
            };
            played.play(game, &word).unwrap_or_else(|error| panic!("{text}, {words}: {error}"));
            words = format!("{words} {word}");
        }
        let forms = ["", "position ", "fen ", "position sfen "].map(|form| format!("{form}{text}"));
        for begin in forms.into_iter().chain(is_start.then(|| "position startpos".to_owned())) {
            let text = format!("{begin} moves{words}");
            assert_eq!(Played::parse(game, &text).ok().as_ref(), Some(&played), "{text}");
            assert_eq!(crate::read_position(game, &text).ok().as_ref(), Some(&played.position), "{text}");
            let wrong = Played::parse(game, &format!("{text} nonsense"));
            let number = played.events.len() + 1;
            assert!(
                matches!(&wrong, Err(PlayedError::NotPlayed(error)) if error.number == number),
                "{text}: {wrong:?}"
            );
        }
    }
}

/// Checks that the key of a position after a move or after chance equals the key of the same position read from its
/// text. Equal positions have equal keys, and different positions have different keys.
pub fn keys_agree<G: Notation>(game: &G, position: &G::Position) {
    let mut near = vec![position.clone()];
    position.for_each_move(|m| near.push(position.play_unchecked(m)));
    if let Some(awaiting) = before_chance(position) {
        near.extend(
            outcomes(&awaiting).into_iter().map(|(outcome, _)| awaiting.play_chance_unchecked(outcome)),
        );
    }
    let returned = game.parse_position(&game.position_text(position));
    assert_eq!(returned.map(|read| read.key()).ok(), Some(position.key()), "{position:?}");
    let mut keys = HashMap::new();
    for next in near {
        let (key, text) = (next.key(), game.position_text(&next));
        if let Ok(read) = game.parse_position(&text)
            && read == next
        {
            assert_eq!(read.key(), key, "{text}: {next:?}");
        }
        assert_eq!(*keys.entry(next).or_insert(key), key, "equal positions, unequal keys: {text}");
    }
    let different: HashSet<Key> = keys.values().copied().collect();
    assert_eq!(different.len(), keys.len(), "unequal positions, equal keys: after {position:?}");
}

/// Checks that all ways to count give the same result: plainly, divided by moves, on threads, move by move, with a
/// transposition table or without, with or without sequences that ended early.
///
/// A finished position has only the empty sequence. This is also checked on the last position of a random game.
pub fn perft_agrees<P: Position>(position: &P) {
    const LONGEST: u32 = 1_000;
    const HASH: Option<u64> = Some(1 << 16);
    let (last, _) = crate::playout(position, LONGEST, &mut Rng::new(1));
    // The position after a move may await chance. It then has no moves, but it has sequences.
    let next = position.unique_successors().into_iter().next().map(|(_, next)| next);
    for position in [position, &last].into_iter().chain(&next) {
        let is_over = position.outcome().is_some();
        // With chance there are many more sequences, so the depth is smaller.
        let deepest = if next.as_ref().is_some_and(P::awaits_chance) { 2 } else { 3 };
        for depth in 0..=deepest {
            let bare = perft::perft(position, depth);
            for (ended, unique) in [(false, false), (true, false), (false, true), (true, true)] {
                let counting = Counting { ended, unique, ..Counting::default() };
                weights_agree(position, depth.min(2), counting);
                let counted = perft::count(position, depth, counting).expect("a thread");
                let on_threads =
                    perft::count_parallel(position, depth, counting, |_, _| ()).expect("threads");
                assert_eq!(on_threads, counted, "depth {depth}, {counting:?}: {position:?}");
                let plain = Counting { plain: true, ..counting };
                let hashed = Counting { hash: HASH, ..counting };
                let otherwise = [
                    perft::count(position, depth, plain).expect("a thread"),
                    perft::count_forgetfully(position, depth, plain),
                    perft::count_parallel(position, depth, hashed, |_, _| ()).expect("threads"),
                ];
                assert_eq!(otherwise, [counted; 3], "depth {depth}, {counting:?}: {position:?}");
                if depth == 0 || is_over {
                    assert_eq!(counted, u64::from(depth == 0 || ended), "depth {depth}: {position:?}");
                }
                if depth > 0 {
                    let moves = perft::divide(position, depth, counting)
                        .expect("threads")
                        .into_iter()
                        .map(|(_, nodes)| nodes);
                    let chances =
                        perft::divide_chances(position, depth, counting).expect("threads").into_iter();
                    let parts: Vec<u64> = moves.chain(chances.map(|(_, nodes)| nodes)).collect();
                    let sum: u64 = parts.iter().sum();
                    assert_eq!(sum, if is_over { 0 } else { counted }, "{counting:?}: {position:?}");
                    assert_eq!(parts.is_empty(), is_over, "{position:?}");
                }
                match (ended, unique) {
                    (true, false) => assert!(counted >= bare),
                    (false, true) => assert!(counted <= bare),
                    (false, false) => assert_eq!(counted, bare),
                    (true, true) => {}
                }
            }
        }
    }
}

/// Checks that a weighted count is the same on all threads, on one thread and in parts, and not less than without
/// weights.
fn weights_agree<P: Position>(position: &P, depth: u32, counting: Counting) {
    let weighted = Counting { weighted: true, ..counting };
    let counted = perft::count(position, depth, weighted).expect("a thread");
    assert_eq!(
        perft::count_parallel(position, depth, weighted, |_, _| ()).expect("threads"),
        counted,
        "{weighted:?}: {position:?}"
    );
    let once = perft::count(position, depth, counting).expect("a thread");
    assert!(counted >= once, "{weighted:?}: {position:?}");
    let parts = perft::divide_chances(position, depth, weighted).expect("threads");
    assert!(depth == 0 || parts.is_empty() || parts.iter().map(|(_, nodes)| nodes).sum::<u64>() == counted);
}

/// Checks that undoing all moves of a random game restores every position, back to the start. On the way back, every
/// claim that is possible ends the game, and undoing the claim continues it. Playing the events again gives the same
/// positions.
pub fn undo_restores<G: Notation>(game: &G, rng: &mut Rng) {
    undo_restores_from(game, game.start(), rng);
}

/// Does the same as [`undo_restores`] from a given position. This helps to test endings that random play hardly
/// reaches.
pub fn undo_restores_from<G: Notation>(game: &G, start: G::Position, rng: &mut Rng) {
    const LONGEST: usize = 100;
    let mut record = Record::new(start, game.rulebook());
    record.settle(rng);
    let mut past = vec![record.position().clone()];
    while record.outcome().is_none() && past.len() < LONGEST {
        let m = crate::random_move(record.position(), rng).expect("an unfinished position has moves");
        record.play(m).expect("a generated move is legal");
        record.settle(rng);
        past.push(record.position().clone());
        let stood = record.positions().iter().filter(|&position| position == record.position()).count();
        assert_eq!(record.occurrences() as usize, stood, "{:?}", record.position());
    }
    assert_eq!(record.moves().count() + 1, past.len());
    events_lead_through_positions(&record);
    while let Some(position) = past.pop() {
        assert_eq!(record.position(), &position);
        // Comparing the texts also covers what is not part of `Eq`, such as a clock.
        assert_eq!(game.position_text(record.position()), game.position_text(&position));
        claims_end_a_game(record.clone());
        assert_eq!(record.undo().is_none(), past.is_empty());
    }
}

/// Checks that every event of a record leads from its position to the next one.
fn events_lead_through_positions<P: Position>(record: &Record<P>) {
    let positions = record.positions();
    assert_eq!(positions.len(), record.events().len() + 1);
    for (pair, event) in positions.windows(2).zip(record.events()) {
        let next = match *event {
            Event::Move(m) => pair[0].play(m).ok(),
            Event::Chance(outcome) => pair[0].play_chance(outcome).ok(),
        };
        assert_eq!(next.as_ref(), Some(&pair[1]), "{event:?}");
    }
}

/// Checks that a claim becomes the outcome of the game until it is undone with the last move.
fn claims_end_a_game<P: Position>(mut record: Record<P>) {
    let (position, claimable, outcome) = (record.position().clone(), record.claimable(), record.outcome());
    assert!(claimable.is_none() || outcome.is_none(), "a claim after the end: {position:?}");
    assert_eq!(record.claim().ok(), claimable, "{position:?}");
    assert_eq!(record.outcome(), outcome.or(claimable), "{position:?}");
    if claimable.is_some() {
        assert!(position.moves().into_iter().all(|m| record.play(m).is_err()), "{position:?}");
        match record.undo() {
            Some(m) => record.play(m).expect("it was played before"),
            None => assert_eq!(record.moves().next(), None),
        }
        assert_eq!((record.claimable(), record.outcome()), (claimable, None), "{position:?}");
    }
}

/// Checks the laws of numbering on one index: `locate(unrank(i)) = i`, moves stay within the group and its needs, and
/// unmoves undo moves.
pub fn of_index<G: Endgame>(game: &G, slice: G::Slice, index: Index) {
    assert!(index.0 < game.size(slice));
    digits_agree(game, slice);
    let Some(position) = game.unrank(slice, index) else { return };
    assert_eq!(game.locate(&position), Location::At(slice, index), "{position:?}");
    assert_eq!(game.multiplicity_at(slice, index), game.multiplicity(&position), "{position:?}");
    successors_agree(game, &position);
    let group = group_of(game, slice);
    moves_stay_within(game, &position, &[group.clone(), game.needs(slice)].concat());
    conversions_agree(game, &position, &group);
    if let Some(unmoves) = game.unmoves() {
        unmoves_undo_moves(game, unmoves, &group, (slice, index));
    }
}

/// Checks that the digits of a slice make up its size, and that the first one tells the sides to move apart if a table does.
fn digits_agree<G: Endgame>(game: &G, slice: G::Slice) {
    let digits = game.digits(slice);
    assert!((1..=8).contains(&digits.len()), "{slice}: {digits:?}");
    assert_eq!(digits.iter().product::<u64>(), game.size(slice), "{slice}: {digits:?}");
    if let Some(indices) = game.indices_by_turn(slice).filter(|indices| indices.first != indices.second) {
        assert_eq!((digits[0], indices.first.end), (2, game.size(slice) / 2), "{slice}: {digits:?}");
    }
}

/// Checks that the conversions are moves, and that every move that leaves the group is one of them.
fn conversions_agree<G: Endgame>(game: &G, position: &G::Position, group: &[G::Slice]) {
    let mut shown = Vec::new();
    let _ = game.conversions(position, |next| {
        shown.push(next.clone());
        ControlFlow::<()>::Continue(())
    });
    position.for_each_move(|m| {
        let next = position.play_unchecked(m);
        let leaves = match game.locate(&next) {
            Location::At(slice, _) => !group.contains(&slice),
            Location::Over(_) => true,
            Location::Through | Location::Beyond(_) => false,
        };
        match shown.iter().position(|of| *of == next) {
            Some(found) => drop(shown.swap_remove(found)),
            None => assert!(!leaves, "{position:?} leads out of its group to {next:?}"),
        }
    });
    assert!(shown.is_empty(), "these are no moves of {position:?}: {shown:?}");
}

/// The group of a slice: the slices that are solved together with it.
fn group_of<G: Endgame>(game: &G, slice: G::Slice) -> Vec<G::Slice> {
    let group = game.groups().into_iter().find(|group| group.contains(&slice));
    group.expect("every slice is in a group")
}

/// Checks that every move leads to one of these slices or to the end of the game, directly or through positions without
/// an index.
fn moves_stay_within<G: Endgame>(game: &G, position: &G::Position, slices: &[G::Slice]) {
    position.for_each_move(|m| {
        let next = position.play_unchecked(m);
        match game.locate(&next) {
            Location::At(slice, _) => assert!(slices.contains(&slice), "{slice} is not needed: {position:?}"),
            Location::Over(_) => {}
            Location::Through => moves_stay_within(game, &next, slices),
            Location::Beyond(why) => panic!("{position:?} leads to a position beyond all tables: {why}"),
        }
    });
}

/// Checks the laws of numbering on one position: `unrank(locate(p))` is its canonical position, which has the same
/// index.
pub fn of_location<G: Endgame>(game: &G, position: &G::Position) {
    match game.locate(position) {
        Location::At(slice, index) => {
            let canonical = game.unrank(slice, index).expect("an index that a position has");
            assert_eq!(game.locate(&canonical), Location::At(slice, index), "{position:?}");
            assert_eq!(canonical.count_moves(), position.count_moves(), "{position:?}");
            assert!(game.multiplicity(position) > 0);
        }
        Location::Over(value) => match position.outcome() {
            Some(outcome) => assert_eq!(value, outcome.value(position.turn()), "{position:?}"),
            None => assert_ne!(
                value.plies(),
                Some(crate::Plies(0)),
                "an unfinished position is not over: {position:?}"
            ),
        },
        // Its value is derived from its moves, or from its outcome if it has none.
        Location::Through => assert!(
            position.outcome().is_none() || position.count_moves() == 0,
            "a finished position without index has moves: {position:?}"
        ),
        Location::Beyond(why) => assert!(!why.is_empty(), "{position:?}"),
    }
}

/// Checks that the successors that a game shows are those of the rules. A win in one makes all others superfluous. A successor that
/// wins at once may be shown by its value.
fn successors_agree<G: Endgame>(game: &G, position: &G::Position) {
    let mut played = Vec::new();
    position.for_each_move(|m| played.push(position.play_unchecked(m)));
    let located: Vec<_> = played.iter().map(|next| game.locate(next)).collect();
    let shown = shown(game, position);
    let lost = Location::Over(Value::Loss(crate::Plies(0)));
    let won = Location::Over(Value::Win(crate::Plies(1)));
    let wins_at_once =
        |next: &G::Position| next.moves().into_iter().any(|m| game.locate(&next.play_unchecked(m)) == lost);
    for location in &shown {
        let is_won = || *location == won && played.iter().any(wins_at_once);
        assert!(located.contains(location) || is_won(), "{location:?} does not follow {position:?}");
    }
    let is_left_out = |(next, location): (&G::Position, &Location<G::Slice>)| {
        !(shown.contains(location) || shown.contains(&won) && wins_at_once(next))
    };
    let left_out = played.iter().zip(&located).any(is_left_out);
    assert!(
        !left_out || shown.contains(&lost),
        "only a win in one makes other moves superfluous: {position:?}"
    );
}

/// The successors that a game shows.
fn shown<G: Endgame>(game: &G, position: &G::Position) -> Vec<Location<G::Slice>> {
    let mut shown = Vec::new();
    let _ = game.successors(position, |location| {
        shown.push(location);
        ControlFlow::<()>::Continue(())
    });
    shown
}

/// Checks that the predecessors of a position are the positions of its group that lead to it. Positions that win at
/// once may be left out, because their other moves cannot matter.
fn unmoves_undo_moves<G: Endgame>(
    game: &G,
    unmoves: &G::Unmoves,
    group: &[G::Slice],
    here: (G::Slice, Index),
) {
    let position = |(slice, index)| {
        let position = game.unrank(slice, index);
        position.unwrap_or_else(|| panic!("{here:?} has a predecessor without a position: {slice} {index:?}"))
    };
    let before = |at| {
        let mut before = BTreeSet::new();
        unmoves.predecessors(&position(at), |slice, index| {
            before.insert((slice, index));
        });
        before
    };
    let after = |at| {
        let shown = shown(game, &position(at)).into_iter();
        let inside = shown.filter_map(|location| match location {
            Location::At(slice, index) => Some((slice, index)),
            _ => None,
        });
        inside.collect::<BTreeSet<_>>()
    };
    let lost = Location::Over(Value::Loss(crate::Plies(0)));
    let wins_at_once = |at| {
        let position: G::Position = position(at);
        position.moves().into_iter().any(|m| game.locate(&position.play_unchecked(m)) == lost)
    };
    for next in after(here).into_iter().filter(|(slice, _)| group.contains(slice)) {
        let known = before(next).contains(&here);
        assert!(known || wins_at_once(here), "{here:?} leads to {next:?}, but is not its predecessor");
    }
    let (slice, index) = here;
    for previous in before(here) {
        assert!(group.contains(&previous.0), "{previous:?} is not of the group of {here:?}");
        // A position that wins at once need not show its other moves, but they must exist.
        let leads_here = || {
            let position: G::Position = position(previous);
            let mut moves = position.moves().into_iter();
            moves.any(|m| game.locate(&position.play_unchecked(m)) == Location::At(slice, index))
        };
        let is_right = after(previous).contains(&here) || wins_at_once(previous) && leads_here();
        assert!(is_right, "{previous:?} does not lead to {here:?}");
    }
}
