//! The opponent of a person: who it is, what it plays, and whether tables know what it plays.

use crate::agents;
use crate::endgames;
use crate::failure::Failure;
use clap::ArgMatches;
use game::{Rng, quoted};
use registry::{EXEC, EquityProber, Extras, MatchError, Opened, Opponent, Prober, RankedMove, Session};
use std::sync::Arc;
use table::Library;

/// The opponent of a person.
pub struct Machine {
    player: Player,
    /// The name of the agent, or of the one that plays where tables end.
    agent: String,
    /// Whether a table had the position of its last choice. `None` before the first one.
    knew: Option<bool>,
    /// What to say if there are no tables.
    no_tables: Option<String>,
}

enum Player {
    /// Plays by tables of wins, draws and losses, and at random where they end.
    Tables(Arc<dyn Prober>),
    /// Plays by tables of expected points, and as another agent where they end.
    Equities(Box<dyn Opponent>, Arc<dyn EquityProber>),
    /// An agent without tables.
    Agent(Box<dyn Opponent>),
}

impl Machine {
    /// The opponent with this name, or the best one that there is.
    pub fn new(
        game: &Opened,
        session: &dyn Session,
        asked: Option<&str>,
        matches: &ArgMatches,
    ) -> Result<Self, Failure> {
        let library = endgames::library(matches)?;
        let known = agents::of(game, &library)?;
        let prober = game.values().and_then(|values| values.prober(Arc::clone(&library))).ok();
        // A position may have other rules than the game, and tables of its own.
        let has_tables = agents::have_perfect(&*known)
            || prober.as_ref().is_some_and(|prober| prober.probe(session, Extras::default()).is_ok());
        let name = asked.unwrap_or_else(|| agents::best(&*known, has_tables));
        let is_perfect = name.eq_ignore_ascii_case("perfect");
        if let (Some(prober), true, true) = (prober, has_tables, is_perfect) {
            endgames::preload_if_asked(&*prober, matches);
            let player = Player::Tables(prober);
            return Ok(Self { player, agent: "random".to_owned(), knew: None, no_tables: None });
        }
        let opponent = known.opponent(name, agents::patience(matches)).map_err(|error| match error {
            MatchError::UnknownAgent(unknown) if !agents::is_perfect(name) => {
                let known = agents::told(unknown.known).into_iter();
                let known = known.chain([super::PERSON.to_owned(), format!("{EXEC}COMMAND")]).collect();
                Failure::UnknownOpponent { name: unknown.name, game: game.info().title, known }
            }
            error => agents::failure(error, game, &library),
        })?;
        let no_tables = (asked.is_none() && !has_tables).then(|| no_tables(game, session, &library, matches));
        let elsewhere = agents::fallback(&*known, name);
        let player = match game.equities() {
            Ok(equities) if elsewhere.is_some() => Player::Equities(opponent, equities.prober(library)),
            _ => Player::Agent(opponent),
        };
        Ok(Self { player, agent: elsewhere.unwrap_or_else(|| name.to_owned()), knew: None, no_tables })
    }

    /// Says before the game who the opponent is.
    pub fn introduced(&self) -> String {
        let how = how(&self.agent);
        let who = match self.player {
            Player::Agent(_) => format!("Your opponent {how}."),
            Player::Tables(_) | Player::Equities(..) => {
                format!("Your opponent plays perfectly where a table has the position; elsewhere it {how}.")
            }
        };
        self.no_tables.iter().fold(who, |who, no_tables| format!("{who}\n{no_tables}"))
    }

    /// Chooses a move, with its value if a table tells it. The text says what has changed if tables now end or begin.
    pub fn choose(
        &mut self,
        session: &dyn Session,
        rng: &mut Rng,
    ) -> Result<(Option<RankedMove>, Option<String>), Failure> {
        let of_agent = |opponent: &mut dyn Opponent, rng: &mut Rng| {
            let chosen = opponent.choose(&session.position(), rng).map_err(registry::Error::from)?;
            Ok::<_, Failure>(Some(RankedMove { text: chosen, value: None, rule50: None }))
        };
        let (chosen, knows) = match &mut self.player {
            Player::Agent(opponent) => return Ok((of_agent(&mut **opponent, rng)?, None)),
            Player::Equities(opponent, prober) => {
                let knows = prober.probe(session).is_ok_and(|answer| answer.expected.exact);
                (of_agent(&mut **opponent, rng)?, knows)
            }
            Player::Tables(prober) => {
                let best = best_move(&**prober, session)?;
                let knows = best.is_some();
                (best, knows)
            }
        };
        let change = match (self.knew.replace(knows), knows) {
            (None | Some(true), false) => {
                Some(format!("No table has this position: your opponent {}.", how(&self.agent)))
            }
            (Some(false), true) => {
                Some("A table has this position: your opponent plays perfectly.".to_owned())
            }
            (Some(false), false) | (None | Some(true), true) => None,
        };
        Ok((chosen, change))
    }
}

/// Says why no tables help the opponent: there are none, or they are for other rules.
fn no_tables(game: &Opened, session: &dyn Session, library: &Arc<Library>, matches: &ArgMatches) -> String {
    let probed = game.equities().map(|equities| equities.prober(Arc::clone(library)).probe(session));
    if let Ok(Err(
        error @ (registry::Error::MatchScore | registry::Error::OtherDice | registry::Error::JacobyGammons),
    )) = probed
    {
        return format!("No table helps it: {error}.");
    }
    let (info, again) = (game.info(), endgames::given_again(game.info(), matches));
    let command = format!("endspiel solve {}{again}", info.name);
    format!("There are no tables of {} here that it could play by: `{command}` makes some.", info.title)
}

/// The best move of the tables. Returns `None` if they do not have the position.
fn best_move(prober: &dyn Prober, session: &dyn Session) -> Result<Option<RankedMove>, Failure> {
    // The clock matters where there are tables for it.
    let with_clock = Extras { rule50: true, ..Extras::default() };
    let answer = match prober.has_rule50().then(|| prober.probe(session, with_clock)) {
        Some(Ok(answer)) => Ok(answer),
        _ => prober.probe(session, Extras::default()),
    };
    match answer {
        Ok(answer) => Ok(answer.moves.into_iter().next()),
        Err(error) if error.has_no_table() => Ok(None),
        Err(damage) => Err(damage.into()),
    }
}

/// How an agent plays, after "your opponent".
fn how(agent: &str) -> String {
    let agent = agent.to_ascii_lowercase();
    match (agent.as_str(), agent.strip_prefix("gnubg:"), agent.strip_prefix(EXEC)) {
        (_, Some(plies), _) => format!("is GNU Backgammon at {plies} plies"),
        (_, _, Some(command)) => format!("is the program {}", quoted(command)),
        ("gnubg", ..) => "is GNU Backgammon at 0 plies".to_owned(),
        ("random", ..) => "moves at random".to_owned(),
        ("pips", ..) => "moves greedily, by counting pips".to_owned(),
        (other, ..) => format!("is {other}"),
    }
}
