//! Where a piece goes and takes on an empty board, looked up.

use crate::grid::{ByPoint, Direction, Line, Point, PointSet, is_south};
use crate::pieces::{Kind, Piece};

/// What a piece can reach from a point if nobody is in its way.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Where it can go: the ground bars some ways.
    pub path: PointSet,
    /// Where it can take, whatever the ground.
    pub shot: PointSet,
}

/// By the piece's number. A commander's path is as long as the board and has no row here: [`PointSet::ray_to`] finds it.
#[allow(long_running_const_eval)] // it ends after 100,000 steps
static REACHES: [ByPoint<Reach>; Piece::COUNT] = {
    let nothing = Reach { path: PointSet::EMPTY, shot: PointSet::EMPTY };
    let mut reaches = [ByPoint([nothing; Point::NUMBERS]); Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT * Point::NUMBERS {
        let (number, index) = (i / Point::NUMBERS, i % Point::NUMBERS);
        if let Some(from) = Point::from_index(index as u8) {
            reaches[number].0[index] = reach(Piece::from_number(number), from);
        }
        i += 1;
    }
    reaches
};

/// Where a ship takes another ship: a step farther than what else it takes. Heroic ones second.
static SHIPS: [ByPoint<PointSet>; 2] = {
    let mut shots = [ByPoint([PointSet::EMPTY; Point::NUMBERS]); 2];
    let mut i = 0;
    while i < 2 * Point::NUMBERS {
        let (heroic, index) = (i / Point::NUMBERS, i % Point::NUMBERS);
        if let Some(from) = Point::from_index(index as u8) {
            let ship = Piece { kind: Kind::Navy, is_heroic: heroic == 1 };
            shots[heroic].0[index] = shot(ship, from, true);
        }
        i += 1;
    }
    shots
};

/// The points on all eight rays, up to [`Line::LONGEST`] away: from nowhere else a commander is attacked.
static STARS: ByPoint<PointSet> = {
    let mut stars = [PointSet::EMPTY; Point::NUMBERS];
    let mut index = 0;
    while index < Point::NUMBERS {
        if let Some(from) = Point::from_index(index as u8) {
            let mut d = 0;
            while d < 8 {
                stars[index] = extend(stars[index], from, Direction::ALL[d], Line::LONGEST);
                d += 1;
            }
        }
        index += 1;
    }
    ByPoint(stars)
};

impl Reach {
    #[inline]
    pub fn of(piece: Piece, from: Point) -> &'static Self {
        &REACHES[piece.number()][from]
    }

    /// Where a ship takes ships.
    #[inline]
    pub fn of_ships(is_heroic: bool, from: Point) -> PointSet {
        SHIPS[usize::from(is_heroic)][from]
    }

    /// The points from which a commander here is attacked, if at all.
    #[inline]
    pub fn star(from: Point) -> PointSet {
        STARS[from]
    }
}

const fn extend(mut set: PointSet, from: Point, direction: Direction, range: u8) -> PointSet {
    let (mut at, mut distance) = (from, 0);
    while distance < range
        && let Some(next) = at.next(direction)
    {
        set = set.with(next);
        at = next;
        distance += 1;
    }
    set
}

const fn reach(piece: Piece, from: Point) -> Reach {
    let mut path = PointSet::EMPTY;
    let mut d = 0;
    while d < 8 && !matches!(piece.kind, Kind::Commander) {
        let direction = Direction::ALL[d];
        d += 1;
        if direction.is_diagonal() && !piece.goes_diagonally() {
            continue;
        }
        let (mut at, mut distance) = (from, 0);
        while distance < piece.move_range(direction.is_diagonal())
            && let Some(next) = at.next(direction)
            && !is_barred(piece.kind, from, next, direction)
        {
            path = path.with(next);
            at = next;
            distance += 1;
        }
    }
    Reach { path, shot: shot(piece, from, false) }
}

const fn shot(piece: Piece, from: Point, of_navy: bool) -> PointSet {
    let mut set = PointSet::EMPTY;
    let mut d = 0;
    while d < 8 {
        let direction = Direction::ALL[d];
        let is_diagonal = direction.is_diagonal();
        if !is_diagonal || piece.goes_diagonally() {
            set = extend(set, from, direction, piece.capture_range(is_diagonal, of_navy));
        }
        d += 1;
    }
    set
}

/// Does the ground bar the way to this point and beyond? A plane flies over all, and what it cannot land on is asked later.
const fn is_barred(kind: Kind, from: Point, point: Point, direction: Direction) -> bool {
    const F: u8 = 5;
    const H: u8 = 7;
    if matches!(kind, Kind::AirForce) {
        return false;
    }
    let crosses_river = is_south(from) != is_south(point);
    let (file, rank) = (point.file(), point.rank());
    let on_bridge = direction.delta().0 == 0 && (file == F || file == H);
    // The diagonals c5-d6 and c8-d7.
    let cuts_corner = matches!(
        (direction, file, rank),
        (Direction::NorthEast, 3, 5)
            | (Direction::SouthWest, 2, 4)
            | (Direction::NorthWest, 2, 7)
            | (Direction::SouthEast, 3, 6)
    );
    !kind.can_stand(point)
        || kind.is_heavy() && crosses_river && !on_bridge
        || matches!(kind, Kind::Navy) && cuts_corner
}
