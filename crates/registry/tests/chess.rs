//! Compares the tables of chess with the counts and positions of the oracle. Source: `fixtures/chess/README.md`.

use endspiel_registry::{Opened, Prober, Registry, Solving, Unmoves, Unwatched, Wanted};
use game::{Metric, Options, Plies, Wdl};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::Library;

fn chess() -> Opened {
    Registry::standard().find("chess").expect("a game").open(&Options::default()).expect("defaults are right")
}

/// Solves these materials into a folder.
fn solve(game: &Opened, materials: &Wanted, folder: &Path) -> Arc<Library> {
    let library = Arc::new(Library::new(folder, 64 << 20));
    let solving = Solving {
        library: &library,
        metric: Metric::Dtm,
        memory: 2 << 30,
        checkpoint_every: Duration::MAX,
        unmoves: Unmoves::FromGame,
        generic: false,
        watch: &Unwatched,
        interrupt: &AtomicBool::new(false),
    };
    let tables = game.tables().expect("chess has tables");
    let slices = tables.slices(materials).expect("materials");
    tables.plan(&slices, &solving).expect("a plan").run().expect("it solves them");
    library
}

/// Solves these materials, and compares their counts and positions with those of the oracle.
fn check(materials: &Wanted) {
    let game = chess();
    let folder = tempfile::tempdir().expect("a folder");
    let library = solve(&game, materials, folder.path());
    let tables = game.tables().expect("chess has tables");
    let prober = tables.prober(Arc::clone(&library)).expect("these rules have tables");
    let counts: Json = fixtures::json("chess/dtm_3_4_men.json");
    let rows: Vec<Json> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    for slice in tables.slices(materials).expect("materials") {
        let name = tables.name(slice);
        let is_this = |one: &&Json| one["material"] == name;
        let expected =
            counts["tables"].as_array().expect("a list").iter().find(is_this).expect("in the oracle");
        let found = tables.stats(&library, slice, false).expect("counts");
        let sides: Vec<_> = found.iter().map(|part| part.to_move).collect();
        assert_eq!(sides, [Some("white"), Some("black")]);
        for (part, key) in found.iter().zip(["wtm", "btm"]) {
            check_counts(part, &expected[key]);
        }
        let positions = rows.iter().filter(is_this);
        assert!(positions.clone().count() >= 80, "{name}");
        positions.for_each(|row| check_position(&game, &*prober, row));
    }
}

fn check_counts(found: &endspiel_registry::SliceStats, expected: &Json) {
    let name = format!("{} {:?}", found.slice, found.to_move);
    let stats = &found.stats;
    for (count, key) in [(stats.wins, "win"), (stats.draws, "draw"), (stats.losses, "loss")] {
        assert_eq!(Some(count), expected[key].as_u64(), "{name} {key}");
    }
    let pairs: Vec<(u16, u64)> = serde_json::from_value(expected["dtm_hist"].clone()).expect("a histogram");
    let histogram: BTreeMap<Plies, u64> = pairs.into_iter().map(|(n, count)| (Plies(n), count)).collect();
    assert_eq!(stats.plies, histogram, "{name}");
    for (longest, key) in [(&found.longest_win, "longest_win"), (&found.longest_loss, "longest_loss")] {
        let plies = longest.as_ref().map(|longest| u64::from(longest.plies.0));
        assert_eq!(plies, expected[key]["dtm_plies"].as_u64(), "{name} {key}");
    }
}

fn check_position(game: &Opened, prober: &dyn Prober, row: &Json) {
    let fen = row["fen"].as_str().expect("a position");
    let session = game.session(Some(fen)).expect(fen);
    let answer = prober.probe(&*session, None).expect(fen);
    let wdl = match answer.value.wdl {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
    };
    assert_eq!(Some(wdl), row["wdl"].as_i64(), "{fen}");
    let plies = answer.value.plies.map(|plies| wdl * i64::from(plies.0));
    assert_eq!(plies, row["dtm"].as_i64(), "{fen}");
}

fn men(most: &str) -> Wanted {
    Wanted { selected: Some(most.to_owned()), ..Wanted::default() }
}

#[test]
fn three_men_equal_the_oracle() {
    check(&men("3"));
}

#[test]
fn four_men_equal_the_oracle() {
    check(&men("4"));
}
