//! Boards that are edited, and positions from parts: every fault is told.

use endspiel_cotulenh::SetupFault;
use endspiel_cotulenh::prelude::*;
use game::{Rng, laws};
use proptest::prelude::*;

/// An edit of a board by hand.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Put(Side, Point, Kind, bool),
    Clear(Point),
    Promote(Point, Kind),
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let parts = (0usize..8, any::<bool>(), (0u8..11, 0u8..12), 0usize..11, any::<bool>());
    parts.prop_map(|(what, is_red, (file, rank), kind, is_heroic)| {
        let (point, kind) = (Point::at(file, rank), Kind::ALL[kind]);
        match what {
            0 => Edit::Clear(point),
            1 => Edit::Promote(point, kind),
            // Mostly where the kind may stand.
            _ => {
                let file = if kind == Kind::Navy { file % 3 } else { 2 + file % 9 };
                let point = if what == 2 { point } else { Point::at(file, rank) };
                Edit::Put(if is_red { Side::First } else { Side::Second }, point, kind, is_heroic)
            }
        }
    })
}

fn edited(edits: &[Edit]) -> Board {
    edits.iter().fold(Board::EMPTY, |mut board, &edit| {
        match edit {
            Edit::Put(side, point, kind, is_heroic) => board.put(side, point, Stack::one(kind, is_heroic)),
            Edit::Clear(point) => board.clear(point),
            Edit::Promote(point, kind) => {
                let could =
                    board.at(point).is_some_and(|(_, stack)| stack.has(kind) && !stack.has_hero(kind));
                assert_eq!(board.promote(point, kind), could);
            }
        }
        board
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However a board was edited, it is the board that its text says, with all values that follow from the stacks.
    #[test]
    fn edits_lead_to_the_board_of_the_text(edits in prop::collection::vec(any_edit(), 0..40)) {
        let board = edited(&edits);
        let read: Board = board.to_string().parse().expect("its own text");
        prop_assert_eq!(board, read);
    }

    /// The sets of a board are those that one finds point by point.
    #[test]
    fn sets_have_the_points_of_the_stacks(edits in prop::collection::vec(any_edit(), 0..40)) {
        let board = edited(&edits);
        for side in Side::ALL {
            let where_stack = |wanted: &dyn Fn(Stack) -> bool| -> PointSet {
                Point::all().filter(|&point| wanted(board.of(side, point))).collect()
            };
            for kind in Kind::ALL {
                prop_assert_eq!(board.of_kind(side, kind), where_stack(&|stack| stack.has(kind)));
            }
            let has_hero = |stack: Stack| Kind::ALL.into_iter().any(|kind| stack.has_hero(kind));
            prop_assert_eq!(board.heroes(side), where_stack(&has_hero));
        }
        let occupied: PointSet = Point::all().filter(|&point| board.at(point).is_some()).collect();
        prop_assert_eq!(board.all_occupied(), occupied);
        prop_assert_eq!(PointSet::counts(&[board.all_occupied()]), [occupied.len()]);
    }

    #[test]
    fn setups_keep_the_laws(edits in prop::collection::vec(any_edit(), 0..12), commanders in any::<[bool; 2]>(), number in 0u16..3) {
        let mut setup = Setup::new(edited(&edits), Side::First);
        for (side, at) in [(Side::First, "g1"), (Side::Second, "f12")] {
            if commanders[side as usize] {
                setup.board.put(side, at.parse().expect("a point"), Stack::one(Kind::Commander, false));
            }
        }
        setup.number = number;
        laws::of_setup(&setup, &mut Rng::new(1));
        if let Ok(position) = setup.position_accepting(|_| true) {
            laws::of_location(&CoTuLenh::default(), &position);
            prop_assert_eq!(CoTuLenh::default().parse_position(&position.to_string()), Ok(position));
        }
    }
}

#[test]
fn every_fault_is_told() {
    let setup: Setup = "11/11/n2n7/11/11/11/11/T10/11/11/5(TC)5/6C4 r - - 0 0".parse().expect("FEN");
    let faults = setup.position().expect_err("much is wrong");
    assert_eq!(
        faults.to_string(),
        "`n` cannot stand on d10; `T` cannot stand on a5; Red has more than one commander: g1 f2; \
         Blue has no commander; turns are counted from 1, not from 0"
    );
    let playable: Vec<_> = faults.into_iter().filter(|fault| fault.is_playable()).collect();
    assert_eq!(playable, [SetupFault::Number]);
}

#[test]
fn a_board_is_edited_and_then_checked() {
    let point = |name: &str| name.parse::<Point>().expect("a point");
    let start = CoTuLenh::default().start();
    let mut setup = Setup::new(*start.board(), Side::Second);
    // The only commander of Blue is gone: Blue may be to move, but Red may not.
    setup.board.clear(point("g12"));
    assert!(setup.position().is_ok());
    setup.turn = Side::First;
    assert_eq!(
        setup.position().expect_err("no commander").to_vec(),
        [SetupFault::NoCommander { side: Side::Second }]
    );
    // It comes back on a tank, which takes the place of a ship of the other side.
    let carried =
        Stack::one(Kind::Tank, false).combined(Stack::one(Kind::Commander, false)).expect("a stack");
    setup.board.put(Side::Second, point("c4"), carried);
    assert!(setup.board.promote(point("c4"), Kind::Tank) && !setup.board.promote(point("c4"), Kind::Tank));
    assert!(!setup.board.promote(point("a1"), Kind::Tank), "there is nothing");
    let position = setup.position().expect("all is well");
    let board = position.board();
    assert_eq!(board.commander(Side::Second), Some(point("c4")));
    assert_eq!(board.heroes(Side::Second).names(), "c4");
    assert_eq!(board.of_kind(Side::First, Kind::Navy).names(), "b2");
    assert!(position.to_string().contains("/2(+tc)1GT1TG2/"), "{position}");
}
