//! Solves queen against bare king and asks the table: `cargo run -p endspiel-kernels --example kernels`.

use endspiel_kernels::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("endspiel-kernels-{}", std::process::id()));
    let library = Arc::new(Library::new(&folder, DEFAULT_CACHE_BYTES));
    let job = Job { kernel: Some(&ChessKernel), ..Job::new(&Chess::STANDARD, &library) };
    let queen = chess::Material::parse("KQvK").ok_or("a queen against nothing")?;
    job.solve(&job.plan(&[queen])?)?;

    let prober = Prober::new(Chess::STANDARD, library);
    let position = "8/8/8/8/8/2k5/8/KQ6 b - - 0 1".parse()?;
    assert_eq!(prober.value(&position)?.wdl, Wdl::Loss);
    for RankedMove { text, value, .. } in prober.moves(&position)? {
        println!("{text}: {value:?}");
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
