//! CoTuLenh as a [`MatchGame`].

use crate::match_result::{GameReport, Played};
use crate::series::MatchGame;
use cotulenh::{CoTuLenh, Position};

impl MatchGame for CoTuLenh {
    type Report = GameReport;

    const WINS: &'static [(&'static str, &'static str)] = &[
        ("checkmate", "checkmates"),
        ("capture of the commander", "commanders captured"),
        ("marine battle", "marine battles"),
        ("air battle", "air battles"),
        ("land battle", "land battles"),
    ];

    fn report(&self, played: &Played<'_, Position>) -> GameReport {
        played.into()
    }
}
