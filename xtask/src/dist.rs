//! `cargo xtask dist`: builds for other machines.

use crate::run::{Failure, output, program, run, target_dir};
use std::process::Command;

/// No instruction that only newer machines have. `RUSTFLAGS` replaces the flags of `.cargo/config.toml`, which are for this
/// machine.
pub const PORTABLE: &str = if cfg!(target_arch = "x86_64") { "-C target-cpu=x86-64" } else { "" };

/// Builds these packages, or the command if there are none, with all optimisations and for every machine of this kind. Runs
/// the command once.
pub fn build(packages: &[&str]) -> Result<(), Failure> {
    let folder = target_dir().join("portable");
    let mut build = program("cargo build --profile dist");
    build.arg("--target-dir").arg(&folder).env("RUSTFLAGS", PORTABLE);
    packages.iter().for_each(|package| {
        build.args(["-p", package]);
    });
    run(build)?;
    if !packages.is_empty() {
        return Ok(());
    }
    let binary = folder.join("dist/endspiel");
    let mut version = Command::new(&binary);
    version.arg("--version");
    print!("{}: {}", binary.display(), output(version)?);
    Ok(())
}
