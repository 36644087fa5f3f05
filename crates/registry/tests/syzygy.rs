//! Syzygy files as a source of answers, and beside our own tables. Source of the files: `fixtures/chess/README.md`.

use chess::{Board, Chess, Clock, Kind, Material, Piece, Position, Setup, Square};
use endspiel_registry::{
    Category, Error, Extent, Extras, Opened, Prober as _, Registry, Solving, Syzygy, Unmoves, Unwatched,
    Wanted,
};
use game::{Metric, Options, Side, Wdl};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use table::{Entry, Library, Prober, ZeroingProber, describe};

fn chess() -> Opened {
    Registry::standard().find("chess").expect("a game").open(&Options::default()).expect("defaults are right")
}

fn files() -> String {
    fixtures::path("chess/syzygy").to_str().expect("a path in UTF-8").to_owned()
}

fn syzygy() -> Syzygy {
    chess().syzygy(files()).expect("files")
}

/// Solves materials with both metrics.
fn solved(materials: &[&str], folder: &Path) -> Arc<Library> {
    let library = Arc::new(Library::new(folder, 64 << 20));
    let game = chess();
    let tables = game.tables().expect("chess has tables");
    let names = materials.iter().map(|&name| name.to_owned()).collect();
    let slices = tables.slices(&Wanted { names, selected: None }).expect("materials");
    for metric in [Metric::Dtm, Metric::Dtz] {
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
        tables.plan(&slices, &solving).expect("a plan").run().expect("it solves them");
    }
    library
}

#[test]
fn our_tables_equal_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    let library = solved(&names, folder.path());
    for name in names {
        for metric in [Metric::Dtm, Metric::Dtz] {
            assert!(syzygy().has(name, metric));
            let compared =
                syzygy().compare(&library, name, metric, Extent::All, &|_| ()).expect("both are good");
            assert!(compared.different.is_empty(), "{name}: {:?}", compared.different);
            assert!(compared.positions > 40_000, "{name}: {}", compared.positions);
        }
    }
    assert!(!syzygy().has("KQvKR", Metric::Wdl));
    let missing = syzygy().compare(&library, "KQvKR", Metric::Dtm, Extent::All, &|_| ());
    assert!(matches!(missing, Err(Error::Solve(_))), "{missing:?}");
    assert!(matches!(
        syzygy().compare(&library, "KXvK", Metric::Dtm, Extent::All, &|_| ()),
        Err(Error::UnknownSlice { .. })
    ));
}

#[test]
fn a_wrong_value_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = solved(&["KRvK"], folder.path());
    let material = Material::parse("KRvK").expect("a material");
    for metric in [Metric::Dtm, Metric::Dtz] {
        let description = describe(&Chess::STANDARD, material, metric);
        let table = library.described(&description).expect("a good table").expect("a table");
        let entries: Vec<Entry> = (0..table.entries()).map(|at| table.entry(at).expect("an entry")).collect();
        let is_long = |entry: &Entry| entry.plies().is_some_and(|plies| plies.0 > 20);
        let wrong = entries.iter().rposition(is_long).expect("a long loss");
        let entry = |at: u64| match entries[at as usize] {
            Entry::Loss(Some(plies)) if at as usize == wrong && metric == Metric::Dtz => {
                Entry::Loss(Some(game::Plies(plies.0 - 2)))
            }
            _ if at as usize == wrong => Entry::Draw,
            entry => entry,
        };
        let other = tempfile::tempdir().expect("a folder");
        let library = Library::new(other.path(), 1 << 20);
        table::write(&description.path(other.path()), &description, entry, |_| ()).expect("a table");
        let compared =
            syzygy().compare(&library, "KRvK", metric, Extent::All, &|_| ()).expect("both are good");
        assert_eq!(compared.different.len(), 1, "{:?}", compared.different);
    }
}

/// All positions of two pawns in which one can be captured en passant.
fn en_passant_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    let [white, black] = Side::ALL;
    for (file, beside) in (0..8i8).flat_map(|file| [file - 1, file + 1].map(|beside| (file, beside))) {
        if !(0..8).contains(&beside) {
            continue;
        }
        for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            let mut board = Board::EMPTY;
            // White has just moved to the fourth rank, and Black's pawn is beside it.
            board.set(Square::at(file as u8, 3), Some(Piece { side: white, kind: Kind::Pawn }));
            board.set(Square::at(beside as u8, 3), Some(Piece { side: black, kind: Kind::Pawn }));
            if a == b || [a, b].iter().any(|&square| board.piece_at(square).is_some()) {
                continue;
            }
            board.set(a, Some(Piece { side: white, kind: Kind::King }));
            board.set(b, Some(Piece { side: black, kind: Kind::King }));
            let setup = Setup {
                board,
                turn: black,
                castling: Default::default(),
                en_passant: Some(Square::at(file as u8, 2)),
                clock: Clock::default(),
            };
            positions
                .extend(Position::try_from(setup).ok().filter(|position| position.en_passant().is_some()));
        }
    }
    positions
}

