//! Text protocols, by which programs with boards talk to the engine.

mod go;
mod session;
mod uci;

pub use uci::uci;
