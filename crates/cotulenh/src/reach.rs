//! Tables of where a piece moves and captures on an empty board.

use crate::grid::{ByPoint, Direction, Point, PointSet, Ray, is_south};
use crate::pieces::{Kind, Piece};

/// The points that a piece reaches from a point if no other piece is in its way.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The points where it can move. The ground bars some ways.
    pub path: PointSet,
    /// The points where it can capture, on any ground.
    pub shot: PointSet,
}

/// By the number of the piece. The path of a commander is empty here, because it is as long as the board:
/// [`PointSet::ray_to`] finds it.
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

/// The points where a ship captures other ships: one step farther than other pieces. The second table is for heroic
/// ships.
static SHIPS: [ByPoint<PointSet>; 2] = {
    let mut shots = [ByPoint([PointSet::EMPTY; Point::NUMBERS]); 2];
    let mut i = 0;
    while i < 2 * Point::NUMBERS {
        let (heroic, index) = (i / Point::NUMBERS, i % Point::NUMBERS);
        if let Some(from) = Point::from_index(index as u8) {
            let ship = Piece { kind: Kind::Navy, is_heroic: heroic == 1 };
            shots[heroic].0[index] = finished(shot(ship, from, true));
        }
        i += 1;
    }
    shots
};

/// The points on all eight rays, up to [`Ray::LONGEST`] away. A commander is attacked from no other points.
static STARS: ByPoint<PointSet> = {
    let mut stars = [PointSet::EMPTY; Point::NUMBERS];
    let mut index = 0;
    while index < Point::NUMBERS {
        if let Some(from) = Point::from_index(index as u8) {
            let (mut star, mut d) = ([0; 4], 0);
            while d < 8 {
                star = extend(star, from, d, Ray::LONGEST);
                d += 1;
            }
            stars[index] = finished(star);
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

    /// The points where a ship captures other ships.
    #[inline]
    pub fn of_ships(is_heroic: bool, from: Point) -> PointSet {
        SHIPS[usize::from(is_heroic)][from]
    }

    /// The points from which a commander on this point can be attacked.
    #[inline]
    pub fn star(from: Point) -> PointSet {
        STARS[from]
    }
}

/// By direction and point: the points on the way, up to [`Ray::LONGEST`] of them, and then [`OFF`].
///
/// The tables here are made while the crate is compiled. Calls are slow there, so the innermost loops only index.
const RAYS: &[[[u8; Ray::LONGEST as usize]; Point::NUMBERS]; 8] = &{
    let mut rays = [[[OFF; Ray::LONGEST as usize]; Point::NUMBERS]; 8];
    let mut i = 0;
    while i < 8 * Point::NUMBERS {
        let (d, index) = (i / Point::NUMBERS, i % Point::NUMBERS);
        let (mut at, mut distance) = (Point::from_index(index as u8), 0);
        while distance < Ray::LONGEST as usize
            && let Some(point) = at
            && let Some(next) = point.next(Direction::ALL[d])
        {
            rays[d][index][distance] = next.index() as u8;
            at = Some(next);
            distance += 1;
        }
        i += 1;
    }
    rays
};

/// No point has this number.
const OFF: u8 = u8::MAX;

/// A set while it is made: see [`RAYS`].
type Words = [u64; 4];

/// Adds the points on a ray, up to a distance.
const fn extend(mut set: Words, from: Point, d: usize, range: u8) -> Words {
    let ray = &RAYS[d][from.index()];
    let mut distance = 0;
    while distance < range as usize && ray[distance] != OFF {
        let point = ray[distance] as usize;
        set[point / 64] |= 1 << (point % 64);
        distance += 1;
    }
    set
}

const fn finished(set: Words) -> PointSet {
    PointSet::from_words(set).expect("points of the board")
}

const fn reach(piece: Piece, from: Point) -> Reach {
    let mut path = [0; 4];
    let mut d = 0;
    while d < 8 && !matches!(piece.kind, Kind::Commander) {
        let direction = Direction::ALL[d];
        let is_diagonal = direction.is_diagonal();
        if !is_diagonal || piece.goes_diagonally() {
            path = extend(path, from, d, free_range(piece, from, d, piece.move_range(is_diagonal)));
        }
        d += 1;
    }
    Reach { path: finished(path), shot: finished(shot(piece, from, false)) }
}

/// How far the ground lets a piece go.
const fn free_range(piece: Piece, from: Point, d: usize, range: u8) -> u8 {
    if matches!(piece.kind, Kind::AirForce) {
        return range;
    }
    let ray = &RAYS[d][from.index()];
    let mut distance = 0;
    while distance < range
        && let Some(point) = Point::from_index(ray[distance as usize])
        && !is_barred(piece.kind, from, point, Direction::ALL[d])
    {
        distance += 1;
    }
    distance
}

const fn shot(piece: Piece, from: Point, of_navy: bool) -> Words {
    let mut set = [0; 4];
    let mut d = 0;
    while d < 8 {
        let is_diagonal = Direction::ALL[d].is_diagonal();
        if !is_diagonal || piece.goes_diagonally() {
            set = extend(set, from, d, piece.capture_range(is_diagonal, of_navy));
        }
        d += 1;
    }
    set
}

/// Returns whether the ground bars the way to this point and beyond. Not for planes: a plane flies over everything, and where
/// it can land is checked later.
const fn is_barred(kind: Kind, from: Point, point: Point, direction: Direction) -> bool {
    const F: u8 = 5;
    const H: u8 = 7;
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
