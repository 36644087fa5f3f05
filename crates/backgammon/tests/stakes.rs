//! The cube, the Crawford rule and the score of a match, for all states of a short match.

use endspiel_backgammon::{
    Backgammon, Cube, Doublings, Move, Phase, Position, Roll, Score, ScoreError, Setup, Stakes, Terms, Win,
};
use game::{BySide, Position as _, Side};

const LONGEST: u32 = 5;

/// Every score of the matches up to five points, with and without the Crawford game.
fn scores() -> Vec<Score> {
    let mut scores = Vec::new();
    for length in 1..=LONGEST {
        for first in 0..length {
            for second in 0..length {
                for crawford in [false, true] {
                    let is_near = length - first == 1 || length - second == 1;
                    match Score::new(length, BySide { first, second }, crawford) {
                        Ok(score) => scores.push(score),
                        Err(error) => {
                            assert_eq!((error, crawford, is_near), (ScoreError::NoCrawford, true, false));
                        }
                    }
                }
            }
        }
    }
    scores
}

/// Every cube that a limit allows.
fn cubes(limit: Doublings) -> Vec<Cube> {
    let owned = (1..=limit.number()).flat_map(|number| {
        let doublings = Doublings::new(number).expect("within the limit");
        Side::ALL.map(|side| Cube::new(doublings, Some(side)))
    });
    std::iter::once(Cube::CENTRED).chain(owned).collect()
}

/// A position in which one side has one checker left, on its ace point, and a roll to play. The other side has the
/// checkers of `loser`.
fn about_to_win(winner: Side, loser: [u8; 25], cube: Cube, terms: Terms) -> Position {
    let mut last = [0; 25];
    last[24] = 1;
    let checkers = match winner {
        Side::First => BySide { first: last, second: loser },
        Side::Second => BySide { first: loser, second: last },
    };
    let phase = Phase::Play(Roll::new(2, 1).expect("dice"));
    Position::try_from(Setup { checkers, turn: winner, phase, cube, terms }).expect("a position")
}

/// The three ways to lose at the board, with the kind of win.
fn losers() -> [([u8; 25], Win); 3] {
    let with = |places: &[(usize, u8)]| {
        let mut counts = [0; 25];
        places.iter().for_each(|&(place, count)| counts[place] = count);
        counts
    };
    [
        (with(&[(20, 14)]), Win::Single),
        (with(&[(20, 15)]), Win::Gammon),
        (with(&[(20, 14), (3, 1)]), Win::Backgammon),
    ]
}

