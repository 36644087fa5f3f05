//! A file operation of a command fails, or the command is killed at it. What is left is right, and the same command finishes
//! the work later.
//!
//! Every command that writes is disturbed: [`solve`], tables that are fetched and pages of remote tables that are kept
//! ([`remote`]), manifests and records of verifications ([`records`]).
#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[path = "../common/mod.rs"]
mod common;
mod disturbed;
mod records;
mod remote;
#[path = "../../../table/tests/common/server.rs"]
mod server;
mod solve;
