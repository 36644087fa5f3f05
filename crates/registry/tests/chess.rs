//! Compares the tables of chess with the counts and positions of the oracle. Source: `fixtures/chess/README.md`.

mod dtz;

use chess::{Material, pgn};
use endspiel_registry::{
    Category, Error, Extras, LineEnd, Opened, Prober, Registry, Solving, Unmoves, Unwatched, Wanted,
};
use game::{Metric, Options, Plies, Side, Wdl};
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
    solve_metric(game, materials, Metric::Dtm, folder)
}

fn solve_metric(game: &Opened, materials: &Wanted, metric: Metric, folder: &Path) -> Arc<Library> {
    let library = Arc::new(Library::new(folder, 64 << 20));
    let solving = Solving {
        library: &library,
        metric,
        memory: 2 << 30,
        checkpoint_every: Duration::MAX,
        packs: false,
        unmoves: Unmoves::FromGame,
        generic: false,
        wait: false,
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
    let values = game.values().expect("chess has tables");
    let prober = values.prober(Arc::clone(&library)).expect("these rules have tables");
    let counts: Json = fixtures::json("chess/dtm_3_4_men.json");
    let rows: Vec<Json> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    for slice in tables.slices(materials).expect("materials") {
        let name = tables.name(slice);
        let is_this = |one: &&Json| one["material"] == name;
        let expected =
            counts["tables"].as_array().expect("a list").iter().find(is_this).expect("in the oracle");
        let found = values.stats(&library, slice, false).expect("counts");
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
    let answer = prober.probe(&*session, Extras::default()).expect(fen);
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

/// Solves all materials with three men, with DTM and DTZ.
fn with_dtz(game: &Opened, folder: &Path) -> Arc<dyn Prober> {
    solve(game, &men("3"), folder);
    let library = solve_metric(game, &men("3"), Metric::Dtz, folder);
    game.values().expect("chess has tables").prober(library).expect("these rules have tables")
}

/// The generic solver makes no DTZ tables. A brute force does, byte for byte.
#[test]
fn dtz_tables_equal_a_brute_force() {
    let game = chess();
    let [by_kernel, by_force] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    solve_metric(&game, &men("3"), Metric::Dtz, by_kernel.path());
    let library = solve(&game, &men("3"), by_force.path());
    let tables = game.tables().expect("chess has tables");
    for slice in tables.slices(&men("3")).expect("materials") {
        let material = Material::parse(&tables.name(slice)).expect("its name");
        dtz::write_table(material, &library);
        let description = table::describe(&chess::Chess::STANDARD, material, Metric::Dtz);
        let [a, b] = [&by_kernel, &by_force]
            .map(|folder| std::fs::read(description.path(folder.path())).expect("a table"));
        assert!(a == b, "{material}");
    }
}

/// With so much on the clock that no ply can be lost, the best line mates, and nobody can claim a draw on the way.
#[test]
fn the_best_line_with_the_fifty_move_rule_keeps_the_win() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let prober = with_dtz(&game, folder.path());
    let rows: Vec<Json> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    let mut lines = 0;
    for row in rows.iter().filter(|row| ["KQvK", "KRvK", "KPvK"].iter().any(|name| row["material"] == *name))
    {
        let fen = row["fen"].as_str().expect("a position");
        let ask = |fen: &str| {
            let session = game.session(Some(fen)).expect(fen);
            prober.probe(&*session, Extras { line: Some(1000), rule50: true }).expect(fen)
        };
        let dtz = ask(fen).rule50.expect("it was asked for").dtz.expect("a distance");
        if dtz.abs() < 2 {
            continue;
        }
        let start = fen.replace("0 1", &format!("{} 90", 100 - dtz.abs()));
        let line = ask(&start).line.expect("it was asked for");
        let mut position: chess::Position = start.parse().expect("a position");
        for text in &line.moves {
            assert!(!position.is_claimable_by_fifty_moves(), "{start}: {:?}", line.moves);
            let m = game::Notation::parse_move(&chess::Chess::STANDARD, &position, text).expect("a move");
            position = game::Position::play_unchecked(&position, m);
        }
        assert!(matches!(line.end, Ok(LineEnd::Over)), "{start}: {line:?}");
        assert!(position.is_check(), "{start}: mate");
        lines += 1;
    }
    assert!(lines > 100, "{lines}");
    // One ply more on the clock, and the rule draws.
    let late = game.session(Some("7K/8/8/8/8/8/2k5/1R6 w - - 70 80")).expect("a position");
    let extras = Extras { line: Some(1000), rule50: true };
    let line = prober.probe(&*late, extras).expect("a table").line.expect("it was asked for");
    assert_eq!((line.end.expect("whole tables"), line.moves.len()), (LineEnd::NoProgress, 30));
    let text = prober.line_text(&*late, extras, "pgn").expect("a line");
    assert_eq!(text.parse::<pgn::Game>().expect("PGN").verdict, pgn::Verdict::Draw);
}

/// Where there are only DTZ tables, moves are sorted by them, and the tables are counted and verified.
#[test]
fn dtz_tables_alone_show_the_way() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let wanted = Wanted { names: vec!["KRvK".to_owned()], selected: None };
    let library = solve_metric(&game, &wanted, Metric::Dtz, folder.path());
    let tables = game.tables().expect("chess has tables");
    assert_eq!(tables.present(&library).len(), 1);
    let slice = tables.present(&library)[0];
    let values = game.values().expect("chess has tables");
    assert_eq!(values.stats(&library, slice, false).expect("counts")[0].stats.wins, 175_168);
    let prober = values.prober(library).expect("these rules have tables");
    let session = game.session(Some("7K/8/8/8/8/8/2k5/1R6 w - - 0 1")).expect("a position");
    let answer = prober.probe(&*session, Extras { line: Some(1000), rule50: true }).expect("a table");
    let line = answer.line.expect("it was asked for");
    assert_eq!((line.end.expect("whole tables"), line.moves.len()), (LineEnd::Over, 31));
}

#[test]
fn the_fifty_move_rule_is_told_when_it_is_asked_for() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let prober = with_dtz(&game, folder.path());
    let asked = |fen: &str| {
        let session = game.session(Some(fen)).expect(fen);
        prober.probe(&*session, Extras { rule50: true, ..Extras::default() }).expect(fen)
    };
    let rows: Vec<Json> = fixtures::rows("chess/endgame_positions.jsonl.gz");
    let known = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    for row in rows.iter().filter(|row| known.iter().any(|name| row["material"] == *name)) {
        let fen = row["fen"].as_str().expect("a position");
        let answer = asked(fen);
        let rule50 = answer.rule50.expect("it was asked for");
        let (found, dtz) =
            (i64::from(rule50.dtz.expect("a distance")), row["dtz"].as_i64().expect("a number"));
        // The files of the oracle count some distances in moves; these can be one too small.
        assert!(found == dtz || found == dtz + dtz.signum(), "{fen}");
        let category = [Category::Loss, Category::Draw, Category::Win][(dtz.signum() + 1) as usize];
        assert_eq!(rule50.category, category, "{fen}");
        let moves: Vec<_> = answer.moves.iter().map(|ranked| ranked.rule50.expect("a table")).collect();
        assert!(moves.is_sorted_by_key(|after| std::cmp::Reverse(after.category)), "{fen}");
        assert!(moves.first().is_none_or(|best| best.category == category), "{fen}");
    }
}

