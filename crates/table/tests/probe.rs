//! Tests of single probes, batches, ranked moves and lines, with a small game whose values are known by brute force.

#[path = "common/race.rs"]
mod race;

use endspiel_table::{
    Description, Entry, Field, Layout, Library, Line, LineEnd, NumberFormat, NumberWidth, Numbers,
    ProbeError, Probed, Prober, Problem, write, write_payload,
};
use game::{Endgame, Metric, Plies, Position, Value, Wdl};
use race::{Half, Race, SHORT as RACE, Stone};
use std::fs;
use std::sync::{Arc, LazyLock};

const TRACK: u64 = 400;

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(tables: &[(Half, Metric)]) -> Self {
        Self::of(RACE, tables)
    }

    fn of(race: Race, tables: &[(Half, Metric)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        tables.iter().for_each(|&(slice, metric)| race.write(folder.0.path(), slice, metric));
        folder
    }

    fn prober(&self) -> Prober<Race> {
        self.prober_of(RACE)
    }

    fn prober_of(&self, race: Race) -> Prober<Race> {
        Prober::new(race, Arc::new(Library::new(self.0.path(), 1 << 20)))
    }
}

/// The same race. Its tables without distances have one bit per position.
const BITS: Race = Race { bits: true, ..RACE };

const WDL: [(Half, Metric); 2] = [(Half::Near, Metric::Wdl), (Half::Far, Metric::Wdl)];
const DTM: [(Half, Metric); 2] = [(Half::Near, Metric::Dtm), (Half::Far, Metric::Dtm)];

fn known(at: u64) -> Value {
    static VALUES: LazyLock<Vec<Value>> = LazyLock::new(|| RACE.values());
    VALUES[at as usize]
}

/// If the table behind a move has no distances, a longer win with a known distance is not the best move.
#[test]
fn a_move_without_a_distance_can_be_the_best() {
    let folder = Folder::with(&[(Half::Near, Metric::Wdl), (Half::Far, Metric::Dtm)]);
    let (prober, mut without_distance) = (folder.prober(), 0);
    for at in 1..TRACK {
        let stone = RACE.stone(at);
        let (moves, value) = (prober.moves(&stone).unwrap(), prober.value(&stone).unwrap());
        let (Some(best), Some(plies)) = (moves.first(), value.plies) else { continue };
        let best = best.value.unwrap();
        assert_eq!(best.wdl, value.wdl, "{at}");
        match best.plies {
            Some(after) => assert_eq!(after.next(), plies, "{at}"),
            None => without_distance += 1,
        }
    }
    assert!(without_distance > 0, "some best moves lead to the near half");
}

/// The tests need a game that has all kinds of values.
#[test]
fn the_race_has_wins_losses_and_draws() {
    let values: Vec<Value> = (0..TRACK).map(known).collect();
    for wdl in [Wdl::Win, Wdl::Draw, Wdl::Loss] {
        for half in [&values[1..150], &values[150..]] {
            assert!(half.iter().filter(|value| value.wdl() == wdl).count() > 3, "{wdl:?}");
        }
    }
    for stone in (1..TRACK).map(|at| RACE.stone(at)) {
        let next = stone.moves().into_iter().map(|m| known(stone.play_unchecked(m).at));
        assert_eq!(Value::from_successors(next), Some(known(stone.at)));
    }
}

#[test]
fn every_position_has_its_value() {
    let folder = Folder::with(&DTM);
    let prober = folder.prober();
    for at in 0..TRACK {
        let probed = prober.value(&RACE.stone(at)).unwrap();
        assert_eq!(probed, known(at).into());
        assert_eq!(prober.known_value(&RACE.stone(at)).unwrap(), Some(probed));
    }
}

#[test]
fn distances_are_preferred_and_done_without() {
    let both = [DTM[0], (Half::Near, Metric::Wdl), (Half::Far, Metric::Wdl)];
    let folder = Folder::with(&both);
    let prober = folder.prober();
    assert_eq!(prober.value(&RACE.stone(10)).unwrap(), known(10).into());
    let far = prober.value(&RACE.stone(300)).unwrap();
    assert_eq!(far, Probed::from(known(300).wdl()));
}