#[test]
fn en_passant_equals_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = solved(&["KPvKP"], folder.path());
    let files = syzygy::Tablebase::open_path(files()).expect("files");
    let prober = Prober::new(Chess::STANDARD, Arc::clone(&library));
    let zeroing = ZeroingProber::new(Chess::STANDARD, library);
    let positions = en_passant_positions();
    assert!(positions.len() > 30_000, "{}", positions.len());
    for position in positions.iter().step_by(7) {
        let value = zeroing.value(position).expect("a value");
        let sign = match value.wdl() {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        };
        let theirs = files.wdl(position).expect("a value").number();
        assert_eq!(i32::from(theirs.signum()), sign, "{position}");
        assert_eq!(prober.value(position).expect("a value").wdl, value.wdl(), "{position}");
        let dtz = files.dtz(position).expect("a distance");
        let ours = sign * value.plies().map_or(0, |plies| i32::from(plies.0.max(1)));
        let is_longer = !dtz.is_exact() && ours == dtz.plies() + sign;
        assert!(ours == dtz.plies() || is_longer, "{position}: {ours} and {dtz}");
    }
}

#[test]
fn files_answer_like_tables() {
    let game = chess();
    let ask = |fen: &str| {
        let session = game.session(Some(fen)).expect("a position");
        syzygy().probe(&*session, Extras::default())
    };
    let answer = ask("8/8/8/8/8/2k5/8/K1q5 w - - 0 1").expect("an answer");
    let rule50 = answer.rule50.expect("files know the rule");
    assert_eq!((answer.value.wdl, rule50.category, rule50.dtz), (Wdl::Loss, Category::Loss, Some(-2)));
    assert_eq!(answer.moves[0].text, "a1a2");
    // The clock makes a win a draw.
    let late = ask("8/8/8/8/4k3/8/1Q6/K7 w - - 95 80").expect("an answer").rule50.expect("the rule");
    assert_eq!(late.category, Category::CursedWin);
    // The quickest win first, and what throws the win away last.
    let answer = ask("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").expect("an answer");
    assert_eq!(answer.moves[0].text, "g5g7");
    assert!(answer.moves.last().expect("moves").rule50.expect("known").category < Category::Win);
    // Mate comes before a capture that wins.
    assert_eq!(ask("7k/8/6K1/8/8/8/8/R6r w - - 0 1").expect("an answer").moves[0].text, "a1a8");
    for (fen, says) in [
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castl"),
        ("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", "KQRvK"),
        ("4k3/8/8/8/8/8/8/QRBNKBNR w - - 0 1", "men"),
    ] {
        let error = ask(fen).expect_err("no file").to_string();
        assert!(error.contains(says), "{fen}: {error}");
    }
    let empty = tempfile::tempdir().expect("a folder");
    let refused = game.syzygy(empty.path().to_str().expect("UTF-8"));
    assert!(matches!(refused, Err(Error::NoSyzygyFiles { .. })));
    assert!(matches!(game.syzygy("/no/such/folder"), Err(Error::Syzygy(_))));
    let shogi =
        Registry::standard().find("shogi").expect("a game").open(&Options::default()).expect("defaults");
    assert!(matches!(shogi.syzygy(files()), Err(Error::NoSyzygy { game: "Shogi" })));
}

#[test]
fn lines_of_positions_are_answered() {
    let mut out = Vec::new();
    let input = "8/8/8/8/8/2k5/8/K1q5 w - - 0 1\nnonsense\n4k3/8/8/8/8/8/8/QR2K3 w - - 0 1\n";
    syzygy().answer_lines(Extras::default(), &mut input.as_bytes(), &mut out).expect("no I/O");
    let lines: Vec<serde_json::Value> = String::from_utf8(out)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["category"], "loss");
    assert_eq!(lines[0]["dtz"], -2);
    assert!(lines[1]["error"].is_string() && lines[2]["error"].is_string());
}

/// Larger tables often come without their distances.
#[test]
fn files_without_distances_still_tell_who_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "KQvK.rtbw";
    std::fs::write(folder.path().join(file), fixtures::bytes(&format!("chess/syzygy/{file}")))
        .expect("a disk");
    let game = chess();
    let files = game.syzygy(folder.path().to_str().expect("UTF-8")).expect("a file");
    let session = game.session(Some("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1")).expect("a position");
    let answer = files.probe(&*session, Extras::default()).expect("who wins");
    let rule50 = answer.rule50.expect("a category");
    assert_eq!((rule50.category, rule50.dtz), (Category::Win, None));
}
