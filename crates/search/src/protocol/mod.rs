//! Text protocols, by which programs with boards talk to the engine.

mod go;
mod session;
mod settings;
mod uci;
mod usi;

pub use uci::uci;
pub use usi::usi;
