//! The play of CoTuLenh: sections 4 to 8 of the rules, and the notation of turns in section 11.

use crate::board::{
    Board, Kind, Piece, Point, Position, Side, Stack, file_of, point_at, point_name, rank_of,
};

use Kind::*;

/// Steps along files and ranks; the first four are orthogonal.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The point `distance` steps away; `None` if it is not on the board.
fn step_from(origin: Point, (right, up): (i32, i32), distance: i32) -> Option<Point> {
    point_at(file_of(origin) + right * distance, rank_of(origin) + up * distance)
}

/// The direction and the distance from one point to another; `None` if they are equal or not on one line.
fn line_between(from: Point, to: Point) -> Option<((i32, i32), i32)> {
    let right = file_of(to) - file_of(from);
    let up = rank_of(to) - rank_of(from);
    let distance = right.abs().max(up.abs());
    let on_line = distance > 0 && (right == 0 || up == 0 || right.abs() == up.abs());
    on_line.then_some(((right.signum(), up.signum()), distance))
}

fn nothing_between(board: &Board, from: Point, direction: (i32, i32), distance: i32) -> bool {
    (1..distance)
        .filter_map(|n| step_from(from, direction, n))
        .all(|point: Point| board.points[point].is_none())
}

// ---- Air defence (section 5) ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Air {
    Free,
    Hit,
    Dead,
}

/// The status of an air force of `side` that flies `distance` points along a ray.
fn air_status(
    board: &Board,
    side: Side,
    plane: Piece,
    from: Point,
    direction: (i32, i32),
    distance: i32,
) -> Air {
    if plane.heroic {
        return Air::Free;
    }
    let mut met: Option<Point> = None;
    for point in (1..=distance).filter_map(|n| step_from(from, direction, n)) {
        let mut covered = false;
        for (source, stack) in board.stacks_of(side.other()) {
            let level = stack.carrier().air_defence();
            let (right, up) = (file_of(point) - file_of(source), rank_of(point) - rank_of(source));
            if level == 0 || right * right + up * up > level * level {
                continue;
            }
            if met.is_some_and(|known| known != source) {
                return Air::Dead;
            }
            met = Some(source);
            covered = true;
        }
        if met.is_some() && !covered {
            return Air::Dead;
        }
    }
    if met.is_some() { Air::Hit } else { Air::Free }
}

// ---- Attack, exposure, danger (section 6) ----

/// Returns whether this member of the stack on `from` attacks the commander on `target`.
fn attacks(board: &Board, side: Side, piece: Piece, from: Point, target: Point) -> bool {
    let Some((direction, distance)) = line_between(from, target) else {
        return false;
    };
    if direction.0 != 0 && direction.1 != 0 && distance > piece.diagonal_limit() {
        return false;
    }
    let carrier = board.points[target].as_ref().expect("the stack of the commander").carrier().kind;
    if distance > piece.capture_range(carrier) {
        return false;
    }
    match piece.kind {
        AirForce => air_status(board, side, piece, from, direction, distance) != Air::Dead,
        Artillery | Missile | Navy => true,
        _ => nothing_between(board, from, direction, distance),
    }
}

/// Returns whether the commander of this side is attacked. For the side to move this is check.
pub fn is_attacked(board: &Board, side: Side) -> bool {
    let Some(commander) = board.commander(side) else {
        return false;
    };
    let enemy = side.other();
    board
        .stacks_of(enemy)
        .any(|(point, stack)| stack.members().any(|piece| attacks(board, enemy, piece, point, commander)))
}

/// Returns whether the commanders face each other along an open file or rank.
fn is_exposed(board: &Board) -> bool {
    let (Some(red), Some(blue)) = (board.commander(Side::Red), board.commander(Side::Blue)) else {
        return false;
    };
    match line_between(red, blue) {
        Some((direction, distance)) if direction.0 == 0 || direction.1 == 0 => {
            nothing_between(board, red, direction, distance)
        }
        _ => false,
    }
}

pub fn is_in_danger(board: &Board, side: Side) -> bool {
    board.commander(side).is_none() || is_exposed(board) || is_attacked(board, side)
}