#[test]
fn a_batch_equals_the_probes_one_by_one() {
    let mixed = [DTM[0], WDL[1]];
    for (race, tables) in [
        (RACE, &DTM[..]),
        (RACE, &DTM[..1]),
        (RACE, &mixed),
        (RACE, &[]),
        (BITS, &WDL),
        (BITS, &WDL[..1]),
        (BITS, &WDL[1..]),
        (BITS, &mixed),
    ] {
        let folder = Folder::of(race, tables);
        let prober = folder.prober_of(race);
        let mut stones: Vec<Stone> = (0..3 * TRACK).map(|i| race.stone(i * 7 % TRACK)).collect();
        stones.push(Stone { stride: 5, ..race.stone(9) });
        let one_by_one: Vec<_> = stones.iter().map(|stone| prober.value(stone)).collect();
        let batch = folder.prober_of(race).values(&stones);
        assert_eq!(batch.len(), stones.len());
        for (batch, one) in batch.into_iter().zip(one_by_one) {
            match (batch, one) {
                (Ok(batch), Ok(one)) => assert_eq!(batch, one),
                (batch, one) => assert_eq!(batch.unwrap_err().to_string(), one.unwrap_err().to_string()),
            }
        }
    }
}

/// The values after the moves tell losses from draws, whatever kind of table they come from.
#[test]
fn one_bit_is_enough() {
    for tables in [WDL, [DTM[0], WDL[1]], [WDL[0], DTM[1]]] {
        let folder = Folder::of(BITS, &tables);
        let prober = folder.prober_of(BITS);
        for at in 0..TRACK {
            let stone = BITS.stone(at);
            let probed = prober.value(&stone).unwrap();
            assert_eq!(probed.wdl, known(at).wdl(), "{at}");
            assert_eq!(prober.known_value(&stone).unwrap(), Some(probed));
            let moves = prober.moves(&stone).unwrap();
            assert!(moves.is_sorted_by_key(|m| std::cmp::Reverse(m.value.unwrap().wdl)));
            assert_eq!(moves.first().map_or(Wdl::Loss, |best| best.value.unwrap().wdl), known(at).wdl());
            let line = prober.line(&stone, 2000);
            assert!(matches!(line.end, Ok(LineEnd::Over | LineEnd::Repetition)));
        }
    }
    let table = Folder::of(BITS, &WDL[..1]);
    let prober = table.prober_of(BITS);
    let table = prober.table(Half::Near).unwrap().unwrap();
    assert_eq!(table.different_entries(), [Entry::Win(None), Entry::NotWon]);
    assert_eq!(table.entries(), 147);
}

/// The value of a square that is in no table follows from the values after its moves. Squares that lead there are right.
#[test]
fn one_step_leads_through() {
    for (race, tables) in [(RACE, &DTM), (RACE, &WDL), (BITS, &WDL)] {
        let race = Race { through: true, ..race };
        let folder = Folder::of(race, tables);
        let prober = folder.prober_of(race);
        let stones: Vec<Stone> = (0..TRACK).map(|at| race.stone(at)).collect();
        let batch = prober.values(&stones);
        assert_eq!(batch.len(), stones.len());
        for (stone, batch) in stones.iter().zip(batch) {
            let probed = prober.value(stone).unwrap();
            assert_eq!(probed.wdl, known(stone.at).wdl(), "{}", stone.at);
            assert!(tables == &WDL || probed == known(stone.at).into(), "{}", stone.at);
            assert_eq!(batch.unwrap(), probed);
        }
        assert_eq!(prober.entry(&race.stone(5)).unwrap(), None);
    }
}

/// If a move leads to a missing table, a draw is known only if another move holds it.
#[test]
fn one_bit_needs_the_tables_of_the_moves() {
    let folder = Folder::of(BITS, &WDL[1..]);
    let prober = folder.prober_of(BITS);
    let mut missing = 0;
    for at in BITS.near..TRACK {
        let stone = BITS.stone(at);
        let next = |m: i16| stone.play_unchecked(m).at;
        let leads_away = stone.moves().into_iter().any(|m| next(m) < BITS.near);
        let is_saved =
            stone.moves().into_iter().any(|m| next(m) >= BITS.near && known(next(m)).wdl() != Wdl::Win);
        match known(at).wdl() {
            Wdl::Loss | Wdl::Draw if leads_away && !is_saved => {
                missing += 1;
                let error = prober.value(&stone).unwrap_err();
                assert!(
                    matches!(&error, ProbeError::MissingTable { slice, .. } if slice == "near"),
                    "{error}"
                );
                assert_eq!(prober.known_value(&stone).unwrap(), None);
                assert!(prober.moves(&stone).unwrap().iter().any(|ranked| ranked.value.is_none()));
            }
            wdl => assert_eq!(prober.value(&stone).unwrap().wdl, wdl),
        }
    }
    assert!(missing > 0);
}

