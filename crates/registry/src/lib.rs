#![doc = include_str!("../README.md")]

mod answer;
mod applied;
mod equity_agents;
mod equity_answer;
mod equity_prober;
mod equity_source;
mod equity_stats;
mod equity_tables;
mod equity_walk;
mod error;
mod family;
mod games;
mod json;
mod line_format;
mod lines;
mod move_list;
mod notes;
mod opened;
mod opinion;
mod peers;
mod perfect;
mod pip_map;
pub mod prelude;
mod probe_speed;
mod prober;
mod records;
mod rule50;
mod rules;
mod session;
mod slice_stats;
mod statistics;
mod syzygy;
mod tables;
mod threats;
mod value_tables;

pub use answer::{Answer, Asked, Line, PERPETUAL_CHECK, RankedMove};
pub use applied::{Applied, AppliedTo};
pub use backgammon::{Chances, CubeAction, CubeDecision, DROP};
pub use chess::FIFTY_MOVES;
pub use env::{
    AnyBatch, AnyEnvironment, AnyMatchResult, EXEC, Estimate, LossReport, LossSumReport, MatchError, Matches,
    MoveNotes, NoFile, Opponent, PATIENCE, RegretSettings, SeriesSettings, Shown, Tally,
};
pub use equity_answer::{ByOwner, CubeAdvice, EquityAnswer, EquityAsked, Points, Prospect, RankedPlay};
pub use equity_prober::EquityProber;
pub use equity_stats::{CubeStats, EquityStats, PointStats, RollStats};
pub use equity_tables::{EquityTables, Exporting};
pub use error::Error;
pub use family::{Endgames, Entry, Family};
pub use json::{json_text, push_string};
pub use line_format::{LineFormat, WriteLine};
pub use lines::{InputLine, InputLines, LineTooLong};
pub use notes::Annotate;
pub use opened::{Drawn, Opened};
pub use opinion::{Opinion, OpinionAsked, OpinionOfMove};
pub use peers::{Peer, Protocol};
pub use pip_map::{PipCell, PipMap};
pub use probe_speed::ProbeSpeed;
pub use prober::{Extras, Prober};
pub use records::{BadGame, Counts, Reading, RecordFormat, Records, Report, Task};
pub use rule50::{Category, QuietPlies, Rule50, ZeroingSource};
pub use rules::{After, Listing, OutputFormat, Rules};
pub use search::Bench;
pub use session::{Ending, Session};
pub use slice_stats::{Extreme, Late, SliceStats};
pub use solve::{Extent, Progress, StaysWhole, Unmoves, Unwatched, Watch, Way};
pub use speed::Benchmark;
pub use statistics::{OfTable, ProbeCounts, ProbeStatistics};
pub use syzygy::{Compared, Different, Syzygy};
pub use table::{LineEnd, Preloaded, Probed};
pub use tables::{
    Contents, Plan, PlannedStep, Recorded, SliceId, Solving, TableVerified, Tables, Verified, Verifying,
    Wanted, Wrong,
};
pub use threats::{HangingMan, Man, PinnedMan, ThreatReport, Threats, ThreatsAsked, WeighedMove};
pub use value_tables::ValueTables;

use game::Notation;

/// The games that a program knows.
#[derive(Default)]
pub struct Registry(Vec<Family>);

impl Registry {
    /// Adds a game.
    #[must_use]
    pub fn with<G: Notation>(mut self, entry: Entry<G>) -> Self {
        self.0.push(entry.into_family());
        self
    }

    /// All games, in the order of registration.
    pub fn games(&self) -> impl Iterator<Item = &Family> {
        self.0.iter()
    }

    /// Finds the game with this name, in upper or lower case.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub fn find(&self, name: &str) -> Result<&Family, Error> {
        self.games().find(|family| family.info().name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            Error::UnknownGame {
                name: name.to_owned(),
                known: self.games().map(|family| family.info().name).collect(),
            }
        })
    }
}
