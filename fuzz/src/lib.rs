//! Fuzz targets. Each is a plain function over bytes that panics if a law is broken.
//!
//! `cargo xtask test` replays and mutates the corpus on the stable toolchain. `cargo xtask test --full` also runs libFuzzer
//! on the targets if a nightly toolchain is installed.

use backgammon::{Backgammon, mat};
use chess::Chess;
use cotulenh::CoTuLenh;
use dobutsu::Dobutsu;
use game::{Endgame, Game, Index, Location, Notation, Options, Position, Rng, laws};
use onitama::Onitama;
use registry::{After, Counts, Listing, Opened, Registry, Task};
use shogi::Shogi;
use shogi::records::{self, csa, kif};
use std::fmt::Display;
use std::str::FromStr;
use syzygy::{ProbeError, Tablebase};
use table::{Entries, Numbers, Outcomes, Table, TableFile, Values};

/// A fuzz target: a function over any bytes.
pub struct Target {
    /// The name, which is also the name of its folder in `corpus`.
    pub name: String,
    /// The function. It panics if a law is broken.
    pub run: fn(&[u8]),
    /// Initial inputs, in addition to those of the corpus.
    pub seeds: Vec<Vec<u8>>,
}

/// All targets. A new game needs one line here.
pub fn targets() -> Vec<Target> {
    let mut targets = Vec::new();
    targets.extend(of_game::<Dobutsu>());
    targets.extend(of_game::<Onitama>());
    targets.extend(of_game::<Chess>());
    targets.extend(of_game::<Shogi>());
    targets.extend(of_game::<CoTuLenh>());
    targets.push(target("dobutsu-move", any_move::<dobutsu::Move>, &["2c2b", "C*2b"]));
    targets.push(target("onitama-move", any_move::<onitama::Move>, &["boar:a1a2", "ox:pass"]));
    targets.push(target("onitama-cards", any_cards, &[onitama::CARDS.default]));
    targets.push(target("chess-san", any_san, &["Nbd2", "exd8=Q+", "e2-e4!?", "O-O-O#"]));
    targets.push(target("chess-epd", any_epd, &[EPD]));
    targets.push(target("chess-pgn", any_pgn, &[PGN]));
    let materials = ["KQvKR 7", "krkq 123456", "KPKP 99999999", "KBNvKQ"];
    targets.push(target("chess-material", any_slice::<Chess>, &materials));
    targets.push(target("shogi-kif", any_kif, &[KIF]));
    targets.push(target("shogi-class", any_slice::<Shogi>, &["GP 7", "KRvK 123456", "ggg 99999999", "PG"]));
    targets.push(target("cotulenh-slice", any_slice::<CoTuLenh>, &["CNvC 77", "cvctt 5"]));
    targets.push(target("shogi-csa", any_csa, &[CSA]));
    targets.push(target("backgammon-position", any_position::<Backgammon>, &BACKGAMMON));
    targets.push(target("backgammon-moves", any_turns, &[TURNS]));
    targets.push(target("backgammon-mat", any_mat, &[MAT]));
    targets.push(target("chess-records", any_records::<Chess>, &[PGN, CHESS_LIST, CHESS_JSON]));
    targets.push(target("shogi-records", any_records::<Shogi>, &[KIF, CSA, "game: shogi\n\n7g7f\n"]));
    targets.push(target("onitama-records", any_records::<Onitama>, &[ONITAMA_LIST]));
    targets.push(target("backgammon-records", any_records::<Backgammon>, &[MAT, BACKGAMMON_LIST]));
    targets.push(target("table", any_table, &[]));
    targets.push(target("syzygy", any_syzygy, &[]));
    targets
}