/// A table with the ordinary numbering where the short one belongs is an error, and vice versa.
#[test]
fn numberings_are_told_apart() {
    for (written, asked) in [(RACE, BITS), (BITS, RACE)] {
        let folder = Folder::of(written, &WDL);
        let error = folder.prober_of(asked).value(&asked.stone(9)).unwrap_err();
        let ProbeError::Table(error) = error else { panic!("{error}") };
        assert!(matches!(error.problem, Problem::Mismatch { field: Field::Index, .. }), "{error}");
    }
}

#[test]
fn a_damaged_block_is_an_error_for_those_in_it() {
    let folder = Folder::with(&DTM);
    let path = RACE.description(Half::Far, Metric::Dtm).path(folder.0.path());
    let mut bytes = fs::read(&path).unwrap();
    let header_length = usize::from(bytes[12]) + 256 * usize::from(bytes[13]);
    bytes[header_length + 3] ^= 1;
    fs::write(&path, bytes).unwrap();
    let answers = folder.prober().values(&[RACE.stone(200), RACE.stone(20), RACE.stone(201)]);
    assert!(matches!(&answers[0], Err(ProbeError::Table(error)) if error.path == path));
    assert!(answers[1].is_ok());
    assert!(answers[2].is_err());
    assert!(folder.prober().moves(&RACE.stone(200)).is_err(), "damage is not the same as a missing table");
}

#[test]
fn missing_and_wrong_tables_are_told_apart() {
    let folder = Folder::with(&DTM[..1]);
    let prober = folder.prober();
    let error = prober.value(&RACE.stone(200)).unwrap_err();
    let root = folder.0.path();
    let sentence = format!(
        "`{}` has no table of far for race (stride-6); `endspiel solve race far` makes it",
        root.display()
    );
    assert_eq!(error.to_string(), sentence);
    assert!(matches!(error, ProbeError::MissingTable { .. }));
    assert_eq!(prober.known_value(&RACE.stone(200)).unwrap(), None);

    let right = RACE.description(Half::Far, Metric::Dtm);
    let mismatch = |written: &Description| {
        write(&right.path(root), written, |_| Entry::Draw, |_| ()).unwrap();
        match folder.prober().value(&RACE.stone(200)).unwrap_err() {
            ProbeError::Table(error) => match error.problem {
                Problem::Mismatch { field, .. } => field,
                problem => panic!("{problem}"),
            },
            error => panic!("{error}"),
        }
    };
    assert_eq!(mismatch(&Description { slice: "near".to_owned(), ..right.clone() }), Field::Slice);
    assert_eq!(mismatch(&Description { index: "square-2".to_owned(), ..right.clone() }), Field::Index);
    assert_eq!(mismatch(&Description { entries: 3, ..right.clone() }), Field::Entries);
    assert_eq!(mismatch(&Description { rules: "stride-5".to_owned(), ..right.clone() }), Field::Rules);
    let preloaded = folder.prober().preload(|done, all| assert!(done <= all && all == 2));
    assert_eq!(preloaded.opened, 1);
    assert!(matches!(&preloaded.failed[..], [error] if error.path == right.path(root)), "{preloaded:?}");

    write(&right.path(root), &right, |_| Entry::Nothing, |_| ()).unwrap();
    let error = folder.prober().value(&RACE.stone(200)).unwrap_err();
    assert!(matches!(error, ProbeError::NoValue { .. }), "{error}");
}

#[test]
fn positions_of_other_rules_are_not_answered() {
    let folder = Folder::with(&DTM);
    let other = Race { stride: 5, ..RACE };
    other.write(folder.0.path(), Half::Near, Metric::Dtm);
    let prober = folder.prober();
    let stone = other.stone(20);
    assert!(prober.fits(&RACE.stone(20)) && !prober.fits(&stone));
    assert!(matches!(prober.value(&stone), Err(ProbeError::OtherRules)));
    assert!(matches!(prober.moves(&stone), Err(ProbeError::OtherRules)));
    let prober = prober.for_position(&stone);
    assert_eq!(prober.value(&stone).unwrap(), other.values()[20].into());
}