#[test]
fn points_and_scores_of_every_match() {
    let mut seen = 0;
    for score in scores() {
        for cube in cubes(Doublings::new(3).expect("8")) {
            let terms = Terms { stakes: Stakes::Match(score), with_cube: true, ..Terms::default() };
            for winner in Side::ALL {
                for (loser, win) in losers() {
                    let position = about_to_win(winner, loser, cube, terms);
                    let end = position.play_unchecked(position.moves()[0]);
                    assert_eq!(end.won(), Some((winner, win)));
                    let points = u32::from(score.away(winner)).min(cube.value() * win.multiple());
                    assert_eq!(end.points(), Some(points));
                    check_after(&score, winner, points);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 3_000, "{seen}");
}

fn check_after(score: &Score, winner: Side, points: u32) {
    let away = |score: &Score| Side::ALL.map(|side| score.away(side));
    let Some(next) = score.after(winner, points) else {
        assert_eq!(points, u32::from(score.away(winner)));
        return;
    };
    assert_eq!(u32::from(next.points(winner)), u32::from(score.points(winner)) + points);
    assert_eq!(next.points(winner.other()), score.points(winner.other()));
    assert_eq!(next.length(), score.length());
    let (was_near, is_near) = (away(score).contains(&1), away(&next).contains(&1));
    // The Crawford game is the one game after a side first came within one point.
    assert_eq!(next.is_crawford(), is_near && !was_near);
    assert_eq!(next.is_post_crawford(), was_near);
}

#[test]
fn who_may_double() {
    let limit = Doublings::new(3).expect("8");
    let money = [Stakes::Money { jacoby: false }, Stakes::Money { jacoby: true }];
    let mut asked = 0;
    for stakes in money.into_iter().chain(scores().into_iter().map(Stakes::Match)) {
        for cube in cubes(limit) {
            for (with_cube, turn) in [false, true].into_iter().flat_map(|on| Side::ALL.map(|side| (on, side)))
            {
                let terms = Terms { stakes, with_cube, cube_limit: limit, ..Terms::default() };
                let (home, _) = losers()[1];
                let checkers = BySide { first: home, second: home };
                let setup = Setup { checkers, turn, phase: Phase::Roll, cube, terms };
                let position = Position::try_from(setup).expect("a position");
                let score_allows =
                    stakes.score().is_none_or(|score| score.length() > 1 && !score.is_crawford());
                let may = |side: Side| {
                    with_cube && score_allows && cube.value() < 8 && cube.owner() != Some(side.other())
                };
                for side in Side::ALL {
                    assert_eq!(position.may_double(side), may(side), "{setup:?}");
                }
                // The next player may double exactly if the cube and the score allow it.
                let rolled = position.rolled(Roll::new(6, 5).expect("dice"));
                let next = rolled.play_unchecked(rolled.moves()[0]);
                let expected = if may(turn.other()) { Phase::Double } else { Phase::Roll };
                assert_eq!(next.phase(), expected, "{setup:?}");
                if expected == Phase::Double {
                    check_double(&next, turn.other());
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 200, "{asked}");
}

fn check_double(position: &Position, doubler: Side) {
    assert_eq!(position.moves(), [Move::Roll, Move::Double]);
    let rolling = position.play_unchecked(Move::Roll);
    assert_eq!((rolling.turn(), rolling.phase(), rolling.cube()), (doubler, Phase::Roll, position.cube()));
    let offered = position.play_unchecked(Move::Double);
    assert_eq!((offered.turn(), offered.phase()), (doubler.other(), Phase::Answer));
    assert_eq!(offered.moves(), [Move::Take, Move::Drop]);
    let taken = offered.play_unchecked(Move::Take);
    assert_eq!((taken.turn(), taken.phase()), (doubler, Phase::Roll));
    let cube = taken.cube();
    assert_eq!((cube.value(), cube.owner()), (2 * position.cube().value(), Some(doubler.other())));
    let dropped = offered.play_unchecked(Move::Drop);
    assert_eq!(dropped.won(), Some((doubler, Win::Drop)));
    let away = position.terms().stakes.score().map_or(u32::MAX, |score| score.away(doubler).into());
    assert_eq!(dropped.points(), Some(position.cube().value().min(away)));
    assert!(dropped.moves().is_empty() && !dropped.awaits_roll());
}

/// With the Jacoby rule, gammons count only after the cube was turned.
#[test]
fn points_for_money() {
    for jacoby in [false, true] {
        let terms = Terms { stakes: Stakes::Money { jacoby }, with_cube: true, ..Terms::default() };
        for cube in cubes(Doublings::new(6).expect("64")) {
            for (loser, win) in losers() {
                let position = about_to_win(Side::Second, loser, cube, terms);
                let end = position.play_unchecked(position.moves()[0]);
                let multiple = if jacoby && cube.value() == 1 { 1 } else { win.multiple() };
                assert_eq!(end.points(), Some(cube.value() * multiple));
            }
        }
    }
}

#[test]
fn nobody_doubles_before_the_first_roll() {
    let mut game = Backgammon::default();
    game.terms.with_cube = true;
    for side in Side::ALL {
        let start = game.begin(side);
        assert!(start.awaits_roll() && start.moves().is_empty() && start.may_double(side));
    }
}
