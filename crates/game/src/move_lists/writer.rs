//! Writes a game as a list of moves.

use super::{GAME, OPTION, RESERVED, RESULT, START};
use crate::{Notation, Recorded};
use std::fmt::Write as _;

/// Writes a game. Reading it gives the same game.
///
/// In the names of tags, colons and spaces at the ends are lost, and in their values spaces at the ends; control characters become spaces.
pub fn write<G: Notation>(game: &G, played: &Recorded<G::Position>) -> String {
    let mut out = String::new();
    let mut header = |name: &str, value: &str| {
        let _ = writeln!(out, "{}", format!("{name}: {}", clean(value).trim()).trim_end());
    };
    header(GAME, G::INFO.name);
    for (name, value) in &played.options {
        header(OPTION, &format!("{name} {value}"));
    }
    for (name, value) in &played.tags {
        let name = tag_name(name);
        if !name.is_empty() {
            header(&name, value);
        }
    }
    header(START, &game.position_text(&played.start));
    if let Some(result) = &played.result {
        header(RESULT, &result.text(G::INFO.sides).to_string());
    }
    out.push('\n');
    for step in played.steps() {
        out.push_str(&step.event.text(game, &step.before));
        out.push('\n');
    }
    out
}

/// The name of a tag as a header. A reserved name begins with a capital letter instead.
fn tag_name(name: &str) -> String {
    let name = clean(name).replace(':', " ");
    let name = name.trim().trim_start_matches('#').trim_start();
    match RESERVED.contains(&name) {
        true => name[..1].to_uppercase() + &name[1..],
        false => name.to_owned(),
    }
}

fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
