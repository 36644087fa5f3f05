//! A game before its options are fixed: its name, and its capabilities once it is opened.

use crate::equity_tables::BackgammonTables;
use crate::error::Error;
use crate::line_format::LineFormat;
use crate::notes::Annotate;
use crate::opened::{Drawn, Opened};
use crate::opinion;
use crate::peers::Peer;
use crate::records::{RecordFormat, RecordsOf};
use crate::rule50::QuietPlies;
use crate::rules::RulesOf;
use crate::syzygy::Syzygy;
use crate::threats::ChessThreats;
use crate::value_tables::TablesOf;
use backgammon::Backgammon;
use chess::Chess;
use env::{Environment, MatchGame};
use game::{Catalogue, GameOption, Info, Notation, Options, Rng};
use search::Bench;
use solve::Kernel;
use speed::Benchmark;
use std::sync::Arc;

/// A game that can be opened.
pub struct Family {
    info: Info,
    endgames: Option<Endgames>,
    has_matches: bool,
    has_environment: bool,
    benchmarks: Vec<Benchmark>,
    search: Option<fn() -> Bench>,
    peers: &'static [Peer],
    line_formats: Vec<&'static str>,
    has_rule50: bool,
    has_syzygy: bool,
    has_equities: bool,
    has_threats: bool,
    draw_by_lot: fn(&Options, &mut Rng) -> Option<(&'static GameOption, String)>,
    open: Box<Open>,
}

type Open = dyn Fn(&Options) -> Result<Opened, Error> + Send + Sync;

/// How to choose slices and rules for solving. It is known before a game is opened.
#[derive(Clone, Copy, Debug)]
pub struct Endgames {
    /// The option that selects many slices at once.
    pub selector: Option<GameOption>,
    /// Returns the options of every rule set that has its own tables. `None` if the game has only one rule set.
    pub all_rules: Option<fn() -> Vec<Options>>,
}

impl Family {
    /// Name, notation and options of the game.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Opens the game with these options.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub fn open(&self, options: &Options) -> Result<Opened, Error> {
        (self.open)(options)
    }

    /// Opens the game with these options, and draws by lot what they leave open. [`Opened::drawn`] tells what was drawn.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub fn open_by_lot(&self, mut options: Options, rng: &mut Rng) -> Result<Opened, Error> {
        let drawn = (self.draw_by_lot)(&options, rng);
        if let Some((option, value)) = &drawn {
            options.set(option, value.clone());
        }
        let mut opened = self.open(&options)?;
        opened.drawn = drawn.map(|(option, value)| Drawn { option: option.name, value });
        Ok(opened)
    }

    /// The endgames of the game, if they can be solved.
    pub fn endgames(&self) -> Option<&Endgames> {
        self.endgames.as_ref()
    }

    /// The benchmarks of this game, besides those that every game has.
    pub fn benchmarks(&self) -> &[Benchmark] {
        &self.benchmarks
    }

    /// The benchmark of the search of this game, if it has one.
    pub fn search(&self) -> Option<fn() -> Bench> {
        self.search
    }

    /// The programs of other people that measure the same benchmarks, best first.
    pub fn peers(&self) -> &'static [Peer] {
        self.peers
    }

    /// The names of the formats in which lines of moves can be written.
    pub fn line_formats(&self) -> &[&'static str] {
        &self.line_formats
    }

    /// Returns whether tables can say what the 50-move rule makes of a value.
    pub fn has_rule50(&self) -> bool {
        self.has_rule50
    }

    /// Returns whether Syzygy files can answer questions about the game.
    pub fn has_syzygy(&self) -> bool {
        self.has_syzygy
    }

    /// Returns whether the tables of the game tell expected points.
    pub fn has_equities(&self) -> bool {
        self.has_equities
    }

    /// Returns whether the threats in positions of the game are told.
    pub fn has_threats(&self) -> bool {
        self.has_threats
    }

    /// Returns whether there are agents that play the game.
    pub fn has_matches(&self) -> bool {
        self.has_matches
    }

    /// Returns whether the game has an environment for learning agents.
    pub fn has_environment(&self) -> bool {
        self.has_environment
    }
}

/// A game and its capabilities, for registration.
pub struct Entry<G: Notation> {
    endgames: Option<Endgames>,
    annotate: Option<Annotate<G>>,
    benchmarks: Vec<Benchmark>,
    search: Option<fn() -> Bench>,
    peers: &'static [Peer],
    line_formats: &'static [LineFormat<G>],
    record_formats: &'static [RecordFormat<G>],
    quiet_plies: Option<QuietPlies<G>>,
    tables: Option<Attach<G>>,
    matches: Option<Attach<G>>,
    environment: Option<Attach<G>>,
    syzygy: Option<Attach<G>>,
    threats: Option<Attach<G>>,
    has_equities: bool,
}

/// Adds a capability to an opened game.
type Attach<G> = Box<dyn Fn(&Arc<G>, &mut Opened) + Send + Sync>;

impl<G: Notation> Default for Entry<G> {
    fn default() -> Self {
        Self {
            endgames: None,
            annotate: None,
            benchmarks: Vec::new(),
            search: None,
            peers: &[],
            line_formats: &[],
            record_formats: &[],
            quiet_plies: None,
            tables: None,
            matches: None,
            environment: None,
            syzygy: None,
            threats: None,
            has_equities: false,
        }
    }
}

impl<G: Notation> Entry<G> {
    /// Adds tables, made by the generic solver, and agents that play each other.
    #[must_use]
    pub fn tables(self) -> Self
    where
        G: Catalogue + MatchGame + PartialEq,
    {
        self.tables_from(|| None)
    }