/// The name of a slice, and an index: a slice has one canonical name, and its indices keep the laws of numbering. The position
/// of an index, as text, has the same index.
fn any_slice<G: Endgame + Notation + Default>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, index) = text.split_once(' ').unwrap_or((&text, "0"));
    let game = G::default();
    let Some(slice) = game.slice(name) else { return };
    assert_eq!(game.slice(&slice.to_string()), Some(slice), "{name}");
    let Ok(index) = index.parse().map(|index: u64| Index(index % game.size(slice))) else { return };
    if let Some(position) = game.unrank(slice, index) {
        let read = game.parse_position(&game.position_text(&position)).expect("a text of ours");
        assert_eq!(game.locate(&read), Location::At(slice, index), "{position:?}");
    }
}

fn target(name: &str, run: fn(&[u8]), seeds: &[&str]) -> Target {
    Target { name: name.to_owned(), run, seeds: seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect() }
}

/// A position with every kind of operand.
const EPD: &str =
    r#"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O O-O-O; pv Rxa8+ Ke7; id "a \"b\" \\"; hmvc 7; fmvn 9;"#;

/// Two games with every element of PGN.
const PGN: &str = r#"[Event "a \"b\" \\"]
[Variant "Chess960"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]

1. e4!? {why
not} $10 ({or} 1. d4 d5 (1... c5 ; said
))
% nobody reads this
1... e5 1/2-1/2

1.e4 e5 2.Nf3 *
"#;

/// A game with every element of KIF.
const KIF: &str = "手合割：香落ち
上手：a
*before
   1 ３四歩(33)   ( 0:16/00:00:16)
   2 ７六歩(77)   ( 1:02:03/01:02:03)+
*after
&mark
   3 ８八角成(22)
   4 同　銀(79)
   5 ４五角打
   6 投了
まで5手で上手の勝ち

変化：5手
   5 中断
変化：2手
   2 ２六歩(27)
";

/// Three games with every element of CSA.
const CSA: &str = "'CSA encoding=UTF-8
V2.2
N+a
$EVENT:b, c
PI82HI22KA
-
'before
-5142OU,T12,'after
+7776FU
T6.5
%TORYO
/
P1 *  *  *  * -OU *  *  *  *
P9 *  *  *  * +OU *  *  *  *
P+53TO00KI
P-00AL
+
+0052KI
%TSUMI
/
%-ILLEGAL_ACTION
";

/// Positions in each format, and with each word that may follow a position.
const BACKGAMMON: [&str; 6] = [
    Backgammon::INFO.example_position,
    "sGfwATDgc/ABMA:cAkAAAAAAAAE 3-1",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:0:7:10 opening",
    "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:00:0:0:3:0:10 double",
    "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:1:0:10 drop",
    "XGID=aAEBb-B-A-C-b-----ab-cbbA-:0:0:1:61:4:0:1:5:10",
];

/// Turns of every kind: a roll, then the move that is played with it.
const TURNS: &str = "65\n24/18/13\nroll\n33\n8/5(2), 6/3(2)\ndouble\ntake\n66\n13/7(3) 24/18\nno double\n62\n13/7* 24/22\n51\nBAR/24 13/8\n";

/// A match with every element of a match file.
const MAT: &str = "; [Site \"a\"]
; [Jacoby \"On\"]

 0 point match

 Game 1
 Anna : 0                       Otto : 0
  1)                             31: 8/5 6/5
  2)  Doubles => 2                Takes
  3) 66: 24/18 24/18 13/7 13/7   52: 13/8 13/11
  4) 44:
      Wins 4 points

 Game 2
 Anna : 4                       Otto : 0
  1) 21: 24/23 13/11              Doubles => 2
  2)  Drops                       Wins 1 point
";

/// Two games as lists of moves, with every kind of line.
const CHESS_LIST: &str = "# made by hand\ngame: chess\nWhite: a: b\nstart: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nresult: draw\n\ne2e4\n\ngame: chess\n\ng1f3\n";

/// Two games in JSON, with every key.
const CHESS_JSON: &str = r#"{"game":"chess","options":{"variant":"chess960","start":"5"},"tags":{"a":1},"moves":[]}
{"start":"startpos","result":{"winner":"white","by":"time","points":2},"moves":[{"ply":1,"before":"","move":"e2e4","after":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}]}
"#;

