//! Advice for a person who asks for a hint.

use crate::agents;
use crate::endgames::{self, told, told_move};
use crate::failure::Failure;
use crate::verbs::probe_equities::{tell_plays, told_cube};
use crate::words;
use clap::ArgMatches;
use game::Rng;
use registry::{EquityProber, Extras, Opened, Opponent, Prober, Session};
use std::io::Write;
use std::sync::Arc;

/// The number of moves that a hint shows.
const SHOWN: usize = 5;

/// Gives hints: by the tables, or else by an agent. It asks for both only when the first hint is wanted.
pub struct Adviser<'a> {
    game: &'a Opened,
    /// The opponent that was asked for. It gives the hints if it is a better agent than the best that is always there.
    opponent: Option<&'a str>,
    matches: &'a ArgMatches,
    sources: Option<Sources>,
}

struct Sources {
    values: Option<Arc<dyn Prober>>,
    equities: Option<Arc<dyn EquityProber>>,
    /// The best agent without tables, and its name. `None` if the best one moves at random.
    agent: Option<(String, Box<dyn Opponent>)>,
}

impl<'a> Adviser<'a> {
    pub const fn new(game: &'a Opened, opponent: Option<&'a str>, matches: &'a ArgMatches) -> Self {
        Self { game, opponent, matches, sources: None }
    }

    /// Writes a hint about a position with moves.
    pub fn advise(&mut self, session: &dyn Session, out: &mut dyn Write) -> Result<(), Failure> {
        let sources = match &mut self.sources {
            Some(sources) => sources,
            none => none.insert(Sources::new(self.game, self.opponent, self.matches)?),
        };
        if let Some(prober) = &sources.values {
            match by_values(self.game, &**prober, session, out) {
                Err(Failure::Input(error)) if error.has_no_table() => {}
                told => return told,
            }
        }
        if let Some(prober) = &sources.equities
            && let Ok(answer) = prober.probe(session)
        {
            return by_equities(self.game, &answer, session, out);
        }
        let Some((name, agent)) = &mut sources.agent else {
            let sorry = "No table has this position, and the best player without tables moves at random, so there \
                         is no hint.";
            return Ok(words::say(out, sorry)?);
        };
        // The dice of the game are not touched.
        let chosen = agent.choose(&session.position(), &mut Rng::new(0)).map_err(registry::Error::from)?;
        let told = format!("No exact table has this position. {name} would choose {chosen}.");
        Ok(words::say(out, &told)?)
    }
}

impl Sources {
    fn new(game: &Opened, opponent: Option<&str>, matches: &ArgMatches) -> Result<Self, Failure> {
        let library = endgames::library(matches)?;
        let known = agents::of(game, &library)?;
        let best = agents::best(&*known, false);
        // Another program may keep a state, so it is asked only for its own moves.
        let named =
            opponent.filter(|name| known.agents().iter().any(|known| known.eq_ignore_ascii_case(name)));
        let name = named.filter(|name| !agents::is_perfect(name) && *name != "random").unwrap_or(best);
        let agent = match name {
            "random" => None,
            name => {
                let opponent =
                    known.opponent(name, agents::patience(matches)).map_err(registry::Error::from)?;
                let told = if name == "pips" { "A greedy player, who counts pips," } else { name };
                Some((told.to_owned(), opponent))
            }
        };
        let values = game.values().and_then(|values| values.prober(Arc::clone(&library))).ok();
        let equities = game.equities().ok().map(|equities| equities.prober(library));
        Ok(Self { values, equities, agent })
    }
}

/// The hint of tables of wins, draws and losses: the value, and what the best moves lead to.
fn by_values(
    game: &Opened,
    prober: &dyn Prober,
    session: &dyn Session,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let answer = prober.probe(session, Extras::default())?;
    let unit = game.info().distances;
    let side = words::capitalised(session.turn());
    let number = answer.moves.len().min(SHOWN);
    let moves = if number == 1 { "move is" } else { "moves are" };
    let told_value = told(answer.value, unit);
    words::say(out, &format!("By the tables, {side} {told_value}. The best {moves}:"))?;
    let width = answer.moves[..number].iter().map(|ranked| ranked.text.len()).max().unwrap_or(0);
    for ranked in &answer.moves[..number] {
        writeln!(out, "  {:<width$}  {}", ranked.text, told_move(ranked.value, unit))?;
    }
    Ok(())
}

/// The hint of tables of expected points: what to do with the cube, and the best plays.
fn by_equities(
    game: &Opened,
    answer: &registry::EquityAnswer,
    session: &dyn Session,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let sides = game.info().sides;
    let other = if session.turn() == sides.first { sides.second } else { sides.first };
    let how = if answer.expected.exact { "By an exact table" } else { "By tables, approximately" };
    if let Some(advice) = &answer.cube {
        let told = format!("{how}: {}", told_cube(advice, &words::capitalised(other)));
        return Ok(words::say(out, &told)?);
    }
    let side = words::capitalised(session.turn());
    words::say(out, &format!("{how}, with the points that {side} then expects:"))?;
    tell_plays(&answer.moves[..answer.moves.len().min(SHOWN)], out)
}
