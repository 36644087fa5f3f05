//! An opened game: its capabilities, and a prober that several threads share.

use endspiel_registry::{Answer, Error, Extras, Line, Opened, Registry, Session, Verifying};
use game::Options;
use serde_json::json;
use std::io;
use std::path::Path;
use std::sync::Arc;
use table::{Backend, Depth, Entry, Folder, Library, Listing, Source, Store, TableFile};

fn opened(game: &str) -> Opened {
    Registry::standard().find(game).expect("a game").open(&Options::default()).expect("defaults are right")
}

fn session(game: &Opened, position: &str) -> Box<dyn Session> {
    game.session(Some(position)).expect("a position")
}

/// The tables of CoTuLenh that the transcripts of the command-line tests use.
fn tables() -> Arc<Library> {
    let folder = "../cli/tests/cmd/cotulenh-tables.in/solved";
    Arc::new(Library::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), 1 << 20))
}

#[test]
fn a_family_says_what_its_games_can_do() {
    let mut able = Vec::new();
    for family in Registry::standard().games() {
        let game = family.open(&Options::default()).expect("defaults are right");
        let can = [game.tables().is_ok(), game.matches().is_ok(), game.environment().is_ok()];
        let told = [family.endgames().is_some(), family.has_matches(), family.has_environment()];
        assert_eq!(can, told, "{}", family.info().name);
        able.push((family.info().name, can));
    }
    let expected = [
        ("dobutsu", [true, true, true]),
        ("onitama", [true, true, true]),
        ("chess", [true, true, false]),
        ("shogi", [true, true, false]),
        ("cotulenh", [true, true, false]),
        ("backgammon", [true, true, true]),
    ];
    assert_eq!(able, expected);
    assert!(matches!(opened("chess").environment().err(), Some(Error::NoEnvironment { game: "Chess" })));
}

#[test]
fn environments_are_made_by_name() {
    let onitama = opened("onitama");
    let environment = onitama.environment().expect("it has one");
    let batch = environment.batch(10, 1, &environment.observations()[0].name).expect("its own name");
    assert_eq!((batch.count(), batch.action_count()), (10, environment.action_count()));
    assert!(environment.batch(10, 1, "no such thing").is_err());
}

const POSITION: &str = "11/11/11/11/11/11/11/11/11/11/9c1/N9C r - - 0 1";

#[test]
fn a_kept_prober_answers_all_threads_alike() {
    let game = opened("cotulenh");
    let prober = game.values().expect("it is solved").prober(tables()).expect("these rules have tables");
    let session = session(&game, POSITION);
    let asked = |session: &dyn Session| {
        let Answer { value, moves, line, .. } = prober.probe(session, Extras::line(400)).expect("a table");
        let Line { moves: best, end } = line.expect("it was asked for");
        (value, moves, best, end.expect("whole tables"))
    };
    let expected = asked(&*session);
    assert!(!expected.2.is_empty());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let session = game.session(Some(POSITION)).expect("a position");
                for _ in 0..20 {
                    assert_eq!(asked(&*session), expected);
                }
            });
        }
    });
}

/// The answer has the best line only if it was requested, and is otherwise the same. So is the JSON of `answer_lines`.
#[test]
fn the_line_is_found_when_it_is_asked_for() {
    let game = opened("cotulenh");
    let prober = game.values().expect("it is solved").prober(tables()).expect("these rules have tables");
    let session = session(&game, POSITION);
    let [short, long] = [Extras::default(), Extras::line(400)]
        .map(|extras| prober.probe(&*session, extras).expect("a table"));
    assert_eq!((&short.value, &short.moves), (&long.value, &long.moves));
    assert!(short.line.is_none());
    let plies = long.value.plies.expect("these tables have distances");
    let line = long.line.as_ref().expect("it was asked for");
    assert_eq!(line.moves.len(), usize::from(plies.0));
    assert_eq!(line.moves[0], long.moves[0].text);
    for (extras, answer) in [(Extras::default(), &short), (Extras::line(400), &long)] {
        let mut written = Vec::new();
        prober.answer_lines(extras, &mut POSITION.as_bytes(), &mut written).expect("no I/O");
        let written: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
        let mut expected = serde_json::to_value(answer).expect("JSON");
        expected["position"] = json!(POSITION);
        assert_eq!(written, expected);
        assert_eq!((&written["value"], &written["plies"]), (&json!("win"), &json!(plies.0)));
        assert_eq!(written.get("line").is_some(), extras.line.is_some());
    }
    assert_eq!(prober.probe(&*session, Extras::line(1)).expect("a table").line.expect("one").moves.len(), 1);
}

#[test]
fn positions_of_other_games_are_refused() {
    let (game, other) = (opened("cotulenh"), opened("onitama"));
    let prober = game.values().expect("it is solved").prober(tables()).expect("these rules have tables");
    let refused = prober.probe(&*other.session(None).expect("the start"), Extras::default());
    assert!(matches!(refused, Err(Error::OtherGame { game: "CoTuLenh" })));
}

/// A place whose tables can be opened, but not listed.
#[derive(Debug)]
struct Unlisted(Folder);

impl Store for Unlisted {
    fn root(&self) -> &Path {
        self.0.root()
    }

    fn open(&self, name: &str) -> io::Result<Option<Box<dyn Source>>> {
        self.0.open(name)
    }

    fn list(&self) -> Listing {
        let problem = TableFile::open("nowhere", Backend::Read).expect_err("no file");
        Listing { problems: vec![problem], ..Listing::default() }
    }
}

/// To find out which tables there are does not open any: a packed one would be completed.
#[test]
fn tables_that_cannot_be_listed_are_found_by_their_files() {
    let (game, listed) = (opened("cotulenh"), tables());
    let place = Unlisted(Folder::new(listed.folder()));
    let library = Library::of(vec![Arc::new(place)], 1 << 20);
    let tables = game.tables().expect("it has tables");
    let present = tables.present(&library);
    assert_eq!(present, tables.present(&listed));
    assert!(!present.is_empty() && library.statistics().tables.is_empty());
}

/// What was opened before is not taken for the file that is there now.
#[test]
fn a_table_that_was_replaced_is_verified_as_it_is() {
    let (game, old) = (opened("cotulenh"), tables());
    let tables = game.tables().expect("it has tables");
    let slice = tables.present(&old)[0];
    let metric = tables.metrics(&old, slice).expect("a table")[0];
    let names =
        ["cotulenh".to_owned(), tables.rules_id(), format!("{}.{}.est", tables.name(slice), metric.name())];
    let folder = tempfile::tempdir().expect("a folder");
    let at = |root: &Path| names.iter().fold(root.to_owned(), |path, name| path.join(name));
    let path = at(folder.path());
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::copy(at(old.folder()), &path).expect("a copy");
    let library = Library::new(folder.path(), 1 << 20);
    let verifying = Verifying { depth: Depth::Everything, generic: true, memory: 1 << 30 };
    let verify = || tables.verify(&library, slice, metric, verifying, &|_| ()).verified.expect("good bytes");
    // The library keeps the table open.
    let description = TableFile::open(&path, Backend::Read).expect("a table").description().clone();
    let kept = library.described(&description).expect("a good table").expect("a table");
    assert!(kept.iter_blocks().all(|block| block.is_ok()) && verify().wrong.is_empty());
    table::write(&path, &description, |_| Entry::Draw, |_| ()).expect("our folder");
    assert!(!verify().wrong.is_empty());
    assert!(!path.with_extension("verified").exists());
}
