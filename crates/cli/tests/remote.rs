//! Tables of a server, from the command line: nginx on this machine.
#![cfg(unix)]

mod common;
#[path = "../../table/tests/common/nginx.rs"]
mod nginx;

use nginx::Nginx;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const POSITION: &str = "0020000000000000000040000 b horse,ox boar,elephant crab";
const FOLDER: &str = "onitama/boar-crab-elephant-horse-ox";

/// A server with the tables 1v1, 1v2 and 2v1 and their manifest, and a folder to work in.
struct Case {
    nginx: Nginx,
    folder: tempfile::TempDir,
}

impl Case {
    fn new() -> Option<Self> {
        let case = Self { nginx: Nginx::start()?, folder: tempfile::tempdir().expect("a folder") };
        let root = case.nginx.root();
        let solved =
            case.endspiel("solve onitama 1v2").arg("--tables").arg(&root).output().expect("it starts");
        assert!(solved.status.success(), "{solved:?}");
        case.write_manifest();
        Some(case)
    }

    fn write_manifest(&self) {
        let root = self.nginx.root();
        let mut command = self.endspiel("tables --manifest");
        command.arg("--out").arg(root.join("manifest")).arg("--tables").arg(&root);
        let written = command.output().expect("it starts");
        assert!(written.status.success(), "{written:?}");
    }

    /// The command in the folder of the case, without the settings of the user.
    fn endspiel(&self, line: &str) -> Command {
        let mut command = common::endspiel(line, self.folder.path());
        command.current_dir(self.folder.path());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.endspiel(line).output().expect("it starts")
    }

