//! Solves the smallest endgames of Onitama and asks the tables: `cargo run -p endspiel-solve --example solve`.

use endspiel_solve::prelude::*;
use onitama::Onitama;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("endspiel-solve-{}", std::process::id()));
    let (onitama, library) = (Onitama::default(), Arc::new(Library::new(&folder, DEFAULT_CACHE_BYTES)));
    let job = Job::new(&onitama, &library);
    let plan = job.plan(&onitama.select("2").ok_or("two men are a selection")?)?;
    job.solve(&plan)?;

    let prober = Prober::new(onitama, library);
    let position = onitama.parse_position("0000020000000000000000400 b boar,crab elephant,horse ox")?;
    for RankedMove { text, value, .. } in prober.moves(&position)? {
        println!("{text}: {value:?}");
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
