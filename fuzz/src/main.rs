//! Prints the names of the targets, for those who run them one by one.

fn main() {
    endspiel_fuzz::targets().iter().for_each(|target| println!("{}", target.name));
}