#[test]
fn moves_come_best_first() {
    let folder = Folder::with(&DTM);
    let prober = folder.prober();
    for stone in (1..TRACK).map(|at| RACE.stone(at)) {
        let moves = prober.moves(&stone).unwrap();
        assert_eq!(moves.len() as u64, stone.count_moves());
        let before = |m: i16| known(stone.play_unchecked(m).at).before_move();
        for pair in moves.windows(2) {
            let (better, worse) = (before(pair[0].m), before(pair[1].m));
            assert!(better > worse || better == worse && pair[0].text < pair[1].text);
        }
        let (best, value) = (moves[0].value.unwrap(), known(stone.at));
        assert_eq!(best.wdl, value.wdl());
        assert_eq!(best.plies, value.plies().map(|plies| Plies(plies.0 - 1)));
    }
    assert!(prober.moves(&RACE.stone(0)).unwrap().is_empty());
}

#[test]
fn moves_without_a_table_come_last() {
    let folder = Folder::with(&DTM[..1]);
    let prober = folder.prober();
    let moves = prober.moves(&RACE.stone(152)).unwrap();
    assert_eq!(moves[0].m, -6);
    assert!(moves[0].value.is_some());
    assert_eq!((moves[1].m, moves[1].value), (-1, None));
}

#[test]
fn lines_lead_to_the_end() {
    let folder = Folder::with(&DTM);
    let prober = folder.prober();
    for stone in (0..TRACK).map(|at| RACE.stone(at)) {
        let Line { moves, end } = prober.line(&stone, 1000);
        let why = end.unwrap();
        match known(stone.at).plies() {
            Some(plies) => {
                assert_eq!(why, LineEnd::Over);
                assert_eq!(moves.len(), usize::from(plies.0));
            }
            None => {
                assert_eq!(why, LineEnd::Repetition);
                assert!(moves.iter().all(|m| m.value.unwrap().wdl == Wdl::Draw));
            }
        }
        let mut end = stone;
        moves.iter().for_each(|ranked| end = end.play(ranked.m).unwrap());
        assert_eq!(end.outcome().is_some(), why == LineEnd::Over);
    }
    let cut = prober.line(&RACE.stone(140), 3);
    assert_eq!((cut.moves.len(), cut.end.unwrap()), (3, LineEnd::Cut));
}

#[test]
fn lines_stop_where_a_table_is_missing() {
    let folder = Folder::with(&DTM[1..]);
    let prober = folder.prober();
    let far_win = (200..TRACK).find(|&at| known(at).wdl() == Wdl::Win).unwrap();
    let line = prober.line(&RACE.stone(far_win), 1000);
    assert_eq!(line.end.unwrap(), LineEnd::MissingTable);
    assert!(line.moves.iter().all(|m| m.value.is_some()));
    let near = prober.line(&RACE.stone(100), 1000);
    assert_eq!((near.moves.len(), near.end.unwrap()), (0, LineEnd::MissingTable));
}

/// A line has the moves before the first position that a damaged table would have to answer.
#[test]
fn lines_stop_where_a_table_is_damaged() {
    let (whole, damaged) = (Folder::with(&DTM), Folder::with(&DTM));
    let path = damaged.prober().table(Half::Near).unwrap().unwrap().path().to_owned();
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    let far_win = RACE.stone((200..TRACK).find(|&at| known(at).wdl() == Wdl::Win).unwrap());
    let expected = whole.prober().line(&far_win, 1000).moves;
    let Line { moves, end } = damaged.prober().line(&far_win, 1000);
    assert!(matches!(end, Err(ProbeError::Table(_))), "{end:?}");
    assert!(!moves.is_empty() && moves.len() < expected.len());
    assert_eq!(moves, expected[..moves.len()]);
}

#[test]
fn without_distances_moves_are_ranked_by_what_they_win() {
    let folder = Folder::with(&WDL);
    let prober = folder.prober();
    for at in 5..TRACK {
        let moves = prober.moves(&RACE.stone(at)).unwrap();
        assert_eq!(moves[0].value.unwrap().wdl, known(at).wdl());
        assert!(moves.is_sorted_by_key(|m| std::cmp::Reverse(m.value.unwrap().wdl)));
        let line = prober.line(&RACE.stone(at), 2000);
        assert!(matches!(line.end, Ok(LineEnd::Over | LineEnd::Repetition)));
    }
}