/// A game with an option and a result.
const ONITAMA_LIST: &str = "game: onitama\noption: cards tiger,crab,crane,mantis,boar\nblue: Anna\nresult: red by stone\n\ntiger:a1a3\n";

/// A game with rolls and a cube.
const BACKGAMMON_LIST: &str = "game: backgammon\noption: cube on\nresult: white by declined double for 1 point\n\n31\n8/5 6/5\nroll\n65\n24/18/13\ndouble\ndrop\n";

/// The targets that every game has: positions, moves, and lines of positions. The seeds come from the start of a random
/// game.
fn of_game<G: Notation>() -> [Target; 3] {
    const PLIES: u32 = 12;
    let (name, game, mut rng) = (G::INFO.name, default_game::<G>(), Rng::new(1));
    let (mut position, mut played) = (game.start(), Vec::new());
    for _ in 0..PLIES {
        let Some(m) = game::random_move(&position, &mut rng) else { break };
        played.push(game.move_text(&position, m));
        position = position.play_unchecked(m);
    }
    let (start, last) = (game.position_text(&game.start()), game.position_text(&position));
    let with_moves = format!("position startpos moves {}", played.join(" "));
    let positions = [G::INFO.example_position, &start, &last, &with_moves];
    [
        target(&format!("{name}-position"), any_position::<G>, &positions),
        target(&format!("{name}-moves"), any_moves::<G>, &[&played.join(" ")]),
        target(&format!("{name}-lines"), any_lines::<G>, &[&positions.join("\n")]),
    ]
}

fn default_game<G: Game>() -> G {
    match G::new(&Options::default()) {
        Ok(game) => game,
        Err(error) => panic!("the default options are invalid: {error}"),
    }
}

/// Any text is either a position, perhaps with moves, or an error with a message. The text of the position parses to the same
/// position, and its moves keep the laws.
fn any_position<G: Notation>(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let game = default_game::<G>();
    match game::read_position(&game, text) {
        Ok(position) => {
            laws::moves_agree(&position);
            laws::text_returns(&game, &position);
            let _ = game.draw(&position, game::Style::Coloured);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Plays a game with any words as moves. A word that is not a legal move is an error and changes nothing.
fn any_moves<G: Notation>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut session = Opened::new(default_game::<G>()).session(None).expect("the start is a position");
    for word in text.split_ascii_whitespace().take(64) {
        let before = session.position();
        match session.play(word) {
            Ok(()) => assert_ne!(session.position(), before),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(session.position(), before);
            }
        }
    }
    while session.undo().is_some() {}
    assert_eq!(
        session.position(),
        Opened::new(default_game::<G>()).session(None).expect("the start").position()
    );
}

/// Any bytes through the interface for programs: each line of input gives one line of JSON, with moves or an error.
fn any_lines<G: Notation>(bytes: &[u8]) {
    let mut output = Vec::new();
    Opened::new(default_game::<G>())
        .rules()
        .moves(Listing::All, After::Told, &mut { bytes }, &mut output)
        .expect("memory has no I/O errors");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let questions =
        bytes.split(|&byte| byte == b'\n').count() - usize::from(bytes.is_empty() || bytes.ends_with(b"\n"));
    assert_eq!(output.lines().count(), questions);
    for line in output.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("answers are JSON");
        assert!(answer["position"].is_string());
        assert!(answer["moves"].is_array() != answer["error"].is_string());
    }
}

