//! Plays a random game as an environment: `cargo run -p endspiel-env --example env`.

use endspiel_env::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Rng::new(1);
    let mut state = Dobutsu.reset(&mut rng);
    while !Dobutsu.is_terminal(&state) {
        let actions = Dobutsu.actions(&state);
        let chosen = actions[rng.below(actions.len() as u64) as usize];
        Dobutsu.step(&mut state, chosen, &mut rng)?;
    }
    assert!(Dobutsu.rewards(&state).first.abs() <= 1.0);
    println!("{:?}", Dobutsu.rewards(&state));
    Ok(())
}