    fn local(&self) -> PathBuf {
        self.folder.path().join("tables").join(FOLDER)
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The names in a folder, without the lock.
fn names(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name != ".fetch.lock").collect();
    names.sort();
    names
}

#[test]
fn verbs_ask_the_server_for_what_is_missing() {
    let Some(case) = Case::new() else { return };
    let (url, root) = (case.nginx.url("plain"), case.nginx.root());
    let without = case.endspiel("probe onitama --json").arg(POSITION).output().expect("it starts");
    assert_eq!(without.status.code(), Some(3), "off unless configured");
    for verb in ["probe onitama --json --line", "stats onitama --json", "verify onitama", "stats onitama 1v2"]
    {
        let position = verb.starts_with("probe").then_some(POSITION);
        let mut local = case.endspiel(verb);
        let local = local.args(position).arg("--tables").arg(&root).output().expect("it starts");
        let remote = case.endspiel(verb).args(position).args(["--remote", &url]).output().expect("it starts");
        let from_environment =
            case.endspiel(verb).args(position).env("ENDSPIEL_REMOTE", &url).output().expect("it starts");
        for far in [remote, from_environment] {
            assert!(local.status.success() && far.status.success(), "{verb}: {far:?}");
            // The times differ.
            let plain = |bytes: &[u8]| text(bytes).split(" (").next().map(str::to_owned);
            assert_eq!(plain(&far.stdout), plain(&local.stdout), "{verb}");
        }
    }
    assert!(!case.folder.path().join("tables").exists(), "nothing is written beside the cache");
    // The table that no place has is missing in both.
    let missing = case.run(&format!("stats onitama 2v2 --remote {url}"));
    assert_eq!(missing.status.code(), Some(3));
    assert!(
        text(&missing.stderr).contains(&format!("`tables` or `{url}` has no table of 2v2")),
        "{missing:?}"
    );
}

#[test]
fn wrong_addresses_and_dead_servers_are_told_in_a_sentence() {
    let Some(case) = Case::new() else { return };
    for (url, code, told) in [
        ("ftp://example.org", 2, "`ftp://example.org` is not the address of a server with tables"),
        ("nonsense", 2, "it must begin with http:// or https://"),
        ("http://me:secret@a:0/x", 2, "`http://…@a:0/x` is not the address"),
        (
            "http://127.0.0.1:1/x",
            1,
            "`http://127.0.0.1:1/x/manifest` cannot be opened: the server cannot be reached",
        ),
        ("http://me:secret@127.0.0.1:1", 1, "the server cannot be reached: Connection refused"),
    ] {
        let said = case.endspiel("probe onitama --remote").args([url, POSITION]).output().expect("it starts");
        let error = text(&said.stderr);
        assert_eq!(said.status.code(), Some(code), "{url}: {error}");
        let told = told.replace("/manifest", &format!("/{FOLDER}/1v1.dtm.est"));
        assert!(error.contains(&told) && !error.contains("secret"), "{url}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A position in a local table is answered although the server is dead. Only moves into missing tables are not known.
#[test]
fn a_dead_server_does_not_spoil_local_answers() {
    let Some(case) = Case::new() else { return };
    let solved = case.run("solve onitama 1v1");
    assert!(solved.status.success());
    let answer = |more: &[&str]| {
        let asked = case.endspiel("probe onitama --json --line").arg(POSITION).args(more).output();
        let asked = asked.expect("it starts");
        assert!(asked.status.success(), "{asked:?}");
        text(&asked.stdout).to_owned()
    };
    let local = answer(&[]);
    assert_eq!(answer(&["--remote", "http://127.0.0.1:1"]), local);
    // The best line leads from 1v2 to 1v1, which is missing and out of reach here.
    fs::remove_file(case.local().join("1v1.dtm.est")).expect("our file");
    for slice in ["1v2", "2v1"] {
        let file = format!("{slice}.dtm.est");
        fs::copy(case.nginx.root().join(FOLDER).join(&file), case.local().join(&file)).expect("a table");
    }
    let position = "0000000000020000000003400 b boar,crab horse,ox elephant";
    let mut asked = case.endspiel("probe onitama --json --line");
    let far = asked.args([position, "--remote", "http://127.0.0.1:1"]).output().expect("it starts");
    let near = case.endspiel("probe onitama --json --line").arg(position).output().expect("it starts");
    assert!(far.status.success(), "{far:?}");
    assert_eq!(text(&far.stdout), text(&near.stdout));
}

#[test]
fn https_needs_a_certificate_that_is_trusted() {
    let Some(case) = Case::new() else { return };
    let url = case.nginx.secure_url("plain");
    let ask = || {
        let mut command = case.endspiel("probe onitama --json --remote");
        command.args([&url, POSITION]);
        command
    };
    let trusted = ask().env("SSL_CERT_FILE", case.nginx.certificate()).output().expect("it starts");
    assert!(trusted.status.success(), "{trusted:?}");
    let refused = ask().output().expect("it starts");
    assert_eq!(refused.status.code(), Some(1));
    let told = text(&refused.stdout);
    assert!(told.contains("certificate") && told.contains("127.0.0.1"), "{told}");
}

#[test]
fn tables_are_listed_and_fetched() {
    let Some(case) = Case::new() else { return };
    let url = case.nginx.url("plain");
    let listed = case.run(&format!("tables --remote {url}"));
    assert!(listed.status.success(), "{listed:?}");
    assert_eq!(text(&listed.stdout).lines().count(), 4);
    assert!(text(&listed.stdout).contains(&format!("3 tables at {url}, ")), "{listed:?}");

    let one = case.run(&format!("tables --remote {url} --fetch {FOLDER}/1v1.dtm"));
    assert!(one.status.success(), "{one:?}");
    assert_eq!(names(&case.local()), ["1v1.dtm.est"]);
    let all = case.endspiel("tables --json --fetch onitama").env("ENDSPIEL_REMOTE", &url).output();
    let all = all.expect("it starts");
    let states = text(&all.stdout).lines().map(|line| {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        answer["state"].as_str().expect("a state").to_owned()
    });
    assert_eq!(states.collect::<Vec<_>>(), ["here", "fetched", "fetched"]);
    assert_eq!(names(&case.local()), ["1v1.dtm.est", "1v2.dtm.est", "2v1.dtm.est"]);
    let manifest = case.nginx.root().join("manifest");
    let verified = case.endspiel("verify --manifest").arg(manifest).output().expect("it starts");
    assert_eq!(text(&verified.stdout), "3 tables as in the manifest\n");
    let listed = case.run(&format!("tables --json --remote {url}"));
    assert_eq!(text(&listed.stdout).matches("\"here\":true").count(), 3);
}

#[test]
fn what_cannot_be_fetched_is_told() {
    let Some(case) = Case::new() else { return };
    let url = case.nginx.url("plain");
    for (line, code, told) in [
        ("tables --fetch onitama".to_owned(), 2, "`--fetch` needs a server".to_owned()),
        (
            format!("tables --remote {url} --fetch chess"),
            3,
            format!("the manifest `{url}/manifest` has no table `chess`, and none that begins so"),
        ),
        (
            format!("tables --remote {url}/onitama --fetch onitama"),
            2,
            format!("the server has no manifest `{url}/onitama/manifest`"),
        ),
        (
            "tables --remote http://127.0.0.1:1 --fetch onitama".to_owned(),
            1,
            "`http://127.0.0.1:1/manifest`: the server cannot be reached".to_owned(),
        ),
        (format!("tables --remote {url} --manifest"), 2, "cannot be used with".to_owned()),
    ] {
        let said = case.run(&line);
        assert_eq!(said.status.code(), Some(code), "{line}: {said:?}");
        assert!(text(&said.stderr).contains(&told), "{line}: {said:?}");
    }
    // One table is wrong on the server. The others are fetched.
    let path = case.nginx.root().join(FOLDER).join("1v2.dtm.est");
    let mut bytes = fs::read(&path).expect("a table");
    bytes[300] ^= 1;
    fs::write(path, bytes).expect("our file");
    let said = case.run(&format!("tables --remote {url} --fetch onitama"));
    assert_eq!(said.status.code(), Some(1));
    let told = text(&said.stderr);
    assert!(
        told.contains("1v2.dtm.est` does not have the bytes that the manifest of the server says"),
        "{told}"
    );
    assert!(told.contains("1 table not fetched"), "{told}");
    assert_eq!(names(&case.local()), ["1v1.dtm.est", "2v1.dtm.est"]);
}

/// Adds a table to the server that is larger than one piece of a download. Nobody plays its game.
fn add_large(case: &Case) -> (PathBuf, &'static str) {
    let description = table::Description {
        game: "matches".to_owned(),
        rules: "standard".to_owned(),
        slice: "heap".to_owned(),
        metric: game::Metric::Dtm,
        index: "count-1".to_owned(),
        entries: 2_000_000,
    };
    let entry =
        |index: u64| table::Entry::Win(Some(game::Plies(2 * game::Rng::new(index).below(4000) as u16 + 1)));
    let path = description.path(&case.nginx.root());
    table::write(&path, &description, entry, |_| ()).expect("a table");
    case.write_manifest();
    assert!(fs::metadata(&path).expect("a file").len() > 2 << 20);
    (path, "matches/standard")
}

/// A full disk: a limit on the size of files, of which the process is told by an error and not by a signal.
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let Some(case) = Case::new() else { return };
    let (path, place) = add_large(&case);
    let folder = case.folder.path().join("tables").join(place);
    let line = format!("tables --remote {} --fetch matches", case.nginx.url("plain"));
    let mut shell = Command::new("sh");
    // Blocks of 512 or 1,024 bytes.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_endspiel")]);
    shell.args(line.split(' ')).current_dir(case.folder.path());
    let full = shell.env("XDG_CACHE_HOME", case.folder.path()).output().expect("a shell");
    assert_eq!(full.status.code(), Some(1), "{full:?}");
    assert!(text(&full.stderr).contains("File too large"), "{full:?}");
    assert!(!folder.join("heap.dtm.est").exists());
    let after = case.run(&line);
    assert!(after.status.success(), "{after:?}");
    assert_eq!(names(&folder), ["heap.dtm.est"]);
    assert_eq!(fs::read(folder.join("heap.dtm.est")).expect("a table"), fs::read(path).expect("a table"));
}

/// A download that is killed leaves a hidden file, which a solver does not remove and the next download continues.
#[test]
fn a_killed_download_is_continued() {
    let Some(case) = Case::new() else { return };
    let (path, place) = add_large(&case);
    let folder = case.folder.path().join("tables").join(place);
    let slow = format!("tables --remote {} --fetch matches", case.nginx.url("slow"));
    let mut child = case.endspiel(&slow).stdout(Stdio::null()).spawn().expect("it starts");
    let started = Instant::now();
    let begun = || {
        let part = names(&folder).into_iter().find(|name| name.ends_with(".fetch"))?;
        fs::metadata(folder.join(part)).ok().filter(|file| file.len() > 0)
    };
    while begun().is_none() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("our process");
    child.wait().expect("our process");
    // Asked to stop, a download ends after the next piece.
    let child = case.endspiel(&slow).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(100));
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    let stopped = child.wait_with_output().expect("our process");
    // A signal that comes before the handler is there ends the process itself.
    assert!(asked.success() && matches!(stopped.status.code(), Some(130) | None), "{stopped:?}");
    let kept = begun().expect("a part").len();
    assert!(kept > 0 && !folder.join("heap.dtm.est").exists());
    let after = case.run(&format!("tables --remote {} --fetch matches", case.nginx.url("plain")));
    assert!(after.status.success(), "{after:?}");
    assert_eq!(names(&folder), ["heap.dtm.est"]);
    assert_eq!(fs::read(folder.join("heap.dtm.est")).expect("a table"), fs::read(path).expect("a table"));
}

/// A verb that reads many tables reads those that are here, and tells that the server does not answer.
#[test]
fn a_dead_server_does_not_spoil_the_figures_of_local_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let mut command = common::endspiel(line, folder.path());
        command.current_dir(folder.path()).output().expect("it starts")
    };
    assert!(run("solve onitama 1v1").status.success());
    assert!(run("solve backgammon os1x15 6x1").status.success());
    for verb in [
        "stats onitama",
        "stats onitama 1v1 --json",
        "stats backgammon 6x1",
        "atlas onitama --out page",
        "regret backgammon random --positions 10",
        "verify onitama --depth checksums --json",
    ] {
        let [near, far] = ["", " --remote http://127.0.0.1:1"].map(|remote| run(&format!("{verb}{remote}")));
        let told = text(&far.stderr);
        assert!(far.status.success() && near.status.success(), "{verb}: {told}");
        let without_times =
            |output: &[u8]| text(output).split("\"seconds\"").next().expect("a part").to_owned();
        assert_eq!(without_times(&far.stdout), without_times(&near.stdout), "{verb}");
        assert!(
            told.contains("the server cannot be reached") && told.contains("`tables` are read"),
            "{told}"
        );
    }
    // Without a table here, the server was needed.
    let nothing = run("stats chess --tables nothing --remote http://127.0.0.1:1");
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
}
