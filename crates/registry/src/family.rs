//! A game before its options are fixed: what it is called, and what it can do once it is opened.

use crate::error::Error;
use crate::notes::Annotate;
use crate::opened::Opened;
use crate::peers::Peer;
use crate::rules::RulesOf;
use crate::tables::TablesOf;
use env::{Contested, Environment};
use game::{Catalogue, GameOption, Info, Notation, Options};
use solve::Kernel;
use speed::Benchmark;
use std::sync::Arc;

/// A game that can be opened.
pub struct Family {
    info: Info,
    endgames: Option<Endgames>,
    has_contests: bool,
    has_environment: bool,
    benchmarks: Vec<Benchmark>,
    peers: &'static [Peer],
    open: Box<Open>,
}

type Open = dyn Fn(&Options) -> Result<Opened, Error> + Send + Sync;

/// What people choose endings by, known before a game is opened.
#[derive(Clone, Copy, Debug)]
pub struct Endgames {
    /// The option that stands for many slices.
    pub selector: Option<GameOption>,
    /// Options for each of the rules that have tables of their own, of a game that has many.
    pub all_rules: fn() -> Vec<Options>,
}

impl Family {
    /// What the game says about itself.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The game with these options.
    ///
    /// # Errors
    /// If it does not take them.
    pub fn open(&self, options: &Options) -> Result<Opened, Error> {
        (self.open)(options)
    }

    /// Its endings, if they can be solved.
    pub fn endgames(&self) -> Option<&Endgames> {
        self.endgames.as_ref()
    }

    /// The benchmarks that the game has of its own.
    pub fn benchmarks(&self) -> &[Benchmark] {
        &self.benchmarks
    }

    /// The programs that can be asked for the same, best first.
    pub fn peers(&self) -> &'static [Peer] {
        self.peers
    }

    /// Are there agents that play it?
    pub fn has_contests(&self) -> bool {
        self.has_contests
    }

    /// Has it an environment for learning agents?
    pub fn has_environment(&self) -> bool {
        self.has_environment
    }
}

/// A game and what it can do, to be registered.
pub struct Entry<G: Notation> {
    endgames: Option<Endgames>,
    annotate: Option<Annotate<G>>,
    benchmarks: Vec<Benchmark>,
    peers: &'static [Peer],
    tables: Option<Attach<G>>,
    contests: Option<Attach<G>>,
    environment: Option<Attach<G>>,
}

/// Gives an opened game one of its capabilities.
type Attach<G> = Box<dyn Fn(&Arc<G>, &mut Opened) + Send + Sync>;

impl<G: Notation> Default for Entry<G> {
    fn default() -> Self {
        Self {
            endgames: None,
            annotate: None,
            benchmarks: Vec::new(),
            peers: &[],
            tables: None,
            contests: None,
            environment: None,
        }
    }
}

impl<G: Notation> Entry<G> {
    /// With tables, made by the generic solver.
    #[must_use]
    pub fn tables(self) -> Self
    where
        G: Catalogue + PartialEq,
    {
        self.tables_from(|| None)
    }

    /// With tables, made by a special solver where it can.
    #[must_use]
    pub fn tables_by<K: Kernel<G> + Default + Send + 'static>(self) -> Self
    where
        G: Catalogue + PartialEq,
    {
        self.tables_from(|| Some(Box::new(K::default())))
    }

    fn tables_from(mut self, kernel: fn() -> Option<Box<dyn Kernel<G> + Send>>) -> Self
    where
        G: Catalogue + PartialEq,
    {
        self.endgames = Some(Endgames { selector: G::SELECTOR, all_rules: G::all_rules });
        self.tables = Some(Box::new(move |game, opened| {
            opened.tables = Some(Box::new(TablesOf::new(Arc::clone(game), kernel())));
        }));
        self
    }

    /// With benchmarks of its own.
    #[must_use]
    pub fn benchmarks(mut self, benchmarks: &[Benchmark]) -> Self {
        self.benchmarks.extend(benchmarks);
        self
    }

    /// With programs of other people that measure the same, best first.
    #[must_use]
    pub fn peers(mut self, peers: &'static [Peer]) -> Self {
        self.peers = peers;
        self
    }

    /// With an environment for learning agents.
    #[must_use]
    pub fn environment(mut self) -> Self
    where
        G: Environment,
    {
        self.environment = Some(Box::new(|game, opened| opened.environment = Some(Box::new(G::clone(game)))));
        self
    }

    /// With notes on the moves that are listed for programs.
    #[must_use]
    pub fn annotated(mut self, annotate: Annotate<G>) -> Self {
        self.annotate = Some(annotate);
        self
    }

    /// With agents that play each other.
    #[must_use]
    pub fn contests(mut self) -> Self
    where
        G: Contested + Clone,
    {
        self.contests = Some(Box::new(|game, opened| opened.contests = Some(env::contests(G::clone(game)))));
        self
    }

    pub(crate) fn into_family(self) -> Family {
        let Self { endgames, annotate, benchmarks, peers, tables, contests, environment } = self;
        let (has_contests, has_environment) = (contests.is_some(), environment.is_some());
        let open = move |options: &Options| {
            let refused = |source| Error::Option { game: G::INFO.title, source: Box::new(source) };
            let game = Arc::new(G::new(options).map_err(refused)?);
            let mut opened = Opened::with_rules(RulesOf { game: Arc::clone(&game), annotate });
            for attach in [&tables, &contests, &environment].into_iter().flatten() {
                attach(&game, &mut opened);
            }
            Ok(opened)
        };
        let open = Box::new(open);
        Family { info: G::INFO, endgames, has_contests, has_environment, benchmarks, peers, open }
    }
}