/// King and rook mate in 31 plies: in time with 69 plies on the clock, too late with 70.
#[test]
fn the_clock_of_a_position_counts() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let prober = with_dtz(&game, folder.path());
    let asked = |fen: String| {
        let session = game.session(Some(&fen)).expect("a position");
        prober.probe(&*session, Extras { rule50: true, ..Extras::default() }).expect("a table")
    };
    for (quiet, category) in [(69, Category::Win), (70, Category::CursedWin)] {
        let answer = asked(format!("7K/8/8/8/8/8/2k5/1R6 w - - {quiet} 80"));
        let rule50 = answer.rule50.expect("it was asked for");
        assert_eq!((rule50.category, rule50.dtz, answer.value.wdl), (category, Some(31), Wdl::Win));
        let best = answer.moves[0].rule50.expect("a table");
        assert_eq!((best.category, best.dtz), (category, Some(30)), "one more on the clock, one less to go");
    }
    for (fen, category, dtz) in [
        ("8/8/8/8/8/8/1Rk5/K7 b - - 68 80", Category::Loss, -32),
        ("8/8/8/8/8/8/1Rk5/K7 b - - 69 80", Category::BlessedLoss, -32),
        ("R1k5/8/2K5/8/8/8/8/8 b - - 100 80", Category::Loss, -1), // mate comes before the clock
        ("k7/8/K7/8/8/8/8/7R w - - 100 80", Category::CursedWin, 1),
        ("8/4P3/8/8/8/k7/8/K7 w - - 99 80", Category::Win, 1), // a pawn move resets the clock
    ] {
        let rule50 = asked(fen.to_owned()).rule50.expect("it was asked for");
        assert_eq!((rule50.category, rule50.dtz), (category, Some(dtz)), "{fen}");
    }
}