/// Returns whether the enemy commander sees this point. A commander that leaves `origin` alone must not touch such a point.
fn is_seen_by_commander(board: &Board, enemy: Option<Point>, origin: Point, point: Point) -> bool {
    let Some(((right, up), distance)) = enemy.and_then(|commander| line_between(commander, point)) else {
        return false;
    };
    let commander = enemy.expect("a line begins at the commander");
    // The point itself must be empty, too, because the view ends before the first stack.
    (right == 0 || up == 0)
        && (1..=distance)
            .filter_map(|n| step_from(commander, (right, up), n))
            .all(|passed| passed == origin || board.points[passed].is_none())
}

// ---- Actions of a moving group (section 4) ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Move,
    Capture,
    StayCapture,
    SuicideCapture,
    Combine,
}

impl Action {
    fn sign(self) -> &'static str {
        match self {
            Action::Move => "",
            Action::Capture => "x",
            Action::StayCapture => "_",
            Action::SuicideCapture => "@",
            Action::Combine => "&",
        }
    }

    fn captures(self) -> bool {
        matches!(self, Action::Capture | Action::StayCapture | Action::SuicideCapture)
    }
}

/// Returns whether the terrain blocks a group with this carrier on the step of a ray that ends on `point`.
fn terrain_blocks(carrier: Kind, origin: Point, direction: (i32, i32), point: Point) -> bool {
    if carrier == AirForce {
        return false;
    }
    if !carrier.can_stand(point) {
        return true;
    }
    let (file, rank) = (file_of(point), rank_of(point) + 1);
    let is_south = |point: Point| rank_of(point) + 1 < 7;
    let crosses_river = is_south(origin) != is_south(point);
    // Files f and h.
    let on_bridge = direction.0 == 0 && (file == 5 || file == 7);
    if carrier.is_heavy() && crosses_river && !on_bridge {
        return true;
    }
    // The diagonals c5-d6 and c8-d7, both ways.
    let cut_corner = matches!(
        (direction, file, rank),
        ((1, 1), 3, 6) | ((-1, -1), 2, 5) | ((-1, 1), 2, 8) | ((1, -1), 3, 7)
    );
    carrier == Navy && cut_corner
}

/// All actions of a group that leaves `origin`. The group is the whole stack there or a part of it.
fn actions(board: &Board, origin: Point, group: &Stack, deploy: bool) -> Vec<(Action, Point)> {
    let carrier = group.carrier();
    let kind = carrier.kind;
    let enemy_commander = board.commander(group.side.other());
    let mut found = Vec::new();
    for direction in DIRECTIONS {
        let diagonal = direction.0 != 0 && direction.1 != 0;
        // A navy's capture range is greatest against another navy.
        let mut reach = carrier.move_range().max(carrier.capture_range(Navy));
        if diagonal {
            reach = reach.min(carrier.diagonal_limit());
        }
        let mut terrain_blocked = false;
        let mut piece_blocked = false;
        for distance in 1..=reach {
            let Some(point) = step_from(origin, direction, distance) else {
                break;
            };
            if kind == Commander && is_seen_by_commander(board, enemy_commander, origin, point) {
                break;
            }
            let air = if kind == AirForce {
                air_status(board, group.side, carrier, origin, direction, distance)
            } else {
                Air::Free
            };
            if air == Air::Dead {
                break;
            }
            terrain_blocked |= terrain_blocks(kind, origin, direction, point);
            let free_way =
                distance <= carrier.move_range() && !terrain_blocked && !piece_blocked && air == Air::Free;
            let Some(stack) = &board.points[point] else {
                if free_way && kind.can_stand(point) {
                    found.push((Action::Move, point));
                }
                continue;
            };
            if stack.side == group.side {
                let union = group.combine(stack);
                if free_way && union.is_some_and(|union| union.carrier().kind.can_stand(point)) {
                    found.push((Action::Combine, point));
                }
            } else if distance <= carrier.capture_range(stack.carrier().kind) {
                if air == Air::Hit {
                    found.push((Action::SuicideCapture, point));
                } else if !kind.can_stand(point) {
                    found.push((Action::StayCapture, point));
                } else {
                    found.push((Action::Capture, point));
                    if kind == AirForce && !deploy {
                        found.push((Action::StayCapture, point));
                    }
                }
            }
            piece_blocked |= match kind {
                AirForce => false,
                Navy => stack.carrier().kind == Navy,
                _ => true,
            };
            let passes_stacks = matches!(kind, Artillery | Missile | AirForce | Navy);
            if kind == Commander || (piece_blocked && !passes_stacks) {
                break;
            }
        }
    }
    found
}

