//! The statistics of a table of wins, draws and losses.

use game::{Plies, Wdl};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use solve::Stats;

/// The statistics of the table of a slice, or of its positions with one side to move. As JSON:
/// `{"game", "rules", "slice", "positions", "win", "loss", "draw", "plies", "longest"}`; `"to_move"` after `"slice"` in
/// games whose tables keep the sides apart; `"cursed_win"` and `"blessed_loss"` after `"draw"` if a DTZ table tells what the
/// 50-move rule draws; and `"win_by_rule"` and `"loss_by_rule"` in games in which perpetual check loses.
#[derive(Clone, Debug)]
pub struct SliceStats {
    /// The game's name.
    pub game: &'static str,
    /// The rules of the table.
    pub rules: String,
    /// The slice.
    pub slice: String,
    /// The side to move, if the tables of the game keep the sides apart.
    pub to_move: Option<&'static str>,
    /// The counts.
    pub stats: Stats,
    /// What the 50-move rule draws. `None` if there is no DTZ table, or no such rule.
    pub late: Option<Late>,
    /// Whether perpetual check loses in this game, so that it decides some of the wins and losses.
    pub has_perpetual_check: bool,
    /// The longest win.
    pub longest_win: Option<Extreme>,
    /// The longest loss.
    pub longest_loss: Option<Extreme>,
    /// The size of the table, in bytes.
    pub bytes: u64,
}

/// The wins and losses that come too late for the 50-move rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// The number of cursed wins.
    pub cursed_wins: u64,
    /// The number of blessed losses.
    pub blessed_losses: u64,
}

impl Late {
    pub(crate) fn of(Stats { cursed_wins, blessed_losses, .. }: Stats) -> Self {
        Self { cursed_wins, blessed_losses }
    }
}

/// A position with a longest distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The distance.
    pub plies: Plies,
    /// The position, as text.
    pub position: String,
}

impl SliceStats {
    /// The longest win or loss.
    pub fn longest(&self) -> Option<&Extreme> {
        let is_win = self.stats.longest() == self.stats.longest_win;
        if is_win { self.longest_win.as_ref() } else { self.longest_loss.as_ref() }
    }

    /// The distances to show: the longest win and the longest loss if one side is to move, otherwise only the longer of them.
    pub fn extremes(&self) -> Vec<(Option<Wdl>, &Extreme)> {
        match self.to_move {
            None => self.longest().map(|longest| (None, longest)).into_iter().collect(),
            Some(_) => {
                let win = self.longest_win.iter().map(|longest| (Some(Wdl::Win), longest));
                win.chain(self.longest_loss.iter().map(|longest| (Some(Wdl::Loss), longest))).collect()
            }
        }
    }
}

impl Serialize for SliceStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, rules, slice, to_move, stats, late, has_perpetual_check, .. } = self;
        let plies: serde_json::Map<String, serde_json::Value> =
            stats.plies.iter().map(|(plies, &count)| (plies.0.to_string(), count.into())).collect();
        let longest = |extreme: Option<&Extreme>| {
            extreme.map(|Extreme { plies, position }| {
                serde_json::json!({"plies": plies.0, "position": position, "count": stats.plies[plies]})
            })
        };
        let pairs =
            usize::from(*has_perpetual_check) + usize::from(late.is_some()) + usize::from(to_move.is_some());
        let fields = 9 + usize::from(to_move.is_some()) + 2 * pairs;
        let mut object = serializer.serialize_struct("SliceStats", fields)?;
        object.serialize_field("game", game)?;
        object.serialize_field("rules", rules)?;
        object.serialize_field("slice", slice)?;
        if let Some(to_move) = to_move {
            object.serialize_field("to_move", to_move)?;
        }
        object.serialize_field("positions", &stats.positions())?;
        object.serialize_field("win", &stats.wins)?;
        object.serialize_field("loss", &stats.losses)?;
        object.serialize_field("draw", &stats.draws)?;
        if let Some(Late { cursed_wins, blessed_losses }) = late {
            object.serialize_field("cursed_win", cursed_wins)?;
            object.serialize_field("blessed_loss", blessed_losses)?;
        }
        if *has_perpetual_check {
            object.serialize_field("win_by_rule", &stats.wins_by_rule)?;
            object.serialize_field("loss_by_rule", &stats.losses_by_rule)?;
        }
        object.serialize_field("plies", &plies)?;
        object.serialize_field("longest", &longest(self.longest()))?;
        if to_move.is_some() {
            object.serialize_field("longest_win", &longest(self.longest_win.as_ref()))?;
            object.serialize_field("longest_loss", &longest(self.longest_loss.as_ref()))?;
        }
        object.end()
    }
}