/// Any list of cards is either a game whose start keeps the laws, or an error with a message.
fn any_cards(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut options = Options::default();
    options.set(&onitama::CARDS, text.to_owned());
    match Onitama::new(&options) {
        Ok(game) => laws::moves_agree(&game.start()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// `print(parse(text)) = text` for moves without a position, except for upper and lower case.
fn any_move<M: FromStr + Display>(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(m) = text.parse::<M>() {
        assert!(m.to_string().eq_ignore_ascii_case(text), "`{text}` is read as `{m}`");
    }
}

/// Any text is either a move in SAN or an error with a message. The text of the move parses to the same move, and the move
/// may be legal or illegal in a position.
fn any_san(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match text.parse::<chess::San>() {
        Ok(san) => assert_eq!(san.to_string().parse(), Ok(san), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let crowded = "r3k2r/1P6/2n2n2/3pP3/8/2N2N2/8/R3K2R w KQkq d6 0 1";
    for position in [chess::Start::STANDARD.position(), crowded.parse().expect("a position")] {
        match position.parse_san(text) {
            Ok(m) => assert_eq!(position.parse_san(&position.san(m).to_string()), Ok(m), "{text}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Any text is either a line of EPD, whose text parses to the same line, or an error with a message.
fn any_epd(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match text.parse::<chess::Epd>() {
        Ok(epd) => {
            assert_eq!(epd.to_string().parse(), Ok(epd.clone()), "{text}");
            for opcode in ["bm", "am", "pv"] {
                let _ = (epd.moves(opcode), epd.line(opcode));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are a sequence of games, whose text parses to the same game, and of errors with a message.
fn any_pgn(bytes: &[u8]) {
    for game in chess::pgn::read(bytes) {
        match game {
            Ok(game) => assert_eq!(game.to_string().parse(), Ok(game)),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(error.read.to_string().parse(), Ok(*error.read));
            }
        }
    }
}

/// Any bytes are either a game, whose text parses to the same game, or an error with a message.
fn any_kif(bytes: &[u8]) {
    match records::decode(bytes) {
        Ok(text) => returns(kif::read(&text), |game| kif::read(&kif::write(game))),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are a sequence of games, whose text parses to the same game, and of errors with a message.
fn any_csa(bytes: &[u8]) {
    match records::decode(bytes) {
        Ok(text) => csa::read(&text).for_each(|game| {
            returns(game, |game| csa::read(&csa::write(game)).next().expect("a game was written"));
        }),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes, in every format of records that a game has, are games and errors with a message. Games that are written as lists
/// and in JSON are the same when they are read again, and other formats keep their number if they can hold them.
fn any_records<G: Notation>(bytes: &[u8]) {
    let registry = Registry::standard();
    let game = registry.find(G::INFO.name).and_then(|family| family.open(&Options::default()));
    let game = game.expect("the default options are right");
    let records = game.records();
    for from in records.formats() {
        let (_, checked) = records_with(&game, from, Task::Check, bytes);
        records_with(&game, from, Task::Show(game::Style::Plain), bytes);
        for to in records.formats() {
            let (written, counts) = records_with(&game, from, Task::Convert { to }, bytes);
            assert!(counts.games == checked.games && counts.bad >= checked.bad);
            let (again, counts_again) = records_with(&game, to, Task::Convert { to }, &written);
            assert_eq!(counts_again.bad, 0, "{from} to {to}: {}", String::from_utf8_lossy(&written));
            assert_eq!(counts_again.games, counts.games - counts.bad, "{from} to {to}");
            if to == "moves" {
                assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&written), "from {from}");
            }
        }
    }
}

/// The output of a task, and the numbers of games.
fn records_with(game: &Opened, from: &str, task: Task<'_>, mut bytes: &[u8]) -> (Vec<u8>, Counts) {
    let mut out = Vec::new();
    let reading = game.records().reading(from, task).expect("a format of the game");
    let counts = reading.run(&mut bytes, None, &mut out, &mut |bad, _| {
        assert!(!bad.to_string().is_empty());
        Ok(())
    });
    (out, counts.expect("memory has no I/O errors"))
}

type Read = Result<records::Game, records::RecordError>;

/// Checks that a game is the same after it is written and read again. If the game had an error, this holds for the part
/// before the error.
fn returns(read: Read, again: impl Fn(&records::Game) -> Read) {
    let game = read.unwrap_or_else(|error| {
        assert!(!error.to_string().is_empty());
        *error.read
    });
    assert_eq!(again(&game), Ok(game));
}

/// Plays a game with any lines: each is a roll, if a roll is next, or a move, or an error.
fn any_turns(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut game = default_game::<Backgammon>();
    game.terms.with_cube = true;
    let mut position = game.start();
    for line in text.lines().take(64) {
        if let Ok(roll) = game.parse_chance(&position, line) {
            assert_eq!(game.parse_chance(&position, &game.chance_text(&position, roll)), Ok(roll), "{line}");
            position = position.play_chance(roll).expect("what is read is possible");
            continue;
        }
        match game.parse_move(&position, line) {
            Ok(m) => {
                assert_eq!(game.parse_move(&position, &game.move_text(&position, m)), Ok(m), "{line}");
                position = position.play(m).expect("what is read is legal");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let text = game.position_text(&position);
    assert_eq!(game.parse_position(&text).as_ref(), Ok(&position), "{text}");
    assert_eq!(game.parse_position(&position.gnubg_id()).is_err(), position.won().is_some());
}

/// Any text is either a match, whose text parses to the same match, or an error with a message.
fn any_mat(bytes: &[u8]) {
    match mat::read(&String::from_utf8_lossy(bytes)) {
        Ok(played) => assert_eq!(mat::read(&mat::write(&played)), Ok(played)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are either a table or an error with a message, for every payload.
fn any_table(bytes: &[u8]) {
    let whole = match TableFile::from_bytes(bytes.to_vec()) {
        Ok(file) => file.check().is_ok(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    };
    any_table_of::<Values>(bytes, whole);
    any_table_of::<Numbers<1>>(bytes, whole);
    any_table_of::<Numbers<3>>(bytes, whole);
    any_table_of::<Outcomes>(bytes, whole);
}

/// Every block of a table can be read, or gives an error with a message. A table that is `whole` gives no errors.
fn any_table_of<P: Entries>(bytes: &[u8], whole: bool) {
    match TableFile::from_bytes(bytes.to_vec()).and_then(Table::<P>::of) {
        Ok(table) => {
            for block in table.iter_blocks() {
                match block {
                    Ok(block) => assert!(block.iter().count() == block.len()),
                    Err(error) => assert!(!whole && !error.to_string().is_empty()),
                }
            }
            assert_eq!(table.check().is_ok(), whole);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are either a Syzygy table, whose positions have answers, or give errors with a message. The first byte chooses
/// the table.
fn any_syzygy(bytes: &[u8]) {
    const TABLES: [(&str, &str); 4] = [
        ("KRvK.rtbw", "8/8/8/3k4/8/8/1K5R/8 w - - 0 1"),
        ("KPvKP.rtbw", "8/2p5/8/1k6/8/8/4PK2/8 w - - 0 1"),
        ("KQvK.rtbz", "8/8/8/3k4/8/8/1K5Q/8 b - - 0 1"),
        ("KRRvKRR.rtbw", "8/rr6/8/3k4/8/8/1K5R/7R w - - 0 1"),
    ];
    let Some((&first, file)) = bytes.split_first() else { return };
    let (name, fen) = TABLES[usize::from(first) % TABLES.len()];
    // Distances need the values, too.
    let values = include_bytes!("../../fixtures/chess/syzygy/KQvK.rtbw").to_vec();
    let tables = Tablebase::from_bytes([("KQvK.rtbw", values), (name, file.to_vec())]);
    let mut position: chess::Position = fen.parse().expect("a position");
    let mut rng = Rng::new(1);
    for _ in 0..16 {
        let errors = [tables.wdl(&position).err(), tables.dtz(&position).err()];
        for error in errors.into_iter().flatten() {
            assert!(!error.to_string().is_empty());
            assert!(!matches!(error, ProbeError::Castling), "{position}");
        }
        let Some(m) = game::random_move(&position, &mut rng) else { break };
        position = position.play_unchecked(m);
    }
}