/// The board after an action and the promotions that follow it.
fn act(board: &Board, origin: Point, group: &Stack, action: Action, target: Point) -> Board {
    let mut after = board.clone();
    if action != Action::StayCapture {
        let stack = board.points[origin].as_ref().expect("the group stands on the origin");
        after.points[origin] = stack.part(|kind| !group.holds(kind));
    }
    after.points[target] = match action {
        Action::Move | Action::Capture => Some(*group),
        Action::StayCapture | Action::SuicideCapture => None,
        Action::Combine => group.combine(board.points[target].as_ref().expect("a stack to join")),
    };
    promote(&mut after, group.side);
    after
}

// ---- Promotions (section 7) ----

fn promote(board: &mut Board, mover: Side) {
    if let Some(commander) = board.commander(mover.other()) {
        // All heroes are found before the first of them changes.
        let mut heroes = Vec::new();
        for (point, stack) in board.stacks_of(mover) {
            for piece in stack.members().filter(|piece| attacks(board, mover, *piece, point, commander)) {
                heroes.push((point, piece.kind));
            }
        }
        for (point, kind) in heroes {
            board.points[point].as_mut().expect("a stack that attacks").make_heroic(kind);
        }
    }
    for side in [Side::Red, Side::Blue] {
        let guards: Vec<(Point, Stack)> = board
            .stacks_of(side)
            .filter(|(_, stack)| stack.carrier().kind != Commander)
            .map(|(point, stack)| (point, *stack))
            .collect();
        if let [(point, guard)] = guards[..]
            && guard.size() == 1
        {
            board.points[point].as_mut().expect("the last guard").make_heroic(guard.carrier().kind);
        }
    }
}

// ---- Turns (section 8) ----

/// One action of a turn, with the group as it was just before the action.
#[derive(Clone, Copy)]
struct Step {
    group: Stack,
    action: Action,
    target: Point,
}

/// A legal turn and the board after it.
pub struct Turn<'a> {
    pub after: &'a Board,
    origin: Point,
    steps: &'a [Step],
    /// In a deploy turn: the whole stack at the start, and the kinds that have not acted.
    deploy: Option<(&'a Stack, &'a [Kind])>,
}

impl Turn<'_> {
    pub fn notation(&self) -> String {
        let origin = point_name(self.origin);
        let group = |step: &Step| step.group.text(Side::Red);
        let aim = |step: &Step| format!("{}{}", step.action.sign(), point_name(step.target));
        match self.deploy {
            None => format!("{}{origin}{}", group(&self.steps[0]), aim(&self.steps[0])),
            Some((stack, waiting)) => {
                let stay = stack.part(|kind| waiting.contains(&kind));
                let stay = stay.map_or(String::new(), |stay| stay.text(Side::Red));
                let steps: Vec<String> =
                    self.steps.iter().map(|step| format!("{}>{}", group(step), aim(step))).collect();
                format!("{origin}:{stay}:{}", steps.join(","))
            }
        }
    }

    pub fn result(&self, before: &Position) -> Position {
        let captured = self.steps.iter().any(|step| step.action.captures());
        Position {
            board: self.after.clone(),
            mover: before.mover.other(),
            half_moves: if captured { 0 } else { before.half_moves + 1 },
            move_number: before.move_number + (before.mover == Side::Blue) as u32,
        }
    }
}

/// Calls `visit` with every legal turn. Turns with the same result are all visited.
pub fn for_each_turn(position: &Position, visit: &mut dyn FnMut(&Turn)) {
    let board = &position.board;
    for (origin, stack) in board.stacks_of(position.mover) {
        for (action, target) in actions(board, origin, stack, false) {
            let after = act(board, origin, stack, action, target);
            if !is_in_danger(&after, position.mover) {
                let steps = [Step { group: *stack, action, target }];
                visit(&Turn { after: &after, origin, steps: &steps, deploy: None });
            }
        }
        if stack.size() > 1 {
            let waiting: Vec<Kind> = stack.members().map(|piece| piece.kind).collect();
            deploy(board, origin, stack, &waiting, &mut Vec::new(), visit);
        }
    }
}