    /// Adds tables, made by the kernel `K` where it can, and by the generic solver elsewhere, and agents that play each other.
    #[must_use]
    pub fn tables_by<K: Kernel<G> + Default + Send + 'static>(self) -> Self
    where
        G: Catalogue + MatchGame + PartialEq,
    {
        self.tables_from(|| Some(Box::new(K::default())))
    }

    fn tables_from(mut self, kernel: fn() -> Option<Box<dyn Kernel<G> + Send>>) -> Self
    where
        G: Catalogue + MatchGame + PartialEq,
    {
        self.endgames = Some(Endgames { selector: G::SELECTOR, all_rules: G::ALL_RULES });
        let (formats, quiet_plies) = (self.line_formats, self.quiet_plies);
        self.tables = Some(Box::new(move |game, opened| {
            opened.tables = Some(Box::new(TablesOf::new(Arc::clone(game), kernel(), formats, quiet_plies)));
        }));
        self.matches()
    }

    /// Adds formats in which lines of moves can be written. Call it before the tables are added, which use them.
    #[must_use]
    pub fn line_formats(mut self, formats: &'static [LineFormat<G>]) -> Self {
        self.line_formats = formats;
        self
    }

    /// Adds formats of records, the usual one of the game first.
    #[must_use]
    pub fn record_formats(mut self, formats: &'static [RecordFormat<G>]) -> Self {
        self.record_formats = formats;
        self
    }

    /// Adds the 50-move rule: the number of plies since the last capture or pawn move. Call it before the tables are added,
    /// which use it.
    #[must_use]
    pub fn rule50(mut self, quiet_plies: QuietPlies<G>) -> Self {
        self.quiet_plies = Some(quiet_plies);
        self
    }

    /// Adds benchmarks of this game.
    #[must_use]
    pub fn benchmarks(mut self, benchmarks: &[Benchmark]) -> Self {
        self.benchmarks.extend(benchmarks);
        self
    }

    /// Adds the benchmark of the search.
    #[must_use]
    pub fn search(mut self, bench: fn() -> Bench) -> Self {
        self.search = Some(bench);
        self
    }

    /// Adds programs of other people that measure the same benchmarks, best first.
    #[must_use]
    pub fn peers(mut self, peers: &'static [Peer]) -> Self {
        self.peers = peers;
        self
    }

    /// Adds an environment for learning agents.
    #[must_use]
    pub fn environment(mut self) -> Self
    where
        G: Environment,
    {
        self.environment = Some(Box::new(|game, opened| opened.environment = Some(Box::new(G::clone(game)))));
        self
    }

    /// Adds notes on the moves to the lists of moves in JSON.
    #[must_use]
    pub fn annotated(mut self, annotate: Annotate<G>) -> Self {
        self.annotate = Some(annotate);
        self
    }

    /// Adds agents that play each other.
    #[must_use]
    pub fn matches(mut self) -> Self
    where
        G: MatchGame + Clone,
    {
        self.matches = Some(Box::new(|game, opened| opened.matches = Some(env::matches(G::clone(game)))));
        self
    }

    pub(crate) fn into_family(self) -> Family {
        let Self {
            endgames,
            annotate,
            benchmarks,
            search,
            peers,
            line_formats,
            record_formats,
            quiet_plies,
            tables,
            matches,
            environment,
            syzygy,
            threats,
            has_equities,
        } = self;
        let has_rule50 = quiet_plies.is_some();
        let line_formats = line_formats.iter().map(|format| format.name).collect();
        let (has_matches, has_environment) = (matches.is_some(), environment.is_some());
        let (has_syzygy, has_threats) = (syzygy.is_some(), threats.is_some());
        let open = move |options: &Options| {
            let refused = |source| Error::Option { game: G::INFO.title, source: Box::new(source) };
            let game = Arc::new(G::new(options).map_err(refused)?);
            let mut opened = Opened::with_rules(RulesOf { game: Arc::clone(&game), annotate });
            opened.records = Box::new(RecordsOf::new(Arc::clone(&game), options, record_formats));
            for attach in [&tables, &matches, &environment, &syzygy, &threats].into_iter().flatten() {
                attach(&game, &mut opened);
            }
            Ok(opened)
        };
        let open = Box::new(open);
        let info = G::INFO;
        Family {
            info,
            endgames,
            has_matches,
            has_environment,
            benchmarks,
            search,
            peers,
            line_formats,
            has_rule50,
            has_syzygy,
            has_equities,
            has_threats,
            draw_by_lot: G::draw_by_lot,
            open,
        }
    }
}

impl Entry<Backgammon> {
    /// Adds tables of expected points, and the opinion of GNU Backgammon.
    #[must_use]
    pub fn equities(mut self) -> Self {
        self.has_equities = true;
        self.endgames = Some(Endgames { selector: None, all_rules: None });
        self.tables = Some(Box::new(|game, opened| {
            opened.tables = Some(Box::new(BackgammonTables::new(**game)));
            let game = **game;
            opened.opinion = Some(Box::new(move |session, ply| opinion::ask(&game, session, ply)));
        }));
        self
    }
}

impl Entry<Chess> {
    /// Adds answers from Syzygy files.
    #[must_use]
    pub fn syzygy(mut self) -> Self {
        self.syzygy = Some(Box::new(|game, opened| {
            let game = **game;
            opened.syzygy = Some(Box::new(move |folders| Syzygy::open(game, folders)));
        }));
        self
    }

    /// Adds the threats in positions.
    #[must_use]
    pub fn threats(mut self) -> Self {
        self.threats = Some(Box::new(|game, opened| {
            opened.threats = Some(Box::new(ChessThreats(Arc::clone(game))));
        }));
        self
    }
}
