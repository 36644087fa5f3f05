//! Environments for learning, and agents to learn from.

pub mod agents;
