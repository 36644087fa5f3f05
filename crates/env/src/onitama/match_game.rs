//! Onitama as a [`MatchGame`].

use crate::match_result::{GameReport, Played};
use crate::series::MatchGame;
use onitama::{Onitama, Position};

impl MatchGame for Onitama {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] =
        &[("stone", "masters taken"), ("stream", "temples entered")];

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }
}