#[test]
fn the_fifty_move_rule_needs_its_tables_and_its_game() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let library = solve(&game, &Wanted { names: vec!["KQvK".to_owned()], selected: None }, folder.path());
    let prober = game.values().expect("chess has tables").prober(library).expect("these rules have tables");
    let session = game.session(Some("8/8/8/8/8/2k5/8/KQ6 b - - 0 1")).expect("a position");
    let asked = Extras { rule50: true, ..Extras::default() };
    let error = prober.probe(&*session, asked).expect_err("no dtz table").to_string();
    let expected =
        "has no dtz table of KQvK for chess (standard); `endspiel solve chess KQvK --metric dtz` makes it";
    assert!(error.ends_with(expected), "{error}");
    assert!(prober.probe(&*session, Extras::default()).expect("a table").rule50.is_none());
    let registry = Registry::standard();
    let shogi =
        registry.find("shogi").expect("a game").open(&Options::default()).expect("defaults are right");
    let prober = shogi.values().expect("shogi has tables").prober(Arc::new(Library::new(folder.path(), 0)));
    assert!(!prober.expect("these rules have tables").has_rule50());
}

/// The best line as PGN is a game from the position, which ends with mate.
#[test]
fn the_best_line_is_a_game_in_pgn() {
    let (game, folder) = (chess(), tempfile::tempdir().expect("a folder"));
    let library = solve(&game, &Wanted { names: vec!["KQvK".to_owned()], selected: None }, folder.path());
    let prober = game.values().expect("chess has tables").prober(library).expect("these rules have tables");
    let fen = "8/8/8/8/8/2k5/8/KQ6 b - - 7 61";
    let session = game.session(Some(fen)).expect("a position");
    let text = prober.line_text(&*session, Extras::line(1000), "pgn").expect("a line");
    let read: pgn::Game = text.parse().expect("PGN");
    assert_eq!(
        (read.line.start().to_string(), read.verdict),
        (fen.to_owned(), pgn::Verdict::Win(Side::First))
    );
    let line = prober.probe(&*session, Extras::line(1000)).expect("a table").line.expect("it was asked for");
    let played: Vec<String> =
        read.line.turns().iter().map(|turn| turn.played().expect("no pass").to_string()).collect();
    assert_eq!(played, line.moves);
    let drawn = game.session(Some("8/8/8/8/8/K7/2k5/1Q6 b - - 0 1")).expect("a position");
    let text = prober.line_text(&*drawn, Extras::line(10), "pgn").expect("a line");
    assert_eq!(text.parse::<pgn::Game>().expect("PGN").verdict, pgn::Verdict::Draw, "{text}");
    assert!(matches!(prober.line_text(&*drawn, Extras::line(10), "kif"), Err(Error::LineFormat { .. })));
}

#[test]
fn three_men_equal_the_oracle() {
    check(&men("3"));
}

#[test]
fn four_men_equal_the_oracle() {
    check(&men("4"));
}
