//! The crates as others use them: their examples, and their packages.

use crate::run::{Failure, output, program, root, run, target_dir};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example that shows what a crate does: the crate, its own name, and whether it takes the starter set of tables.
type Example = (&'static str, &'static str, bool);

const EXAMPLES: &[Example] = &[
    ("backgammon", "backgammon", false),
    ("bits", "bits", false),
    ("chess", "chess", true),
    ("chess", "threats", false),
    ("cotulenh", "cotulenh", true),
    ("dobutsu", "dobutsu", false),
    ("env", "env", false),
    ("game", "game", false),
    ("kernels", "kernels", false),
    ("onitama", "onitama", true),
    ("registry", "registry", false),
    ("shogi", "shogi", true),
    ("solve", "solve", false),
    ("table", "table", false),
];

/// The examples that are tools: they read lines or ask other programs. Tests and other steps run them.
const TOOLS: &[&str] = &["compare", "fit", "gnubg_speed", "probe", "uci", "usi"];

/// This example names a game as only this workspace does.
const ONLY_INSIDE: &str = "solve";

/// The packages that are never published.
const PRIVATE: &[&str] = &["endspiel-docs", "endspiel-fixtures", "endspiel-fuzz", "xtask"];

/// The version of all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the step `README` solves the starter set.
pub fn starter_tables() -> PathBuf {
    target_dir().join("readme-tables")
}

/// Runs every example of every crate.
pub fn run_examples() -> Result<(), Failure> {
    for name in crates()? {
        let listed = fs::read_dir(root().join("crates").join(&name).join("examples"));
        for example in listed.into_iter().flatten().flatten() {
            let path = example.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if !TOOLS.contains(&name.as_str()) && EXAMPLES.iter().all(|(_, known, _)| *known != name) {
                return Err(Failure::check(&name, "is an example that no step runs"));
            }
        }
    }
    run(program("cargo build --workspace --examples --quiet"))?;
    let built = target_dir().join("debug/examples");
    EXAMPLES.iter().try_for_each(|&(_, name, takes_tables)| run_example(&built, name, takes_tables))
}

fn run_example(folder: &Path, name: &str, takes_tables: bool) -> Result<(), Failure> {
    let mut example = Command::new(folder.join(name));
    example.current_dir(root()).args(takes_tables.then(starter_tables));
    let printed = output(example)?;
    println!("{name}: {} lines", printed.lines().count());
    match printed.is_empty() || takes_tables && !printed.contains("Probed {") {
        false => Ok(()),
        true => Err(Failure::check(name, "prints nothing, or no value from the tables")),
    }
}

/// Packages every crate that is published, and builds each from its package. Then uses the packages in a project outside the
/// workspace, whose programs are the examples.
pub fn package_all() -> Result<(), Failure> {
    let mut package = program("cargo package --workspace --allow-dirty --quiet");
    PRIVATE.iter().for_each(|name| {
        package.args(["--exclude", name]);
    });
    run(package)?;
    let project = target_dir().join("outside");
    write_outside(&project).map_err(|error| Failure::check("the project outside", error.to_string()))?;
    for name in crates()? {
        let mut unpack = Command::new("tar");
        let package = target_dir().join(format!("package/endspiel-{name}-{VERSION}.crate"));
        unpack.arg("-xzf").arg(package).arg("-C").arg(project.join("packages"));
        run(unpack)?;
    }
    let mut build = Command::new("cargo");
    // Not the flags of this workspace: other projects do not have them.
    build.args(["build", "--quiet", "--target-dir", "target"]).current_dir(&project).env("RUSTFLAGS", "");
    run(build)?;
    let mut examples = EXAMPLES.iter().filter(|(_, name, _)| *name != ONLY_INSIDE);
    examples.try_for_each(|&(_, name, takes_tables)| {
        run_example(&project.join("target/debug"), name, takes_tables)
    })
}

/// The names of the folders of the crates.
fn crates() -> Result<Vec<String>, Failure> {
    let listed =
        fs::read_dir(root().join("crates")).map_err(|error| Failure::check("crates", error.to_string()))?;
    let mut names: Vec<String> =
        listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Writes a project that depends on the unpacked packages only. Packages find each other there too, not in a registry.
fn write_outside(project: &Path) -> io::Result<()> {
    for folder in ["src", "packages"] {
        let _ = fs::remove_dir_all(project.join(folder));
    }
    fs::create_dir_all(project.join("src/bin"))?;
    fs::create_dir_all(project.join("packages"))?;
    let names = crates().map_err(|error| io::Error::other(error.to_string()))?;
    let at =
        |name: &String| format!("endspiel-{name} = {{ path = \"packages/endspiel-{name}-{VERSION}\" }}\n");
    let used: String = names.iter().filter(|name| *name != "cli").map(at).collect();
    let all: String = names.iter().map(at).collect();
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n\
         [dependencies]\n{used}\n[patch.crates-io]\n{all}"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    // The same versions of everything else as in this workspace.
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock"))?;
    for (of, name, _) in EXAMPLES.iter().filter(|(_, name, _)| *name != ONLY_INSIDE) {
        let example = root().join(format!("crates/{of}/examples/{name}.rs"));
        fs::copy(example, project.join(format!("src/bin/{name}.rs")))?;
    }
    Ok(())
}
