//! Lines of EPD: a written line is read back unchanged; each error message.

use endspiel_chess::{Chess, Epd, Operand, Operation, Start};
use game::{Game, Position as _, Rng};
use proptest::prelude::*;

const POSITION: &str = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k -";

proptest! {
    #[test]
    fn lines_return_from_their_print(
        start in 0..Start::COUNT, seed: u64, plies in 0u32..100, texts in prop::collection::vec("\\PC{0,12}|.{0,6}", 0..4)
    ) {
        let (position, _) =
            game::playout(&Start::new(start).expect("a start").position(), plies, &mut Rng::new(seed));
        let mut epd = Epd::from(position);
        let mut moves = Vec::new();
        position.for_each_move(|m| moves.push(Operand::from(position.san(m).to_string().as_str())));
        epd.operations.push(Operation::new("bm", moves).expect("a name"));
        for text in &texts {
            epd.operations.push(Operation::new("c0", [Operand::quoted(text), text.as_str().into()]).expect("a name"));
        }
        let line = epd.to_string();
        prop_assert!(!line.contains('\n'));
        let read: Epd = line.parse().expect("well written");
        prop_assert_eq!(read.position.clock(), position.clock());
        prop_assert_eq!(read.moves("bm"), Ok(position.moves()));
        prop_assert_eq!(read, epd);
    }

    #[test]
    fn any_line_is_read_or_refused(text in "[ ;\"\\\\a-z0-9]{0,30}|\\PC{0,20}") {
        if let Ok(epd) = format!("{POSITION} {text}").parse::<Epd>() {
            prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd));
        }
    }
}

#[test]
fn operations_are_understood() {
    let text = format!(
        r#"{POSITION} bm Qb8+; am Qxe6+ Bd2;pv Qb8+ Nxb8 Rd8#; acd 3 ; ce 32000; id "a \"b\" \\"; c0; hmvc 7; fmvn 16;"#
    );
    let epd: Epd = text.parse().expect("well written");
    let san = |text| epd.position.parse_san(text).expect("legal");
    assert_eq!(epd.moves("bm"), Ok(vec![san("Qb8+")]));
    let twice: Epd = format!("{POSITION} bm b3b8; bm Qxe6+;").parse().expect("well written");
    assert_eq!(twice.moves("bm"), Ok(vec![san("Qb8+"), san("Qxe6+")]));
    assert_eq!(epd.moves("am"), Ok(vec![san("Qxe6"), san("Bd2")]));
    assert_eq!(epd.line("pv").map(|line| line.len()), Ok(3));
    assert_eq!(epd.moves("sm"), Ok(vec![]));
    assert_eq!((epd.operand("acd"), epd.operand("ce"), epd.operand("c0")), (Some("3"), Some("32000"), None));
    assert_eq!(epd.operand("id"), Some("a \"b\" \\"));
    assert_eq!((epd.position.clock().quiet_plies, epd.position.clock().move_number), (7, 16));
    assert_eq!(epd.operation("am").expect("is there").operands().len(), 2);
}

/// Lists of perft counts use this form.
#[test]
fn clocks_and_leading_semicolons_are_understood() {
    let text = format!("{} ;D1 20 ;D2 400", Chess::STANDARD.start());
    let epd: Epd = text.parse().expect("well written");
    assert_eq!(epd.position, Chess::STANDARD.start());
    assert_eq!((epd.operand("D1"), epd.operand("D2")), (Some("20"), Some("400")));
    let expected = format!("{} hmvc 0; fmvn 1; D1 20; D2 400;", Chess::STANDARD.start().epd_fields());
    assert_eq!(epd.to_string(), expected);
    assert_eq!(POSITION.parse::<Epd>().map(|epd| epd.operations), Ok(vec![]));
}

#[test]
fn wrong_lines() {
    let error = |rest: &str| format!("{POSITION} {rest}").parse::<Epd>().expect_err(rest).to_string();
    let name = "is not the name of an operation: a letter, then letters, digits and `_`";
    assert_eq!(error("b-m e4;"), format!("`b-m` {name}"));
    assert_eq!(error("\"x\";"), format!("`` {name}"));
    assert_eq!(error("id \"x;"), "the text `\"x;` of `id` has no quotation mark at its end");
    assert_eq!(error("hmvc -1;"), "`hmvc` is `-1`; it is a whole number up to 65,535");
    assert_eq!(error("fmvn;"), "`fmvn` is ``; it is a whole number up to 65,535");
    let fields = "4k3/8 w".parse::<Epd>().expect_err("two fields").to_string();
    assert!(fields.starts_with("4 to 6 fields are needed, not 2"));
    let epd: Epd = format!("{POSITION} bm Qb8 Ke8;").parse().expect("well written");
    assert_eq!(epd.moves("bm").expect_err("illegal").to_string(), "`bm`: `Ke8` is not a legal move here");
}