/// The order is: wins with a distance, however long, wins by rule, draws, losses by rule, losses with a distance.
#[test]
fn moves_by_rule_are_between_those_with_a_distance_and_draws() {
    let folder = Folder(tempfile::tempdir().unwrap());
    // From 120 the moves lead to 119, 114 and 121.
    let ranked = |entries: [Entry; 3]| {
        let description = RACE.description(Half::Near, Metric::Dtm);
        let entry = |index| match index {
            119 => entries[0],
            114 => entries[1],
            121 => entries[2],
            _ => Entry::Draw,
        };
        write(&description.path(folder.0.path()), &description, entry, |_| ()).unwrap();
        let moves = folder.prober().moves(&RACE.stone(120)).unwrap();
        moves.into_iter().map(|ranked| ranked.m).collect::<Vec<_>>()
    };
    let (quick, slow) = (Some(Plies(4)), Some(Plies(60_000)));
    assert_eq!(ranked([Entry::LossByRule, Entry::Draw, Entry::Loss(slow)]), [1, -1, -6]);
    assert_eq!(ranked([Entry::WinByRule, Entry::Draw, Entry::Win(slow)]), [-6, -1, 1]);
    assert_eq!(ranked([Entry::Win(quick), Entry::WinByRule, Entry::LossByRule]), [1, -6, -1]);
    let probed = folder.prober().value(&RACE.stone(114)).unwrap();
    assert_eq!(probed, Probed { wdl: Wdl::Win, plies: None, by_rule: true });
    assert_eq!(probed.for_opponent(), Probed { wdl: Wdl::Loss, plies: None, by_rule: true });
}

/// The distances of a `dtz` table lead to the next irreversible move, so a probe does not return them.
#[test]
fn distances_to_an_irreversible_move_are_not_those_to_the_end() {
    let folder = Folder::with(&[(Half::Near, Metric::Dtz), (Half::Far, Metric::Dtz)]);
    let library = Arc::new(Library::new(folder.0.path(), 1 << 20));
    let prober = Prober::<Race>::of_metrics(RACE, library, vec![Metric::Dtz]);
    for at in 1..TRACK {
        let stone = RACE.stone(at);
        assert_eq!(prober.value(&stone).unwrap(), Probed::from(known(at).wdl()));
        assert_eq!(prober.entry(&stone).unwrap(), Some(Entry::from(known(at))));
        assert_eq!(prober.moves(&stone).unwrap()[0].value.unwrap().wdl, known(at).wdl());
    }
    assert!(matches!(folder.prober().value(&RACE.stone(9)), Err(ProbeError::MissingTable { .. })));
}

/// A prober of numbers finds the table of a position and its entry.
#[test]
fn numbers_are_found_by_position() {
    let folder = tempfile::tempdir().unwrap();
    let format = NumberFormat { width: NumberWidth::Two, signed: false, unit: 10, error: 0.0 };
    let payload = Numbers::<2>::new(format).unwrap();
    let description = RACE.description(Half::Near, Metric::Equity);
    let entry = |index: u64| (index > 0).then_some([index as i64, 3 * index as i64]);
    let layout = Layout::for_payload(&payload);
    write_payload(&description.path(folder.path()), &description, layout, &payload, entry, |_| ()).unwrap();
    let library = Arc::new(Library::new(folder.path(), 1 << 20));
    let prober = Prober::<Race, Numbers<2>>::of_metrics(RACE, library, vec![Metric::Equity]);
    for at in 1..RACE.near {
        assert_eq!(prober.entry(&RACE.stone(at)).unwrap(), Some(entry(at)));
    }
    assert_eq!(prober.entry(&RACE.stone(0)).unwrap(), None, "the game is over");
    assert!(matches!(prober.entry(&RACE.stone(200)), Err(ProbeError::MissingTable { .. })));
    assert_eq!(prober.table(Half::Near).unwrap().unwrap().payload().values([15, 5]), [1.5, 0.5]);
    let other = Stone { stride: 5, ..RACE.stone(9) };
    assert!(matches!(prober.entry(&other), Err(ProbeError::OtherRules)));
    assert!(matches!(prober.for_position(&other).entry(&other), Err(ProbeError::MissingTable { .. })));
}

#[test]
fn the_prober_knows_its_game() {
    let folder = Folder::with(&DTM);
    let prober = folder.prober();
    assert_eq!(prober.game(), &RACE);
    assert_eq!(prober.library().folder(), folder.0.path());
    let table = prober.table(Half::Far).unwrap().unwrap();
    assert_eq!(table.entries(), RACE.size(Half::Far));
}
