//! Dobutsu shogi as a [`MatchGame`].

use crate::match_result::{GameReport, Played};
use crate::series::MatchGame;
use dobutsu::{Dobutsu, Position};

impl MatchGame for Dobutsu {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] =
        &[("catch", "lions caught"), ("try", "tries"), ("no moves", "opponents without a move")];

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }
}
