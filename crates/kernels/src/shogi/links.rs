//! The moves of one man as links between the numbers of its standings, for men that select rows.

use super::planes::ZONE;
use game::Side;
use shogi::{Kind, Piece, Place, Square, SquareSet, Standing, between};

/// A move of the mover's man, from one standing to another.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The standing at the other end of the move.
    pub to: u16,
    /// How the move is made.
    pub way: Way,
}

/// How a man moves.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// From square to square.
    Step {
        /// The squares between the two, which must be empty.
        path: u128,
        /// The square that the man reaches.
        square: u8,
        /// Whether the man can go back, unless it captures.
        is_reversible: bool,
    },
    /// From the hand.
    Drop {
        /// The square on which the man is dropped.
        square: u8,
    },
}

/// What a man that selects rows is and does at each of its standings.
#[derive(Debug)]
pub struct Man {
    /// Its kind, not promoted.
    pub kind: Kind,
    /// By standing: what is known of it.
    pub at: Vec<At>,
    /// By standing before a move: the moves.
    pub moves: Vec<Vec<Link>>,
    /// By standing after a move: the moves that led there.
    pub unmoves: Vec<Vec<Link>>,
    /// By square: the standings of the mover's man there, promoted or not.
    pub own: Vec<Vec<u16>>,
    /// By square: the standings of the opponent's man there, promoted or not.
    pub opponents: Vec<Vec<u16>>,
    /// The standing in the mover's hand.
    pub in_hand: u16,
    turned: [Vec<u16>; 2],
}

/// A standing of a man.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The man's square as a set; empty if it is in hand.
    pub square: u128,
    /// Whether the man belongs to the mover.
    pub is_own: bool,
    /// The man's kind here: promoted, if it is.
    pub kind: Kind,
}

impl Man {
    /// The man of a kind.
    pub fn new(kind: Kind) -> Self {
        let standings: Vec<Standing> =
            (0..Standing::count(kind)).filter_map(|number| Standing::numbered(kind, number)).collect();
        let number = |standing: Standing| standing.number(kind).expect("it is a standing of this kind");
        let moves: Vec<Vec<Link>> = standings.iter().map(|&from| moves(kind, from)).collect();
        let mut unmoves = vec![Vec::new(); moves.len()];
        for (from, links) in (0..).zip(&moves) {
            for link in links {
                unmoves[usize::from(link.to)].push(Link { to: from, way: link.way });
            }
        }
        let at = |standing: &Standing| At {
            square: standing.place.square().map_or(0, |square| 1 << square.index()),
            is_own: standing.side == Side::First,
            kind: match standing.place {
                Place::Promoted(_) => kind.promoted().unwrap_or(kind),
                Place::Hand | Place::Plain(_) => kind,
            },
        };
        let on = |side: Side, square: Square| {
            let places = [Place::Plain(square), Place::Promoted(square)];
            places.iter().filter_map(|&place| Standing { side, place }.number(kind)).collect()
        };
        let turned = |mirror: bool| {
            let image = |standing: &Standing| {
                let turned = standing.turned();
                number(if mirror { turned.mirrored() } else { turned })
            };
            standings.iter().map(image).collect()
        };
        Self {
            kind,
            at: standings.iter().map(at).collect(),
            moves,
            unmoves,
            own: Square::all().map(|square| on(Side::First, square)).collect(),
            opponents: Square::all().map(|square| on(Side::Second, square)).collect(),
            in_hand: number(Standing { side: Side::First, place: Place::Hand }),
            turned: [turned(false), turned(true)],
        }
    }

    /// The number of standings.
    pub fn standings(&self) -> usize {
        self.at.len()
    }

    /// The standing as the other side sees it, mirrored or not.
    #[inline]
    pub fn turned(&self, standing: u16, mirrored: bool) -> u16 {
        self.turned[usize::from(mirrored)][usize::from(standing)]
    }
}

/// Returns whether a man of this kind, not promoted, can go back to where it came from. Others only go forward.
pub fn goes_back(kind: Kind) -> bool {
    !matches!(kind, Kind::Pawn | Kind::Lance | Kind::Knight)
}

/// The moves of the mover's man on an empty board.
fn moves(kind: Kind, from: Standing) -> Vec<Link> {
    let mut links = Vec::new();
    if from.side != Side::First {
        return links;
    }
    let mut add = |place: Place, way: Way| {
        links.extend(Standing { side: Side::First, place }.number(kind).map(|to| Link { to, way }));
    };
    let squares =
        |piece: Kind, from: Square| Piece { side: Side::First, kind: piece }.attacks(from, SquareSet::EMPTY);
    let in_zone = |square: Square| ZONE >> square.index() & 1 != 0;
    let step = |from: Square, to: Square, is_reversible: bool| Way::Step {
        path: between(from, to).word(),
        square: to.index() as u8,
        is_reversible,
    };
    match (from.place, kind.promoted()) {
        (Place::Hand, _) => {
            for to in Square::all() {
                add(Place::Plain(to), Way::Drop { square: to.index() as u8 });
            }
        }
        (Place::Promoted(at), Some(promoted)) => {
            squares(promoted, at).iter().for_each(|to| add(Place::Promoted(to), step(at, to, true)));
        }
        (Place::Promoted(_), None) => {}
        (Place::Plain(at), promoted) => {
            for to in squares(kind, at) {
                add(Place::Plain(to), step(at, to, goes_back(kind)));
                if promoted.is_some() && (in_zone(at) || in_zone(to)) {
                    add(Place::Promoted(to), step(at, to, false));
                }
            }
        }
    }
    links
}
