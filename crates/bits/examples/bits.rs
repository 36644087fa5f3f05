//! Sets of points on a board of 11 x 12, drawn and counted: `cargo run -p endspiel-bits --example bits`.

use endspiel_bits::{Direction, PointSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let king = PointSet::<11, 12>::of("d4".parse()?);
    assert!(king.is_single());
    let steps = Direction::each(|direction| king.step(direction));
    let around = steps.into_iter().fold(PointSet::EMPTY, |all, step| all | step);
    print!("{}", around.labelled("around d4"));
    println!("{:?}", PointSet::counts(&[king, around, !around]));
    Ok(())
}
