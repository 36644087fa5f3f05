//! Rays: the points in a line from a point to the edge of the board, or to the first point that blocks the ray.

use crate::{Direction, Lanes, Point, PointSet};

/// `RANKS_UP_TO[n]` contains the ranks from 0 to n; for n = 16 all ranks.
static RANKS_UP_TO: [Lanes; 17] = ranks_up_to(false);

/// `RANKS_DOWN_TO[n]` contains the n + 1 highest ranks; for n = 16 all ranks.
static RANKS_DOWN_TO: [Lanes; 17] = ranks_up_to(true);

const fn ranks_up_to(from_above: bool) -> [Lanes; 17] {
    let mut table = [Lanes::new([!0; 4]); 17];
    let mut last = 0;
    while last < 16 {
        let mut ranks = [0; 16];
        let mut rank = 0;
        while rank <= last {
            ranks[if from_above { 15 - rank } else { rank }] = !0;
            rank += 1;
        }
        table[last] = Lanes::from_ranks(ranks);
        last += 1;
    }
    table
}

impl<const FILES: u8, const RANKS: u8> PointSet<FILES, RANKS> {
    /// `RAYS[direction][point]` is the ray from the point in the direction, to the edge of the board.
    const RAYS: &'static [[Self; 256]; 8] = &{
        let mut rays = [[Self::EMPTY; 256]; 8];
        let mut direction = 0;
        while direction < 8 {
            let mut index = 0;
            while index < 256 {
                if let Some(point) = Point::from_index(index as u8) {
                    let mut at: Point<FILES, RANKS> = point;
                    while let Some(next) = at.next(Direction::ALL[direction]) {
                        rays[direction][index] = rays[direction][index].with(next);
                        at = next;
                    }
                }
                index += 1;
            }
            direction += 1;
        }
        rays
    };

    /// The points from `from` in a direction to the edge of the board, without `from`. This is a lookup in a table of
    /// 64 KiB.
    #[inline]
    pub fn ray(from: Point<FILES, RANKS>, direction: Direction) -> Self {
        Self::RAYS[direction as usize][from.index()]
    }

    /// The points from `from` in a direction up to and including the first of the `stops`, without `from`. If there is
    /// no stop, the ray goes to the edge of the board.
    ///
    /// If the compiler knows the direction (see [`Direction::each`]), this has no branch and takes about a nanosecond.
    ///
    /// ```
    /// # use endspiel_bits::{Direction, PointSet};
    /// let stops: PointSet<11, 12> = ["c1", "c5", "c7"].iter().map(|name| name.parse().unwrap()).collect();
    /// let rook = "c2".parse()?;
    /// assert_eq!(PointSet::ray_to(rook, Direction::North, stops).names(), "c3 c4 c5");
    /// assert_eq!(PointSet::ray_to(rook, Direction::West, stops).names(), "a2 b2");
    /// # Ok::<(), endspiel_bits::NoSuchSquare>(())
    /// ```
    #[inline]
    pub fn ray_to(from: Point<FILES, RANKS>, direction: Direction, stops: Self) -> Self {
        let ray = Self::ray(from, direction);
        let met = ray & stops;
        // East or west, all stops on the ray lie on one rank, and the first is found by its file. In the other
        // directions each lies on a rank of its own, and the first is found by its rank.
        let rank = || met.0.to_ranks()[usize::from(from.rank())];
        let up_to_it = match direction {
            Direction::East => Lanes::splat_rank(rank() ^ rank().wrapping_sub(1)),
            Direction::West => Lanes::splat_rank(!0 << (rank() | 1).ilog2()),
            Direction::North | Direction::NorthEast | Direction::NorthWest => {
                RANKS_UP_TO[met.0.empty_ranks_below() as usize]
            }
            Direction::South | Direction::SouthEast | Direction::SouthWest => {
                RANKS_DOWN_TO[met.0.empty_ranks_above() as usize]
            }
        };
        Self(ray.0 & up_to_it)
    }
}
