//! Prints the names of the targets, so that they can be run one by one.

fn main() {
    endspiel_fuzz::targets().iter().for_each(|target| println!("{}", target.name));
}
