//! Writes a table and reads it: `cargo run -p endspiel-table --example table`.

use endspiel_table::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let description = Description {
        game: "matches".to_owned(),
        rules: "standard".to_owned(),
        slice: "heap".to_owned(),
        metric: Metric::Dtm,
        index: "count-1".to_owned(),
        entries: 1000,
    };
    // Take one or two matches; whoever takes the last one wins.
    let value = |matches: u64| match matches {
        0 => Entry::Nothing,
        n if n % 3 == 0 => Entry::Loss(Some(Plies(2 * (n / 3) as u16))),
        n => Entry::Win(Some(Plies(2 * (n / 3) as u16 + 1))),
    };
    let root = std::env::temp_dir().join(format!("endspiel-table-{}", std::process::id()));
    let path = description.path(&root);
    endspiel_table::write(&path, &description, value, |_done| ())?;

    let table = Table::open(&path, Backend::Read)?;
    assert_eq!(table.description(), &description);
    assert_eq!(table.entry(7)?, Entry::Win(Some(Plies(5))));
    for heap in 1..=7 {
        println!("{heap} matches: {:?}", table.entry(heap)?);
    }
    std::fs::remove_dir_all(root)?;
    Ok(())
}
