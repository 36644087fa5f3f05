//! Opens games by name: `cargo run -p endspiel-registry --example registry`.

use endspiel_registry::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::standard();
    let onitama = registry.find("onitama")?.open(&Options::default())?;
    let start = onitama.session(None)?;
    println!("{}{}", start.draw(Style::Plain), start.moves().join(" "));
    assert_eq!(onitama.rules().perft(&*start, 3, Counting::default(), &|_, _| ())?, 1_989);
    assert_eq!(onitama.matches()?.agents(), ["random"]);
    assert!(registry.find("chess boxing").is_err());

    for family in registry.games() {
        let start = family.open(&Options::default())?.session(None)?;
        println!("{}: {}", family.info().title, start.position());
    }
    Ok(())
}