/// Continues a deploy turn by one step in every possible way, and then by further steps. `waiting` are the members that
/// have not acted.
fn deploy(
    board: &Board,
    origin: Point,
    start: &Stack,
    waiting: &[Kind],
    steps: &mut Vec<Step>,
    visit: &mut dyn FnMut(&Turn),
) {
    let all = (1 << waiting.len()) - 1;
    for choice in 1..=all {
        if steps.is_empty() && choice == all {
            // This is a move of the whole stack, not a deploy turn.
            continue;
        }
        let chosen = |kind: Kind| {
            waiting.iter().position(|other| *other == kind).is_some_and(|i| choice >> i & 1 == 1)
        };
        let standing = board.points[origin].as_ref().expect("the members that wait");
        let group = standing.part(chosen).expect("a part of a stack");
        let still_waiting: Vec<Kind> = waiting.iter().copied().filter(|kind| !chosen(*kind)).collect();
        for (action, target) in actions(board, origin, &group, true) {
            if action == Action::StayCapture && group.size() > 1 {
                continue;
            }
            let after = act(board, origin, &group, action, target);
            steps.push(Step { group, action, target });
            let rest_can_stand =
                after.points[origin].as_ref().is_none_or(|rest| rest.carrier().kind.can_stand(origin));
            if rest_can_stand && !is_in_danger(&after, start.side) {
                visit(&Turn { after: &after, origin, steps, deploy: Some((start, &still_waiting)) });
            }
            if !still_waiting.is_empty() {
                deploy(&after, origin, start, &still_waiting, steps, visit);
            }
            steps.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

    fn turns(fen: &str) -> String {
        let mut found = Vec::new();
        for_each_turn(&Position::from_fen(fen).unwrap(), &mut |turn| found.push(turn.notation()));
        found.sort();
        found.join(" ")
    }

    fn perft(position: &Position, depth: u32) -> u64 {
        let mut count = 0;
        for_each_turn(position, &mut |turn| {
            count += if depth == 1 { 1 } else { perft(&turn.result(position), depth - 1) };
        });
        count
    }

    #[test]
    fn fens_are_written_as_they_are_read() {
        for fen in [START, "11/11/1(+nf)9/11/11/6c4/11/11/3(F+TI)7/11/9+C1/10+I b - - 17 40"] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
            assert_eq!(Position::from_fen(fen).unwrap().flipped().flipped().to_fen(), fen);
        }
    }

    #[test]
    fn the_start_has_the_known_numbers() {
        let start = Position::from_fen(START).unwrap();
        assert_eq!((perft(&start, 1), perft(&start, 2)), (116, 13_460));
    }

    /// Section 14 of the rules.
    #[test]
    fn small_examples_have_the_turns_of_the_rules() {
        assert_eq!(
            turns("7c2h/11/11/11/11/11/11/3i(TI)6/3Cm6/11/11/11 r - - 0 1"),
            "Cd4c4 Cd4d1 Cd4d2 Cd4xe4 e5::I>xd5,T>xe4 e5::I>xe4,T>xd5 e5::T>xd5,I>xe4 e5::T>xe4,I>xd5"
        );
        assert_eq!(
            turns("11/11/5c5/10i/11/11/11/11/4t6/10I/4(HC)6/10I r - - 0 1"),
            "e2:H:C>c2 e2:H:C>d2 e2:H:C>e1"
        );
        let uncovered = turns("10h/11/10h/11/11/11/11/(nc)nC8/11/10I/11/10I r - - 0 1");
        assert!(!uncovered.split(' ').any(|turn| turn == "Cc5_b5"));
    }

    /// The commander leaves its tank. The tank is now the last guard and heroic, so it captures along a diagonal in the
    /// same turn.
    #[test]
    fn a_tank_left_by_its_commander_captures_at_once() {
        let turns = turns("11/11/11/11/7c3/11/11/4(TC)6/11/11/11/11 r - - 0 1");
        assert!(turns.split(' ').any(|turn| turn == "e5::C>e4,+T>xh8"), "{turns}");
    }
}
