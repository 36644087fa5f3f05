//! Running other programs from the root of the workspace.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that failed or could not be started.
#[derive(Debug)]
pub struct Failure {
    program: String,
    reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.program, self.reason)
    }
}

impl Failure {
    /// A check of ours that failed.
    pub fn check(program: &str, reason: impl Into<String>) -> Self {
        Self { program: program.to_owned(), reason: reason.into() }
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Where cargo builds: `CARGO_TARGET_DIR`, or `target` at the root.
pub fn target_dir() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The seed of all tests with random inputs, taken from the last commit: a commit that has passed passes again, and
/// each new commit tests new inputs.
pub fn seed() -> u64 {
    let commit = output(program("git rev-parse HEAD")).unwrap_or_default();
    commit.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(1)
}

/// A program with its arguments, to be run at the root.
pub fn program(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().expect("a program"));
    command.args(words).current_dir(root());
    command
}

fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn judge<T>(command: &Command, result: io::Result<T>, ok: impl FnOnce(&T) -> bool) -> Result<T, Failure> {
    let failure = |reason| Failure { program: line_of(command), reason };
    match result {
        Err(error) => Err(failure(format!("could not be run: {error}"))),
        Ok(done) if ok(&done) => Ok(done),
        Ok(_) => Err(failure("failed".to_owned())),
    }
}

/// Runs a program to its end.
pub fn run(mut command: Command) -> Result<(), Failure> {
    let status = command.status();
    judge(&command, status, |status| status.success()).map(drop)
}

/// Runs a program and returns its output.
pub fn output(mut command: Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = judge(&command, output, |output| output.status.success())?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns whether this command line runs and succeeds.
pub fn works(line: &str) -> bool {
    program(line).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Installs a Debian package unless `probe` works already.
pub fn need_debian_package(probe: &str, package: &str) -> Result<(), Failure> {
    if works(probe) {
        return Ok(());
    }
    run(program("apt-get update -q"))?;
    run(program(&format!("apt-get install -y -q {package}")))
}

/// Installs a cargo command unless `probe` works already.
pub fn need_cargo_command(probe: &str, package: &str) -> Result<(), Failure> {
    if works(probe) { Ok(()) } else { run(program(&format!("cargo install --locked {package}"))) }
}

/// Returns a Python that has these packages. If there are any, it is that of a virtual environment under `target`.
pub fn python_with(packages: &str) -> Result<PathBuf, Failure> {
    if packages.is_empty() {
        return Ok("python3".into());
    }
    let folder = target_dir().join("python");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(program(&format!("python3 -m venv {}", folder.display())))?;
    }
    run(program(&format!("{} -m pip install --quiet {packages}", python.display())))?;
    Ok(python)
}
